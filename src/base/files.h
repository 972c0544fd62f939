// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

#include "base/error.h"

namespace arbor::base {

// Whole file; errors name the path. What is no regular file (a folder, a pipe, a device) is refused
// at once, without waiting for it. max_bytes guards against a file grown beyond reason.
Result<std::string> read_file(const std::filesystem::path& path,
                              std::uintmax_t max_bytes = 256ULL << 20);

// Durable: written beside the target, fsynced, renamed over it, folder fsynced. Atomic for readers.
Result<void> write_file_durable(const std::filesystem::path& path, std::string_view bytes);

// Makes the names in a folder durable: what was created, renamed or removed there.
Result<void> sync_folder(const std::filesystem::path& folder);

// Creates parents; not durable. For scratch files only.
Result<void> write_file(const std::filesystem::path& path, std::string_view bytes);

// A new folder under parent, removed with all its contents at the end of scope. Its name holds the
// prefix and its owner's mark, so that sweep (base/owner.h) finds it when the owner was killed.
class ScratchDir {
 public:
  static Result<ScratchDir> create(const std::filesystem::path& parent, std::string_view prefix);
  ScratchDir(ScratchDir&& other) noexcept;
  ScratchDir& operator=(ScratchDir&& other) noexcept;
  ~ScratchDir();
  const std::filesystem::path& path() const { return path_; }

 private:
  explicit ScratchDir(std::filesystem::path path) : path_(std::move(path)) {}
  std::filesystem::path path_;
};

// Removes a tree, however deep it is and whatever rights its folders have. No link is followed.
void remove_tree(const std::filesystem::path& path);

}  // namespace arbor::base
