// SPDX-License-Identifier: Apache-2.0
#include "ports/store/memory.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <map>
#include <mutex>

#include "base/hash.h"
#include "base/registry.h"

namespace arbor::ports {
using base::ErrorKind;

struct MemoryCampaign::Content {
  std::mutex mutex;
  bool exists = false;
  bool has_writer = false;
  std::vector<Event> events;
  std::map<std::string, std::string, std::less<>> objects;
};

namespace {

class MemoryStore final : public Store {
 public:
  MemoryStore(std::shared_ptr<MemoryCampaign::Content> content, bool is_writer)
      : content_(std::move(content)), is_writer_(is_writer) {}
  MemoryStore(const MemoryStore&) = delete;
  MemoryStore& operator=(const MemoryStore&) = delete;
  ~MemoryStore() override {
    const std::lock_guard guard(content_->mutex);
    if (is_writer_) content_->has_writer = false;
  }

  base::Result<std::int64_t> append(const std::vector<Event>& events) override {
    const std::lock_guard guard(content_->mutex);
    ARBOR_TRY_VOID(may_write());
    for (Event event : events) {
      event.sequence = static_cast<std::int64_t>(content_->events.size()) + 1;
      content_->events.push_back(std::move(event));
    }
    return static_cast<std::int64_t>(content_->events.size());
  }

  base::Result<std::vector<Event>> read(std::int64_t after_sequence) const override {
    const std::lock_guard guard(content_->mutex);
    const auto count = static_cast<std::int64_t>(content_->events.size());
    const auto skipped = std::clamp<std::int64_t>(after_sequence, 0, count);
    return std::vector<Event>(content_->events.begin() + skipped, content_->events.end());
  }

  base::Result<std::string> put_object(std::string_view bytes) override {
    const std::lock_guard guard(content_->mutex);
    ARBOR_TRY_VOID(may_write());
    std::string address = base::content_hash(bytes);
    content_->objects.try_emplace(address, bytes);
    return address;
  }

  base::Result<std::string> get_object(std::string_view address) const override {
    const std::lock_guard guard(content_->mutex);
    if (address.size() != base::content_hash("").size())
      return base::fail(ErrorKind::kUsage, fmt::format("'{}' is no object address", address));
    const auto found = content_->objects.find(address);
    if (found == content_->objects.end())
      return base::fail(ErrorKind::kNotFound, fmt::format("no object '{}'", address));
    return found->second;
  }

 private:
  base::Result<void> may_write() const {
    if (is_writer_) return {};
    return base::fail(ErrorKind::kUsage, "the campaign was opened to read");
  }

  std::shared_ptr<MemoryCampaign::Content> content_;
  bool is_writer_;
};

// Every opening is a campaign of its own: only a new one can be found here.
class InMemory final : public StoreKind {
 public:
  base::Result<std::unique_ptr<Store>> open(const std::filesystem::path&,
                                            StoreMode mode) const override {
    return MemoryCampaign().open(mode);
  }
};

ARBOR_REGISTER(StoreKind, "memory", "Keeps the journal in memory only, for try and verify",
               InMemory);

}  // namespace

MemoryCampaign::MemoryCampaign() : content_(std::make_shared<Content>()) {}

base::Result<std::unique_ptr<Store>> MemoryCampaign::open(StoreMode mode) {
  const std::lock_guard guard(content_->mutex);
  const bool is_writer = mode != StoreMode::kRead;
  if (is_writer && content_->has_writer)
    return base::fail(ErrorKind::kBusy,
                      fmt::format("the campaign is already being run by process {}", ::getpid()));
  if (mode == StoreMode::kCreate && content_->exists)
    return base::fail(ErrorKind::kUsage, "there is a campaign already");
  if (mode != StoreMode::kCreate && !content_->exists)
    return base::fail(ErrorKind::kNotFound, "there is no campaign");
  content_->exists = true;
  content_->has_writer |= is_writer;
  return std::make_unique<MemoryStore>(content_, is_writer);
}

}  // namespace arbor::ports
