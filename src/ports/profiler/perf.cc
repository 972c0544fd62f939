// SPDX-License-Identifier: Apache-2.0
// Three launches in one view, so that paths and build ids agree: record, print the samples, find
// the source lines of the hottest addresses. Only text comes back; the parent reads no binary file.
#include "ports/profiler/perf.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>

#include "base/files.h"
#include "base/owner.h"
#include "base/subprocess.h"
#include "base/text.h"
#include "ports/profiler/perf_script.h"
#include "ports/profiler/source_lines.h"

namespace arbor::ports {
namespace fs = std::filesystem;
namespace {

constexpr const char* kTool = "perf cpu-clock";
constexpr const char* kScriptName = "script";
constexpr std::string_view kFolderPrefix = "arbor-perf-";
constexpr std::int64_t kLargestRecordBytes = 4LL << 30;
constexpr std::int64_t kLargestScriptBytes = 2LL << 30;
constexpr double kGraceS = 30;  // for perf to finish its record after the limit
constexpr int kTimedOut = 124;  // what `timeout` exits with
constexpr double kScriptLimitS = 300;
constexpr double kLinesLimitS = 60;      // of one binary
constexpr std::size_t kResolved = 20;    // hottest symbols that get a source line …
constexpr std::size_t kAddresses = 24;   // … from so many of their hottest addresses
constexpr std::size_t kMaxBinaries = 6;  // in which they lie
constexpr std::size_t kMaxHotspots = 200;
constexpr std::int64_t kFewSamples = 100;

using Lines = std::map<std::pair<std::string, std::uint64_t>, SourceLine>;  // by binary, address

// Where things are for the launches: as the view says, or where they lie on the host when the
// sandbox cannot mount.
struct Place {
  fs::path folder;  // on the host, for the record
  fs::path inner_folder;
  fs::path tree;
  std::string data() const { return (inner_folder / "perf.data").string(); }
};

Place place_of(const Sandbox& sandbox, const View& view, const fs::path& folder) {
  if (sandbox.traits().isolates) return {folder, "/run/arbor/record", view.tree_path};
  return {folder, folder, view.tree};
}

std::string sentence(std::string text) {
  return text.empty() || text.ends_with('.') ? text : text + ".";
}

domain::Profile no_profile(std::string note) {
  domain::Profile profile;
  profile.tool = "none";
  profile.note = sentence(std::move(note));
  return profile;
}

int paranoid_level() {
  const auto text = base::read_file("/proc/sys/kernel/perf_event_paranoid");
  const auto level = text ? base::parse_number(base::trim(*text)) : std::nullopt;
  return level ? static_cast<int>(*level) : -1;
}

// Why perf left no record, in its reader's terms.
std::string why_no_record(const LaunchOutcome& outcome) {
  const std::string words =
      base::shortened(base::printable(base::trim(outcome.standard_error)), 600);
  const auto says = [&](std::string_view text) { return outcome.standard_error.contains(text); };
  if (says("perf not found for kernel") || says("linux-tools"))
    return "the installed perf is not for this kernel: apt-get install linux-tools-$(uname -r)";
  if (says("ermission") || says("not permitted") || says("perf_event_paranoid")) {
    if (paranoid_level() > 2)
      return fmt::format(
          "perf may not record: kernel.perf_event_paranoid is {}. Allow it with: "
          "sysctl kernel.perf_event_paranoid=2",
          paranoid_level());
    return "perf may not record although kernel.perf_event_paranoid would allow it: a container's "
           "seccomp filter forbids perf_event_open. Start the container with --cap-add PERFMON or "
           "--security-opt seccomp=unconfined";
  }
  if (says("not supported") || says("Function not implemented"))
    return fmt::format("this kernel has no perf events (CONFIG_PERF_EVENTS): {}", words);
  return fmt::format("perf recorded nothing (code {}): {}", outcome.exit_code, words);
}

// A record without an end: the command never started, was killed with perf, or perf is broken.
base::Result<domain::Profile> unreadable(const LaunchRequest& launch, const LaunchOutcome& recorded,
                                         const LaunchOutcome& printed) {
  const auto words = [](std::string_view text) {
    return base::shortened(base::printable(base::trim(text)), 600);
  };
  if (recorded.exit_code != 0)
    return no_profile(fmt::format("`{}` could not be profiled, it ended with code {}: {}",
                                  base::printable(base::shell_command(launch.argv)),
                                  recorded.exit_code, words(recorded.standard_error)));
  return base::fail(base::ErrorKind::kInternal,
                    fmt::format("`perf script` cannot read what `perf record` wrote (code {}): {}",
                                printed.exit_code, words(printed.standard_error)));
}

std::vector<const SymbolSamples*> symbols_to_resolve(const PerfSamples& samples,
                                                     const fs::path& tree_path) {
  std::vector<const SymbolSamples*> chosen;
  std::set<std::string> binaries;
  for (const auto& symbol : samples.symbols) {
    if (chosen.size() == kResolved || symbol.self == 0) break;
    const fs::path inside = fs::path(symbol.binary).lexically_relative(tree_path);
    if (inside.empty() || *inside.begin() == "..") continue;
    if (!binaries.contains(symbol.binary) && binaries.size() == kMaxBinaries) continue;
    binaries.insert(symbol.binary);
    chosen.push_back(&symbol);
  }
  return chosen;
}

std::vector<std::uint64_t> hottest_addresses(const SymbolSamples& symbol) {
  std::vector<std::pair<std::int64_t, std::uint64_t>> by_heat;
  for (const auto& [address, count] : symbol.at) by_heat.emplace_back(-count, address);
  std::ranges::sort(by_heat);
  if (by_heat.size() > kAddresses) by_heat.resize(kAddresses);
  std::vector<std::uint64_t> addresses;
  for (const auto& [heat, address] : by_heat) addresses.push_back(address);
  return addresses;
}

domain::Hotspot hotspot_of(const SymbolSamples& symbol, std::int64_t count, const Lines& lines) {
  domain::Hotspot spot;
  spot.symbol = base::printable(symbol.symbol);
  spot.object =
      symbol.binary.starts_with('/') ? fs::path(symbol.binary).filename().string() : symbol.binary;
  spot.share = static_cast<double>(symbol.self) / static_cast<double>(count);
  spot.total_share = static_cast<double>(symbol.total) / static_cast<double>(count);
  std::map<SourceLine, std::int64_t> heat;
  for (const auto& [address, samples] : symbol.at)
    if (const auto line = lines.find({symbol.binary, address}); line != lines.end())
      heat[line->second] += samples;
  const auto hottest = std::ranges::max_element(
      heat, [](const auto& a, const auto& b) { return a.second < b.second; });
  if (hottest == heat.end()) return spot;
  spot.file = hottest->first.file;
  spot.line = hottest->first.line;
  return spot;
}

class PerfProfiler final : public Profiler {
 public:
  explicit PerfProfiler(Sandbox& sandbox) : sandbox_(sandbox) {}

