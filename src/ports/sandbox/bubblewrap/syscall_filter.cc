// SPDX-License-Identifier: Apache-2.0
#include "ports/sandbox/bubblewrap/syscall_filter.h"

#include <fmt/format.h>
#include <seccomp.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/personality.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <memory>

#include "base/files.h"
#include "ports/sandbox/launch/descriptor.h"

namespace arbor::ports {
namespace {

constexpr const char* kRefused[] = {
    // Another process's memory and files: the shell that runs the check has the same user.
    "ptrace", "process_vm_readv", "process_vm_writev", "process_madvise", "pidfd_getfd", "kcmp",
    // Keys of the user outlive every launch and are in no namespace.
    "add_key", "request_key", "keyctl",
    // The kernel itself.
    "bpf", "userfaultfd", "kexec_load", "kexec_file_load", "init_module", "finit_module",
    "delete_module",
    // Mounts by the newer calls: the view stays as it is.
    "open_tree", "move_mount", "fsopen", "fsconfig", "fsmount", "fspick", "mount_setattr",
    // Work done by kernel threads on somebody's behalf, past this very filter.
    "io_uring_setup", "io_uring_enter", "io_uring_register"};

constexpr std::uint64_t kLow32 = 0xffffffff;  // all that the kernel looks at

struct Closer {
  void operator()(void* context) const { ::seccomp_release(context); }
};
using Context = std::unique_ptr<void, Closer>;

// 32-bit programs get the same filter; every other way of calling is refused whole.
void add_second_architecture(scmp_filter_ctx context) {
  const std::uint32_t native = ::seccomp_arch_native();
  if (native == SCMP_ARCH_X86_64) ::seccomp_arch_add(context, SCMP_ARCH_X86);
  if (native == SCMP_ARCH_AARCH64) ::seccomp_arch_add(context, SCMP_ARCH_ARM);
}

// Where the argument's bits under the mask are just these.
int refuse_where(scmp_filter_ctx context, int call, unsigned argument, std::uint64_t mask,
                 std::uint64_t value) {
  const scmp_arg_cmp test = {argument, SCMP_CMP_MASKED_EQ, mask, value};
  return ::seccomp_rule_add_array(context, SCMP_ACT_ERRNO(EPERM), call, 1, &test);
}

// Asking stays allowed (all 32 bits set), and so does what sanitizers need before they start again:
// addresses that are not random. A rule can compare an argument once only, so it takes one for each
// bit: set although the highest is not, or not set although the highest is.
int refuse_personalities(scmp_filter_ctx context) {
  constexpr std::uint64_t kHighest = 1UL << 31;
  for (std::uint64_t bit = 1; bit < kHighest; bit <<= 1) {
    int added = refuse_where(context, SCMP_SYS(personality), 0, kHighest | bit, kHighest);
    if (added == 0 && bit != ADDR_NO_RANDOMIZE)
      added = refuse_where(context, SCMP_SYS(personality), 0, kHighest | bit, bit);
    if (added != 0) return added;
  }
  return 0;
}

// Limits and priorities of others: the shell that judges would write no byte with a file limit of
// 0. Of oneself, and asking, stays allowed; so does affinity, which threads set by their numbers.
int refuse_limits_of_others(scmp_filter_ctx context) {
  const scmp_arg_cmp new_limits_of_others[] = {{0, SCMP_CMP_NE, 0, 0}, {2, SCMP_CMP_NE, 0, 0}};
  int added = ::seccomp_rule_add_array(context, SCMP_ACT_ERRNO(EPERM), SCMP_SYS(prlimit64), 2,
                                       new_limits_of_others);
  for (const int call : {SCMP_SYS(setpriority), SCMP_SYS(ioprio_set)})
    if (added == 0) {
      const scmp_arg_cmp others = {1, SCMP_CMP_NE, 0, 0};
      added = ::seccomp_rule_add_array(context, SCMP_ACT_ERRNO(EPERM), call, 1, &others);
    }
  // Process groups and users, whose 0 is one's own: the shell is in it.
  for (const std::uint64_t group : {1, 2})
    if (added == 0) added = refuse_where(context, SCMP_SYS(setpriority), 0, kLow32, group);
  for (const std::uint64_t group : {2, 3})
    if (added == 0) added = refuse_where(context, SCMP_SYS(ioprio_set), 0, kLow32, group);
  return added;
}

int add_rules(scmp_filter_ctx context) {
  for (const char* name : kRefused) {
    const int number = ::seccomp_syscall_resolve_name(name);
    if (number == __NR_SCMP_ERROR) return -ENOSYS;
    // -EDOM: not a call of this architecture.
    const int added = ::seccomp_rule_add(context, SCMP_ACT_ERRNO(EPERM), number, 0);
    if (added != 0 && added != -EDOM) return added;
  }
  for (const std::uint64_t request : {std::uint64_t{TIOCSTI}, std::uint64_t{TIOCLINUX}})
    if (const int added = refuse_where(context, SCMP_SYS(ioctl), 1, kLow32, request); added != 0)
      return added;
  if (const int added = refuse_limits_of_others(context); added != 0) return added;
  return refuse_personalities(context);
}

std::unexpected<base::Error> failed(int error) {
  return base::fail(
      base::ErrorKind::kInternal,
      fmt::format("cannot make the filter of system calls: {}; is libseccomp older than "
                  "2.5?",
                  std::strerror(error)));
}

}  // namespace

base::Result<std::string> syscall_filter() {
  const Context context(::seccomp_init(SCMP_ACT_ALLOW));
  if (context == nullptr) return failed(ENOMEM);
  ::seccomp_attr_set(context.get(), SCMP_FLTATR_ACT_BADARCH, SCMP_ACT_ERRNO(EPERM));
  ::seccomp_attr_set(context.get(), SCMP_FLTATR_CTL_OPTIMIZE, 2);  // a binary tree
  add_second_architecture(context.get());
  if (const int error = add_rules(context.get()); error != 0) return failed(-error);
  const Descriptor file(::memfd_create("syscall-filter", MFD_CLOEXEC));
  if (!file.is_open()) return failed(errno);
  if (const int error = ::seccomp_export_bpf(context.get(), file.get()); error != 0)
    return failed(-error);
  return base::read_file(fmt::format("/proc/self/fd/{}", file.get()));
}

}  // namespace arbor::ports
