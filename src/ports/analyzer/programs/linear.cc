// SPDX-License-Identifier: Apache-2.0
#include "ports/analyzer/programs/linear.h"

#include <algorithm>

#include "ports/analyzer/programs/for_header.h"

namespace arbor::analyzer {
namespace {

bool is_one_of(const std::vector<CXCursor>& variables, CXCursor variable) {
  return std::ranges::any_of(
      variables, [&](CXCursor other) { return clang_equalCursors(other, variable) != 0; });
}

void collect_written(CXCursor cursor, LoopVariables& variables) {
  for (const auto child : children(cursor)) {
    const bool writes = is_assignment(child) || is_increment(child) ||
                        child.kind == CXCursor_CompoundAssignOperator;
    if (writes)
      if (const auto sides = operands(child); !sides.empty())
        if (const auto variable = named_variable(sides[0])) variables.written.push_back(*variable);
    if (child.kind == CXCursor_ForStmt)
      if (const auto counter = counter_of(split_for(child)))
        variables.inner_counters.push_back(counter->variable);
    collect_written(child, variables);
  }
}

std::optional<CXCursor> initialiser(CXCursor variable) {
  const auto declaration = clang_getCursorDefinition(variable);
  auto parts = operands(declaration);
  if (parts.empty()) return std::nullopt;
  return parts.back();
}

std::optional<Growth> of_variable(CXCursor variable, const LoopVariables& variables) {
  if (variables.counter && clang_equalCursors(variable, *variables.counter) != 0) return Growth{1};
  if (is_one_of(variables.inner_counters, variable)) return Growth{0};
  if (variables.is_written(variable)) return std::nullopt;
  if (!variables.is_private(variable)) return Growth{0};
  const auto value = initialiser(variable);
  return value ? growth_of(*value, variables) : std::nullopt;
}

Growth plus(Growth a, Growth b, int sign) {
  return {a.c + sign * b.c, a.is_symbolic || b.is_symbolic};
}

std::optional<Growth> times(const Growth& growth, CXCursor factor, const Growth& factor_growth) {
  if (!factor_growth.is_invariant()) return std::nullopt;
  if (growth.is_invariant()) return Growth{0};
  if (const auto value = constant(factor)) return Growth{growth.c * *value, growth.is_symbolic};
  return Growth{0, true};
}

std::optional<Growth> of_binary(CXCursor expression, const LoopVariables& variables) {
  const auto sides = operands(expression);
  if (sides.size() != 2) return std::nullopt;
  const auto left = growth_of(sides[0], variables);
  const auto right = growth_of(sides[1], variables);
  if (!left || !right) return std::nullopt;
  switch (clang_getCursorBinaryOperatorKind(expression)) {
    case CXBinaryOperator_Add:
      return plus(*left, *right, 1);
    case CXBinaryOperator_Sub:
      return plus(*left, *right, -1);
    case CXBinaryOperator_Mul:
      return left->is_invariant() ? times(*right, sides[0], *left) : times(*left, sides[1], *right);
    default:
      if (left->is_invariant() && right->is_invariant()) return Growth{0};
      return std::nullopt;
  }
}

bool all_invariant(CXCursor expression, const LoopVariables& variables) {
  return std::ranges::all_of(operands(expression), [&](CXCursor part) {
    const auto growth = growth_of(part, variables);
    return growth && growth->is_invariant();
  });
}

// data() and size() of containers; anything else may do anything.
bool is_plain_call(CXCursor call) {
  const auto name = spelling(call);
  return name == "data" || name == "size";
}

}  // namespace

bool LoopVariables::is_written(CXCursor variable) const { return is_one_of(written, variable); }

LoopVariables variables_of(CXCursor loop) {
  LoopVariables variables;
  variables.extent = extent_of(loop);
  if (loop.kind == CXCursor_ForStmt) {
    const auto header = split_for(loop);
    if (const auto counter = counter_of(header)) variables.counter = counter->variable;
    collect_written(header.body, variables);
  } else {
    collect_written(loop, variables);
  }
  return variables;
}

std::optional<Growth> growth_of(CXCursor expression, const LoopVariables& variables) {
  const auto inner = unwrap(expression);
  if (const auto variable = named_variable(inner)) return of_variable(*variable, variables);
  switch (inner.kind) {
    case CXCursor_IntegerLiteral:
    case CXCursor_UnaryExpr:  // sizeof
    case CXCursor_CXXThisExpr:
    case CXCursor_DeclRefExpr:  // an enumerator, a template's parameter
      return Growth{0};
    case CXCursor_BinaryOperator:
      return of_binary(inner, variables);
    case CXCursor_UnaryOperator:
      if (clang_getCursorUnaryOperatorKind(inner) == CXUnaryOperator_Minus) {
        const auto growth = growth_of(operands(inner)[0], variables);
        return growth ? std::optional(plus({}, *growth, -1)) : std::nullopt;
      }
      break;
    case CXCursor_CallExpr:
      if (!subscript(inner) && !is_plain_call(inner)) return std::nullopt;
      break;
    default:
      break;
  }
  if (is_assignment(inner) || is_increment(inner)) return std::nullopt;
  if (all_invariant(inner, variables)) return Growth{0};
  return std::nullopt;
}

}  // namespace arbor::analyzer
