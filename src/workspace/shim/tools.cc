// SPDX-License-Identifier: Apache-2.0
#include "workspace/shim/tools.h"

#include <algorithm>
#include <array>

namespace arbor::workspace {
namespace {

#if defined(__x86_64__)
constexpr std::string_view kMachine = "x86_64";
#elif defined(__aarch64__)
constexpr std::string_view kMachine = "aarch64";
#else
constexpr std::string_view kMachine = "unknown";
#endif

constexpr std::array kCNames = {"cc", "gcc", "clang", "c89", "c99"};
constexpr std::array kCxxNames = {"c++", "g++", "clang++"};
constexpr std::array kArchiverNames = {"ar",     "ranlib",  "nm",          "gcc-ar", "gcc-ranlib",
                                       "gcc-nm", "llvm-ar", "llvm-ranlib", "llvm-nm"};
constexpr std::array kLinkerNames = {"ld", "ld.bfd", "ld.gold", "ld.lld", "ld.mold", "mold", "lld"};
constexpr std::array kLauncherNames = {"ccache", "sccache", "distcc", "icecc"};
constexpr int kNewestLlvm = 40, kOldestLlvm = 6;

template <typename Names>
bool is_one_of(std::string_view name, const Names& names) {
  return std::ranges::find(names, name) != names.end();
}

// "-12", "-19", "-12.2" at the end of a name.
std::size_t version_start(std::string_view name) {
  const auto dash = name.rfind('-');
  if (dash == std::string_view::npos || dash + 1 == name.size()) return name.size();
  const auto digits = name.substr(dash + 1);
  const bool is_version = digits[0] != '.' && std::ranges::all_of(digits, [](char c) {
                            return (c >= '0' && c <= '9') || c == '.';
                          });
  return is_version ? dash : name.size();
}

ToolClass class_of_plain(std::string_view name) {
  if (is_one_of(name, kCNames) || name == "c89-gcc" || name == "c99-gcc")
    return ToolClass::kCDriver;
  if (is_one_of(name, kCxxNames)) return ToolClass::kCxxDriver;
  if (is_one_of(name, kArchiverNames)) return ToolClass::kArchiver;
  if (is_one_of(name, kLinkerNames)) return ToolClass::kLinker;
  if (is_one_of(name, kLauncherNames)) return ToolClass::kLauncher;
  return ToolClass::kOther;
}

struct SplitName {
  std::string_view triplet, plain;
};

// "x86_64-linux-gnu-gcc-12" → {"x86_64-linux-gnu", "gcc"}. A name that means something as a whole
// ("gcc-ar", "llvm-ar") has no triplet.
SplitName split_name(std::string_view name) {
  name = name.substr(0, version_start(name));
  if (class_of_plain(name) != ToolClass::kOther) return {"", name};
  for (auto dash = name.find('-'); dash != std::string_view::npos; dash = name.find('-', dash + 1))
    if (class_of_plain(name.substr(dash + 1)) != ToolClass::kOther)
      return {name.substr(0, dash), name.substr(dash + 1)};
  return {"", name};
}

// ar, ranlib or nm, whatever stands in front of it.
std::string_view archiver_kind(std::string_view plain) {
  const auto dash = plain.rfind('-');
  return dash == std::string_view::npos ? plain : plain.substr(dash + 1);
}

std::vector<std::string> llvm_archivers(std::string_view kind, std::string_view version) {
  const std::string base = "llvm-" + std::string(kind);
  std::vector<std::string> names;
  if (!version.empty()) names.push_back(base + std::string(version));
  // A newer tool reads older bitcode, not the other way round.
  for (int number = kNewestLlvm; number >= kOldestLlvm; --number)
    names.push_back(base + "-" + std::to_string(number));
  names.push_back(base);
  return names;
}

}  // namespace

bool is_host_triplet(std::string_view triplet) {
  return triplet.starts_with(kMachine) && triplet.substr(kMachine.size()).starts_with('-') &&
         triplet.find("linux") != std::string_view::npos;
}

std::string version_suffix_of(std::string_view name) {
  return std::string(name.substr(version_start(name)));
}

ToolClass class_of_tool(std::string_view name) {
  const SplitName parts = split_name(name);
  const ToolClass found = class_of_plain(parts.plain);
  if (parts.triplet.empty() || is_host_triplet(parts.triplet)) return found;
  const bool is_driver = found == ToolClass::kCDriver || found == ToolClass::kCxxDriver;
  // Anything else in front is a wrapper of its own ("colorgcc", "afl-gcc"): not ours to rename.
  return is_driver && parts.triplet.find('-') != std::string_view::npos ? ToolClass::kCrossDriver
                                                                        : ToolClass::kOther;
}

CompilerFamily family_of_tool(std::string_view name) {
  return name.find("clang") != std::string_view::npos ? CompilerFamily::kClang
                                                      : CompilerFamily::kGcc;
}

Driver driver_for(std::string_view tool, const ShimPlan& plan) {
  Driver driver{std::string(tool), {}};
  const ToolClass kind = class_of_tool(tool);
  if (!plan.compiler) return driver;
  const std::string& chosen = kind == ToolClass::kCxxDriver ? plan.compiler->cxx : plan.compiler->c;
  const bool is_driver = kind == ToolClass::kCxxDriver || kind == ToolClass::kCDriver;
  if (!is_driver || chosen.empty()) return driver;
  driver.name = chosen;
  const auto plain = split_name(tool).plain;
  if (plain.starts_with("c99")) driver.extra = {"-std=c99"};
  if (plain.starts_with("c89")) driver.extra = {"-std=c89"};
  return driver;
}

bool is_lto_flag(std::string_view flag) { return flag == "-flto" || flag.starts_with("-flto="); }

bool uses_lto(const ShimPlan& plan) {
  return std::ranges::any_of(plan.flags, [](const domain::CompilerFlags& flags) {
    return std::ranges::any_of(flags.add, is_lto_flag);
  });
}

std::vector<std::string> archivers_for(std::string_view tool, const ShimPlan& plan,
                                       bool holds_bitcode) {
  const std::string own(tool);
  if (!uses_lto(plan) && !holds_bitcode) return {own};
  const std::string kind(archiver_kind(split_name(tool).plain));
  const std::string chosen = plan.compiler ? plan.compiler->cxx : "";
  std::vector<std::string> names;
  if (holds_bitcode || family_of_tool(chosen) == CompilerFamily::kClang) {
    names = llvm_archivers(kind, version_suffix_of(chosen));
  } else {
    if (!chosen.empty()) names.push_back("gcc-" + kind + version_suffix_of(chosen));
    names.push_back("gcc-" + kind);
  }
  names.push_back(own);
  return names;
}

}  // namespace arbor::workspace
