// SPDX-License-Identifier: Apache-2.0
// arbor-shim: every compiler, binutil and launcher in the shim folder is a link to this program. It
// reads the plan, decides by the name it was called by, runs the real tool and records it. It
// fails where it has no plan: a build that silently ran without its flags would be measured as if
// it had them.
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "workspace/shim/places.h"
#include "workspace/shim/programs/real_tool.h"
#include "workspace/shim/record.h"
#include "workspace/shim/rewrite.h"

namespace arbor::workspace {
namespace {
using Kind = CompileCommand::Kind;

constexpr std::size_t kMaxFileBytes = 64UL << 20;
// Longer command lines go through a response file: the kernel takes about 2 MB with environment.
constexpr std::size_t kMaxCommandBytes = 1UL << 20;

struct Called {
  std::string tool;                // the name we act as
  std::vector<std::string> argv;   // argv[0] is the tool
  std::string compiler;            // an absolute path that a launcher was given; else empty
  std::vector<std::string> whole;  // as the build wrote it, with a launcher in front
};

std::optional<std::string> contents_of(const std::string& path) {
  const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  struct stat status;
  if (fd < 0) return std::nullopt;
  if (::fstat(fd, &status) != 0 || !S_ISREG(status.st_mode)) {
    ::close(fd);  // a pipe can be read only once, and the compiler wants it
    return std::nullopt;
  }
  std::string bytes;
  char buffer[65536];
  ssize_t got = 0;
  while ((got = ::read(fd, buffer, sizeof buffer)) > 0 && bytes.size() < kMaxFileBytes)
    bytes.append(buffer, static_cast<std::size_t>(got));
  ::close(fd);
  return got == 0 ? std::optional(std::move(bytes)) : std::nullopt;
}

// The shell's idea of the folder where it is the same one: it lies below tree_path even where a
// link leads there.
std::filesystem::path folder_as_told(const std::filesystem::path& tree_path) {
  std::error_code failed;
  const auto physical = std::filesystem::current_path(failed);
  const char* shell = std::getenv("PWD");
  struct stat here, there;
  if (shell == nullptr || ::stat(".", &here) != 0 || ::stat(shell, &there) != 0) return physical;
  if (here.st_ino != there.st_ino || here.st_dev != there.st_dev) return physical;
  const bool is_inside = tree_relative(".", physical, tree_path).starts_with('/') == false;
  return is_inside ? physical : std::filesystem::path(shell);
}

std::filesystem::path current_folder(const std::filesystem::path& tree_path) {
  return path_in_view(folder_as_told(tree_path), tree_path);
}

void record(const Called& called, const Step& step, const std::filesystem::path& cwd, int exit_code,
            double wall_s) {
  const std::string file = place_of(kRecordFolder) + "/commands.jsonl";
  const int fd = ::open(file.c_str(), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0644);
  if (fd < 0) return;  // no record folder: nobody asked for a record
  const std::string line = record_line({cwd, called.whole, step.argv, called.tool, step.kind,
                                        step.sources, step.outputs, exit_code, wall_s});
  // One write: lines of parallel compiles never mix.
  if (::write(fd, line.data(), line.size()) != static_cast<ssize_t>(line.size()))
    std::fprintf(stderr, "arbor-shim: cannot record to '%s'\n", file.c_str());
  ::close(fd);
}

bool is_recording() { return ::access(place_of(kRecordFolder).c_str(), W_OK) == 0; }

std::uint64_t fingerprint(const std::vector<std::string>& words, const std::string& seed) {
  std::uint64_t hash = 0xcbf29ce484222325;
  const auto mix = [&](const std::string& text) {
    for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
    hash = (hash ^ 0xff) * 0x100000001b3;
  };
  mix(seed);
  for (const auto& word : words) mix(word);
  return hash;
}

// The same command gets the same folder in every build: object names end up in profile data.
std::filesystem::path scratch_folder(const Called& called, const std::filesystem::path& cwd) {
  const char* root = std::getenv("TMPDIR");
  char name[40];
  std::snprintf(name, sizeof name, "arbor-shim-%016llx",
                static_cast<unsigned long long>(fingerprint(called.argv, cwd.native())));
  return std::filesystem::path(root == nullptr || *root == 0 ? "/tmp" : root) / name;
}

std::string response_word(const std::string& word) {
  std::string text;
  for (const char c : word) {
    if (std::strchr(" \t\n\r\v\f'\"\\", c) != nullptr) text += '\\';
    text += c;
  }
  return word.empty() ? "''\n" : text + "\n";
}

// Through a response file where the kernel would refuse the length. argv[0] stays.
void shorten(std::vector<std::string>& argv, const std::filesystem::path& scratch) {
  std::size_t bytes = 0;
  for (const auto& word : argv) bytes += word.size() + 1;
  if (bytes < kMaxCommandBytes) return;
  std::string text;
  for (std::size_t i = 1; i < argv.size(); ++i) text += response_word(argv[i]);
  std::error_code ignored;
  std::filesystem::create_directories(scratch, ignored);
  const std::string path = (scratch / "arguments.rsp").string();
  const int fd = ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  if (fd < 0) return;
  std::size_t written = 0;
  while (written < text.size()) {
    const ssize_t got = ::write(fd, text.data() + written, text.size() - written);
    if (got <= 0) break;
    written += static_cast<std::size_t>(got);
  }
  ::close(fd);
  if (written == text.size()) argv = {argv[0], "@" + path};
}

// Whether ccache can serve the step: one plain compile, without profile data in play.
bool suits_ccache(const Step& step, const ShimPlan& plan) {
  return plan.uses_ccache && plan.pgo == ShimPlan::Pgo::kNone && step.kind == Kind::kCompile &&
         step.sources.size() == 1;
}

ToolRun tool_run(Step& step, const ShimPlan& plan, const std::filesystem::path& scratch) {
  ToolRun run{step.argv[0], step.argv};
  if (suits_ccache(step, plan)) {
    if (const auto ccache = find_below_shim("ccache")) {
      run.program = *ccache;
      run.argv.insert(run.argv.begin(), "ccache");
      run.allows_ccache = true;
      step.argv = run.argv;
      return run;
    }
  }
  shorten(run.argv, scratch);
  return run;
}

int run_steps(const Called& called, std::vector<Step> steps, const ShimPlan& plan,
              const std::filesystem::path& cwd, const std::filesystem::path& scratch) {
  int status = 0;
  for (auto& step : steps) {
    const ToolRun run = tool_run(step, plan, scratch);
    const auto start = std::chrono::steady_clock::now();
    const auto ended = run_and_wait(run);
    const std::chrono::duration<double> wall = std::chrono::steady_clock::now() - start;
    const int code = ended ? exit_code_of(*ended) : 127;
    record(called, step, cwd, code, wall.count());
    status = ended.value_or(127 << 8);
    if (code != 0) break;
  }
  std::error_code ignored;
  std::filesystem::remove_all(scratch, ignored);
  end_like(status);
}

// Alone and unrecorded, a step needs no process of ours above it.
int carry_out(const Called& called, Rewriting rewriting, const ShimPlan& plan,
              const std::filesystem::path& cwd) {
  const auto scratch = scratch_folder(called, cwd);
  if (rewriting.uses_scratch) {
    std::error_code failed;
    std::filesystem::create_directories(scratch, failed);
    if (failed) {
      std::fprintf(stderr, "arbor-shim: cannot create '%s': %s\n", scratch.c_str(),
                   failed.message().c_str());
      return 1;
    }
  }
  if (rewriting.steps.size() > 1 || is_recording())
    return run_steps(called, std::move(rewriting.steps), plan, cwd, scratch);
  return become(tool_run(rewriting.steps[0], plan, scratch));
}

int missing(const std::string& name) {
  std::fprintf(stderr, "arbor-shim: %s: not found in PATH behind the shim\n", name.c_str());
  return 127;
}

int run_driver(const Called& called, const ShimPlan& plan) {
  const Driver driver = driver_for(called.tool, plan);
  const bool is_given = !called.compiler.empty() && driver.name == called.tool;
  const auto compiler = is_given ? called.compiler : find_below_shim(driver.name);
  if (!compiler) return missing(driver.name);
  const auto cwd = current_folder(plan.tree_path);
  const CompilerFamily family = family_of_tool(file_name_of(real_path_of(*compiler)));
  DriverCall call{called.argv, cwd, *compiler, driver.extra, family, scratch_folder(called, cwd)};
  return carry_out(called, rewrite(call, plan, contents_of), plan, cwd);
}

Step plain_step(const std::string& program, const Called& called) {
  Step step{{program}, Kind::kOther, {}, {}};
  step.argv.insert(step.argv.end(), called.argv.begin() + 1, called.argv.end());
  return step;
}

// LLVM bitcode, plain or in its wrapper, as a file or as the first members of an archive.
bool holds_bitcode(const Called& called) {
  return std::any_of(called.argv.begin() + 1, called.argv.end(), [](const std::string& path) {
    char head[256] = {};
    const int fd = path.starts_with('-') ? -1 : ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (fd < 0) return false;
    const ssize_t got = ::read(fd, head, sizeof head);
    ::close(fd);
    const std::string_view text(head, static_cast<std::size_t>(std::max<ssize_t>(got, 0)));
    constexpr std::string_view kBitcode = "BC\xC0\xDE", kWrapper = "\xDE\xC0\x17\x0B";
    if (text.starts_with("!<arch>\n")) return text.find(kBitcode) != std::string_view::npos;
    return text.starts_with(kBitcode) || text.starts_with(kWrapper);
  });
}

std::vector<std::string> archive_of(const Called& called) {
  for (std::size_t i = 1; i < called.argv.size(); ++i)
    if (called.argv[i].ends_with(".a")) return {called.argv[i]};
  return {};
}

int run_archiver(const Called& called, const ShimPlan& plan) {
  const auto cwd = current_folder(plan.tree_path);
  for (const auto& name : archivers_for(called.tool, plan, holds_bitcode(called))) {
    const auto program = find_below_shim(name);
    if (!program) continue;
    Step step = plain_step(*program, called);
    if (called.tool.find("nm") == std::string::npos) step.outputs = archive_of(called);
    return carry_out(called, {{std::move(step)}, false}, plan, cwd);
  }
  return missing(called.tool);
}

// ld itself, and drivers for other machines: as they are.
int run_plain(const Called& called, const ShimPlan& plan, Kind kind) {
  const auto program = called.compiler.empty() ? find_below_shim(called.tool) : called.compiler;
  if (!program) return missing(called.tool);
  Step step = plain_step(*program, called);
  const CommandLine line = parse_command_line(called.argv, contents_of);
  step.kind = kind == Kind::kLink && line.is_query ? Kind::kProbe : kind;
  step.sources = line.sources();
  if (!line.output.empty()) step.outputs = {line.output};
  return carry_out(called, {{std::move(step)}, false}, plan, current_folder(plan.tree_path));
}

int act(const Called& called, const ShimPlan& plan) {
  switch (class_of_tool(called.tool)) {
    case ToolClass::kCDriver:
    case ToolClass::kCxxDriver:
      return run_driver(called, plan);
    case ToolClass::kArchiver:
      return run_archiver(called, plan);
    case ToolClass::kLinker:
      return run_plain(called, plan, Kind::kLink);
    case ToolClass::kCrossDriver:
    case ToolClass::kLauncher:
    case ToolClass::kOther:
      return run_plain(called, plan, Kind::kOther);
  }
  return 1;
}

// "ccache gcc -c x.c" is our gcc. What a launcher is asked besides goes to the launcher itself, and
// with the shim still in PATH: it may start a tool (nvcc) that calls a compiler in turn.
int act_as_launcher(const Called& called, const ShimPlan& plan) {
  std::size_t first = 1;
  while (first < called.argv.size() && called.argv[first].find('=') != std::string::npos &&
         called.argv[first].find('/') == std::string::npos)
    ++first;  // ccache takes settings in front of the compiler
  const bool has_command = first < called.argv.size() && !called.argv[first].starts_with('-');
  const std::string command = has_command ? called.argv[first] : "";
  Called inner{file_name_of(command), {}, "", called.whole};
  inner.argv.assign(called.argv.begin() + static_cast<std::ptrdiff_t>(first), called.argv.end());
  const bool is_path = command.find('/') != std::string::npos;
  if (is_path && !command.starts_with(place_of(kShimFolder))) inner.compiler = command;
  const ToolClass kind = class_of_tool(inner.tool);
  if (kind == ToolClass::kLauncher) return act_as_launcher(inner, plan);
  if (has_command && kind != ToolClass::kOther) return act(inner, plan);
  const auto& next = has_command ? inner : called;
  const auto program = is_path ? command : find_below_shim(has_command ? command : called.tool);
  if (!program) return missing(has_command ? command : called.tool);
  return become({*program, next.argv, false, false});
}

// Below ourselves already: a driver that calls a driver by name. Straight through.
int pass_through(const Called& called) {
  const auto program = find_below_shim(called.tool);
  if (!program) return missing(called.tool);
  return become({*program, called.argv});
}

int shim_main(const std::vector<std::string>& argv) {
  const std::string name = argv.empty() ? "" : file_name_of(argv[0]);
  Called called{name, argv, "", argv};
  if (std::getenv("ARBOR_SHIM_ACTIVE") != nullptr && name != "arbor-shim")
    return pass_through(called);
  const std::string plan_file = place_of(kShimPlanFile);
  const auto text = contents_of(plan_file);
  const auto plan = parse_plan(text.value_or(""));
  if (!plan) {
    std::fprintf(stderr, "arbor-shim: %s: %s\n", plan_file.c_str(), plan.error().message.c_str());
    return 1;
  }
  const bool is_launcher = name == "arbor-shim" || class_of_tool(name) == ToolClass::kLauncher;
  return is_launcher ? act_as_launcher(called, *plan) : act(called, *plan);
}

}  // namespace
}  // namespace arbor::workspace

int main(int argc, char** argv) {
  return arbor::workspace::shim_main(std::vector<std::string>(argv, argv + argc));
}
