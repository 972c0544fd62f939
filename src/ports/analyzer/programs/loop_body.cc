// SPDX-License-Identifier: Apache-2.0
#include "ports/analyzer/programs/loop_body.h"

#include <algorithm>
#include <set>

#include "ports/analyzer/programs/for_header.h"
#include "ports/analyzer/programs/linear.h"
#include "ports/analyzer/programs/reduction.h"

namespace arbor::analyzer {
namespace {

const std::set<std::string>& pure_functions() {
  static const std::set<std::string> kNames = [] {
    std::set<std::string> names = {"abs", "min", "max", "clamp", "data", "size", "isnan", "isinf"};
    for (const std::string name :
         {"sqrt",  "cbrt",  "fabs",     "exp",       "exp2",  "expm1", "log",  "log2",
          "log10", "log1p", "pow",      "sin",       "cos",   "tan",   "asin", "acos",
          "atan",  "atan2", "sinh",     "cosh",      "tanh",  "erf",   "erfc", "floor",
          "ceil",  "trunc", "round",    "rint",      "fma",   "fmin",  "fmax", "fmod",
          "hypot", "fdim",  "copysign", "nearbyint", "lrint", "lround"})
      names.insert({name, name + "f", name + "l"});
    return names;
  }();
  return kNames;
}

// From a system header or built in: not a function of the program's own with such a name.
bool is_known_pure(CXCursor call) {
  auto name = spelling(call);
  if (name.starts_with("__builtin_")) name = name.substr(10);
  if (!pure_functions().contains(name)) return false;
  const auto callee = clang_getCursorReferenced(call);
  if (clang_Cursor_isNull(callee) != 0 || callee.kind == CXCursor_OverloadedDeclRef) return true;
  const auto place = clang_getCursorLocation(callee);
  return clang_Location_isInSystemHeader(place) != 0 || extent_of(callee).file == nullptr;
}

struct Written {  // a scalar from outside the loop
  CXCursor variable;
  std::set<std::string> operations;
  int explained_uses = 0;
  bool is_plain = false;  // overwritten, not accumulated
};

struct Access {
  ports::ArrayAccess shown;
  std::string root;  // the array without any index
  std::optional<Growth> growth;
};

class Body {
 public:
  explicit Body(CXCursor loop) : variables_(variables_of(loop)) {}

  void visit(CXCursor cursor);
  void visit_children(CXCursor cursor) {
    for (const auto child : children(cursor)) visit(child);
  }
  void finish(CXCursor body, ports::Loop& loop);
  const LoopVariables& variables() const { return variables_; }

 private:
  void visit_nested_loop(CXCursor cursor);
  void visit_call(CXCursor call);
  void visit_declaration(CXCursor declaration);
  void visit_pointer(CXCursor dereference, bool is_write);
  void visit_subscript(CXCursor expression, const Subscript& parts, bool is_write);
  bool visit_accumulation(CXCursor statement);
  void visit_write(CXCursor target);
  void write_variable(CXCursor variable);
  Written& written(CXCursor variable);
  bool has_array_dependence() const;
  bool is_safe_pair(const Access& write, const Access& other) const;

