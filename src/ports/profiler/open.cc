// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "ports/profiler/perf.h"
#include "ports/profiler/profiler.h"

namespace arbor::ports {
namespace {

class NoProfiler final : public Profiler {
 public:
  explicit NoProfiler(std::string note) : note_(std::move(note)) {}
  base::Result<domain::Profile> profile(const LaunchRequest&, std::stop_token) override {
    domain::Profile profile;
    profile.tool = "none";
    profile.note = note_;
    return profile;
  }

 private:
  std::string note_;
};

}  // namespace

base::Result<std::unique_ptr<Profiler>> open_profiler(Sandbox& sandbox, std::string_view tool) {
  if (tool == "none") return std::make_unique<NoProfiler>("Profiling is switched off.");
  if (tool != "auto" && tool != "perf")
    return base::fail(base::ErrorKind::kUsage,
                      fmt::format("no profiler is called '{}': choose auto, perf or none", tool));
  const auto missing = what_perf_lacks();
  if (!missing) return make_perf_profiler(sandbox);
  if (tool == "perf") return base::fail(base::ErrorKind::kUnsupported, *missing);
  return std::make_unique<NoProfiler>(*missing + ".");
}

}  // namespace arbor::ports
