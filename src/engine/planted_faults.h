// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "engine/session.h"

// Faults planted on purpose, run for real: what cannot see them cannot judge.
namespace arbor::engine {

// What --without switches off.
struct PlantName {
  const char* name;
  const char* summary;
};
inline constexpr const char* kSlowDown = "planted-slow-down";
inline constexpr const char* kWrongOutput = "planted-wrong-output";
inline constexpr PlantName kPlants[] = {
    {kSlowDown, "The unchanged program with a third of a CPU must look slower"},
    {kWrongOutput, "Programs that do nothing, and wrong numbers, must fail the check"},
};

struct Plant {
  bool is_caught = false;
  std::string detail;  // what was planted and what came of it, in words
};

// The benchmark of the unchanged program with a third of one CPU. Caught where the metric shows it:
// a metric that does not depend on the program, or a goal the wrong way round, is not.
base::Result<Plant> plant_slow_down(Session& session, const domain::Calibration& calibration);

// The check of programs that do nothing and succeed, and golden outputs with wrong numbers. A check
// without harness, score or outputs is the candidate's own word; that is said, not refused.
base::Result<Plant> plant_wrong_output(Session& session);

}  // namespace arbor::engine
