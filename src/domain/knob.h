// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "domain/layer.h"

namespace arbor::domain {

// A setting of the program that the manifest names, and the values it may take.
enum class KnobKind { kEnvironment, kArgument, kDefine, kFileTemplate };

struct Knob {
  std::string name;
  Layer layer = Layer::kApplication;
  KnobKind kind = KnobKind::kEnvironment;
  std::string variable;       // environment: its name; define: the macro's
  std::string argument;       // argument: text that replaces {knob.NAME}, with {} for the value
  std::string file;           // file-template: its {knob.NAME} is replaced before each launch
  std::string default_value;  // the value that the baseline runs with
  std::vector<std::string> values;
  std::string activates;  // regex the program prints when the value took effect; {} = value
  bool operator==(const Knob&) const = default;
};

// nullptr where none has the name.
inline const Knob* find_knob(const std::vector<Knob>& knobs, std::string_view name) {
  for (const auto& knob : knobs)
    if (knob.name == name) return &knob;
  return nullptr;
}

}  // namespace arbor::domain
