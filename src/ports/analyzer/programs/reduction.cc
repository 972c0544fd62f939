// SPDX-License-Identifier: Apache-2.0
#include "ports/analyzer/programs/reduction.h"

#include <set>

namespace arbor::analyzer {
namespace {

bool names(CXCursor expression, CXCursor variable) {
  const auto named = named_variable(expression);
  return named && clang_equalCursors(*named, variable) != 0;
}

bool is_equal(CXCursor a, CXCursor b) {
  return squeezed_text(unwrap(a)) == squeezed_text(unwrap(b));
}

std::string compound_operation(CXCursor statement) {
  switch (clang_getCursorBinaryOperatorKind(statement)) {
    case CXBinaryOperator_AddAssign:
    case CXBinaryOperator_SubAssign:
      return "+";
    case CXBinaryOperator_MulAssign:
      return "*";
    case CXBinaryOperator_AndAssign:
      return "&";
    case CXBinaryOperator_OrAssign:
      return "|";
    case CXBinaryOperator_XorAssign:
      return "^";
    default:
      return "";
  }
}

std::string binary_operation(CXCursor expression) {
  switch (clang_getCursorBinaryOperatorKind(expression)) {
    case CXBinaryOperator_Add:
    case CXBinaryOperator_Sub:
      return "+";
    case CXBinaryOperator_Mul:
      return "*";
    case CXBinaryOperator_And:
      return "&";
    case CXBinaryOperator_Or:
      return "|";
    case CXBinaryOperator_Xor:
      return "^";
    default:
      return "";
  }
}

// The variable stands as a positive term in a sum (a factor in a product) of one operation.
bool is_term(CXCursor expression, CXCursor variable, const std::string& operation) {
  if (names(expression, variable)) return true;
  const auto inner = unwrap(expression);
  if (inner.kind != CXCursor_BinaryOperator || binary_operation(inner) != operation) return false;
  const auto sides = operands(inner);
  if (sides.size() != 2) return false;
  const bool subtracts = clang_getCursorBinaryOperatorKind(inner) == CXBinaryOperator_Sub;
  return is_term(sides[0], variable, operation) ||
         (!subtracts && is_term(sides[1], variable, operation));
}

// "max" for std::max, fmax, fmaxf …; empty for anything else.
std::string extreme_of_name(const std::string& name) {
  static const std::set<std::string> kMax = {"max", "fmax", "fmaxf", "fmaxl"};
  static const std::set<std::string> kMin = {"min", "fmin", "fminf", "fminl"};
  if (kMax.contains(name)) return "max";
  return kMin.contains(name) ? "min" : "";
}

struct Comparison {
  CXCursor other;
  bool variable_is_less = false;  // true: the comparison holds where the variable is smaller
};

std::optional<Comparison> comparison_with(CXCursor condition, CXCursor variable) {
  const auto inner = unwrap(condition);
  const auto sides = operands(inner);
  if (inner.kind != CXCursor_BinaryOperator || sides.size() != 2) return std::nullopt;
  const auto kind = clang_getCursorBinaryOperatorKind(inner);
  const bool is_less = kind == CXBinaryOperator_LT || kind == CXBinaryOperator_LE;
  const bool is_greater = kind == CXBinaryOperator_GT || kind == CXBinaryOperator_GE;
  if (!is_less && !is_greater) return std::nullopt;
  if (names(sides[0], variable)) return Comparison{sides[1], is_less};
  if (names(sides[1], variable)) return Comparison{sides[0], is_greater};
  return std::nullopt;
}

// What is taken where the comparison holds and where it does not: one of them is the variable.
std::string chosen_extreme(CXCursor condition, CXCursor taken, CXCursor otherwise,
                           CXCursor variable) {
  const auto comparison = comparison_with(condition, variable);
  if (!comparison) return "";
  const bool takes_other = is_equal(taken, comparison->other) && names(otherwise, variable);
  const bool keeps = names(taken, variable) && is_equal(otherwise, comparison->other);
  if (!takes_other && !keeps) return "";
  return comparison->variable_is_less == takes_other ? "max" : "min";
}

std::string assigned_operation(CXCursor value, CXCursor variable) {
  const auto inner = unwrap(value);
  const auto parts = operands(inner);
  if (inner.kind == CXCursor_BinaryOperator) {
    const auto operation = binary_operation(inner);
    return !operation.empty() && is_term(inner, variable, operation) ? operation : "";
  }
  if (inner.kind == CXCursor_ConditionalOperator && parts.size() == 3)
    return chosen_extreme(parts[0], parts[1], parts[2], variable);
  if (inner.kind == CXCursor_CallExpr && parts.size() == 3 &&
      (names(parts[1], variable) || names(parts[2], variable)))
    return extreme_of_name(spelling(inner));
  return "";
}

std::optional<Accumulation> found(CXCursor statement, CXCursor variable, std::string operation) {
  if (operation.empty()) return std::nullopt;
  return Accumulation{variable, std::move(operation), uses_of(variable, statement)};
}

std::optional<Accumulation> of_assignment(CXCursor statement) {
  const auto sides = operands(statement);
  if (sides.size() != 2) return std::nullopt;
  const auto variable = named_variable(sides[0]);
  if (!variable) return std::nullopt;
  auto result = found(statement, *variable, assigned_operation(sides[1], *variable));
  const bool is_conditional = unwrap(sides[1]).kind == CXCursor_ConditionalOperator;
  if (result && result->uses != (is_conditional ? 3 : 2)) return std::nullopt;
  return result;
}

// if (e > x) x = e;
std::optional<Accumulation> of_if(CXCursor statement) {
  const auto parts = operands(statement);
  if (parts.size() != 2) return std::nullopt;
  auto body = parts[1];
  if (body.kind == CXCursor_CompoundStmt) {
    const auto inside = operands(body);
    if (inside.size() != 1) return std::nullopt;
    body = inside[0];
  }
  body = unwrap(body);
  const auto sides = operands(body);
  if (!is_assignment(body) || sides.size() != 2) return std::nullopt;
  const auto variable = named_variable(sides[0]);
  if (!variable) return std::nullopt;
  const auto comparison = comparison_with(parts[0], *variable);
  if (!comparison || !is_equal(comparison->other, sides[1])) return std::nullopt;
  auto result = found(statement, *variable, comparison->variable_is_less ? "max" : "min");
  if (result && result->uses != 2) return std::nullopt;
  return result;
}

}  // namespace

int uses_of(CXCursor variable, CXCursor cursor) {
  int uses = 0;
  if (cursor.kind == CXCursor_DeclRefExpr && names(cursor, variable)) ++uses;
  for (const auto child : children(cursor)) uses += uses_of(variable, child);
  return uses;
}

std::optional<Accumulation> accumulation(CXCursor statement) {
  if (statement.kind == CXCursor_IfStmt) return of_if(statement);
  if (is_assignment(statement)) return of_assignment(statement);
  const auto sides = operands(statement);
  if (sides.empty()) return std::nullopt;
  const auto variable = named_variable(sides[0]);
  if (!variable) return std::nullopt;
  std::string operation;
  if (is_increment(statement)) operation = "+";
  if (statement.kind == CXCursor_CompoundAssignOperator) operation = compound_operation(statement);
  auto result = found(statement, *variable, std::move(operation));
  if (result && result->uses != 1) return std::nullopt;
  return result;
}

}  // namespace arbor::analyzer
