// SPDX-License-Identifier: Apache-2.0
// What only a store on a disk can do wrong: lose power, run full, be damaged, be someone else's.
#include <fcntl.h>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sched.h>
#include <sqlite3.h>
#include <sys/file.h>
#include <sys/mount.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <fstream>

#include "base/files.h"
#include "base/random.h"
#include "ports/store/controller_lock.h"
#include "ports/store/local_disk.h"
#include "ports/store/objects.h"
#include "ports/store/store.h"

namespace arbor::ports {
namespace {
namespace fs = std::filesystem;
using base::ErrorKind;

class SqliteStoreOnDisk : public testing::Test {
 protected:
  fs::path folder() const { return scratch_.path() / ".arbor"; }
  fs::path journal() const { return folder() / "campaign.db"; }
  std::unique_ptr<Store> must_open(StoreMode mode) {
    auto store = open_store(folder(), mode);
    EXPECT_TRUE(store.has_value()) << store.error().message;
    return store ? std::move(*store) : nullptr;
  }
  void sql(const std::string& text) {
    sqlite3* handle = nullptr;
    ASSERT_EQ(::sqlite3_open(journal().c_str(), &handle), SQLITE_OK);
    char* problem = nullptr;
    EXPECT_EQ(::sqlite3_exec(handle, text.c_str(), nullptr, nullptr, &problem), SQLITE_OK)
        << problem;
    ::sqlite3_close(handle);
  }
  void overwrite(std::streamoff from, std::size_t size) {
    std::fstream file(journal(), std::ios::in | std::ios::out | std::ios::binary);
    file.seekp(from);
    file << std::string(size, '\x5a');
    ASSERT_TRUE(file.good());
  }
  base::ScratchDir scratch_ =
      std::move(*base::ScratchDir::create(fs::temp_directory_path(), "arbor-sqlite-"));
};

// Appends three events at a time for ever and writes each acknowledged sequence to the pipe.
[[noreturn]] void append_until_killed(const fs::path& folder, int acknowledge) {
  auto store = open_store(folder, StoreMode::kWrite);
  if (!store) ::_exit(3);
  for (int round = 0;; ++round) {
    const std::string body = std::to_string(round);
    const auto last =
        (*store)->append({{0, 0, "first", body}, {0, 0, "second", body}, {0, 0, "third", body}});
    if (!last || ::write(acknowledge, &*last, sizeof *last) != sizeof *last) ::_exit(4);
  }
}

TEST_F(SqliteStoreOnDisk, LosesNoAcknowledgedEventToSigkill) {
  must_open(StoreMode::kCreate).reset();
  std::int64_t acknowledged = 0;
  for (int life = 0; life < 5; ++life) {
    int ends[2];
    ASSERT_EQ(::pipe(ends), 0);
    const pid_t child = ::fork();
    if (child == 0) append_until_killed(folder(), ends[1]);
    ::close(ends[1]);
    for (int i = 0; i < 5 + life; ++i)
      ASSERT_EQ(::read(ends[0], &acknowledged, sizeof acknowledged), 8);
    ::kill(child, SIGKILL);
    ::waitpid(child, nullptr, 0);
    for (std::int64_t more = 0; ::read(ends[0], &more, sizeof more) == 8;) acknowledged = more;
    ::close(ends[0]);

    const auto events = must_open(life % 2 == 0 ? StoreMode::kRead : StoreMode::kWrite)->read(0);
    ASSERT_TRUE(events);
    ASSERT_GE(static_cast<std::int64_t>(events->size()), acknowledged);
    ASSERT_EQ(events->size() % 3, 0U) << "a transaction was cut in two";
    for (std::size_t i = 0; i < events->size(); ++i)
      ASSERT_EQ((*events)[i].sequence, static_cast<std::int64_t>(i) + 1);
  }
}

// Runs test in a child that has a one-megabyte disk at folder; -1 where this machine forbids it.
int on_a_tiny_disk(const fs::path& folder, int (*test)(const fs::path&)) {
  const pid_t child = ::fork();
  if (child == 0) {
    const bool is_private =
        ::unshare(CLONE_NEWNS) == 0 || ::unshare(CLONE_NEWNS | CLONE_NEWUSER) == 0;
    if (!is_private || ::mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0 ||
        ::mount("tmpfs", folder.c_str(), "tmpfs", 0, "size=1m") != 0)
      ::_exit(77);
    ::_exit(test(folder));
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128;
}

int fill_the_disk(const fs::path& disk) {
  auto store = open_store(disk / ".arbor", StoreMode::kCreate);
  if (!store) return 1;
  std::ofstream(disk / "ballast") << std::string(200'000, 'x');
  base::Random random(1);
  std::string noise(300'000, '\0');
  for (char& byte : noise) byte = static_cast<char>('a' + random.below(26));
  std::int64_t last = 0;
  base::Result<std::int64_t> appended = 0;
  while ((appended = (*store)->append({{0, 0, "a", std::string(50'000, 'x')}}))) last = *appended;
  const auto says_free = [](const base::Error& error) {
    return error.kind == ErrorKind::kIo && error.message.contains("MB are free");
  };
  if (last == 0 || !says_free(appended.error())) return 2;
  const auto object = (*store)->put_object(noise);
  if (object || !says_free(object.error())) return 3;
  if ((*store)->read(0)->size() != static_cast<std::size_t>(last)) return 4;
  fs::remove(disk / "ballast");
  const auto again = (*store)->append({{0, 0, "b", "after the disk had room again"}});
  return again && *again == last + 1 ? 0 : 5;
}

TEST_F(SqliteStoreOnDisk, SaysHowMuchIsFreeWhenTheDiskIsFullAndGoesOnOnceThereIsRoom) {
  const int status = on_a_tiny_disk(scratch_.path(), fill_the_disk);
  if (status == 77) GTEST_SKIP() << "no private mounts on this machine";
  EXPECT_EQ(status, 0);
}

TEST_F(SqliteStoreOnDisk, FindsDamageWhenOpenedToWriteAndSaysWhatCanBeRead) {
  auto store = must_open(StoreMode::kCreate);
  for (int i = 0; i < 60; ++i) ASSERT_TRUE(store->append({{0, 0, "a", std::string(2000, 'x')}}));
  store.reset();
  overwrite(static_cast<std::streamoff>(fs::file_size(journal())) - 12 * 4096, 8 * 4096);
  const auto opened = open_store(folder(), StoreMode::kWrite);
  ASSERT_FALSE(opened);
  EXPECT_EQ(opened.error().kind, ErrorKind::kCorrupt);
  EXPECT_TRUE(opened.error().message.contains("campaign.db")) << opened.error().message;
  EXPECT_TRUE(opened.error().message.contains("events can be read")) << opened.error().message;
  EXPECT_FALSE(opened.error().message.contains("first 0 events")) << opened.error().message;
}

int reads_what_a_full_and_a_read_only_disk_hold(const fs::path& disk) {
  std::ofstream(disk / "ballast") << std::string(400'000, 'x');
  {
    // A controller that was killed: its log stays, and is a part of the journal.
    const pid_t child = ::fork();
    if (child == 0) {
      auto store = open_store(disk / ".arbor", StoreMode::kCreate);
      ::_exit(store && (*store)->append({{0, 5, "a", "[1]"}, {0, 6, "b", "[2]"}}) ? 0 : 1);
    }
    int status = 0;
    ::waitpid(child, &status, 0);
    if (status != 0) return 1;
  }
  fs::remove(disk / ".arbor/campaign.db-shm");
  if (!fs::exists(disk / ".arbor/campaign.db-wal")) return 2;
  const auto reads_both = [&] {
    const auto store = open_store(disk / ".arbor", StoreMode::kRead);
    const auto events = store ? (*store)->read(0) : std::unexpected(store.error());
    return events && events->size() == 2;
  };
  std::ofstream more(disk / "more");
  while (more << std::string(4096, 'x') << std::flush) {
  }
  if (!reads_both()) return 3;
  if (::mount("none", disk.c_str(), nullptr, MS_REMOUNT | MS_RDONLY, "size=1m") != 0) {
    more.close();
    if (::mount("none", disk.c_str(), nullptr, MS_REMOUNT | MS_RDONLY, "size=1m") != 0) return 4;
  }
  return reads_both() ? 0 : 5;
}

TEST_F(SqliteStoreOnDisk, IsReadWhereNothingCanBeWritten) {
  const int code = on_a_tiny_disk(scratch_.path(), &reads_what_a_full_and_a_read_only_disk_hold);
  if (code == 77) GTEST_SKIP() << "no mounts are allowed here";
  EXPECT_EQ(code, 0);
}

TEST_F(SqliteStoreOnDisk, RefusesAFileThatIsNoDatabase) {
  must_open(StoreMode::kCreate).reset();
  overwrite(0, 4096);
  EXPECT_EQ(open_store(folder(), StoreMode::kWrite).error().kind, ErrorKind::kCorrupt);
  EXPECT_EQ(open_store(folder(), StoreMode::kRead).error().kind, ErrorKind::kCorrupt);
}

TEST_F(SqliteStoreOnDisk, NoticesAMissingEvent) {
  auto store = must_open(StoreMode::kCreate);
  ASSERT_TRUE(store->append({{0, 0, "a", "1"}, {0, 0, "b", "2"}, {0, 0, "c", "3"}}));
  store.reset();
  sql("DROP TRIGGER events_never_go; DELETE FROM events WHERE sequence = 2");
  const auto opened = open_store(folder(), StoreMode::kWrite);
  ASSERT_FALSE(opened);
  EXPECT_TRUE(opened.error().message.contains("first 1 events")) << opened.error().message;
}

TEST_F(SqliteStoreOnDisk, NoticesADigitThatIsNotAsItWasWritten) {
  const char* alterations[] = {
      "UPDATE events SET body = replace(body, '7', '8') WHERE sequence = 2",
      "UPDATE events SET type = 'c' WHERE sequence = 2",
      "UPDATE events SET unix_ms = unix_ms + 1 WHERE sequence = 2",
      "UPDATE events SET chain = '' WHERE sequence = 2",
      "UPDATE events SET sequence = 9 WHERE sequence = 2",
      "UPDATE events SET body = CAST(body AS BLOB) || 'x' WHERE sequence = 2",
      "INSERT INTO events(sequence, unix_ms, type, body) VALUES (2, 0, 'd', '4')",
      "UPDATE events SET body = '[7,8]', chain = (SELECT chain FROM events WHERE sequence = 1) "
      "WHERE sequence = 2"};
  for (const std::string alteration : alterations) {
    fs::remove_all(folder());
    auto store = must_open(StoreMode::kCreate);
    ASSERT_TRUE(store->append({{0, 5, "a", "[1]"}}));
    if (!alteration.starts_with("INSERT")) {
      ASSERT_TRUE(store->append({{0, 6, "b", "[7]"}}));
    }
    ASSERT_TRUE(store->read(0));
    store.reset();
    sql("DROP TRIGGER events_never_change; " + alteration);
    const auto events = must_open(StoreMode::kRead)->read(0);
    ASSERT_FALSE(events) << alteration;
    EXPECT_EQ(events.error().kind, ErrorKind::kCorrupt);
    for (const std::string& said : {journal().string(), std::string("the 1 before it are"),
                                    std::string("sqlite3 campaign.db .recover")})
      EXPECT_TRUE(events.error().message.contains(said)) << events.error().message;
  }
}

TEST_F(SqliteStoreOnDisk, GoesOnWithAJournalThatBeganWithoutChains) {
  auto store = must_open(StoreMode::kCreate);
  ASSERT_TRUE(store->append({{0, 5, "a", "[1]"}, {0, 6, "b", "[7]"}}));
  store.reset();
  sql("ALTER TABLE events DROP COLUMN chain; PRAGMA user_version = 1");
  EXPECT_EQ(must_open(StoreMode::kRead)->read(0)->size(), 2U);
  store = must_open(StoreMode::kWrite);
  EXPECT_EQ(*store->append({{0, 7, "c", "[9]"}, {0, 8, "d", "[5]"}}), 4);
  EXPECT_EQ(store->read(0)->size(), 4U);
  EXPECT_EQ(store->read(3)->front().body, "[5]");
  store.reset();
  EXPECT_EQ(must_open(StoreMode::kRead)->read(0)->size(), 4U);
  sql("DROP TRIGGER events_never_change; UPDATE events SET body = '[8]' WHERE sequence = 3");
  EXPECT_FALSE(must_open(StoreMode::kRead)->read(0));
}

TEST_F(SqliteStoreOnDisk, KeepsOthersFromRewritingHistory) {
  auto store = must_open(StoreMode::kCreate);
  ASSERT_TRUE(store->append({{0, 0, "a", "1"}}));
  sqlite3* handle = nullptr;
  ASSERT_EQ(::sqlite3_open(journal().c_str(), &handle), SQLITE_OK);
  for (const char* change : {"UPDATE events SET body = '2'", "DELETE FROM events"})
    EXPECT_NE(::sqlite3_exec(handle, change, nullptr, nullptr, nullptr), SQLITE_OK) << change;
  ::sqlite3_close(handle);
  EXPECT_EQ(store->read(0)->front().body, "1");
}

TEST_F(SqliteStoreOnDisk, RefusesTheFileOfANewerArborOrOfAnotherProgram) {
  must_open(StoreMode::kCreate).reset();
  sql("PRAGMA user_version = 7");
  for (const auto mode : {StoreMode::kCreate, StoreMode::kWrite, StoreMode::kRead}) {
    const auto opened = open_store(folder(), mode);
    EXPECT_EQ(opened.error().kind, ErrorKind::kUsage);
    EXPECT_TRUE(opened.error().message.contains("newer Arbor (schema 7"));
  }
  sql("PRAGMA user_version = 1; PRAGMA application_id = 5");
  EXPECT_EQ(open_store(folder(), StoreMode::kWrite).error().kind, ErrorKind::kUsage);
}

TEST_F(SqliteStoreOnDisk, FinishesACreationThatWasInterrupted) {
  fs::create_directories(folder());
  std::ofstream(journal()).flush();  // what a kill before the first commit leaves
  EXPECT_EQ(open_store(folder(), StoreMode::kWrite).error().kind, ErrorKind::kNotFound);
  EXPECT_EQ(open_store(folder(), StoreMode::kRead).error().kind, ErrorKind::kNotFound);
  EXPECT_EQ(*must_open(StoreMode::kCreate)->append({{0, 0, "a", "1"}}), 1);
}

TEST_F(SqliteStoreOnDisk, NamesTheOtherProcessThatHoldsIt) {
  int ready[2], finish[2];
  ASSERT_EQ(::pipe(ready), 0);
  ASSERT_EQ(::pipe(finish), 0);
  const pid_t child = ::fork();
  if (child == 0) {
    const auto store = open_store(folder(), StoreMode::kCreate);
    char byte = store ? 'y' : 'n';
    (void)!::write(ready[1], &byte, 1);
    ::close(finish[1]);
    (void)!::read(finish[0], &byte, 1);
    ::_exit(0);
  }
  char byte = 0;
  ASSERT_EQ(::read(ready[0], &byte, 1), 1);
  ASSERT_EQ(byte, 'y');
  const auto second = open_store(folder(), StoreMode::kWrite);
  EXPECT_EQ(second.error().kind, ErrorKind::kBusy);
  EXPECT_TRUE(second.error().message.contains(fmt::format("process {} ", child)))
      << second.error().message;
  EXPECT_TRUE(must_open(StoreMode::kRead)->read(0)->empty());
  ::kill(child, SIGKILL);
  ::waitpid(child, nullptr, 0);
  EXPECT_TRUE(open_store(folder(), StoreMode::kWrite));
  for (const int fd : {ready[0], ready[1], finish[0], finish[1]}) ::close(fd);
}

TEST_F(SqliteStoreOnDisk, IsNotHeldByAProcessThatIsGoneOrOfAnotherBoot) {
  must_open(StoreMode::kCreate).reset();
  for (const char* stale : {"pid 1\nstarted 1\nboot 0000\nhost elsewhere\n", "", "rubbish"}) {
    std::ofstream(folder() / "lock") << stale;
    EXPECT_TRUE(open_store(folder(), StoreMode::kWrite)) << stale;
  }
}

TEST_F(SqliteStoreOnDisk, DoesNotNameAnInnocentProcessAsTheHolder) {
  must_open(StoreMode::kCreate).reset();
  const int fd = ::open((folder() / "lock").c_str(), O_RDWR);
  ASSERT_EQ(::flock(fd, LOCK_EX), 0);  // held by someone, while the file still names a dead process
  std::ofstream(folder() / "lock") << "pid 1\nstarted 1\nboot 0000\nhost elsewhere\n";
  const auto opened = open_store(folder(), StoreMode::kWrite);
  EXPECT_EQ(opened.error().kind, ErrorKind::kBusy);
  EXPECT_TRUE(opened.error().message.contains("fuser")) << opened.error().message;
  EXPECT_FALSE(opened.error().message.contains("kill 1")) << opened.error().message;
  ::close(fd);
}

TEST_F(SqliteStoreOnDisk, SweepsWhatAKilledWriterLeftHalfWritten) {
  auto store = must_open(StoreMode::kCreate);
  const std::string address = *store->put_object("whole");
  store.reset();
  const fs::path draft = folder() / "objects" / address.substr(0, 2) / "cdef.99.1.tmp";
  std::ofstream(draft) << "half";
  store = must_open(StoreMode::kWrite);
  EXPECT_FALSE(fs::exists(draft));
  EXPECT_EQ(*store->get_object(address), "whole");
}

TEST_F(SqliteStoreOnDisk, NeverReturnsOtherBytesForADamagedObject) {
  const ObjectFolder objects(scratch_.path() / "objects");
  const std::string bytes = "a loop, a loop, a loop and a reduction in it";
  const std::string address = *objects.put(bytes);
  const fs::path path = scratch_.path() / "objects" / address.substr(0, 2) / address.substr(2);
  const std::string frame = *base::read_file(path);
  for (std::size_t i = 0; i < frame.size(); ++i) {
    std::string damaged = frame;
    damaged[i] = static_cast<char>(~damaged[i]);
    ASSERT_TRUE(base::write_file(path, damaged));
    const auto got = objects.get(address);
    EXPECT_EQ(got ? ErrorKind::kInternal : got.error().kind, ErrorKind::kCorrupt) << i;
    ASSERT_TRUE(base::write_file(path, frame.substr(0, i)));
    EXPECT_FALSE(objects.get(address)) << "cut at " << i;
  }
  ASSERT_TRUE(base::write_file(path, frame + frame));
  const auto got = objects.get(address);
  ASSERT_FALSE(got);
  EXPECT_NE(got.error().message.find("Restore the file from a copy"), std::string::npos);
  EXPECT_EQ(got.error().message.find("goes on"), std::string::npos) << "that is not its to say";
}

TEST(LocalDisk, RefusesNetworkFileSystemsAndAcceptsLocalOnes) {
  EXPECT_EQ(network_file_system(0x6969, ""), "NFS");
  EXPECT_EQ(network_file_system(0xFF534D42, ""), "CIFS");
  EXPECT_EQ(network_file_system(0xFE534D42, ""), "SMB2");
  EXPECT_EQ(network_file_system(0x01021997, ""), "9P");
  EXPECT_EQ(network_file_system(0x65735546, "fuse.sshfs"), "fuse.sshfs");
  EXPECT_EQ(network_file_system(0x65735546, "fuse.fuse-overlayfs"), std::nullopt);
  EXPECT_EQ(network_file_system(0x65735546, "fuseblk"), std::nullopt);
  EXPECT_EQ(network_file_system(0xEF53, ""), std::nullopt);        // ext4
  EXPECT_EQ(network_file_system(0x794C7630, ""), std::nullopt);    // overlay
  EXPECT_EQ(network_file_system(0x01021994, ""), std::nullopt);    // tmpfs
  EXPECT_TRUE(require_local_disk("/proc/self/there/is/nothing"));  // the nearest ancestor counts
  EXPECT_TRUE(free_space_text("/").contains("MB are free"));
}

}  // namespace
}  // namespace arbor::ports
