// SPDX-License-Identifier: Apache-2.0
// What every store promises, run on the database, on the one in memory and on the fake.
#include <gtest/gtest.h>
#include <unistd.h>

#include <atomic>
#include <filesystem>
#include <fstream>
#include <functional>
#include <thread>

#include "base/files.h"
#include "base/random.h"
#include "ports/store/fake.h"
#include "ports/store/memory.h"
#include "ports/store/store.h"

namespace arbor::ports {
namespace {
namespace fs = std::filesystem;
using base::ErrorKind;

// A campaign's folder, whatever it is made of.
struct Campaign {
  std::function<base::Result<std::unique_ptr<Store>>(StoreMode)> open;
  std::function<void(const std::string& address)> damage_object;  // none: it cannot be damaged
};

Campaign on_disk() {
  auto scratch = base::ScratchDir::create(fs::temp_directory_path(), "arbor-store-");
  EXPECT_TRUE(scratch.has_value());
  auto folder = std::make_shared<base::ScratchDir>(std::move(*scratch));
  return {[folder](StoreMode mode) { return open_store(folder->path() / ".arbor", mode); },
          [folder](const std::string& address) {
            const fs::path path =
                folder->path() / ".arbor/objects" / address.substr(0, 2) / address.substr(2);
            std::fstream file(path, std::ios::in | std::ios::out | std::ios::binary);
            const auto middle = static_cast<std::streamoff>(fs::file_size(path) / 2);
            file.seekg(middle);
            const int byte = file.get();
            file.seekp(middle);
            file.put(static_cast<char>(byte ^ 0x10));
            ASSERT_TRUE(file.good());
          }};
}

Campaign in_memory() {
  auto campaign = std::make_shared<MemoryCampaign>();
  return {[campaign](StoreMode mode) { return campaign->open(mode); }, nullptr};
}

Campaign faked() {
  auto campaign = std::make_shared<FakeCampaign>();
  return {[campaign](StoreMode mode) { return campaign->open(mode); },
          [campaign](const std::string& address) { campaign->damage_object(address); }};
}

struct Implementation {
  std::string name;
  Campaign (*make)();
};

class StoreContract : public testing::TestWithParam<Implementation> {
 protected:
  std::unique_ptr<Store> must_open(StoreMode mode) {
    auto store = campaign_.open(mode);
    EXPECT_TRUE(store.has_value()) << store.error().message;
    return store ? std::move(*store) : nullptr;
  }
  Campaign campaign_ = GetParam().make();
};

Event event(std::string type, std::string body, std::int64_t unix_ms = 7) {
  return {0, unix_ms, std::move(type), std::move(body)};
}

TEST_P(StoreContract, NumbersEventsFromOneWithoutHoles) {
  const auto store = must_open(StoreMode::kCreate);
  EXPECT_EQ(*store->append({event("a", "{}")}), 1);
  EXPECT_EQ(*store->append({event("b", "{}"), event("c", "{}")}), 3);
  EXPECT_EQ(*store->append({}), 3);
  const auto all = *store->read(0);
  ASSERT_EQ(all.size(), 3U);
  for (std::size_t i = 0; i < all.size(); ++i)
    EXPECT_EQ(all[i].sequence, static_cast<std::int64_t>(i) + 1);
  EXPECT_EQ(all[2], (Event{3, 7, "c", "{}"}));
}

TEST_P(StoreContract, IgnoresTheNumbersThatEventsBringAlong) {
  const auto store = must_open(StoreMode::kCreate);
  EXPECT_EQ(*store->append({Event{99, 1, "a", "{}"}}), 1);
  EXPECT_EQ(store->read(0)->front().sequence, 1);
}

TEST_P(StoreContract, ReadsOnlyWhatComesAfterASequence) {
  const auto store = must_open(StoreMode::kCreate);
  ASSERT_TRUE(store->append({event("a", "1"), event("b", "2"), event("c", "3")}));
  const auto later = *store->read(2);
  ASSERT_EQ(later.size(), 1U);
  EXPECT_EQ(later[0].type, "c");
  EXPECT_TRUE(store->read(3)->empty());
  EXPECT_TRUE(store->read(1'000'000)->empty());
}

TEST_P(StoreContract, KeepsBodiesByteForByte) {
  const std::vector<std::string> bodies = {"", "{\"name\":\"größer ≥ 1 🌳\"}",
                                           "\xff\xfe bad \xc3( utf-8 \x80", std::string("a\0b", 3),
                                           std::string(3 << 20, 'x')};
  const auto store = must_open(StoreMode::kCreate);
  for (const auto& body : bodies) ASSERT_TRUE(store->append({event("t\xff", body)}));
  const auto all = *store->read(0);
  ASSERT_EQ(all.size(), bodies.size());
  for (std::size_t i = 0; i < bodies.size(); ++i) EXPECT_EQ(all[i].body, bodies[i]);
  EXPECT_EQ(all[0].type, "t\xff");
}

TEST_P(StoreContract, FindsEverythingAgainAfterItWasClosed) {
  auto store = must_open(StoreMode::kCreate);
  ASSERT_TRUE(store->append({event("a", "1")}));
  const auto address = store->put_object("patch");
  ASSERT_TRUE(address);
  store.reset();
  store = must_open(StoreMode::kWrite);
  EXPECT_EQ(*store->append({event("b", "2")}), 2);
  EXPECT_EQ(store->read(0)->size(), 2U);
  EXPECT_EQ(*store->get_object(*address), "patch");
}

TEST_P(StoreContract, TellsMissingAndExistingCampaignsApart) {
  EXPECT_EQ(campaign_.open(StoreMode::kWrite).error().kind, ErrorKind::kNotFound);
  EXPECT_EQ(campaign_.open(StoreMode::kRead).error().kind, ErrorKind::kNotFound);
  must_open(StoreMode::kCreate).reset();
  EXPECT_EQ(campaign_.open(StoreMode::kCreate).error().kind, ErrorKind::kUsage);
}

TEST_P(StoreContract, NamesTheHolderToASecondWriter) {
  auto first = must_open(StoreMode::kCreate);
  const auto second = campaign_.open(StoreMode::kWrite);
  ASSERT_FALSE(second);
  EXPECT_EQ(second.error().kind, ErrorKind::kBusy);
  EXPECT_NE(second.error().message.find(std::to_string(::getpid())), std::string::npos)
      << second.error().message;
  first.reset();
  EXPECT_TRUE(campaign_.open(StoreMode::kWrite));
}

TEST_P(StoreContract, LetsReadersSeeWhatTheWriterHasAcknowledged) {
  const auto writer = must_open(StoreMode::kCreate);
  ASSERT_TRUE(writer->append({event("a", "1")}));
  const auto reader = must_open(StoreMode::kRead);
  EXPECT_EQ(reader->read(0)->size(), 1U);
  ASSERT_TRUE(writer->append({event("b", "2")}));
  EXPECT_EQ(reader->read(1)->size(), 1U);
  const auto address = writer->put_object("log");
  EXPECT_EQ(*reader->get_object(*address), "log");
}

TEST_P(StoreContract, NeverShowsAReaderHalfATransaction) {
  const auto writer = must_open(StoreMode::kCreate);
  const auto reader = must_open(StoreMode::kRead);
  std::atomic<bool> is_done = false;
  std::jthread appending([&] {
    for (int i = 0; i < 40; ++i)
      EXPECT_TRUE(writer->append({event("one", "1"), event("two", "2"), event("three", "3")}));
    is_done = true;
  });
  std::size_t seen = 0;
  while (!is_done || seen < 120) {
    const auto events = reader->read(0);
    ASSERT_TRUE(events) << events.error().message;
    ASSERT_EQ(events->size() % 3, 0U);
    ASSERT_GE(events->size(), seen);
    seen = events->size();
  }
  EXPECT_EQ(seen, 120U);
}

TEST_P(StoreContract, MayBeUsedByManyThreads) {
  const auto store = must_open(StoreMode::kCreate);
  {
    std::vector<std::jthread> threads;
    for (int t = 0; t < 4; ++t)
      threads.emplace_back([&, t] {
        for (int i = 0; i < 10; ++i) {
          EXPECT_TRUE(store->append({event("x", std::to_string(t))}));
          EXPECT_TRUE(store->put_object("shared by all"));
        }
      });
  }
  EXPECT_EQ(store->read(0)->back().sequence, 40);
}

TEST_P(StoreContract, RefusesToWriteThroughAReader) {
  must_open(StoreMode::kCreate).reset();
  const auto reader = must_open(StoreMode::kRead);
  EXPECT_EQ(reader->append({event("a", "1")}).error().kind, ErrorKind::kUsage);
  EXPECT_EQ(reader->put_object("x").error().kind, ErrorKind::kUsage);
  EXPECT_TRUE(reader->read(0)->empty());
}

TEST_P(StoreContract, KeepsObjectsOfAnySize) {
  const auto store = must_open(StoreMode::kCreate);
  std::string huge(24 << 20, '\0');
  base::Random random(3);
  for (std::size_t i = 0; i < huge.size(); i += 16) huge[i] = static_cast<char>(random.next());
  for (const std::string& bytes : {std::string(), std::string("\0", 1), huge}) {
    const auto address = store->put_object(bytes);
    ASSERT_TRUE(address) << address.error().message;
    EXPECT_EQ(*store->put_object(bytes), *address);
    EXPECT_TRUE(*store->get_object(*address) == bytes) << bytes.size();
  }
}

TEST_P(StoreContract, NoticesADamagedObjectAndHealsItWhenPutAgain) {
  if (!campaign_.damage_object) GTEST_SKIP() << "memory does not rot";
  const auto store = must_open(StoreMode::kCreate);
  const std::string bytes = "some text that is long enough to be compressed compressed compressed";
  const auto address = *store->put_object(bytes);
  campaign_.damage_object(address);
  EXPECT_EQ(store->get_object(address).error().kind, ErrorKind::kCorrupt);
  EXPECT_EQ(*store->put_object(bytes), address);
  EXPECT_EQ(*store->get_object(address), bytes);
}

TEST_P(StoreContract, TellsUnknownObjectsFromWordsThatAreNoAddress) {
  const auto store = must_open(StoreMode::kCreate);
  EXPECT_EQ(store->get_object(std::string(32, '0')).error().kind, ErrorKind::kNotFound);
  EXPECT_EQ(store->get_object("../campaign.db").error().kind, ErrorKind::kUsage);
  EXPECT_EQ(store->get_object("").error().kind, ErrorKind::kUsage);
}

INSTANTIATE_TEST_SUITE_P(, StoreContract,
                         testing::Values(Implementation{"sqlite", on_disk},
                                         Implementation{"memory", in_memory},
                                         Implementation{"fake", faked}),
                         [](const auto& instance) { return instance.param.name; });

TEST(StoreKinds, AreFoundByTheirNames) {
  auto scratch = base::ScratchDir::create(fs::temp_directory_path(), "arbor-store-");
  ASSERT_TRUE(scratch);
  const fs::path folder = scratch->path() / ".arbor";
  const auto store = open_store(folder, StoreMode::kCreate, "memory");
  ASSERT_TRUE(store) << store.error().message;
  EXPECT_EQ(*(*store)->append({event("a", "{}")}), 1);
  EXPECT_FALSE(fs::exists(folder)) << "nothing of it is on disk";
  EXPECT_EQ(open_store(folder, StoreMode::kRead, "memory").error().kind, ErrorKind::kNotFound);
  const auto unknown = open_store(folder, StoreMode::kCreate, "memroy");
  ASSERT_FALSE(unknown);
  EXPECT_EQ(unknown.error().kind, ErrorKind::kUsage);
  EXPECT_NE(unknown.error().message.find("'memory'"), std::string::npos) << unknown.error().message;
}

TEST(FakeCampaign, FailsOnceWhereTheTestSaysSo) {
  FakeCampaign campaign;
  const auto store = *campaign.open(StoreMode::kCreate);
  campaign.fail_next_write({ErrorKind::kIo, "disk full"});
  EXPECT_EQ(store->append({event("a", "{}")}).error().message, "disk full");
  EXPECT_TRUE(store->read(0)->empty());
  EXPECT_EQ(*store->append({event("a", "{}")}), 1);
}

}  // namespace
}  // namespace arbor::ports
