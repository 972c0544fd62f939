// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "base/registry.h"
#include "base/text.h"
#include "ports/store/damage.h"
#include "ports/store/store.h"

namespace arbor::ports {

base::Result<std::unique_ptr<Store>> open_store(const std::filesystem::path& folder, StoreMode mode,
                                                std::string_view kind) {
  const auto& kinds = base::Registry<StoreKind>::instance();
  if (const auto* entry = kinds.find(kind)) return entry->create()->open(folder, mode);
  std::vector<std::string> names;
  for (const auto* entry : kinds.sorted()) names.push_back(entry->name);
  const auto meant = base::nearest(kind, names);
  return base::fail(base::ErrorKind::kUsage,
                    fmt::format("no store is called '{}'{}", kind,
                                meant ? fmt::format(", did you mean '{}'?", *meant) : ""));
}

std::unexpected<base::Error> unusable_journal(const std::filesystem::path& folder,
                                              base::Error error) {
  if (error.kind == base::ErrorKind::kCorrupt)
    error.message = fmt::format("the journal '{}' cannot be used: {}. {}",
                                (folder / "campaign.db").string(), error.message, kDamageAdvice);
  return std::unexpected(std::move(error));
}

}  // namespace arbor::ports
