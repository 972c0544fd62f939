// SPDX-License-Identifier: Apache-2.0
#include "ports/analyzer/programs/cursor.h"

#include <algorithm>

namespace arbor::analyzer {
namespace {

bool is_cast(CXCursorKind kind) {
  switch (kind) {
    case CXCursor_UnexposedExpr:
    case CXCursor_ParenExpr:
    case CXCursor_CStyleCastExpr:
    case CXCursor_CXXStaticCastExpr:
    case CXCursor_CXXConstCastExpr:
    case CXCursor_CXXReinterpretCastExpr:
    case CXCursor_CXXFunctionalCastExpr:
      return true;
    default:
      return false;
  }
}

bool is_dependent(CXType type) {
  return type.kind == CXType_Dependent || type.kind == CXType_Unexposed ||
         type.kind == CXType_Auto || type.kind == CXType_Overload;
}

CXType value_type(CXType type) {
  type = clang_getCanonicalType(type);
  if (type.kind == CXType_LValueReference || type.kind == CXType_RValueReference)
    type = clang_getCanonicalType(clang_getPointeeType(type));
  return type;
}

}  // namespace

std::string text_of(CXString text) {
  const char* bytes = clang_getCString(text);
  std::string copy = bytes == nullptr ? "" : bytes;
  clang_disposeString(text);
  return copy;
}

std::string spelling(CXCursor cursor) { return text_of(clang_getCursorSpelling(cursor)); }

Extent extent_of(CXCursor cursor) {
  const auto range = clang_getCursorExtent(cursor);
  Extent extent;
  clang_getExpansionLocation(clang_getRangeStart(range), &extent.file, &extent.line, nullptr,
                             &extent.begin);
  clang_getExpansionLocation(clang_getRangeEnd(range), nullptr, &extent.end_line, nullptr,
                             &extent.end);
  return extent;
}

bool contains(const Extent& outer, CXCursor inner) {
  const auto extent = extent_of(inner);
  return extent.file != nullptr && clang_File_isEqual(extent.file, outer.file) != 0 &&
         extent.begin >= outer.begin && extent.end <= outer.end;
}

std::vector<CXCursor> children(CXCursor cursor) {
  std::vector<CXCursor> found;
  clang_visitChildren(
      cursor,
      [](CXCursor child, CXCursor, CXClientData data) {
        static_cast<std::vector<CXCursor>*>(data)->push_back(child);
        return CXChildVisit_Continue;
      },
      &found);
  return found;
}

std::vector<CXCursor> operands(CXCursor cursor) {
  auto found = children(cursor);
  std::erase_if(found, [](CXCursor child) {
    return clang_isExpression(child.kind) == 0 && clang_isStatement(child.kind) == 0;
  });
  return found;
}

CXCursor unwrap(CXCursor cursor) {
  while (is_cast(cursor.kind)) {
    const auto parts = operands(cursor);
    if (parts.empty() || (cursor.kind == CXCursor_UnexposedExpr && parts.size() != 1)) break;
    cursor = parts.back();
  }
  return cursor;
}

std::string squeezed_text(CXCursor cursor) {
  const auto extent = extent_of(cursor);
  if (extent.file == nullptr) return spelling(cursor);
  std::size_t size = 0;
  const char* bytes =
      clang_getFileContents(clang_Cursor_getTranslationUnit(cursor), extent.file, &size);
  if (bytes == nullptr || extent.end > size || extent.begin > extent.end) return spelling(cursor);
  std::string text;
  for (unsigned at = extent.begin; at < extent.end; ++at)
    if (const char c = bytes[at]; c != ' ' && c != '\t' && c != '\n' && c != '\r') text += c;
  return text;
}

bool is_variable(CXCursor declaration) {
  return declaration.kind == CXCursor_VarDecl || declaration.kind == CXCursor_ParmDecl;
}

std::optional<CXCursor> named_variable(CXCursor expression) {
  const auto inner = unwrap(expression);
  if (inner.kind != CXCursor_DeclRefExpr) return std::nullopt;
  const auto declaration = clang_getCanonicalCursor(clang_getCursorReferenced(inner));
  if (!is_variable(declaration)) return std::nullopt;
  return declaration;
}

std::optional<long long> constant(CXCursor expression) {
  const auto inner = unwrap(expression);
  if (inner.kind != CXCursor_IntegerLiteral && inner.kind != CXCursor_DeclRefExpr &&
      inner.kind != CXCursor_BinaryOperator && inner.kind != CXCursor_UnaryOperator &&
      inner.kind != CXCursor_UnaryExpr)
    return std::nullopt;
  CXEvalResult result = clang_Cursor_Evaluate(inner);
  if (result == nullptr) return std::nullopt;
  std::optional<long long> value;
  if (clang_EvalResult_getKind(result) == CXEval_Int)
    value = clang_EvalResult_getAsLongLong(result);
  clang_EvalResult_dispose(result);
  return value;
}

std::optional<Subscript> subscript(CXCursor expression) {
  const auto inner = unwrap(expression);
  const bool is_call = inner.kind == CXCursor_CallExpr && spelling(inner) == "operator[]";
  if (!is_call && inner.kind != CXCursor_ArraySubscriptExpr) return std::nullopt;
  auto parts = operands(inner);
  std::erase_if(parts, [](CXCursor part) {
    return spelling(unwrap(part)) == "operator[]" && unwrap(part).kind == CXCursor_DeclRefExpr;
  });
  if (parts.size() != 2) return std::nullopt;
  return Subscript{parts[0], parts[1]};
}

bool is_loop(CXCursorKind kind) {
  return kind == CXCursor_ForStmt || kind == CXCursor_WhileStmt || kind == CXCursor_DoStmt ||
         kind == CXCursor_CXXForRangeStmt;
}

bool is_assignment(CXCursor cursor) {
  return cursor.kind == CXCursor_BinaryOperator &&
         clang_getCursorBinaryOperatorKind(cursor) == CXBinaryOperator_Assign;
}

bool is_increment(CXCursor cursor) {
  if (cursor.kind != CXCursor_UnaryOperator) return false;
  const auto kind = clang_getCursorUnaryOperatorKind(cursor);
  return kind == CXUnaryOperator_PostInc || kind == CXUnaryOperator_PostDec ||
         kind == CXUnaryOperator_PreInc || kind == CXUnaryOperator_PreDec;
}

bool is_floating(CXType type) {
  type = value_type(type);
  switch (type.kind) {
    case CXType_Float:
    case CXType_Double:
    case CXType_LongDouble:
    case CXType_Float128:
    case CXType_Half:
    case CXType_Float16:
    case CXType_BFloat16:
      return true;
    default:
      return is_dependent(type);
  }
}

bool is_integer(CXType type) {
  type = value_type(type);
  const bool is_whole = type.kind >= CXType_Bool && type.kind <= CXType_Int128;
  return is_whole || type.kind == CXType_Enum || is_dependent(type);
}

}  // namespace arbor::analyzer
