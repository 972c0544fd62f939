// SPDX-License-Identifier: Apache-2.0
#include "workspace/shim/witness.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/files.h"
#include "base/text.h"

namespace arbor::workspace {
namespace {
namespace fs = std::filesystem;

constexpr std::string_view kFirstField = "arbor-witness 1";
constexpr std::uintmax_t kMaxBytes = 16UL << 20;
constexpr std::size_t kMapFields = 5;  // in front of the path: range, rights, offset, device, inode

// The next field without its terminating zero; nothing when the file was cut off.
std::optional<std::string_view> take_field(std::string_view& bytes) {
  const auto zero = bytes.find('\0');
  if (zero == std::string_view::npos) return std::nullopt;
  const auto field = bytes.substr(0, zero);
  bytes.remove_prefix(zero + 1);
  return field;
}

// "7f..-7f.. r-xp 00001000 08:01 131 /usr/lib/libm.so.6": the path where code is mapped.
std::string code_path(std::string_view line) {
  std::vector<std::string_view> fields;
  while (fields.size() < kMapFields) {
    line.remove_prefix(std::min(line.find_first_not_of(' '), line.size()));
    fields.push_back(line.substr(0, line.find(' ')));
    line.remove_prefix(fields.back().size());
  }
  const auto path = base::trim(line);
  return fields[1].find('x') != std::string_view::npos && path.starts_with('/') ? std::string(path)
                                                                                : "";
}

std::unexpected<base::Error> torn(std::string_view where) {
  return base::fail(base::ErrorKind::kCorrupt,
                    fmt::format("a witness file is cut off or damaged at its {}", where));
}

}  // namespace

base::Result<Witness> parse_witness(std::string_view bytes) {
  Witness witness;
  if (take_field(bytes) != kFirstField) return torn("first field");
  if (take_field(bytes) != "exe") return torn("executable");
  const auto executable = take_field(bytes);
  if (!executable) return torn("executable");
  witness.executable = *executable;
  for (auto tag = take_field(bytes); tag != "maps"; tag = take_field(bytes)) {
    if (tag != "env") return torn("environment");
    const auto variable = take_field(bytes);
    if (!variable) return torn("environment");
    const auto equals = std::min(variable->find('='), variable->size());
    witness.environment.emplace(variable->substr(0, equals),
                                variable->substr(std::min(equals + 1, variable->size())));
  }
  std::set<std::string> libraries;
  for (const auto line : base::lines_of(bytes)) libraries.insert(code_path(line));
  libraries.erase("");
  libraries.erase(witness.executable);
  witness.libraries.assign(libraries.begin(), libraries.end());
  return witness;
}

base::Result<std::vector<Witness>> read_witnesses(const fs::path& folder) {
  std::vector<fs::path> files;
  std::error_code failed;
  for (fs::directory_iterator it(folder, failed), end; !failed && it != end; it.increment(failed))
    if (it->path().filename().native().starts_with("witness.")) files.push_back(it->path());
  if (failed)
    return base::fail(base::ErrorKind::kIo, fmt::format("cannot read the record folder '{}': {}",
                                                        folder.string(), failed.message()));
  std::ranges::sort(files);
  std::vector<Witness> witnesses;
  for (const auto& file : files) {
    ARBOR_TRY(const std::string bytes, base::read_file(file, kMaxBytes));
    auto witness = parse_witness(bytes);
    if (!witness) return base::fail_in(file.string(), witness.error());
    witnesses.push_back(std::move(*witness));
  }
  return witnesses;
}

}  // namespace arbor::workspace
