// SPDX-License-Identifier: Apache-2.0
// The journal as one SQLite database beside the object folder: docs/formats/store.md says what each
// byte is for. Write-ahead mode with a full sync at every commit: acknowledged means on disk.
#include <fmt/format.h>
#include <sqlite3.h>

#include <algorithm>
#include <mutex>

#include "base/check.h"
#include "base/files.h"
#include "base/hash.h"
#include "base/registry.h"
#include "ports/store/controller_lock.h"
#include "ports/store/damage.h"
#include "ports/store/local_disk.h"
#include "ports/store/objects.h"
#include "ports/store/store.h"

namespace arbor::ports {
namespace fs = std::filesystem;
using base::ErrorKind;
namespace {

constexpr std::int64_t kApplicationId = 0x4172626F;  // "Arbo"
constexpr std::int64_t kSchemaVersion = 2;
constexpr std::int64_t kFirstChained = 2;  // the first version whose events have a chain
constexpr int kBusyTimeoutMs = 10'000;

constexpr const char* kSchema = R"sql(
CREATE TABLE events (
  sequence INTEGER PRIMARY KEY CHECK (sequence > 0),
  unix_ms  INTEGER NOT NULL,
  type     TEXT NOT NULL,
  body     TEXT NOT NULL,
  chain    TEXT NOT NULL DEFAULT ''
);
CREATE TRIGGER events_never_change BEFORE UPDATE ON events
  BEGIN SELECT RAISE(ABORT, 'the journal is append-only'); END;
CREATE TRIGGER events_never_go BEFORE DELETE ON events
  BEGIN SELECT RAISE(ABORT, 'the journal is append-only'); END;
)sql";

// A connection and its file's name, which every error carries.
class Database {
 public:
  // named: what errors call it, where it is a copy.
  static base::Result<std::unique_ptr<Database>> open(const fs::path& file, int flags,
                                                      const fs::path& named = {}) {
    auto database = std::unique_ptr<Database>(new Database(named.empty() ? file : named));
    if (::sqlite3_open_v2(file.c_str(), &database->handle_, flags, nullptr) != SQLITE_OK)
      return database->failure("cannot open");
    ::sqlite3_extended_result_codes(database->handle_, 1);
    ::sqlite3_busy_timeout(database->handle_, kBusyTimeoutMs);
    return database;
  }
  Database(const Database&) = delete;
  Database& operator=(const Database&) = delete;
  ~Database() { ::sqlite3_close_v2(handle_); }

  base::Result<void> execute(const std::string& sql) {
    if (::sqlite3_exec(handle_, sql.c_str(), nullptr, nullptr, nullptr) == SQLITE_OK) return {};
    return failure("cannot update");
  }

  std::unexpected<base::Error> failure(std::string_view doing) const;

  sqlite3* handle() const { return handle_; }
  const fs::path& file() const { return file_; }
  bool is_in_transaction() const { return ::sqlite3_get_autocommit(handle_) == 0; }

 private:
  explicit Database(fs::path file) : file_(std::move(file)) {}
  fs::path file_;
  sqlite3* handle_ = nullptr;
};

std::unexpected<base::Error> Database::failure(std::string_view doing) const {
  const int code = ::sqlite3_errcode(handle_) & 0xff;
  std::string message =
      fmt::format("{} the journal '{}': {}", doing, file_.string(), ::sqlite3_errmsg(handle_));
  switch (code) {
    case SQLITE_CORRUPT:
    case SQLITE_NOTADB:
      message += fmt::format(". {}", kDamageAdvice);
      return base::fail(ErrorKind::kCorrupt, std::move(message));
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
      message += ". Another process has it locked; close it and try again.";
      return base::fail(ErrorKind::kBusy, std::move(message));
    case SQLITE_FULL:
    case SQLITE_IOERR:
    case SQLITE_CANTOPEN:
    case SQLITE_READONLY:
    case SQLITE_PERM:
      message += fmt::format(
          "; {}. Nothing of this step was stored: make room or writable, then "
          "resume.",
          free_space_text(file_.parent_path()));
      return base::fail(ErrorKind::kIo, std::move(message));
    default:
      return base::fail(ErrorKind::kInternal, std::move(message));
  }
}

// A prepared statement; values are bound from 1 and read from 0, as SQLite counts.
class Statement {
 public:
  static base::Result<Statement> prepare(const Database& database, std::string_view sql) {
    Statement statement(database);
    if (::sqlite3_prepare_v2(database.handle(), sql.data(), static_cast<int>(sql.size()),
                             &statement.handle_, nullptr) != SQLITE_OK)
      return database.failure("cannot read");
    return statement;
  }
  Statement(Statement&& other) noexcept
      : database_(other.database_), handle_(std::exchange(other.handle_, nullptr)) {}
  Statement& operator=(Statement&&) = delete;
  ~Statement() { ::sqlite3_finalize(handle_); }

