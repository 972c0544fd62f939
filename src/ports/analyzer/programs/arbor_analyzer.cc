// SPDX-License-Identifier: Apache-2.0
// arbor-analyzer FILE [ARGUMENT…]: prints the for loops of a C or C++ source as JSON. It runs
// inside the sandbox, because a parser of foreign text may crash or never end. Exit codes: 0
// printed; 2 wrong call; 3 the source does not parse (why is on standard error).
#include <clang-c/Index.h>

#include <cstdio>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "ports/analyzer/programs/cursor.h"
#include "ports/analyzer/programs/loop_body.h"

namespace arbor::analyzer {
namespace {

using Json = nlohmann::json;

bool is_function(CXCursorKind kind) {
  return kind == CXCursor_FunctionDecl || kind == CXCursor_CXXMethod ||
         kind == CXCursor_Constructor || kind == CXCursor_Destructor ||
         kind == CXCursor_ConversionFunction || kind == CXCursor_FunctionTemplate;
}

// "ns::(anonymous namespace)::Class::name", as symbols are demangled, without parameters.
std::string qualified_name(CXCursor function) {
  std::string name = spelling(function);
  for (auto scope = clang_getCursorSemanticParent(function);
       clang_isDeclaration(scope.kind) != 0 && scope.kind != CXCursor_LinkageSpec;
       scope = clang_getCursorSemanticParent(scope)) {
    auto part = spelling(scope);
    if (scope.kind == CXCursor_Namespace && part.empty()) part = "(anonymous namespace)";
    name = part + "::" + name;
  }
  return name;
}

struct Position {
  std::string function;
  int depth = 0;
};

void find_loops(CXCursor cursor, const Position& at, std::vector<ports::Loop>& loops) {
  auto inside = at;
  if (is_function(cursor.kind)) inside = {qualified_name(cursor), 0};
  if (cursor.kind == CXCursor_LambdaExpr) inside = {at.function + "::{lambda}", 0};
  if (is_loop(cursor.kind)) ++inside.depth;
  if (cursor.kind == CXCursor_ForStmt || cursor.kind == CXCursor_CXXForRangeStmt) {
    auto loop = analyze_loop(cursor);
    loop.function = at.function;
    loop.depth = at.depth;
    loops.push_back(std::move(loop));
  }
  for (const auto child : children(cursor)) find_loops(child, inside, loops);
}

Json to_json(const ports::Loop& loop) {
  auto reductions = Json::array();
  for (const auto& one : loop.reductions)
    reductions.push_back({{"variable", one.variable},
                          {"operation", one.operation},
                          {"is_floating", one.is_floating}});
  auto accesses = Json::array();
  for (const auto& one : loop.accesses)
    accesses.push_back({{"array", one.array},
                        {"index", one.index},
                        {"is_write", one.is_write},
                        {"stride", one.stride}});
  return {{"function", loop.function},         {"line", loop.line},
          {"end_line", loop.end_line},         {"depth", loop.depth},
          {"is_innermost", loop.is_innermost}, {"is_canonical", loop.is_canonical},
          {"induction", loop.induction},       {"has_call", loop.has_call},
          {"has_exit", loop.has_exit},         {"has_other_dependence", loop.has_other_dependence},
          {"reductions", reductions},          {"accesses", accesses}};
}

// The first error: with one, parts of the syntax tree are missing and no loop may be trusted.
std::string first_error(CXTranslationUnit unit) {
  for (unsigned i = 0; i < clang_getNumDiagnostics(unit); ++i) {
    const auto diagnostic = clang_getDiagnostic(unit, i);
    const bool is_error = clang_getDiagnosticSeverity(diagnostic) >= CXDiagnostic_Error;
    auto text =
        is_error
            ? text_of(clang_formatDiagnostic(diagnostic, clang_defaultDiagnosticDisplayOptions()))
            : "";
    clang_disposeDiagnostic(diagnostic);
    if (is_error) return text;
  }
  return "";
}

int run(const char* file, const std::vector<const char*>& arguments) {
  const auto index = clang_createIndex(0, 0);
  CXTranslationUnit unit = nullptr;
  const auto error =
      clang_parseTranslationUnit2(index, file, arguments.data(), static_cast<int>(arguments.size()),
                                  nullptr, 0, CXTranslationUnit_None, &unit);
  if (error != CXError_Success || unit == nullptr) {
    std::fprintf(stderr, "libclang cannot read %s (error %d)\n", file, static_cast<int>(error));
    return 3;
  }
  if (const auto text = first_error(unit); !text.empty()) {
    std::fprintf(stderr, "%s\n", text.c_str());
    return 3;
  }
  std::vector<ports::Loop> loops;
  for (const auto child : children(clang_getTranslationUnitCursor(unit)))
    if (clang_Location_isFromMainFile(clang_getCursorLocation(child)) != 0)
      find_loops(child, {}, loops);
  auto list = Json::array();
  for (const auto& loop : loops) list.push_back(to_json(loop));
  const auto text =
      Json{{"loops", list}}.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  std::printf("%s\n", text.c_str());
  clang_disposeTranslationUnit(unit);
  clang_disposeIndex(index);
  return std::fflush(stdout) == 0 ? 0 : 2;
}

}  // namespace
}  // namespace arbor::analyzer

int main(int argc, char** argv) {
  if (argc < 2) {
    std::fprintf(stderr, "usage: arbor-analyzer FILE [ARGUMENT...]\n");
    return 2;
  }
  return arbor::analyzer::run(argv[1], std::vector<const char*>(argv + 2, argv + argc));
}
