// SPDX-License-Identifier: Apache-2.0
// The shim's folder on the host, and how it and its companions appear inside.
#include <fmt/format.h>

#include <set>

#include "base/text.h"
#include "workspace/shim/shim.h"
#include "workspace/shim/tools.h"

namespace arbor::workspace {
namespace {
namespace fs = std::filesystem;

constexpr std::string_view kShimName = "arbor-shim";
constexpr std::string_view kSourceDateEpoch = "315532800";  // 1980-01-01: zip files reach no lower

base::Result<void> copy_into(const fs::path& from, const fs::path& to) {
  std::error_code failed;
  fs::copy_file(from, to, fs::copy_options::overwrite_existing, failed);
  if (!failed) return {};
  return base::fail(base::ErrorKind::kIo,
                    fmt::format("cannot copy '{}' to '{}': {}; is Arbor installed as a whole?",
                                from.string(), to.string(), failed.message()));
}

// The file names in the folders of a search path that the shim would act for.
std::set<std::string> tool_names(std::string_view search_path) {
  std::set<std::string> names;
  for (const auto folder : base::split(search_path, ':')) {
    if (folder.empty() || folder == kShimFolder) continue;
    std::error_code failed;
    for (fs::directory_iterator it(fs::path(folder), failed), end; !failed && it != end;
         it.increment(failed)) {
      std::string name = it->path().filename().string();
      std::error_code ignored;
      if (class_of_tool(name) == ToolClass::kOther || fs::is_directory(it->path(), ignored))
        continue;
      names.insert(std::move(name));
    }
  }
  return names;
}

base::Result<void> clear_folder(const fs::path& folder) {
  std::error_code failed;
  fs::create_directories(folder, failed);
  if (!failed)
    for (const auto& entry : fs::directory_iterator(folder, failed)) {
      std::error_code ignored;
      if (entry.is_symlink(ignored)) fs::remove(entry.path(), ignored);
    }
  if (!failed) return {};
  return base::fail(base::ErrorKind::kIo, fmt::format("cannot prepare the shim folder '{}': {}",
                                                      folder.string(), failed.message()));
}

}  // namespace

base::Result<void> make_shim_folder(const fs::path& host_folder, const fs::path& shim_binary,
                                    std::string_view search_path) {
  ARBOR_TRY_VOID(clear_folder(host_folder));
  ARBOR_TRY_VOID(copy_into(shim_binary, host_folder / kShimName));
  for (const char* part : {"arbor_profile_dump.o", "libarbor_witness.so"})
    ARBOR_TRY_VOID(copy_into(shim_binary.parent_path() / part, host_folder / part));
  for (const auto& name : tool_names(search_path)) {
    std::error_code failed;
    fs::create_symlink(kShimName, host_folder / name, failed);
    if (failed)
      return base::fail(base::ErrorKind::kIo,
                        fmt::format("cannot create the link '{}' in the shim folder '{}': {}", name,
                                    host_folder.string(), failed.message()));
  }
  return {};
}

std::vector<ports::Mount> shim_mounts(const ShimFolders& folders) {
  std::vector<ports::Mount> mounts;
  const auto add = [&](const fs::path& source, std::string_view target, bool is_writable) {
    if (!source.empty()) mounts.push_back({source, fs::path(target), is_writable});
  };
  add(folders.shim_folder, kShimFolder, false);
  add(folders.plan_file, kShimPlanFile, false);
  add(folders.record_folder, kRecordFolder, true);
  add(folders.profile_folder, kProfileFolder, folders.is_profile_writable);
  add(folders.ccache_folder, kCcacheFolder, true);
  add(folders.trunk_ccache_folder, kTrunkCcacheFolder, folders.is_trunk_ccache_writable);
  return mounts;
}

std::map<std::string, std::string> shim_environment(const ShimFolders& folders,
                                                    std::string_view search_path) {
  std::map<std::string, std::string> variables = {
      {"PATH", fmt::format("{}:{}", kShimFolder, search_path)},
      {"SOURCE_DATE_EPOCH", std::string(kSourceDateEpoch)},
      // A cache above the shim hashes the shim, not our flags. ccache has a switch; sccache has
      // none, but can be told never to read.
      {"CCACHE_DISABLE", "1"},
      {"SCCACHE_RECACHE", "1"}};
  if (!folders.ccache_folder.empty()) variables["CCACHE_DIR"] = std::string(kCcacheFolder);
  if (!folders.trunk_ccache_folder.empty())
    variables["CCACHE_REMOTE_STORAGE"] = fmt::format(
        "file:{}{}", kTrunkCcacheFolder, folders.is_trunk_ccache_writable ? "" : "|read-only");
  return variables;
}

}  // namespace arbor::workspace
