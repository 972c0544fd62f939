// SPDX-License-Identifier: Apache-2.0
#include "workspace/elf_hash.h"

#include <elf.h>

#include <cstring>
#include <optional>

#include "base/hash.h"

namespace arbor::workspace {
namespace {

// A part of a file that a program under optimisation wrote: every bound is checked.
std::optional<std::string_view> part(std::string_view bytes, std::uint64_t offset,
                                     std::uint64_t size) {
  if (offset > bytes.size() || size > bytes.size() - offset) return std::nullopt;
  return bytes.substr(offset, size);
}

template <typename Record>
std::optional<Record> record_at(std::string_view bytes, std::uint64_t offset) {
  const auto raw = part(bytes, offset, sizeof(Record));
  if (!raw) return std::nullopt;
  Record record;
  raw->copy(reinterpret_cast<char*>(&record), sizeof record);
  return record;
}

std::optional<Elf64_Ehdr> header_of(std::string_view bytes) {
  const auto header = record_at<Elf64_Ehdr>(bytes, 0);
  if (!header || std::memcmp(header->e_ident, ELFMAG, SELFMAG) != 0) return std::nullopt;
  if (header->e_ident[EI_CLASS] != ELFCLASS64 || header->e_ident[EI_DATA] != ELFDATA2LSB)
    return std::nullopt;
  return header;
}

std::optional<Elf64_Shdr> section_at(std::string_view bytes, const Elf64_Ehdr& header,
                                     std::uint64_t index) {
  if (header.e_shoff > bytes.size()) return std::nullopt;
  return record_at<Elf64_Shdr>(bytes, header.e_shoff + index * sizeof(Elf64_Shdr));
}

std::optional<std::string> sections_hash(std::string_view bytes, const Elf64_Ehdr& header) {
  if (header.e_shnum == 0 || header.e_shentsize != sizeof(Elf64_Shdr)) return std::nullopt;
  const auto names_section = section_at(bytes, header, header.e_shstrndx);
  if (!names_section) return std::nullopt;
  const auto names = part(bytes, names_section->sh_offset, names_section->sh_size);
  if (!names) return std::nullopt;
  base::Hasher hasher;
  hasher.add(std::int64_t{header.e_type}).add(std::int64_t{header.e_machine});
  hasher.add(static_cast<std::int64_t>(header.e_entry));
  for (std::uint64_t i = 0; i < header.e_shnum; ++i) {
    const auto section = section_at(bytes, header, i);
    if (!section || section->sh_name >= std::max<std::size_t>(names->size(), 1))
      return std::nullopt;
    if ((section->sh_flags & SHF_ALLOC) == 0) continue;
    std::string_view name = names->substr(section->sh_name);
    name = name.substr(0, name.find('\0'));
    if (name == ".note.gnu.build-id") continue;
    hasher.add(name).add(std::int64_t{section->sh_type});
    hasher.add(static_cast<std::int64_t>(section->sh_flags));
    hasher.add(static_cast<std::int64_t>(section->sh_addr));
    hasher.add(static_cast<std::int64_t>(section->sh_size));
    if (section->sh_type == SHT_NOBITS) continue;
    const auto content = part(bytes, section->sh_offset, section->sh_size);
    if (!content) return std::nullopt;
    hasher.add(*content);
  }
  return hasher.hex();
}

bool has_interpreter(std::string_view bytes, const Elf64_Ehdr& header) {
  if (header.e_phoff > bytes.size()) return false;
  for (std::uint64_t i = 0; i < header.e_phnum; ++i) {
    const auto segment = record_at<Elf64_Phdr>(bytes, header.e_phoff + i * sizeof(Elf64_Phdr));
    if (segment && segment->p_type == PT_INTERP) return true;
  }
  return false;
}

}  // namespace

ElfKind elf_kind(std::string_view bytes) {
  const auto header = header_of(bytes);
  if (!header) return ElfKind::kNone;
  if (header->e_type == ET_EXEC) return ElfKind::kExecutable;
  if (header->e_type == ET_DYN)
    return has_interpreter(bytes, *header) ? ElfKind::kExecutable : ElfKind::kSharedLibrary;
  return ElfKind::kObject;
}

std::string binary_hash(std::string_view bytes) {
  const auto header = header_of(bytes);
  if (header)
    if (auto hash = sections_hash(bytes, *header)) return std::move(*hash);
  return base::content_hash(bytes);
}

}  // namespace arbor::workspace
