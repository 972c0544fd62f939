// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/error.h"
#include "ports/sandbox/launch/bounded_output.h"
#include "ports/sandbox/launch/child.h"
#include "ports/sandbox/launch/descriptor.h"

namespace arbor::ports {

struct Supervision;

// The pipes between Arbor and one launch: the command's three streams, the gate's ready and
// release, the keeper's report and go.
class Streams {
 public:
  static base::Result<Streams> open(const Supervision& supervision);

  void fill(ChildPlan& plan) const;
  void close_childs_ends();

  base::Result<void> go();  // the keeper begins
  void release();           // the command begins
  void kill_leftovers();    // the keeper kills whoever is left, and goes on
  void let_keeper_end();

  bool read_ready();
  bool read_report(ChildReport& report);
  // One piece of what has arrived (a command that prints without end must not keep us from looking
  // at the clock); false when there is none for now. Closes the stream at its end.
  bool read_output(BoundedOutput& into) { return read_some(output_.read_end, into); }
  bool read_error(BoundedOutput& into) { return read_some(error_.read_end, into); }
  // What has been written by now and not a byte of what is written meanwhile.
  void read_all_output(BoundedOutput& into) { read_present(output_.read_end, into); }
  void read_all_error(BoundedOutput& into) { read_present(error_.read_end, into); }

  int ready_fd() const { return ready_.read_end.get(); }
  int report_fd() const { return report_.read_end.get(); }
  int output_fd() const { return output_.read_end.get(); }
  int error_fd() const { return error_.read_end.get(); }

 private:
  static bool read_some(Descriptor& stream, BoundedOutput& into);
  static void read_present(const Descriptor& stream, BoundedOutput& into);

  Descriptor input_;
  Pipe output_, error_, ready_, release_, report_, go_;
};

}  // namespace arbor::ports