  base::Result<domain::Profile> profile(const LaunchRequest& launch,
                                        std::stop_token stop) override {
    if (const auto missing = what_perf_lacks()) return no_profile(*missing);
    ARBOR_TRY(const auto folder,
              base::ScratchDir::create(fs::temp_directory_path(), kFolderPrefix));
    const Place place = place_of(sandbox_, launch.view, folder.path());
    ARBOR_TRY(const auto recorded, sandbox_.launch(record_request(launch, place), stop));
    std::error_code missing;
    const auto size = fs::file_size(folder.path() / "perf.data", missing);
    if (missing || size == 0) return no_profile(why_no_record(recorded));

    ARBOR_TRY(const auto printed, sandbox_.launch(script_request(launch, place), stop));
    const PerfSamples samples = read_script(folder.path() / kScriptName);
    if (samples.count == 0 && printed.exit_code != 0) return unreadable(launch, recorded, printed);
    ARBOR_TRY(const Lines lines, find_lines(samples, launch, place, stop));
    domain::Profile profile = profile_of(samples, lines);
    profile.note = note_on(profile, recorded, printed);
    return profile;
  }

 private:
  static LaunchRequest record_request(const LaunchRequest& launch, const Place& place) {
    LaunchRequest request = launch;
    // perf has to be asked to end, or its record has no end either: the limit is `timeout`'s, and
    // the sandbox's only comes after it.
    request.argv = {"timeout", "-s",
                    "INT",     "-k",
                    "20",      fmt::format("{:.3f}", launch.limits.wall_s),
                    "perf",    "record",
                    "-e",      "cpu-clock:u",
                    "-F",      "999",
                    "-g",      "--no-buildid-cache",
                    "-o",      place.data(),
                    "--"};
    request.limits.wall_s += kGraceS;
    request.argv.insert(request.argv.end(), launch.argv.begin(), launch.argv.end());
    request.view.mounts.push_back({place.folder, place.inner_folder, true});
    if (request.limits.file_bytes > 0)
      request.limits.file_bytes = std::max(request.limits.file_bytes, kLargestRecordBytes);
    if (request.limits.processes > 0) request.limits.processes += 2;  // timeout and perf
    return request;
  }

  // Of a long run of many threads the text is larger than what should be in memory: it goes through
  // a file.
  static LaunchRequest script_request(const LaunchRequest& launch, const Place& place) {
    LaunchRequest request = reading_request(launch, place);
    request.view.mounts.back().is_writable = true;
    request.argv = {
        "sh",
        "-c",
        "exec perf script -f -i \"$1\" --no-inline -F comm,tid,event,ip,sym,dso >\"$2\"",
        "sh",
        place.data(),
        (place.inner_folder / kScriptName).string()};
    request.limits.wall_s = kScriptLimitS;
    request.limits.file_bytes = kLargestScriptBytes;
    return request;
  }