  LoopVariables variables_;
  std::vector<Written> written_;
  std::vector<Access> accesses_;
  int breakable_depth_ = 0;  // loops and switches around the cursor, inside this loop
  bool has_call_ = false, has_exit_ = false, has_dependence_ = false;
  bool is_innermost_ = true, changes_counter_ = false;
};

std::string root_of(CXCursor expression) {
  auto inner = unwrap(expression);
  while (const auto parts = subscript(inner)) inner = unwrap(parts->base);
  return squeezed_text(inner);
}

Written& Body::written(CXCursor variable) {
  const auto found = std::ranges::find_if(written_, [&](const Written& one) {
    return clang_equalCursors(one.variable, variable) != 0;
  });
  if (found != written_.end()) return *found;
  written_.push_back({variable, {}, 0, false});
  return written_.back();
}

void Body::write_variable(CXCursor variable) {
  if (variables_.counter && clang_equalCursors(variable, *variables_.counter) != 0) {
    changes_counter_ = true;
  } else if (!variables_.is_private(variable)) {
    written(variable).is_plain = true;
  } else if (clang_Cursor_getStorageClass(variable) == CX_SC_Static ||
             clang_getCanonicalType(clang_getCursorType(variable)).kind == CXType_LValueReference) {
    has_dependence_ = true;  // lives on, or names something that does
  }
}

void Body::visit_subscript(CXCursor expression, const Subscript& parts, bool is_write) {
  Access access;
  access.shown.array = squeezed_text(unwrap(parts.base));
  access.shown.index = squeezed_text(unwrap(parts.index));
  access.shown.is_write = is_write;
  access.root = root_of(expression);
  const auto index = growth_of(parts.index, variables_);
  const auto base = growth_of(parts.base, variables_);
  if (index && base)
    access.growth = Growth{index->c + base->c, index->is_symbolic || base->is_symbolic};
  const bool is_known = access.growth && !access.growth->is_symbolic;
  access.shown.stride = is_known ? static_cast<int>(access.growth->c) : -1;
  accesses_.push_back(std::move(access));
  visit(parts.base);
  visit(parts.index);
}

void Body::visit_pointer(CXCursor dereference, bool is_write) {
  const auto pointer = operands(dereference);
  if (pointer.empty()) return;
  Access access;
  access.shown = {squeezed_text(unwrap(pointer[0])), "0", is_write, -1};
  access.root = access.shown.array;
  access.growth = growth_of(pointer[0], variables_);
  if (access.growth && !access.growth->is_symbolic)
    access.shown.stride = static_cast<int>(access.growth->c);
  accesses_.push_back(std::move(access));
  visit(pointer[0]);
}

void Body::visit_write(CXCursor target) {
  auto inner = unwrap(target);
  if (const auto variable = named_variable(inner)) return write_variable(*variable);
  while (inner.kind == CXCursor_MemberRefExpr) {  // a[i].x = …: the write is to a[i]
    const auto object = operands(inner);
    if (object.empty()) break;
    inner = unwrap(object[0]);
  }
  if (const auto parts = subscript(inner)) return visit_subscript(inner, *parts, true);
  if (inner.kind == CXCursor_UnaryOperator &&
      clang_getCursorUnaryOperatorKind(inner) == CXUnaryOperator_Deref)
    return visit_pointer(inner, true);
  const auto variable = named_variable(inner);
  const bool is_private_object =
      variable && variables_.is_private(*variable) &&
      clang_getCanonicalType(clang_getCursorType(*variable)).kind == CXType_Record;
  if (!is_private_object) has_dependence_ = true;  // a member, what a call returns, …
  visit(inner);
}

bool Body::visit_accumulation(CXCursor statement) {
  const auto found = accumulation(statement);
  if (!found || variables_.is_private(found->variable)) return false;
  if (variables_.counter && clang_equalCursors(found->variable, *variables_.counter) != 0)
    return false;
  auto& one = written(found->variable);
  one.operations.insert(found->operation);
  one.explained_uses += found->uses;
  // Not the target itself: that would be a write of another kind.
  if (statement.kind == CXCursor_IfStmt) {
    visit(operands(statement)[0]);
    return true;
  }
  const auto sides = operands(statement);
  for (std::size_t i = 1; i < sides.size(); ++i) visit(sides[i]);
  return true;
}

void Body::visit_nested_loop(CXCursor cursor) {
  if (is_loop(cursor.kind)) is_innermost_ = false;
  ++breakable_depth_;
  visit_children(cursor);
  --breakable_depth_;
}

void Body::visit_call(CXCursor call) {
  if (const auto parts = subscript(call)) return visit_subscript(call, *parts, false);
  if (!is_known_pure(call)) has_call_ = true;
  visit_children(call);
}

void Body::visit_declaration(CXCursor declaration) {
  const auto type = clang_getCanonicalType(clang_getCursorType(declaration));
  if (clang_Cursor_getStorageClass(declaration) == CX_SC_Static) has_dependence_ = true;
  if (clang_isVolatileQualifiedType(type) != 0) has_call_ = true;
  visit_children(declaration);
}

void Body::visit(CXCursor cursor) {
  switch (cursor.kind) {
    case CXCursor_ForStmt:
    case CXCursor_WhileStmt:
    case CXCursor_DoStmt:
    case CXCursor_CXXForRangeStmt:
    case CXCursor_SwitchStmt:
      return visit_nested_loop(cursor);
    case CXCursor_BreakStmt:
      has_exit_ = has_exit_ || breakable_depth_ == 0;
      return;
    case CXCursor_ReturnStmt:
    case CXCursor_GotoStmt:
    case CXCursor_IndirectGotoStmt:
    case CXCursor_CXXThrowExpr:
    case CXCursor_CXXTryStmt:
      has_exit_ = true;
      return visit_children(cursor);
    case CXCursor_LambdaExpr:
    case CXCursor_GCCAsmStmt:
    case CXCursor_MSAsmStmt:
    case CXCursor_CXXNewExpr:
    case CXCursor_CXXDeleteExpr:
    case CXCursor_StmtExpr:
      has_call_ = true;
      return visit_children(cursor);
    case CXCursor_CallExpr:
      return visit_call(cursor);
    case CXCursor_VarDecl:
      return visit_declaration(cursor);
    case CXCursor_DeclRefExpr:
      if (const auto variable = named_variable(cursor);
          variable && clang_isVolatileQualifiedType(clang_getCursorType(*variable)) != 0)
        has_call_ = true;
      return;
    case CXCursor_ArraySubscriptExpr:
      if (const auto parts = subscript(cursor)) return visit_subscript(cursor, *parts, false);
      return visit_children(cursor);
    default:
      break;
  }
  if (cursor.kind == CXCursor_IfStmt && visit_accumulation(cursor)) return;
  const bool writes = is_assignment(cursor) || is_increment(cursor) ||
                      cursor.kind == CXCursor_CompoundAssignOperator;
  if (!writes) {
    if (cursor.kind == CXCursor_UnaryOperator &&
        clang_getCursorUnaryOperatorKind(cursor) == CXUnaryOperator_Deref)
      return visit_pointer(cursor, false);
    return visit_children(cursor);
  }
  if (visit_accumulation(cursor)) return;
  const auto sides = operands(cursor);
  if (sides.empty()) return;
  visit_write(sides[0]);
  if (!is_assignment(cursor)) visit(sides[0]);  // and reads it first
  for (std::size_t i = 1; i < sides.size(); ++i) visit(sides[i]);
}

bool Body::is_safe_pair(const Access& write, const Access& other) const {
  if (write.root != other.root) return true;
  if (write.shown.array != other.shown.array)
    return write.shown.index == other.shown.index && write.growth &&
           !write.growth->is_invariant() && other.growth && other.growth->c == write.growth->c;
  return write.shown.index == other.shown.index;
}

bool Body::has_array_dependence() const {
  for (const auto& write : accesses_) {
    if (!write.shown.is_write) continue;
    if (!write.growth || write.growth->is_invariant()) return true;
    for (const auto& other : accesses_)
      if (!is_safe_pair(write, other)) return true;
  }
  return false;
}

void Body::finish(CXCursor body, ports::Loop& loop) {
  for (const auto& one : written_) {
    const bool is_reduction = !one.is_plain && one.operations.size() == 1 &&
                              uses_of(one.variable, body) == one.explained_uses;
    const auto type = clang_getCursorType(one.variable);
    if (!is_reduction || !(is_floating(type) || is_integer(type))) {
      has_dependence_ = true;
      continue;
    }
    loop.reductions.push_back({spelling(one.variable), *one.operations.begin(), is_floating(type)});
  }
  std::ranges::sort(loop.reductions, {}, &ports::Reduction::variable);
  for (const auto& access : accesses_)
    if (std::ranges::find(loop.accesses, access.shown) == loop.accesses.end())
      loop.accesses.push_back(access.shown);
  loop.has_call = has_call_;
  loop.has_exit = has_exit_;
  loop.has_other_dependence = has_dependence_ || has_array_dependence();
  loop.is_innermost = is_innermost_;
  loop.is_canonical = loop.is_canonical && !changes_counter_;
}

// The bound stays what it was when the loop began.
bool has_fixed_bound(const Counter& counter, const LoopVariables& variables) {
  const auto growth = growth_of(counter.bound, variables);
  return growth && growth->is_invariant();
}

}  // namespace

ports::Loop analyze_loop(CXCursor loop) {
  ports::Loop found;
  const auto extent = extent_of(loop);
  found.line = static_cast<int>(extent.line);
  found.end_line = static_cast<int>(extent.end_line);
  Body body(loop);
  if (loop.kind == CXCursor_ForStmt) {
    const auto header = split_for(loop);
    if (const auto counter = counter_of(header)) {
      found.induction = spelling(counter->variable);
      found.is_canonical = has_fixed_bound(*counter, body.variables());
    }
    body.visit(header.body);
    body.finish(header.body, found);
  } else {
    for (const auto child : children(loop)) body.visit(child);
    body.finish(loop, found);
  }
  return found;
}

}  // namespace arbor::analyzer
