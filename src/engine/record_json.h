// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>

#include <concepts>
#include <nlohmann/json_fwd.hpp>
#include <stdexcept>
#include <string>
#include <utility>

#include "base/json.h"

// Strict reading of JSON into structs, for journal.cc alone: what does not fit is named by its key.
namespace arbor::engine {

// Thrown and caught within journal.cc. what(): "'pair.x' must be a number, but is a string".
class Misfit : public std::runtime_error {
 public:
  Misfit(std::string key, std::string why)
      : std::runtime_error(key.empty() ? why : fmt::format("'{}' {}", key, why)),
        key_(std::move(key)),
        why_(std::move(why)) {}
  Misfit within(const std::string& key) const {
    return {key_.empty() ? key : key + "." + key_, why_};
  }

 private:
  std::string key_, why_;
};

template <typename T>
concept WholeNumber = std::integral<T> && !std::same_as<T, bool>;

// Without a fraction and within its type: a float is never cut to a whole number.
template <WholeNumber T, typename Json>
T whole_number(const Json& j) {
  if (!j.is_number_integer()) throw Misfit("", "is no whole number");
  const bool fits = j.is_number_unsigned() ? std::in_range<T>(j.template get<std::uint64_t>())
                                           : std::in_range<T>(j.template get<std::int64_t>());
  if (!fits) throw Misfit("", "is a larger number than was ever written");
  return static_cast<T>(j.template get<std::int64_t>());
}

template <typename T, typename Json>
void read_field(const Json& j, const char* key, T& value) {
  if (!j.is_object()) throw Misfit("", "is no object");
  const auto found = j.find(key);
  if (found == j.end()) throw Misfit(key, "is missing");
  try {
    if constexpr (WholeNumber<T>)
      value = whole_number<T>(*found);
    else
      found->get_to(value);
  } catch (const Misfit& misfit) {
    throw misfit.within(key);
  } catch (const std::exception& error) {
    throw Misfit(key, "cannot be read: " + base::json_problem(error.what()));
  }
}

}  // namespace arbor::engine

// to_json and from_json of a struct with these members, in place of nlohmann's own macro.
#define ARBOR_READ_FIELD(field) arbor::engine::read_field(j, #field, value.field);
#define ARBOR_WRITE_FIELD(field) j[#field] = value.field;
#define ARBOR_JSON_OF(Type, ...)                                              \
  void to_json(nlohmann::json& j, const Type& value) {                        \
    NLOHMANN_JSON_EXPAND(NLOHMANN_JSON_PASTE(ARBOR_WRITE_FIELD, __VA_ARGS__)) \
  }                                                                           \
  void from_json(const nlohmann::json& j, Type& value) {                      \
    NLOHMANN_JSON_EXPAND(NLOHMANN_JSON_PASTE(ARBOR_READ_FIELD, __VA_ARGS__))  \
  }
