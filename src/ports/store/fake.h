// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "ports/store/store.h"

namespace arbor::ports {

// A campaign's folder in memory: stores come and go on it as processes do on a disk, with the same
// promises as the real one.
class FakeCampaign {
 public:
  FakeCampaign();

  // Dropping the store releases the campaign, as the end of a process would.
  base::Result<std::unique_ptr<Store>> open(StoreMode mode);

  void fail_next_write(base::Error error);  // of append or put_object, once
  void damage_object(std::string_view address);

  struct Disk;

 private:
  std::shared_ptr<Disk> disk_;
};

}  // namespace arbor::ports