  void bind(int index, std::int64_t number) {
    const int status = ::sqlite3_bind_int64(handle_, index, number);
    ARBOR_CHECK(status == SQLITE_OK, "a value cannot be bound");
  }
  // False when the text is longer than a database can hold (about 1 GB).
  [[nodiscard]] bool bind(int index, const std::string& text) {
    return ::sqlite3_bind_text64(handle_, index, text.data(), text.size(), SQLITE_STATIC,
                                 SQLITE_UTF8) == SQLITE_OK;
  }

  base::Result<bool> step() {  // true while there is a row
    const int status = ::sqlite3_step(handle_);
    if (status == SQLITE_ROW) return true;
    if (status == SQLITE_DONE) return false;
    return database_.failure("cannot use");
  }
  void reset() { ::sqlite3_reset(handle_); }

  std::int64_t number(int column) const { return ::sqlite3_column_int64(handle_, column); }
  std::string text(int column) const {
    const unsigned char* bytes = ::sqlite3_column_text(handle_, column);
    const auto size = static_cast<std::size_t>(::sqlite3_column_bytes(handle_, column));
    return bytes == nullptr ? "" : std::string(reinterpret_cast<const char*>(bytes), size);
  }

 private:
  explicit Statement(const Database& database) : database_(database) {}
  const Database& database_;
  sqlite3_stmt* handle_ = nullptr;
};

base::Result<std::int64_t> number_of(const Database& database, std::string_view sql) {
  ARBOR_TRY(Statement statement, Statement::prepare(database, sql));
  ARBOR_TRY(const bool has_row, statement.step());
  return has_row ? statement.number(0) : 0;
}

// Each event's chain is the hash of the chain before it and of all that the event says: a digit
// that has changed since it was written shows, in this event and, were its chain made to fit, in
// the next. Events of a journal that began without chains have an empty one.
std::string chain_of(const std::string& before, const Event& event) {
  return base::Hasher()
      .add(before)
      .add(event.sequence)
      .add(event.unix_ms)
      .add(event.type)
      .add(event.body)
      .hex();
}

// The journal's last sequence; the events before it have no holes.
base::Result<std::int64_t> last_sequence(const Database& database) {
  return number_of(database, "SELECT coalesce(max(sequence), 0) FROM events");
}

class SqliteStore final : public Store {
 public:
  SqliteStore(std::unique_ptr<Database> database, ObjectFolder objects,
              std::optional<ControllerLock> lock, bool has_chain)
      : lock_(std::move(lock)),
        database_(std::move(database)),
        objects_(std::move(objects)),
        has_chain_(has_chain) {}

  base::Result<std::int64_t> append(const std::vector<Event>& events) override {
    ARBOR_TRY_VOID(may_write());
    const std::lock_guard guard(mutex_);
    ARBOR_TRY_VOID(database_->execute("BEGIN IMMEDIATE"));
    auto last = insert(events);
    if (last) {
      if (auto committed = database_->execute("COMMIT"); !committed)
        last = std::unexpected(std::move(committed).error());
    }
    // SQLite has rolled back by itself after some failures, and then says so.
    if (!last && database_->is_in_transaction()) (void)database_->execute("ROLLBACK");
    return last;
  }

