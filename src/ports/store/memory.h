// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "ports/store/store.h"

namespace arbor::ports {

// A campaign's folder in memory, for verbs that journal nothing to disk (the store named "memory"):
// stores come and go on it as processes do on a disk, with the same promises as the real one, but
// that it ends with this object and its last store.
class MemoryCampaign {
 public:
  MemoryCampaign();

  // Dropping the store releases the campaign, as the end of a process would.
  base::Result<std::unique_ptr<Store>> open(StoreMode mode);

  struct Content;

 private:
  std::shared_ptr<Content> content_;
};

}  // namespace arbor::ports
