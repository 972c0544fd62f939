// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"

namespace arbor::ports {

// One entry of a campaign's journal. body is JSON; its shape per type is in
// docs/formats/journal.md.
struct Event {
  std::int64_t sequence = 0;  // from 1, without holes; given by the store
  std::int64_t unix_ms = 0;
  std::string type;  // "trial_started", "verdict", …
  std::string body;
  bool operator==(const Event&) const = default;
};

// A campaign's journal and objects. One writer, many readers, also from other processes; one Store
// may be used by several threads. append and put_object are on disk before they return; events of
// one call are one transaction. Errors: kIo (disk full, read only), kBusy (another controller holds
// the campaign: the message names its pid), kCorrupt (what was found and what can be recovered),
// kUsage (made by a newer Arbor; network file system; writing to a store opened to read). After a
// failed append nothing of it is stored and the store can be used on.
class Store {
 public:
  virtual ~Store() = default;
  // The events' own sequence numbers are ignored; returns that of the last event of the journal.
  virtual base::Result<std::int64_t> append(const std::vector<Event>& events) = 0;
  virtual base::Result<std::vector<Event>> read(std::int64_t after_sequence) const = 0;
  // Content-addressed, compressed; the same bytes are stored once, and healed where damaged.
  virtual base::Result<std::string> put_object(std::string_view bytes) = 0;
  // Verified by its address: kNotFound, kCorrupt, or exactly the bytes that were put.
  virtual base::Result<std::string> get_object(std::string_view address) const = 0;
};

enum class StoreMode { kCreate, kWrite, kRead };

// A way to keep campaigns, found by its name: "sqlite" or "memory".
class StoreKind {
 public:
  virtual ~StoreKind() = default;
  virtual base::Result<std::unique_ptr<Store>> open(const std::filesystem::path& folder,
                                                    StoreMode mode) const = 0;
};

// folder: the campaign's .arbor folder. kCreate makes it where missing and fails with kUsage where
// a campaign already exists; kWrite and kRead fail with kNotFound where there is none.
base::Result<std::unique_ptr<Store>> open_store(const std::filesystem::path& folder, StoreMode mode,
                                                std::string_view kind = "sqlite");

}  // namespace arbor::ports
