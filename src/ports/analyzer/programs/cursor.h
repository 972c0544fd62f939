// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <clang-c/Index.h>

#include <optional>
#include <string>
#include <vector>

// What the loop analysis asks of libclang's cursors.
namespace arbor::analyzer {

struct Extent {
  CXFile file = nullptr;
  unsigned begin = 0;  // byte offsets in file, where macros are expanded
  unsigned end = 0;
  unsigned line = 0;
  unsigned end_line = 0;
};

std::string text_of(CXString text);  // takes the string over
std::string spelling(CXCursor cursor);
Extent extent_of(CXCursor cursor);
bool contains(const Extent& outer, CXCursor inner);

std::vector<CXCursor> children(CXCursor cursor);
// Only the expressions and statements among them.
std::vector<CXCursor> operands(CXCursor cursor);
// Without parentheses, casts and what the compiler adds by itself.
CXCursor unwrap(CXCursor cursor);

// Source text of an expression, with blanks squeezed out: "a[i+1]".
std::string squeezed_text(CXCursor cursor);

// The variable that an expression names, seen through unwrap; nothing for anything else.
std::optional<CXCursor> named_variable(CXCursor expression);
bool is_variable(CXCursor declaration);

std::optional<long long> constant(CXCursor expression);

// The object and the index of a[i] on arrays, pointers and containers with an operator[].
struct Subscript {
  CXCursor base;
  CXCursor index;
};
std::optional<Subscript> subscript(CXCursor expression);

bool is_loop(CXCursorKind kind);
bool is_assignment(CXCursor cursor);  // plain =
bool is_increment(CXCursor cursor);   // ++ and --
bool is_floating(CXType type);        // dependent types too: they may be
bool is_integer(CXType type);         // dependent types too

}  // namespace arbor::analyzer
