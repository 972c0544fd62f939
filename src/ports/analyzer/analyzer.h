// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

#include "base/error.h"
#include "ports/sandbox/sandbox.h"

namespace arbor::ports {

// A scalar that a loop accumulates into: sum += …, product *= …, best = max(best, …).
struct Reduction {
  std::string variable;
  std::string operation;  // "+", "*", "min", "max", "&", "|", "^"
  bool is_floating = false;
  bool operator==(const Reduction&) const = default;
};

struct ArrayAccess {
  std::string array;  // spelled base expression
  std::string index;  // spelled innermost index
  bool is_write = false;
  int stride = 0;  // in elements along this loop; 0 = invariant, -1 = unknown
  bool operator==(const ArrayAccess&) const = default;
};

// One for loop of a source file.
struct Loop {
  std::string function;  // enclosing function, demangled as the profile shows it
  std::string file;      // as given in the request
  int line = 0;          // of the keyword for
  int end_line = 0;
  int depth = 0;  // 0 = outermost in its function
  bool is_innermost = false;
  bool is_canonical = false;          // for (int i = a; i < b; i += c) with i not changed inside
  std::string induction;              // variable
  bool has_call = false;              // a call that is not a known pure mathematical function
  bool has_exit = false;              // break, return, goto, throw inside
  bool has_other_dependence = false;  // a scalar or array carried between iterations, no reduction
  std::vector<Reduction> reductions;
  std::vector<ArrayAccess> accesses;
  bool operator==(const Loop&) const = default;
};

struct AnalysisRequest {
  std::string file;                    // source, as an absolute path inside the view
  std::vector<std::string> arguments;  // of its recorded compile command, without the compiler
  std::filesystem::path directory;     // in which it was compiled, inside
  View view;
};

// Understands C and C++ sources. Runs in the sandbox: a parser crash or an endless header is an
// error value (kInternal, kTimeout), never ours. Blocks.
class Analyzer {
 public:
  virtual ~Analyzer() = default;
  virtual base::Result<std::vector<Loop>> loops(const AnalysisRequest& request,
                                                std::stop_token stop) = 0;
};

// analyzer_binary: the arbor-analyzer program; empty = beside the running executable. kUnsupported
// where there is none.
base::Result<std::unique_ptr<Analyzer>> open_analyzer(
    Sandbox& sandbox, const std::filesystem::path& analyzer_binary = {});

}  // namespace arbor::ports