  base::Result<std::vector<Event>> read(std::int64_t after_sequence) const override {
    const std::lock_guard guard(mutex_);
    ARBOR_TRY(Statement statement,
              Statement::prepare(*database_, fmt::format("SELECT sequence, unix_ms, type, body, {} "
                                                         "FROM events WHERE sequence > ?1 "
                                                         "ORDER BY sequence",
                                                         has_chain_ ? "chain" : "''")));
    statement.bind(1, after_sequence);
    ARBOR_TRY(std::string before, chain_at(after_sequence));
    std::vector<Event> events;
    for (std::int64_t expected = std::max<std::int64_t>(after_sequence, 0) + 1;; ++expected) {
      ARBOR_TRY(const bool has_row, statement.step());
      if (!has_row) return events;
      events.push_back(
          {statement.number(0), statement.number(1), statement.text(2), statement.text(3)});
      const std::string chain = statement.text(4);
      const bool was_chained = !before.empty() || !chain.empty();
      if (events.back().sequence != expected ||
          (was_chained && chain != chain_of(before, events.back())))
        return altered(expected);
      before = chain;
    }
  }

  base::Result<std::string> put_object(std::string_view bytes) override {
    ARBOR_TRY_VOID(may_write());
    const std::lock_guard guard(object_mutex_);
    return objects_.put(bytes);
  }

  base::Result<std::string> get_object(std::string_view address) const override {
    return objects_.get(address);
  }

  // What the database lies in, as long as it is open.
  void keep(std::optional<base::ScratchDir> folder) { scratch_ = std::move(folder); }

 private:
  base::Result<void> may_write() const {
    if (lock_) return {};
    return base::fail(ErrorKind::kUsage, fmt::format("the journal '{}' was opened to read",
                                                     database_->file().string()));
  }

  // Empty before the first event and where events have no chain.
  base::Result<std::string> chain_at(std::int64_t sequence) const {
    if (!has_chain_) return std::string();
    ARBOR_TRY(Statement statement,
              Statement::prepare(*database_, "SELECT chain FROM events WHERE sequence = ?1"));
    statement.bind(1, sequence);
    ARBOR_TRY(const bool has_row, statement.step());
    return has_row ? statement.text(0) : "";
  }

  std::unexpected<base::Error> altered(std::int64_t sequence) const {
    return base::fail(
        ErrorKind::kCorrupt,
        fmt::format("the journal '{}' is damaged: entry {} is not as it was written; the {} before "
                    "it are. {}",
                    database_->file().string(), sequence, sequence - 1, kDamageAdvice));
  }

  base::Result<std::int64_t> insert(const std::vector<Event>& events) {
    ARBOR_TRY(std::int64_t sequence, last_sequence(*database_));
    ARBOR_TRY(std::string chain, chain_at(sequence));
    ARBOR_TRY(Statement statement,
              Statement::prepare(*database_,
                                 "INSERT INTO events(sequence, unix_ms, type, body, chain) "
                                 "VALUES (?1, ?2, ?3, ?4, ?5)"));
    for (const Event& event : events) {
      chain = chain_of(chain, {++sequence, event.unix_ms, event.type, event.body});
      statement.bind(1, sequence);
      statement.bind(2, event.unix_ms);
      if (!statement.bind(3, event.type) || !statement.bind(4, event.body) ||
          !statement.bind(5, chain))
        return base::fail(ErrorKind::kUsage,
                          fmt::format("an event of {} bytes is too long for the journal; store its "
                                      "content as an object",
                                      event.body.size()));
      ARBOR_TRY([[maybe_unused]] const bool has_row, statement.step());
      statement.reset();
    }
    return sequence;
  }

