// SPDX-License-Identifier: Apache-2.0
#include "ports/analyzer/programs/for_header.h"

namespace arbor::analyzer {
namespace {

struct Marks {  // byte offsets of the header's punctuation
  unsigned first_semicolon = 0, second_semicolon = 0, close = 0;
};

std::optional<Marks> marks_of(CXCursor loop) {
  const auto unit = clang_Cursor_getTranslationUnit(loop);
  CXToken* tokens = nullptr;
  unsigned count = 0;
  clang_tokenize(unit, clang_getCursorExtent(loop), &tokens, &count);
  Marks marks;
  int depth = 0;
  for (unsigned i = 0; i < count && marks.close == 0; ++i) {
    if (clang_getTokenKind(tokens[i]) != CXToken_Punctuation) continue;
    const auto text = text_of(clang_getTokenSpelling(unit, tokens[i]));
    unsigned offset = 0;
    clang_getExpansionLocation(clang_getTokenLocation(unit, tokens[i]), nullptr, nullptr, nullptr,
                               &offset);
    if (text == "(" || text == "{" || text == "[") ++depth;
    if (text == ")" || text == "}" || text == "]") --depth;
    if (text == ";" && depth == 1)
      (marks.first_semicolon == 0 ? marks.first_semicolon : marks.second_semicolon) = offset;
    if (text == ")" && depth == 0) marks.close = offset;
  }
  clang_disposeTokens(unit, tokens, count);
  if (marks.close == 0 || marks.second_semicolon == 0) return std::nullopt;
  return marks;
}

std::optional<CXCursor> declared_counter(CXCursor init) {
  if (init.kind == CXCursor_DeclStmt) {
    const auto declarations = children(init);
    if (declarations.size() == 1 && declarations[0].kind == CXCursor_VarDecl)
      return clang_getCanonicalCursor(declarations[0]);
    return std::nullopt;
  }
  if (!is_assignment(init)) return std::nullopt;
  const auto sides = operands(init);
  return sides.empty() ? std::nullopt : named_variable(sides[0]);
}

bool names(CXCursor expression, CXCursor variable) {
  const auto named = named_variable(expression);
  return named && clang_equalCursors(*named, variable) != 0;
}

// The other side of a comparison of the variable; nothing where there is none.
std::optional<CXCursor> bound_of(CXCursor condition, CXCursor variable) {
  const auto inner = unwrap(condition);
  if (inner.kind != CXCursor_BinaryOperator) return std::nullopt;
  switch (clang_getCursorBinaryOperatorKind(inner)) {
    case CXBinaryOperator_LT:
    case CXBinaryOperator_LE:
    case CXBinaryOperator_GT:
    case CXBinaryOperator_GE:
    case CXBinaryOperator_NE:
      break;
    default:
      return std::nullopt;
  }
  const auto sides = operands(inner);
  if (sides.size() != 2) return std::nullopt;
  if (names(sides[0], variable)) return sides[1];
  if (names(sides[1], variable)) return sides[0];
  return std::nullopt;
}

// i = i + c and i = i - c.
std::optional<long long> assigned_step(CXCursor sum, CXCursor variable) {
  const auto inner = unwrap(sum);
  if (inner.kind != CXCursor_BinaryOperator) return std::nullopt;
  const auto sides = operands(inner);
  if (sides.size() != 2 || !names(sides[0], variable)) return std::nullopt;
  const auto kind = clang_getCursorBinaryOperatorKind(inner);
  const auto amount = constant(sides[1]);
  if (amount && kind == CXBinaryOperator_Add) return amount;
  if (amount && kind == CXBinaryOperator_Sub) return -*amount;
  return std::nullopt;
}

std::optional<long long> step_of(CXCursor increment, CXCursor variable) {
  const auto inner = unwrap(increment);
  const auto sides = operands(inner);
  if (sides.empty() || !names(sides[0], variable)) return std::nullopt;
  if (is_increment(inner)) {
    const auto kind = clang_getCursorUnaryOperatorKind(inner);
    return kind == CXUnaryOperator_PostInc || kind == CXUnaryOperator_PreInc ? 1 : -1;
  }
  if (sides.size() != 2) return std::nullopt;
  if (is_assignment(inner)) return assigned_step(sides[1], variable);
  if (inner.kind != CXCursor_CompoundAssignOperator) return std::nullopt;
  const auto amount = constant(sides[1]);
  const auto kind = clang_getCursorBinaryOperatorKind(inner);
  if (amount && kind == CXBinaryOperator_AddAssign) return amount;
  if (amount && kind == CXBinaryOperator_SubAssign) return -*amount;
  return std::nullopt;
}

}  // namespace

ForHeader split_for(CXCursor loop) {
  ForHeader header;
  const auto parts = children(loop);
  if (!parts.empty()) header.body = parts.back();
  const auto marks = marks_of(loop);
  if (!marks) return header;
  for (std::size_t i = 0; i + 1 < parts.size(); ++i) {
    const auto begin = extent_of(parts[i]).begin;
    if (begin < marks->first_semicolon)
      header.init = parts[i];
    else if (begin < marks->second_semicolon)
      header.condition = parts[i];
    else if (begin < marks->close)
      header.increment = parts[i];
  }
  return header;
}

std::optional<Counter> counter_of(const ForHeader& header) {
  if (!header.init || !header.condition || !header.increment) return std::nullopt;
  const auto variable = declared_counter(*header.init);
  if (!variable || !is_integer(clang_getCursorType(*variable))) return std::nullopt;
  const auto bound = bound_of(*header.condition, *variable);
  const auto step = step_of(*header.increment, *variable);
  if (!bound || !step || *step == 0) return std::nullopt;
  return Counter{*variable, *bound, *step};
}

}  // namespace arbor::analyzer
