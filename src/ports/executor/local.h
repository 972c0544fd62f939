// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <memory>

#include "ports/executor/executor.h"

namespace arbor::ports {

struct LocalOptions {
  std::filesystem::path lock_file;
  double wait_s = 3600;  // for the machine; a pair of another campaign rarely takes longer
};

// As make_local_executor, with a lock of the caller's choice (tests use one of their own).
std::unique_ptr<Executor> make_local_executor(Sandbox& sandbox, LocalOptions options);

}  // namespace arbor::ports
