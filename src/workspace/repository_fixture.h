// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "base/files.h"
#include "base/hash.h"
#include "base/subprocess.h"
#include "workspace/repository.h"

// Real git repositories in temporary folders, for this room's tests.
namespace arbor::workspace {

class RepositoryFixture : public testing::Test {
 protected:
  RepositoryFixture()
      : scratch_(*base::ScratchDir::create(std::filesystem::temp_directory_path(), "arbor-ws-")) {}

  std::filesystem::path scratch() const { return scratch_.path(); }

  static std::string run_in(const std::filesystem::path& folder, std::vector<std::string> argv) {
    const auto output =
        base::run_tool_ok({.argv = std::move(argv),
                           .cwd = folder,
                           .environment = {{"GIT_CONFIG_NOSYSTEM", "1"},
                                           {"GIT_CONFIG_GLOBAL", "/dev/null"},
                                           {"GIT_CONFIG_COUNT", "2"},
                                           {"GIT_CONFIG_KEY_0", "protocol.file.allow"},
                                           {"GIT_CONFIG_VALUE_0", "always"},
                                           {"GIT_CONFIG_KEY_1", "safe.directory"},
                                           {"GIT_CONFIG_VALUE_1", "*"},
                                           {"GIT_AUTHOR_NAME", "Ada"},
                                           {"GIT_AUTHOR_EMAIL", "ada@example.org"},
                                           {"GIT_COMMITTER_NAME", "Ada"},
                                           {"GIT_COMMITTER_EMAIL", "ada@example.org"},
                                           {"GIT_AUTHOR_DATE", "1700000000 +0000"},
                                           {"GIT_COMMITTER_DATE", "1700000000 +0000"}},
                           .standard_input = {}});
    EXPECT_TRUE(output) << output.error().message;
    return output ? *output : "";
  }

  static void put(const std::filesystem::path& file, std::string_view text) {
    ASSERT_TRUE(base::write_file(file, text));
  }

  // A repository with these files as its first commit.
  static void make_repository(const std::filesystem::path& folder,
                              const std::map<std::string, std::string>& files) {
    std::filesystem::create_directories(folder);
    run_in(folder, {"git", "init", "-q", "-b", "main"});
    for (const auto& [name, text] : files) put(folder / name, text);
    run_in(folder, {"git", "add", "-A"});
    run_in(folder, {"git", "commit", "-q", "-m", "first", "--allow-empty"});
  }

  static Repository open_in(const std::filesystem::path& program_root) {
    auto repository = Repository::open(program_root, program_root / ".arbor");
    EXPECT_TRUE(repository) << repository.error().message;
    return std::move(repository).value();
  }

  static std::string text_of(const std::filesystem::path& file) {
    const auto text = base::read_file(file);
    EXPECT_TRUE(text) << text.error().message;
    return text ? *text : "";
  }

  // Every file below a folder with its mode, time and bytes, but for .arbor.
  static std::string fingerprint(const std::filesystem::path& folder) {
    namespace fs = std::filesystem;
    std::map<std::string, std::string> all;
    for (auto it = fs::recursive_directory_iterator(folder); it != fs::end(it); ++it) {
      if (it->path().filename() == ".arbor") {
        it.disable_recursion_pending();
        continue;
      }
      std::string& entry = all[it->path().string()];
      const auto status = fs::symlink_status(it->path());
      entry = std::to_string(static_cast<int>(status.type())) + " " +
              std::to_string(static_cast<unsigned>(status.permissions()));
      if (fs::is_symlink(status)) entry += fs::read_symlink(it->path()).string();
      if (!fs::is_regular_file(status)) continue;
      entry += std::to_string(fs::last_write_time(it->path()).time_since_epoch().count());
      entry += base::content_hash(*base::read_file(it->path()));
    }
    std::string text;
    for (const auto& [name, entry] : all) text += name + " " + entry + "\n";
    return text;
  }

 private:
  base::ScratchDir scratch_;
};

}  // namespace arbor::workspace
