// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "search/search.h"

namespace arbor::search {

// All trials ever made, each a node under the state it was tried on. Node n stands at index n.
// The trunk is the path of kept nodes from the root to the current best.
class Tree {
 public:
  void add_root(const std::string& commit, const domain::Profile& profile);
  domain::NodeId add(Node node);  // under node.parent, which exists; sets the id

  bool is_empty() const { return nodes_.empty(); }
  bool has(domain::NodeId id) const;
  const Node& at(domain::NodeId id) const;
  Node& at(domain::NodeId id);
  const std::vector<Node>& nodes() const { return nodes_; }

  domain::NodeId trunk() const { return trunk_; }
  void move_trunk(domain::NodeId id) { trunk_ = id; }
  bool is_on_path(domain::NodeId ancestor, domain::NodeId id) const;  // itself included
  double gain_of(domain::NodeId id) const;                            // Σ ln gain from the root
  // Of the nearest node towards the root that was profiled; nullptr where none was.
  const domain::Profile* profile_of(domain::NodeId id) const;

 private:
  std::vector<Node> nodes_;
  domain::NodeId trunk_;
};

}  // namespace arbor::search
