// SPDX-License-Identifier: Apache-2.0
#include "ports/store/objects.h"

#include <fmt/format.h>
#include <zstd.h>

#include <algorithm>
#include <limits>
#include <memory>

#include "base/check.h"
#include "base/files.h"
#include "base/hash.h"
#include "ports/store/local_disk.h"

namespace arbor::ports {
namespace fs = std::filesystem;
using base::ErrorKind;
namespace {

constexpr std::size_t kAddressDigits = 32;
constexpr int kCompressionLevel = 3;

bool is_address(std::string_view text) {
  return text.size() == kAddressDigits && std::ranges::all_of(text, [](char digit) {
           return (digit >= '0' && digit <= '9') || (digit >= 'a' && digit <= 'f');
         });
}

std::string compressed(std::string_view bytes) {
  std::string frame(ZSTD_compressBound(bytes.size()), '\0');
  const std::size_t size =
      ZSTD_compress(frame.data(), frame.size(), bytes.data(), bytes.size(), kCompressionLevel);
  ARBOR_CHECK(ZSTD_isError(size) == 0, ZSTD_getErrorName(size));
  frame.resize(size);
  return frame;
}

// Grows with what really comes out, never by what a damaged header promises. False when the bytes
// are not exactly one whole frame.
bool decompress(std::string_view frame, std::string& bytes) {
  const std::unique_ptr<ZSTD_DStream, decltype(&ZSTD_freeDStream)> stream(ZSTD_createDStream(),
                                                                          &ZSTD_freeDStream);
  ARBOR_CHECK(stream != nullptr, "out of memory");
  std::string buffer(ZSTD_DStreamOutSize(), '\0');
  ZSTD_inBuffer in{frame.data(), frame.size(), 0};
  while (true) {
    ZSTD_outBuffer out{buffer.data(), buffer.size(), 0};
    const std::size_t before = in.pos;
    const std::size_t status = ZSTD_decompressStream(stream.get(), &out, &in);
    if (ZSTD_isError(status) != 0) return false;
    bytes.append(buffer, 0, out.pos);
    if (status == 0) return in.pos == in.size;
    if (in.pos == before && out.pos == 0) return false;  // cut off
  }
}

base::Result<void> make_folder(const fs::path& folder) {
  std::error_code failed;
  fs::create_directories(folder, failed);
  if (failed)
    return base::fail(ErrorKind::kIo,
                      fmt::format("cannot create folder '{}': {}; {}", folder.string(),
                                  failed.message(), free_space_text(folder.parent_path())));
  return base::sync_folder(folder.parent_path());
}

}  // namespace

fs::path ObjectFolder::path_of(std::string_view address) const {
  return folder_ / address.substr(0, 2) / address.substr(2);
}

base::Result<std::string> ObjectFolder::put(std::string_view bytes) const {
  std::string address = base::content_hash(bytes);
  const fs::path path = path_of(address);
  if (const auto stored = get(address); stored) {
    if (*stored != bytes)
      return base::fail(
          ErrorKind::kInternal,
          fmt::format("two different contents have the address {}; the first is kept", address));
    // Whoever renamed it may have been killed before its folder was synced.
    ARBOR_TRY_VOID(base::sync_folder(path.parent_path()));
    return address;
  }
  std::error_code ignored;
  if (!fs::exists(folder_, ignored)) ARBOR_TRY_VOID(make_folder(folder_));
  if (!fs::exists(path.parent_path(), ignored)) ARBOR_TRY_VOID(make_folder(path.parent_path()));
  if (auto written = base::write_file_durable(path, compressed(bytes)); !written) {
    base::Error error = std::move(written).error();
    error.message += fmt::format("; {}. Nothing was stored.", free_space_text(folder_));
    return std::unexpected(std::move(error));
  }
  return address;
}

base::Result<std::string> ObjectFolder::get(std::string_view address) const {
  if (!is_address(address))
    return base::fail(ErrorKind::kUsage,
                      fmt::format("'{}' is no object address (32 hexadecimal digits)", address));
  const fs::path path = path_of(address);
  auto frame = base::read_file(path, std::numeric_limits<std::uintmax_t>::max());
  if (!frame) return std::unexpected(std::move(frame).error());
  std::string bytes;
  if (decompress(*frame, bytes) && base::content_hash(bytes) == address) return bytes;
  return base::fail(ErrorKind::kCorrupt,
                    fmt::format("the object '{}' is damaged: its content does not have the hash "
                                "that is its name. Restore the file from a copy.",
                                path.string()));
}

void ObjectFolder::remove_drafts() const {
  std::error_code failed;
  for (fs::recursive_directory_iterator it(folder_, failed), end; !failed && it != end;
       it.increment(failed))
    if (it->path().extension() == ".tmp") {
      std::error_code ignored;
      fs::remove(it->path(), ignored);
    }
}

}  // namespace arbor::ports
