// SPDX-License-Identifier: Apache-2.0
#include "ports/analyzer/clang_arguments.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace arbor::ports {
namespace {

// Kept with the argument that follows, where they stand alone.
constexpr std::array<std::string_view, 14> kWithValue = {
    "-D",       "-U",       "-I",           "-isystem",  "-iquote",   "-idirafter", "-include",
    "-imacros", "-iprefix", "-iwithprefix", "-isysroot", "--sysroot", "-x",         "-std"};

// Left out with the argument that follows.
constexpr std::array<std::string_view, 10> kDroppedWithValue = {
    "-o", "-MF", "-MT", "-MQ", "-MJ", "-Xlinker", "-T", "-u", "-z", "-L"};

constexpr std::array<std::string_view, 16> kKeptPrefixes = {
    "-D",      "-U",    "-I",    "-isystem", "-iquote", "-idirafter", "-include",   "-std=",
    "-march=", "-msse", "-mavx", "-mfma",    "-mbmi",   "-stdlib=",   "--sysroot=", "-isysroot"};

constexpr std::array<std::string_view, 18> kKept = {"-ansi",
                                                    "-pthread",
                                                    "-m32",
                                                    "-m64",
                                                    "-fopenmp",
                                                    "-fopenmp-simd",
                                                    "-fno-exceptions",
                                                    "-fexceptions",
                                                    "-fno-rtti",
                                                    "-frtti",
                                                    "-fchar8_t",
                                                    "-fno-char8_t",
                                                    "-fsigned-char",
                                                    "-funsigned-char",
                                                    "-fshort-enums",
                                                    "-fms-extensions",
                                                    "-nostdinc",
                                                    "-nostdinc++"};

bool is_in(const auto& list, std::string_view argument) {
  return std::ranges::find(list, argument) != list.end();
}

}  // namespace

std::vector<std::string> clang_arguments(const std::vector<std::string>& recorded) {
  std::vector<std::string> kept;
  for (std::size_t i = 0; i < recorded.size(); ++i) {
    const auto& argument = recorded[i];
    if (is_in(kDroppedWithValue, argument)) {
      ++i;
    } else if (is_in(kWithValue, argument)) {
      if (i + 1 == recorded.size()) break;
      kept.push_back(argument);
      kept.push_back(recorded[++i]);
    } else if (is_in(kKept, argument) || std::ranges::any_of(kKeptPrefixes, [&](auto prefix) {
                 return argument.starts_with(prefix);
               })) {
      kept.push_back(argument);
    }
  }
  return kept;
}

}  // namespace arbor::ports