  std::optional<ControllerLock> lock_;  // first: released after the connection is closed
  mutable std::mutex mutex_;
  std::mutex object_mutex_;
  std::optional<base::ScratchDir> scratch_;  // before database_: removed after it is closed
  std::unique_ptr<Database> database_;
  ObjectFolder objects_;
  bool has_chain_;
};

// Whose file this is: nothing yet (version 0), ours, a newer Arbor's or a stranger's.
base::Result<std::int64_t> schema_version(const Database& database) {
  ARBOR_TRY(const std::int64_t owner, number_of(database, "PRAGMA application_id"));
  ARBOR_TRY(const std::int64_t version, number_of(database, "PRAGMA user_version"));
  ARBOR_TRY(const std::int64_t things, number_of(database, "SELECT count(*) FROM sqlite_master"));
  const bool is_blank = owner == 0 && version == 0 && things == 0;
  if (owner != kApplicationId && !is_blank)
    return base::fail(ErrorKind::kUsage,
                      fmt::format("'{}' is a database of another program; move it away",
                                  database.file().string()));
  if (version > kSchemaVersion)
    return base::fail(ErrorKind::kUsage,
                      fmt::format("'{}' was made by a newer Arbor (schema {}, this one knows up to "
                                  "{}); install that version to go on with the campaign",
                                  database.file().string(), version, kSchemaVersion));
  return version;
}

base::Result<void> create_schema(Database& database) {
  ARBOR_TRY_VOID(database.execute(fmt::format(
      "BEGIN IMMEDIATE; {} PRAGMA application_id = {}; PRAGMA user_version = {}; COMMIT", kSchema,
      kApplicationId, kSchemaVersion)));
  const fs::path folder = fs::absolute(database.file()).parent_path();
  ARBOR_TRY_VOID(base::sync_folder(folder));
  return base::sync_folder(folder.parent_path());
}

// Events that are there stay without a chain; the next one begins it.
base::Result<void> add_chain(Database& database) {
  return database.execute(
      fmt::format("BEGIN IMMEDIATE; ALTER TABLE events ADD COLUMN chain TEXT NOT NULL DEFAULT ''; "
                  "PRAGMA user_version = {}; COMMIT",
                  kSchemaVersion));
}

// How many events can still be read from the start: what a recovery would save for certain.
std::int64_t readable_events(const Database& database) {
  auto statement = Statement::prepare(
      database, "SELECT sequence, length(type) + length(body) FROM events ORDER BY sequence");
  std::int64_t count = 0;
  while (statement) {
    const auto has_row = statement->step();
    if (!has_row || !*has_row || statement->number(0) != count + 1) break;
    ++count;
  }
  return count;
}

base::Result<void> verify(const Database& database) {
  const auto damaged = [&](std::string_view finding) {
    return base::fail(
        ErrorKind::kCorrupt,
        fmt::format("the journal '{}' is damaged ({}); its first {} events can be read. {}",
                    database.file().string(), finding, readable_events(database), kDamageAdvice));
  };
  ARBOR_TRY(Statement check, Statement::prepare(database, "PRAGMA quick_check(1)"));
  const auto has_row = check.step();
  if (!has_row && has_row.error().kind == ErrorKind::kCorrupt)
    return damaged(::sqlite3_errmsg(database.handle()));
  if (!has_row) return std::unexpected(has_row.error());
  if (const std::string finding = check.text(0); finding != "ok") return damaged(finding);
  ARBOR_TRY(const std::int64_t last, last_sequence(database));
  ARBOR_TRY(const std::int64_t count, number_of(database, "SELECT count(*) FROM events"));
  if (last != count) return damaged(fmt::format("{} of {} events are missing", last - count, last));
  return {};
}

std::unexpected<base::Error> no_campaign(const fs::path& folder) {
  return base::fail(
      ErrorKind::kNotFound,
      fmt::format("there is no campaign in '{}'; start one with: arbor run", folder.string()));
}

base::Result<std::unique_ptr<Store>> reader_of(std::unique_ptr<Database> database,
                                               const fs::path& folder,
                                               std::optional<base::ScratchDir> copy) {
  ARBOR_TRY(const std::int64_t version, schema_version(*database));
  if (version == 0) return no_campaign(folder);
  auto store = std::make_unique<SqliteStore>(std::move(database), ObjectFolder(folder / "objects"),
                                             std::nullopt, version >= kFirstChained);
  store->keep(std::move(copy));
  return store;
}

// The database and its log where SQLite may write: a log is only read with an index beside it,
// which a disk that is full or read-only does not take. Nobody writes there either, so the copy is
// whole.
base::Result<std::unique_ptr<Store>> read_a_copy(const fs::path& folder, const fs::path& parent) {
  ARBOR_TRY(auto copy, base::ScratchDir::create(parent, "arbor-journal-"));
  std::error_code failed;
  for (const char* name : {"campaign.db", "campaign.db-wal"})
    if (fs::exists(folder / name, failed) && !failed)
      fs::copy_file(folder / name, copy.path() / name, failed);
  if (failed) return base::fail(ErrorKind::kIo, failed.message());
  ARBOR_TRY(auto database, Database::open(copy.path() / "campaign.db", SQLITE_OPEN_READWRITE,
                                          folder / "campaign.db"));
  return reader_of(std::move(database), folder, std::move(copy));
}

base::Result<std::unique_ptr<Store>> open_to_read(const fs::path& folder) {
  ARBOR_TRY(auto database, Database::open(folder / "campaign.db", SQLITE_OPEN_READONLY));
  auto store = reader_of(std::move(database), folder, std::nullopt);
  if (store || store.error().kind != ErrorKind::kIo) return store;
  std::error_code failed;
  for (const fs::path& parent : {fs::temp_directory_path(failed), fs::path("/dev/shm")})
    if (auto copied = read_a_copy(folder, parent)) return copied;
  return store;
}

base::Result<std::unique_ptr<Store>> open_to_write(const fs::path& folder, bool is_new) {
  ARBOR_TRY(ControllerLock lock, ControllerLock::take(folder / "lock"));
  ARBOR_TRY(auto database,
            Database::open(folder / "campaign.db",
                           SQLITE_OPEN_READWRITE | (is_new ? SQLITE_OPEN_CREATE : 0)));
  ARBOR_TRY(const std::int64_t version, schema_version(*database));
  if (is_new && version > 0)
    return base::fail(ErrorKind::kUsage,
                      fmt::format("there is a campaign in '{}' already; go on with it: arbor "
                                  "resume, or move the folder away to start anew",
                                  folder.string()));
  if (!is_new && version == 0) return no_campaign(folder);
  ARBOR_TRY_VOID(database->execute(
      "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON; "
      "PRAGMA trusted_schema = OFF; PRAGMA journal_size_limit = 67108864"));
  if (is_new) ARBOR_TRY_VOID(create_schema(*database));
  ARBOR_TRY_VOID(verify(*database));
  if (!is_new && version < kFirstChained) ARBOR_TRY_VOID(add_chain(*database));
  ObjectFolder objects(folder / "objects");
  objects.remove_drafts();
  return std::make_unique<SqliteStore>(std::move(database), std::move(objects), std::move(lock),
                                       true);
}

class Sqlite final : public StoreKind {
 public:
  base::Result<std::unique_ptr<Store>> open(const fs::path& folder, StoreMode mode) const override {
    ARBOR_TRY_VOID(require_local_disk(folder));
    std::error_code failed;
    if (mode == StoreMode::kCreate) fs::create_directories(folder, failed);
    if (failed)
      return base::fail(ErrorKind::kIo,
                        fmt::format("cannot create '{}': {}; {}", folder.string(), failed.message(),
                                    free_space_text(folder.parent_path())));
    if (mode != StoreMode::kCreate && !fs::exists(folder / "campaign.db", failed))
      return no_campaign(folder);
    if (mode == StoreMode::kRead) return open_to_read(folder);
    return open_to_write(folder, mode == StoreMode::kCreate);
  }
};

ARBOR_REGISTER(StoreKind, "sqlite", "Keeps the journal on a local disk, in one database", Sqlite);

}  // namespace
}  // namespace arbor::ports
