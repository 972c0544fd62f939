// SPDX-License-Identifier: Apache-2.0
#include "base/error.h"

namespace arbor::base {

std::string_view error_kind_name(ErrorKind kind) {
  switch (kind) {
    case ErrorKind::kUsage:
      return "usage";
    case ErrorKind::kNotFound:
      return "not found";
    case ErrorKind::kUnsupported:
      return "unsupported";
    case ErrorKind::kTimeout:
      return "timeout";
    case ErrorKind::kIo:
      return "io";
    case ErrorKind::kBusy:
      return "busy";
    case ErrorKind::kCorrupt:
      return "corrupt";
    case ErrorKind::kCancelled:
      return "cancelled";
    case ErrorKind::kInternal:
      return "internal";
  }
  return "internal";
}

}  // namespace arbor::base
