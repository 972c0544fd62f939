// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string_view>

namespace arbor::domain {

// Where in the stack an action works.
enum class Layer {
  kApplication,
  kFramework,
  kRuntime,
  kCompiler,
  kKernel,
  kCommunication,
  kSystem
};

inline constexpr Layer kAllLayers[] = {
    Layer::kApplication, Layer::kFramework,     Layer::kRuntime, Layer::kCompiler,
    Layer::kKernel,      Layer::kCommunication, Layer::kSystem};

std::string_view layer_name(Layer layer);
std::optional<Layer> parse_layer(std::string_view name);

}  // namespace arbor::domain
