// SPDX-License-Identifier: Apache-2.0
#include "app/doctor/steadiness.h"

#include <gmock/gmock.h>

#include "base/files.h"

namespace arbor::app {
namespace {
using testing::HasSubstr;

class Steadiness : public testing::Test {
 protected:
  void put(const std::string& file, const std::string& text) const {
    ASSERT_TRUE(base::write_file(scratch_.path() / "devices/system/cpu" / file, text));
  }
  base::ScratchDir scratch_ = *base::ScratchDir::create(testing::TempDir(), "sys-");
};

TEST_F(Steadiness, NamesWhatSteadiesACpuThatIsNot) {
  put("cpu0/cpufreq/scaling_governor", "powersave\n");
  put("intel_pstate/no_turbo", "0\n");
  put("smt/active", "1\n");
  const auto findings = cpu_findings(scratch_.path());
  ASSERT_EQ(findings.size(), 3U);
  for (const auto& finding : findings) {
    EXPECT_FALSE(finding.is_ok) << finding.name;
    EXPECT_FALSE(finding.is_needed);
  }
  EXPECT_THAT(findings[0].detail, HasSubstr("frequency-set -g performance"));
  EXPECT_THAT(findings[1].detail, HasSubstr("no_turbo"));
  EXPECT_THAT(findings[2].detail, HasSubstr("smt/control"));
}

TEST_F(Steadiness, IsContentWithASteadyCpuAndWithOneThatHidesItself) {
  EXPECT_TRUE(cpu_findings(scratch_.path()).front().is_ok);
  put("cpu0/cpufreq/scaling_governor", "performance\n");
  put("cpufreq/boost", "0\n");
  for (const auto& finding : cpu_findings(scratch_.path()))
    EXPECT_TRUE(finding.is_ok) << finding.name;
}

TEST_F(Steadiness, OfEqualWorkIsItsScatterBetweenNeighbours) {
  EXPECT_TRUE(noise_finding([] { return 0.5; }).is_ok);
  int launches = 0;
  const auto noisy = noise_finding([&] { return ++launches % 3 == 0 ? 1.3 : 1.0; });
  EXPECT_FALSE(noisy.is_ok);
  EXPECT_THAT(noisy.detail, HasSubstr("end what else runs here"));
  EXPECT_EQ(launches, 25);
}

}  // namespace
}  // namespace arbor::app
