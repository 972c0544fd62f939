// SPDX-License-Identifier: Apache-2.0
#include "ports/store/fake.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <map>
#include <mutex>

#include "base/check.h"
#include "base/hash.h"

namespace arbor::ports {
using base::ErrorKind;

struct FakeCampaign::Disk {
  std::mutex mutex;
  bool exists = false;
  bool has_writer = false;
  std::vector<Event> events;
  std::map<std::string, std::string, std::less<>> objects;
  std::optional<base::Error> next_failure;
};

namespace {

class FakeStore final : public Store {
 public:
  FakeStore(std::shared_ptr<FakeCampaign::Disk> disk, bool is_writer)
      : disk_(std::move(disk)), is_writer_(is_writer) {}
  FakeStore(const FakeStore&) = delete;
  FakeStore& operator=(const FakeStore&) = delete;
  ~FakeStore() override {
    const std::lock_guard guard(disk_->mutex);
    if (is_writer_) disk_->has_writer = false;
  }

  base::Result<std::int64_t> append(const std::vector<Event>& events) override {
    const std::lock_guard guard(disk_->mutex);
    ARBOR_TRY_VOID(may_write());
    for (Event event : events) {
      event.sequence = static_cast<std::int64_t>(disk_->events.size()) + 1;
      disk_->events.push_back(std::move(event));
    }
    return static_cast<std::int64_t>(disk_->events.size());
  }

  base::Result<std::vector<Event>> read(std::int64_t after_sequence) const override {
    const std::lock_guard guard(disk_->mutex);
    const auto count = static_cast<std::int64_t>(disk_->events.size());
    const auto skipped = std::clamp<std::int64_t>(after_sequence, 0, count);
    return std::vector<Event>(disk_->events.begin() + skipped, disk_->events.end());
  }

  base::Result<std::string> put_object(std::string_view bytes) override {
    const std::lock_guard guard(disk_->mutex);
    ARBOR_TRY_VOID(may_write());
    std::string address = base::content_hash(bytes);
    disk_->objects[address] = bytes;
    return address;
  }

  base::Result<std::string> get_object(std::string_view address) const override {
    const std::lock_guard guard(disk_->mutex);
    if (address.size() != base::content_hash("").size())
      return base::fail(ErrorKind::kUsage, fmt::format("'{}' is no object address", address));
    const auto found = disk_->objects.find(address);
    if (found == disk_->objects.end())
      return base::fail(ErrorKind::kNotFound, fmt::format("no object '{}'", address));
    if (base::content_hash(found->second) != address)
      return base::fail(ErrorKind::kCorrupt, fmt::format("the object '{}' is damaged", address));
    return found->second;
  }

 private:
  base::Result<void> may_write() {
    if (!is_writer_) return base::fail(ErrorKind::kUsage, "the campaign was opened to read");
    if (!disk_->next_failure) return {};
    base::Error error = *std::exchange(disk_->next_failure, std::nullopt);
    return std::unexpected(std::move(error));
  }

  std::shared_ptr<FakeCampaign::Disk> disk_;
  bool is_writer_;
};

}  // namespace

FakeCampaign::FakeCampaign() : disk_(std::make_shared<Disk>()) {}

base::Result<std::unique_ptr<Store>> FakeCampaign::open(StoreMode mode) {
  const std::lock_guard guard(disk_->mutex);
  const bool is_writer = mode != StoreMode::kRead;
  if (is_writer && disk_->has_writer)
    return base::fail(ErrorKind::kBusy,
                      fmt::format("the campaign is already being run by process {}", ::getpid()));
  if (mode == StoreMode::kCreate && disk_->exists)
    return base::fail(ErrorKind::kUsage, "there is a campaign already");
  if (mode != StoreMode::kCreate && !disk_->exists)
    return base::fail(ErrorKind::kNotFound, "there is no campaign");
  disk_->exists = true;
  disk_->has_writer |= is_writer;
  return std::make_unique<FakeStore>(disk_, is_writer);
}

void FakeCampaign::fail_next_write(base::Error error) {
  const std::lock_guard guard(disk_->mutex);
  disk_->next_failure = std::move(error);
}

void FakeCampaign::damage_object(std::string_view address) {
  const std::lock_guard guard(disk_->mutex);
  const auto found = disk_->objects.find(address);
  ARBOR_CHECK(found != disk_->objects.end(), "no such object to damage");
  if (found->second.empty()) found->second.push_back('\0');
  found->second.front() = static_cast<char>(found->second.front() ^ 1);
}

}  // namespace arbor::ports
