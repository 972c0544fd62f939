// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "base/error.h"

namespace arbor::ports {

// Content-addressed files: ab/cdef… below the folder holds one zstd frame whose content has the
// address abcdef…. A file appears under its name only when all of it is on disk.
class ObjectFolder {
 public:
  explicit ObjectFolder(std::filesystem::path folder) : folder_(std::move(folder)) {}

  base::Result<std::string> put(std::string_view bytes) const;
  base::Result<std::string> get(std::string_view address) const;

  // Removes what a killed writer left half written. Only the holder of the campaign's lock may.
  void remove_drafts() const;

 private:
  std::filesystem::path path_of(std::string_view address) const;
  std::filesystem::path folder_;
};

}  // namespace arbor::ports
