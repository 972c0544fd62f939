// SPDX-License-Identifier: Apache-2.0
#include "workspace/artefacts.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <set>

#include "base/files.h"
#include "base/hash.h"
#include "workspace/elf_hash.h"
#include "workspace/glob.h"

namespace arbor::workspace {
namespace fs = std::filesystem;
using base::ErrorKind;
using base::Result;

namespace {

constexpr std::uintmax_t kMaxArtefactBytes = 4ULL << 30;
constexpr std::size_t kPieceBytes = 1UL << 20;

bool is_probe(std::string_view path) {
  for (const std::string_view folder : {"CMakeFiles/", "meson-private/", "meson-logs/"})
    if (path.find(folder) != std::string_view::npos) return true;
  const auto name = path.substr(path.rfind('/') + 1);
  return name.starts_with("conftest") || name.starts_with("cmTC_");
}

// Bytecode that Python keeps is a copy of the source, which is what runs.
bool is_intermediate(std::string_view path) {
  return std::ranges::any_of(
      std::initializer_list<std::string_view>{".o", ".obj", ".a", ".d", ".gcno", ".pyc"},
      [&](std::string_view end) { return path.ends_with(end); });
}

bool is_binary(const fs::path& file) {
  const auto bytes = base::read_file(file, kMaxArtefactBytes);
  if (!bytes) return false;
  const ElfKind kind = elf_kind(*bytes);
  return kind == ElfKind::kExecutable || kind == ElfKind::kSharedLibrary;
}

// The listing holds only files that are regular and reached without a link.
std::vector<std::string> chosen(const fs::path& tree, const TreeListing& listing,
                                const ArtefactRules& rules) {
  std::set<std::string> paths;
  if (!rules.globs.empty()) {
    for (const auto& [path, state] : listing)
      if (any_glob_matches(rules.globs, path)) paths.insert(path);
    return {paths.begin(), paths.end()};
  }
  for (const auto& path : rules.candidates)
    if (listing.contains(path) && !is_probe(path) && !is_intermediate(path)) paths.insert(path);
  std::vector<std::string> binaries;
  std::ranges::copy_if(paths, std::back_inserter(binaries),
                       [&](const std::string& path) { return is_binary(tree / path); });
  return binaries.empty() ? std::vector<std::string>(paths.begin(), paths.end()) : binaries;
}

// Where nothing is built the program is its source: every file of the tree.
Result<std::string> hash_of_all(const fs::path& folder) {
  ARBOR_TRY(const TreeListing listing, list_tree(folder));
  base::Hasher hasher;
  for (const auto& [path, state] : listing) {
    ARBOR_TRY(const std::string content, file_hash(folder / path));
    hasher.add(path).add(content);
  }
  return hasher.hex();
}

}  // namespace

Result<TreeListing> list_tree(const fs::path& tree) {
  TreeListing listing;
  std::error_code failed;
  auto it =
      fs::recursive_directory_iterator(tree, fs::directory_options::skip_permission_denied, failed);
  for (; !failed && it != fs::end(it); it.increment(failed)) {
    if (it.depth() == 0 && it->path().filename() == ".git") {
      it.disable_recursion_pending();
      continue;
    }
    struct stat status{};
    if (::lstat(it->path().c_str(), &status) != 0 || !S_ISREG(status.st_mode)) continue;
    listing[it->path().lexically_relative(tree).string()] = {
        static_cast<std::uintmax_t>(status.st_size),
        status.st_mtim.tv_sec * 1'000'000'000LL + status.st_mtim.tv_nsec, status.st_ino};
  }
  if (failed)
    return base::fail(ErrorKind::kIo,
                      fmt::format("cannot list '{}': {}", tree.string(), failed.message()));
  return listing;
}

std::vector<std::string> changed_files(const TreeListing& before, const TreeListing& after) {
  std::vector<std::string> changed;
  for (const auto& [path, state] : after) {
    const auto old = before.find(path);
    if (old == before.end() || old->second != state) changed.push_back(path);
  }
  return changed;
}

Result<Artefact> artefact_at(const fs::path& tree, const std::string& path) {
  struct stat status{};
  if (::lstat((tree / path).c_str(), &status) != 0 || !S_ISREG(status.st_mode))
    return base::fail(ErrorKind::kNotFound, fmt::format("no file '{}' in the built tree", path));
  ARBOR_TRY(const std::string bytes, base::read_file(tree / path, kMaxArtefactBytes));
  return Artefact{path, binary_hash(bytes)};
}

Result<std::vector<Artefact>> find_artefacts(const fs::path& tree, const TreeListing& listing,
                                             const ArtefactRules& rules) {
  std::vector<Artefact> artefacts;
  for (const auto& path : chosen(tree, listing, rules)) {
    ARBOR_TRY(Artefact artefact, artefact_at(tree, path));
    artefacts.push_back(std::move(artefact));
  }
  return artefacts;
}

Result<std::string> file_hash(const fs::path& file) {
  const int fd = ::open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
  const auto failure = [&] {
    return base::fail(ErrorKind::kIo,
                      fmt::format("cannot read '{}': {}", file.string(), std::strerror(errno)));
  };
  if (fd < 0) return failure();
  base::Hasher hasher;
  std::vector<char> piece(kPieceBytes);
  ssize_t got = 0;
  while ((got = ::read(fd, piece.data(), piece.size())) > 0 || (got < 0 && errno == EINTR))
    if (got > 0) hasher.add({piece.data(), static_cast<std::size_t>(got)});
  const bool is_read = got == 0;
  auto error = failure();
  ::close(fd);
  if (!is_read) return error;
  return hasher.hex();
}

Result<std::string> artefacts_hash_on_disk(const BuiltTree& tree) {
  BuiltTree found;
  for (const auto& artefact : tree.artefacts) {
    if (artefact.path.empty()) return hash_of_all(tree.folder);
    auto now = artefact_at(tree.folder, artefact.path);
    if (!now && now.error().kind != ErrorKind::kNotFound) return std::unexpected(now.error());
    found.artefacts.push_back(now ? std::move(*now) : Artefact{artefact.path, "absent"});
  }
  return artefacts_hash(found);
}

bool is_its_source(const BuiltTree& tree) {
  return tree.artefacts.size() == 1 && tree.artefacts[0].path.empty();
}

std::string artefacts_hash(const BuiltTree& tree) {
  base::Hasher hasher;
  for (const auto& artefact : tree.artefacts) hasher.add(artefact.path).add(artefact.hash);
  return hasher.hex();
}

}  // namespace arbor::workspace
