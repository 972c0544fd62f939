// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <optional>
#include <stop_token>
#include <string>

#include "base/error.h"
#include "base/files.h"
#include "ports/sandbox/launch/child.h"

namespace arbor::ports {

// The scratch folder of one launch that discards its writes, gone with this object:
//   lower/   where the keeper mounts the tree, unseen by anyone else
//   upper/   what the launch wrote        work/   the kernel's
//   merged/  what the launch sees: an overlay of lower and upper, or a plain copy of the tree
class Layers {
 public:
  // owner: who may write in it; the tree's own owner.
  static base::Result<Layers> for_overlay(const std::filesystem::path& scratch,
                                          const std::filesystem::path& tree, std::string options);
  static base::Result<Layers> by_copy(const std::filesystem::path& scratch,
                                      const std::filesystem::path& tree, std::stop_token stop);

  void fill(ChildPlan& plan) const;  // nothing to mount for a copy
  std::filesystem::path merged() const { return folder_.path() / "merged"; }
  bool is_overlay() const { return !options_.empty(); }

 private:
  Layers(base::ScratchDir folder, std::filesystem::path tree, std::string options)
      : folder_(std::move(folder)), tree_(std::move(tree)), options_(std::move(options)) {}

  base::ScratchDir folder_;
  std::filesystem::path tree_;
  std::string options_;
};

// Options for mount(2); the folders are relative to the one that the keeper enters.
std::string overlay_options(bool in_user_namespace);

}  // namespace arbor::ports
