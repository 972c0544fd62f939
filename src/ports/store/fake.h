// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "ports/store/memory.h"

namespace arbor::ports {

// A campaign in memory whose disk fails when a test says so. Otherwise it keeps the contract.
class FakeCampaign {
 public:
  FakeCampaign();

  base::Result<std::unique_ptr<Store>> open(StoreMode mode);

  void fail_next_write(base::Error error);  // of append or put_object, once
  void damage_object(std::string_view address);

  struct Faults;

 private:
  MemoryCampaign campaign_;
  std::shared_ptr<Faults> faults_;
};

}  // namespace arbor::ports
