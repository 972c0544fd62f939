// SPDX-License-Identifier: Apache-2.0
// The analyser that runs arbor-analyzer (programs/, the only user of libclang) in the sandbox.
#include <fmt/format.h>

#include "base/text.h"
#include "ports/analyzer/analyzer.h"
#include "ports/analyzer/clang_arguments.h"
#include "ports/analyzer/loops_json.h"

namespace arbor::ports {
namespace {

constexpr const char* kInside = "/run/arbor/analyzer";
constexpr double kWallSeconds = 60;               // a header of templates takes a few
constexpr std::int64_t kMemoryBytes = 2LL << 30;  // and some hundred megabytes
constexpr std::size_t kMostWordsOfTool = 600;     // quoted in an error

class LibclangAnalyzer : public Analyzer {
 public:
  LibclangAnalyzer(Sandbox& sandbox, std::filesystem::path binary)
      : sandbox_(sandbox), binary_(std::move(binary)) {}

  base::Result<std::vector<Loop>> loops(const AnalysisRequest& request,
                                        std::stop_token stop) override {
    ARBOR_TRY(const auto outcome, sandbox_.launch(launch_of(request), stop));
    if (outcome.is_timeout)
      return base::fail(base::ErrorKind::kTimeout,
                        fmt::format("analysing {} took more than {} s; its loops are left alone",
                                    request.file, kWallSeconds));
    if (outcome.exit_code != 0 || outcome.is_truncated)
      return base::fail(
          base::ErrorKind::kInternal,
          fmt::format("arbor-analyzer could not read {} (exit code {}); its loops are left alone: "
                      "{}",
                      request.file, outcome.exit_code,
                      base::printable(
                          base::shortened(base::trim(outcome.standard_error), kMostWordsOfTool))));
    return parse_loops(outcome.standard_output, request.file);
  }

 private:
  LaunchRequest launch_of(const AnalysisRequest& request) const {
    LaunchRequest launch;
    launch.argv = {kInside, request.file};
    for (auto& argument : clang_arguments(request.arguments))
      launch.argv.push_back(std::move(argument));
    launch.cwd = request.directory;
    launch.view = request.view;
    launch.view.mounts.push_back({binary_, kInside, false});
    launch.limits.wall_s = kWallSeconds;
    launch.limits.memory_bytes = kMemoryBytes;
    return launch;
  }

  Sandbox& sandbox_;
  std::filesystem::path binary_;
};

}  // namespace

base::Result<std::unique_ptr<Analyzer>> open_analyzer(
    Sandbox& sandbox, const std::filesystem::path& analyzer_binary) {
  auto binary = analyzer_binary;
  std::error_code error;
  if (binary.empty())
    binary =
        std::filesystem::read_symlink("/proc/self/exe", error).parent_path() / "arbor-analyzer";
  if (!std::filesystem::is_regular_file(binary, error))
    return base::fail(base::ErrorKind::kUnsupported,
                      fmt::format("no source analyser: {} is missing; build the target "
                                  "arbor-analyzer or go on without changes to loops",
                                  binary.string()));
  return std::make_unique<LibclangAnalyzer>(sandbox, std::move(binary));
}

}  // namespace arbor::ports
