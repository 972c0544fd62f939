// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace arbor::workspace {

enum class ElfKind { kNone, kExecutable, kSharedLibrary, kObject };

// A position-independent executable is told from a library by its interpreter.
ElfKind elf_kind(std::string_view bytes);

// Equal for files that load the same code and data: the sections that are loaded, but for the
// build-id; debug information and symbol tables do not count. Of the bytes where it is no ELF file
// of this machine or its tables are damaged.
std::string binary_hash(std::string_view bytes);

}  // namespace arbor::workspace
