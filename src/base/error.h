// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <expected>
#include <string>
#include <string_view>
#include <utility>

// Failures of the world are values of this type; failures of a candidate are verdicts (domain),
// failures of our own are ARBOR_CHECK.
namespace arbor::base {

enum class ErrorKind {
  kUsage,        // the user's input is wrong: stop, exit 2
  kNotFound,     // the named thing does not exist: stop or skip, as the caller says
  kUnsupported,  // this machine lacks something: skip what needs it, exit 6 if nothing is left
  kTimeout,      // a bound we set was reached: retry once, then skip
  kIo,           // disk, pipe, permission: stop with the state saved
  kBusy,         // someone else holds the lock: stop, say who
  kCorrupt,      // stored data does not verify: stop, say what to restore
  kCancelled,    // the user asked to stop
  kInternal,     // a trusted tool (git, perf, bwrap) behaved unexpectedly: skip, keep its output
};

std::string_view error_kind_name(ErrorKind kind);

// message: names the thing, what was tried and what to do next, in one or more sentences.
struct Error {
  ErrorKind kind = ErrorKind::kInternal;
  std::string message;
  bool operator==(const Error&) const = default;
};

template <typename T>
using Result = std::expected<T, Error>;

inline std::unexpected<Error> fail(ErrorKind kind, std::string message) {
  return std::unexpected(Error{kind, std::move(message)});
}

// The same failure with what we were doing put in front of it.
inline std::unexpected<Error> fail_in(std::string_view doing, Error cause) {
  cause.message = std::string(doing) + ": " + cause.message;
  return std::unexpected(std::move(cause));
}

}  // namespace arbor::base

// Returns the error of an expression early, or binds its value: ARBOR_TRY(auto x, f());
#define ARBOR_TRY_CONCAT_(a, b) a##b
#define ARBOR_TRY_NAME_(line) ARBOR_TRY_CONCAT_(arbor_try_, line)
#define ARBOR_TRY(declaration, ...)                                       \
  auto ARBOR_TRY_NAME_(__LINE__) = (__VA_ARGS__);                         \
  if (!ARBOR_TRY_NAME_(__LINE__))                                         \
    return std::unexpected(std::move(ARBOR_TRY_NAME_(__LINE__)).error()); \
  declaration = std::move(*ARBOR_TRY_NAME_(__LINE__))
#define ARBOR_TRY_VOID(...)                                        \
  do {                                                             \
    if (auto arbor_try_result = (__VA_ARGS__); !arbor_try_result)  \
      return std::unexpected(std::move(arbor_try_result).error()); \
  } while (false)
