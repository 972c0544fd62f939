// SPDX-License-Identifier: Apache-2.0
#include "workspace/shim/places.h"

#include <array>
#include <cstdlib>

#include "workspace/shim/shim.h"

namespace arbor::workspace {
namespace {

constexpr std::array kParts = {kShimFolder, kShimPlanFile, kRecordFolder, kProfileFolder};

// Number 0 is the tree; empty where the variable does not say.
std::string place(std::size_t number) {
  const char* text = std::getenv(kPlacesVariable);
  std::string_view rest = text == nullptr ? "" : text;
  for (; number > 0; --number) {
    const auto colon = rest.find(':');
    if (colon == std::string_view::npos) return "";
    rest.remove_prefix(colon + 1);
  }
  return std::string(rest.substr(0, rest.find(':')));
}

}  // namespace

std::string places_text(const std::filesystem::path& tree_path) {
  std::string text = tree_path.string();
  for (const auto part : kParts) text.append(":").append(part);
  return text;
}

std::string place_of(std::string_view inside) {
  for (std::size_t i = 0; i < kParts.size(); ++i) {
    if (inside != kParts[i]) continue;
    std::string found = place(i + 1);
    return found.empty() ? std::string(inside) : found;
  }
  return std::string(inside);
}

std::filesystem::path path_in_view(const std::filesystem::path& path,
                                   const std::filesystem::path& tree_path) {
  const std::filesystem::path tree = place(0);
  if (tree.empty() || tree == tree_path) return path;
  const auto below = path.lexically_relative(tree);
  if (below.empty() || *below.begin() == "..") return path;
  return below == "." ? tree_path : tree_path / below;
}

}  // namespace arbor::workspace
