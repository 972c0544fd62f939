// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <functional>
#include <vector>

#include "app/doctor/finding.h"

// How steadily this machine computes: what makes small gains provable, or not.
namespace arbor::app {

// What the kernel's files under sys ("/sys") say of frequency scaling, turbo and hyper-threads. A
// machine that hides them, as most virtual ones do, gets one line that says so.
std::vector<Finding> cpu_findings(const std::filesystem::path& sys);

// The scatter that equal work shows, from the seconds that 2 x 12 times the same work took: two
// neighbours are a pair.
Finding noise_finding(const std::function<double()>& seconds_of_equal_work);

// A tenth of the smallest bench that is worth having, all of it computing.
double seconds_of_a_short_loop();

}  // namespace arbor::app