  static PerfSamples read_script(const fs::path& file) {
    std::ifstream stream(file, std::ios::binary);
    PerfScriptReader reader;
    std::vector<char> piece(std::size_t{1} << 20);
    while (stream) {
      stream.read(piece.data(), static_cast<std::streamsize>(piece.size()));
      reader.feed({piece.data(), static_cast<std::size_t>(stream.gcount())});
    }
    return std::move(reader).finish();
  }

  // A launch of a trusted tool over what was recorded, with nothing of the program's but its files.
  static LaunchRequest reading_request(const LaunchRequest& launch, const Place& place) {
    LaunchRequest request;
    request.cwd = launch.view.tree_path;
    request.view = launch.view;
    request.view.mounts.push_back({place.folder, place.inner_folder, false});
    request.environment = {{"PERF_CONFIG", "/dev/null"}, {"LC_ALL", "C"}};
    request.cpus = launch.cpus;
    return request;
  }

  base::Result<Lines> find_lines(const PerfSamples& samples, const LaunchRequest& launch,
                                 const Place& place, std::stop_token stop) {
    std::map<std::string, std::vector<std::uint64_t>> wanted;
    for (const auto* symbol : symbols_to_resolve(samples, place.tree))
      for (const auto address : hottest_addresses(*symbol))
        wanted[symbol->binary].push_back(address);
    Lines lines;
    for (const auto& [binary, offsets] : wanted) {
      auto request = reading_request(launch, place);
      request.limits.wall_s = kLinesLimitS;
      request.argv = {"readelf", "-lW", binary};
      ARBOR_TRY(const auto headers, sandbox_.launch(request, stop));
      const auto segments = parse_segments(headers.standard_output);
      request.argv = {"addr2line", "-a", "-i", "-e", binary};
      for (const auto offset : offsets)
        request.argv.push_back(fmt::format("{:#x}", linked_address(segments, offset)));
      ARBOR_TRY(const auto printed, sandbox_.launch(request, stop));
      const auto found = parse_source_lines(printed.standard_output, place.tree);
      for (const auto offset : offsets)
        if (const auto line = found.find(linked_address(segments, offset)); line != found.end())
          lines[{binary, offset}] = line->second;
    }
    return lines;
  }

  static domain::Profile profile_of(const PerfSamples& samples, const Lines& lines) {
    domain::Profile profile;
    profile.tool = kTool;
    profile.samples = samples.count;
    for (const auto& symbol : samples.symbols) {
      // A function that only calls others is worth showing when much happens below it.
      if (symbol.self == 0 && symbol.total * 100 < samples.count) continue;
      if (profile.hotspots.size() == kMaxHotspots) break;
      profile.hotspots.push_back(hotspot_of(symbol, samples.count, lines));
    }
    return profile;
  }

  static std::string note_on(const domain::Profile& profile, const LaunchOutcome& recorded,
                             const LaunchOutcome& printed) {
    std::vector<std::string> notes;
    if (profile.samples == 0)
      notes.push_back(
          "no samples: the command used less than a millisecond of CPU in its own code");
    else if (profile.samples < kFewSamples)
      notes.push_back(
          fmt::format("only {} samples: shares are rough, profile a longer run", profile.samples));
    double unknown = 0;
    for (const auto& spot : profile.hotspots)
      if (spot.symbol == "[unknown]") unknown += spot.share;
    if (unknown >= 0.2)
      notes.push_back(
          fmt::format("{:.0f} % of the time is in code without symbols (stripped, or "
                      "compiled at run time)",
                      unknown * 100));
    const bool is_cut = recorded.is_timeout || recorded.exit_code == kTimedOut;
    if (is_cut) notes.push_back("the command was stopped at its time limit");
    if (recorded.exit_code != 0 && !is_cut)
      notes.push_back(fmt::format("the command ended with code {}", recorded.exit_code));
    if (printed.is_timeout || printed.exit_code != 0)
      notes.push_back("so many samples that only the first ones were read");
    return sentence(base::join(notes, "; "));
  }

  Sandbox& sandbox_;
};

}  // namespace

std::unique_ptr<Profiler> make_perf_profiler(Sandbox& sandbox) {
  std::error_code failed;  // the folder may be a link that the user made
  base::sweep(fs::canonical(fs::temp_directory_path(), failed), kFolderPrefix);
  return std::make_unique<PerfProfiler>(sandbox);
}

std::optional<std::string> what_perf_lacks() {
  const auto version = base::run_tool({.argv = {"perf", "--version"},
                                       .cwd = {},
                                       .environment = {},
                                       .standard_input = {},
                                       .timeout_s = 20});
  if (version && version->exit_code == 0) return std::nullopt;
  const auto release = base::read_file("/etc/os-release");
  const bool is_ubuntu = release && release->contains("ID=ubuntu");
  return fmt::format("perf {}: apt-get install {}",
                     version ? "cannot run on this kernel" : "is not installed",
                     is_ubuntu ? "linux-tools-generic linux-tools-$(uname -r)" : "linux-perf");
}

}  // namespace arbor::ports
