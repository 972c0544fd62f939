// SPDX-License-Identifier: Apache-2.0
#include "search/tree.h"

#include "base/check.h"

namespace arbor::search {

void Tree::add_root(const std::string& commit, const domain::Profile& profile) {
  ARBOR_CHECK(nodes_.empty(), "a campaign has one root");
  Node root;
  root.id = {0};
  root.commit = commit;
  root.profile = profile;
  nodes_.push_back(std::move(root));
  trunk_ = {0};
}

domain::NodeId Tree::add(Node node) {
  ARBOR_CHECK(has(node.parent), "a trial is made on a node that exists: " + node.parent.text());
  node.id = {static_cast<std::int64_t>(nodes_.size())};
  nodes_.push_back(std::move(node));
  return nodes_.back().id;
}

bool Tree::has(domain::NodeId id) const {
  return id.is_valid() && id.value < static_cast<std::int64_t>(nodes_.size());
}

const Node& Tree::at(domain::NodeId id) const {
  ARBOR_CHECK(has(id), "no such node: " + id.text());
  return nodes_[static_cast<std::size_t>(id.value)];
}

Node& Tree::at(domain::NodeId id) {
  ARBOR_CHECK(has(id), "no such node: " + id.text());
  return nodes_[static_cast<std::size_t>(id.value)];
}

bool Tree::is_on_path(domain::NodeId ancestor, domain::NodeId id) const {
  while (id.is_valid() && id != ancestor) id = at(id).parent;
  return id.is_valid();
}

double Tree::gain_of(domain::NodeId id) const {
  double sum = 0;
  for (; id.is_valid(); id = at(id).parent) {
    const auto& verdict = at(id).verdict;
    if (verdict && verdict->gain) sum += verdict->gain->estimate;
  }
  return sum;
}

const domain::Profile* Tree::profile_of(domain::NodeId id) const {
  for (; id.is_valid(); id = at(id).parent)
    if (at(id).profile) return &*at(id).profile;
  return nullptr;
}

}  // namespace arbor::search
