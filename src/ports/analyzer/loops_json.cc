// SPDX-License-Identifier: Apache-2.0
#include "ports/analyzer/loops_json.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <set>

#include "base/json.h"

namespace arbor::ports {
namespace {

using base::Json;

const std::set<std::string>& operations() {
  static const std::set<std::string> kOperations = {"+", "*", "min", "max", "&", "|", "^"};
  return kOperations;
}

// The first thing that was wrong while an object was read.
class Reader {
 public:
  explicit Reader(const Json& json) : json_(json) {
    if (!json.is_object()) problem_ = "a value that is no object";
  }
  std::string text(const char* name) {
    const auto* value = member(name);
    if (value != nullptr && value->is_string()) return value->get<std::string>();
    return miss(name, std::string());
  }
  bool truth(const char* name) {
    const auto* value = member(name);
    if (value != nullptr && value->is_boolean()) return value->get<bool>();
    return miss(name, false);
  }
  int number(const char* name) {
    const auto* value = member(name);
    if (value != nullptr && value->is_number_integer()) return value->get<int>();
    return miss(name, 0);
  }
  const Json& list(const char* name) {
    static const Json kEmpty = Json::array();
    const auto* value = member(name);
    if (value != nullptr && value->is_array()) return *value;
    miss(name, 0);
    return kEmpty;
  }
  void refuse(std::string problem) {
    if (problem_.empty()) problem_ = std::move(problem);
  }
  const std::string& problem() const { return problem_; }

 private:
  const Json* member(const char* name) const {
    if (!json_.is_object()) return nullptr;
    const auto found = json_.find(name);
    return found == json_.end() ? nullptr : &*found;
  }
  template <typename T>
  T miss(const char* name, T value) {
    refuse(fmt::format("no proper \"{}\"", name));
    return value;
  }
  const Json& json_;
  std::string problem_;
};

Reduction read_reduction(const Json& json, Reader& whole) {
  Reader reader(json);
  Reduction one{reader.text("variable"), reader.text("operation"), reader.truth("is_floating")};
  if (!operations().contains(one.operation)) reader.refuse("an unknown operation");
  if (!reader.problem().empty()) whole.refuse("a reduction with " + reader.problem());
  return one;
}

ArrayAccess read_access(const Json& json, Reader& whole) {
  Reader reader(json);
  ArrayAccess one{reader.text("array"), reader.text("index"), reader.truth("is_write"),
                  reader.number("stride")};
  if (!reader.problem().empty()) whole.refuse("an access with " + reader.problem());
  return one;
}

Loop read_loop(const Json& json, Reader& whole) {
  Reader reader(json);
  Loop loop;
  loop.function = reader.text("function");
  loop.line = reader.number("line");
  loop.end_line = reader.number("end_line");
  loop.depth = reader.number("depth");
  loop.is_innermost = reader.truth("is_innermost");
  loop.is_canonical = reader.truth("is_canonical");
  loop.induction = reader.text("induction");
  loop.has_call = reader.truth("has_call");
  loop.has_exit = reader.truth("has_exit");
  loop.has_other_dependence = reader.truth("has_other_dependence");
  for (const auto& one : reader.list("reductions"))
    loop.reductions.push_back(read_reduction(one, reader));
  for (const auto& one : reader.list("accesses")) loop.accesses.push_back(read_access(one, reader));
  if (loop.line < 1 || loop.end_line < loop.line || loop.depth < 0)
    reader.refuse("lines out of order");
  if (!reader.problem().empty()) whole.refuse("a loop with " + reader.problem());
  return loop;
}

}  // namespace

base::Result<std::vector<Loop>> parse_loops(std::string_view text, const std::string& file) {
  auto json = base::parse_json(text, "loops of " + file);
  if (!json) return base::fail(base::ErrorKind::kInternal, json.error().message);
  Reader reader(*json);
  std::vector<Loop> loops;
  for (const auto& one : reader.list("loops")) {
    loops.push_back(read_loop(one, reader));
    loops.back().file = file;
  }
  if (!reader.problem().empty())
    return base::fail(base::ErrorKind::kInternal,
                      fmt::format("arbor-analyzer printed {} for {}", reader.problem(), file));
  return loops;
}

}  // namespace arbor::ports
