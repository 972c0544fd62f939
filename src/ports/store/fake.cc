// SPDX-License-Identifier: Apache-2.0
#include "ports/store/fake.h"

#include <fmt/format.h>

#include <mutex>
#include <set>

namespace arbor::ports {

struct FakeCampaign::Faults {
  std::mutex mutex;
  std::optional<base::Error> next_failure;
  std::set<std::string, std::less<>> damaged;

  base::Result<void> take_failure() {
    const std::lock_guard guard(mutex);
    if (!next_failure) return {};
    base::Error error = *std::exchange(next_failure, std::nullopt);
    return std::unexpected(std::move(error));
  }
};

namespace {

class FaultyStore final : public Store {
 public:
  FaultyStore(std::unique_ptr<Store> store, std::shared_ptr<FakeCampaign::Faults> faults)
      : store_(std::move(store)), faults_(std::move(faults)) {}

  base::Result<std::int64_t> append(const std::vector<Event>& events) override {
    ARBOR_TRY_VOID(faults_->take_failure());
    return store_->append(events);
  }

  base::Result<std::vector<Event>> read(std::int64_t after_sequence) const override {
    return store_->read(after_sequence);
  }

  base::Result<std::string> put_object(std::string_view bytes) override {
    ARBOR_TRY_VOID(faults_->take_failure());
    ARBOR_TRY(std::string address, store_->put_object(bytes));
    const std::lock_guard guard(faults_->mutex);
    faults_->damaged.erase(address);
    return address;
  }

  base::Result<std::string> get_object(std::string_view address) const override {
    const std::lock_guard guard(faults_->mutex);
    if (faults_->damaged.contains(address))
      return base::fail(base::ErrorKind::kCorrupt,
                        fmt::format("the object '{}' is damaged", address));
    return store_->get_object(address);
  }

 private:
  std::unique_ptr<Store> store_;
  std::shared_ptr<FakeCampaign::Faults> faults_;
};

}  // namespace

FakeCampaign::FakeCampaign() : faults_(std::make_shared<Faults>()) {}

base::Result<std::unique_ptr<Store>> FakeCampaign::open(StoreMode mode) {
  ARBOR_TRY(auto store, campaign_.open(mode));
  return std::make_unique<FaultyStore>(std::move(store), faults_);
}

void FakeCampaign::fail_next_write(base::Error error) {
  const std::lock_guard guard(faults_->mutex);
  faults_->next_failure = std::move(error);
}

void FakeCampaign::damage_object(std::string_view address) {
  const std::lock_guard guard(faults_->mutex);
  faults_->damaged.emplace(address);
}

}  // namespace arbor::ports
