// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/check.h"

namespace arbor::base {

// The extension points: a .cc file registers one implementation under a name, the wiring asks for
// it by name. Filled before main() and constant afterwards. A duplicate name aborts at start.
//   ARBOR_REGISTER(Specialist, "compiler.opt-level", "Raises a missing or low -O level", OptLevel);
template <typename Interface>
class Registry {
 public:
  struct Entry {
    std::string name;     // what --without and the manifest call it
    std::string summary;  // one line for `arbor list`
    std::unique_ptr<Interface> (*create)();
  };

  static Registry& instance() {
    static Registry registry;
    return registry;
  }

  bool add(Entry entry) {
    const std::string name = entry.name;
    const bool is_new = entries_.emplace(name, std::move(entry)).second;
    ARBOR_CHECK(is_new, "two registrations of one name: " + name);
    return is_new;
  }

  std::vector<const Entry*> sorted() const {  // by name
    std::vector<const Entry*> all;
    for (const auto& [name, entry] : entries_) all.push_back(&entry);
    return all;
  }

  const Entry* find(std::string_view name) const {
    const auto found = entries_.find(name);
    return found == entries_.end() ? nullptr : &found->second;
  }

 private:
  std::map<std::string, Entry, std::less<>> entries_;
};

}  // namespace arbor::base

#define ARBOR_REGISTER(Interface, name, summary, Implementation)   \
  [[maybe_unused]] static const bool kRegistered##Implementation = \
      ::arbor::base::Registry<Interface>::instance().add(          \
          {name, summary,                                          \
           []() -> std::unique_ptr<Interface> { return std::make_unique<Implementation>(); }})
