// SPDX-License-Identifier: Apache-2.0
// Models of programs. Figures of llm_serving and dense are those measured on the real ones; the
// others are made up in their image. Held-out ones are looked at only after the policy is settled.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "agents/specialists/landscape.h"
#include "agents/specialists/proposal.h"

namespace arbor::agents {
namespace {

using domain::KnobValue;
using domain::Layer;

struct Source {
  std::string function, file;
  double share = 0;
  enum class Loop { kNone, kSum, kMap } loop = Loop::kNone;
};

ports::Loop loop_of(const Source& source) {
  ports::Loop loop;
  loop.function = source.function;
  loop.file = source.file;
  loop.line = 3;
  loop.end_line = 4;
  loop.is_innermost = loop.is_canonical = true;
  loop.induction = "i";
  if (source.loop == Source::Loop::kSum) loop.reductions = {{"sum", "+", true}};
  loop.accesses = {{"a", "i", false, 1}, {"out", "i", source.loop == Source::Loop::kMap, 1}};
  return loop;
}

void add(SampleProgram& program, const Source& source, const std::vector<std::string>& flags) {
  program.compile(source.file, flags);
  program.hotspot(source.function, source.file, 3, source.share);
  program.sources[source.file] =
      fmt::format("{} {}() {{\n  // hot\n  for (int i = 0; i < n; ++i)\n    work;\n}}\n",
                  source.loop == Source::Loop::kNone ? "int" : "float", source.function);
  if (source.loop != Source::Loop::kNone) program.loops[source.file] = {loop_of(source)};
}

void add_library(SampleProgram& program, const std::string& symbol, double share) {
  program.hotspot(symbol, "", 0, share, "libc.so.6");
}

void add_knob(SampleProgram& program, const std::string& name, Layer layer,
              const std::string& value, const std::vector<std::string>& values) {
  domain::Knob knob;
  knob.name = name;
  knob.layer = layer;
  knob.default_value = value;
  knob.values = values;
  program.manifest.knobs.push_back(knob);
}

SampleProgram program_on(int idle_cpus) {
  SampleProgram program;
  program.machine.cpus = program.machine.idle_cpus = idle_cpus;
  program.machine.preloads = {"/usr/lib/libmimalloc.so.2", "/usr/lib/libjemalloc.so.2"};
  program.machine.compilers = {"gcc 12.2.0", "clang-19"};
  return program;
}

domain::SourcePatch patched(const std::string& words) { return {"", words, {}}; }

Landscape llm_serving() {
  Landscape land{"llm_serving", program_on(2), {}, {}};
  add(land.program, {"matmul", "src/linear.cc", 0.75, Source::Loop::kSum}, {"-O2"});
  add(land.program, {"attend", "src/attention.cc", 0.14, Source::Loop::kSum}, {"-O2"});
  add(land.program, {"norm", "src/norm.cc", 0.03, Source::Loop::kSum}, {"-O2"});
  add(land.program, {"schedule", "src/server.cc", 0.05}, {"-O2"});
  add_library(land.program, "malloc", 0.03);
  add_knob(land.program, "batch", Layer::kFramework, "4", {"2", "4", "8", "16"});
  add_knob(land.program, "prefill_chunk", Layer::kFramework, "16", {"8", "16", "32", "64"});
  add_knob(land.program, "threads", Layer::kRuntime, "1", {"1", "2"});
  add_knob(land.program, "wait", Layer::kRuntime, "block", {"spin", "yield", "block"});
  land.times = [](const Settings& with) -> std::vector<double> {
    const bool is_native = with.has_flag("-march=native"), is_o3 = with.has_flag("-O3");
    double matmul = 0.75, attend = 0.14, norm = 0.03, schedule = 0.05, memory = 0.03;
    const auto sum = [&](double& time, const char* file, const char* patch) {
      const bool is_vector = with.is_fast(file) || with.has_patch(patch);
      time *= is_vector ? (is_native ? 0.11 : 0.18) : (is_o3 ? 0.84 : 1) * (is_native ? 1.02 : 1);
    };
    sum(matmul, "src/linear.cc", "@matmul");
    sum(norm, "src/norm.cc", "@norm");
    attend *= with.is_fast("src/attention.cc") ? 0.35 : with.has_patch("@attend") ? 1.68 : 1;
    const double batch = with.number("batch");
    matmul *= batch == 2 ? 1.2 : batch == 8 ? 0.90 : batch == 16 ? 0.87 : 1;
    attend *= with.number("prefill_chunk") == 8 ? 1.05 : 1;
    double waiting = 0;
    if (with.knob("threads") == "2") {
      const auto wait = with.knob("wait");
      waiting = (wait == "block" ? 0.8 : wait == "yield" ? 0.1 : 0.01) * 4 / batch;
      matmul /= 2, attend /= 2;
    }
    schedule *= with.has_pgo() ? 0.9 : 1;
    memory *= with.has_preload("mimalloc") ? 0.6 : 1;
    return {matmul, attend, norm, schedule + waiting, memory};
  };
  land.best.entries = {added_flags({"-O3"}),         added_flags({"-march=native"}),
                       added_flags({"-ffast-math"}), KnobValue{"batch", "16"},
                       KnobValue{"threads", "2"},    KnobValue{"wait", "spin"},
                       domain::ProfileGuided{},      domain::Preload{"mimalloc"}};
  return land;
}

Landscape interpreter() {
  Landscape land{"interpreter", program_on(2), {}, {}};
  add(land.program, {"eval", "src/vm.cc", 0.64}, {"-O2"});
  add(land.program, {"find", "src/hash.cc", 0.14}, {"-O2"});
  add_library(land.program, "malloc", 0.12);
  add_library(land.program, "memcpy", 0.10);
  add_knob(land.program, "gc_block", Layer::kApplication, "64", {"16", "32", "64", "128", "256"});
  land.times = [](const Settings& with) -> std::vector<double> {
    const double o3 = with.has_flag("-O3") ? 0.985 : 1;
    const double lto = with.has_flag("-flto=auto") ? 0.97 : 1;
    const double pgo = with.has_pgo() ? 0.76 : 1;
    const double block = with.number("gc_block");
    const double memory = block == 16 ? 1.6 : block == 32 ? 1.2 : block == 64 ? 1 : 0.8;
    return {0.64 * o3 * lto * pgo * (with.has_flag("-march=native") ? 1.01 : 1),
            0.14 * lto * (0.5 + pgo / 2), 0.12 * memory * (with.has_preload("malloc") ? 0.5 : 1),
            0.10};
  };
  land.best.entries = {added_flags({"-O3"}), added_flags({"-flto=auto"}), domain::ProfileGuided{},
                       KnobValue{"gc_block", "128"}, domain::Preload{"mimalloc"}};
  return land;
}

Landscape graph() {
  Landscape land{"graph", program_on(4), {}, {}};
  add(land.program, {"visit", "src/graph.cc", 0.40}, {"-O2", "-fopenmp"});
  add(land.program, {"load", "src/load.cc", 0.10}, {"-O2", "-fopenmp"});
  add_library(land.program, "malloc", 0.30);
  add_library(land.program, "cfree", 0.12);
  add_library(land.program, "read", 0.08);
  add_knob(land.program, "node_pool", Layer::kApplication, "0", {"0", "1024", "4096"});
  land.times = [](const Settings& with) -> std::vector<double> {
    const auto threads = with.variable("OMP_NUM_THREADS");
    double visit = 0.40 * (threads == "2" ? 1.6 : 1);
    visit *= with.variable("OMP_WAIT_POLICY") == "active" ? 0.93 : 1;
    visit *= with.has_flag("-O3") ? 0.99 : 1;
    visit *= with.has_pgo() ? 0.92 : 1;
    double memory = with.knob("node_pool") == "0" ? 1 : 0.6;
    memory *= with.has_preload("mimalloc") ? 0.4 : with.has_preload("jemalloc") ? 0.5 : 1;
    return {visit, 0.10 * (with.has_pgo() ? 0.9 : 1), 0.30 * memory, 0.12 * memory, 0.08};
  };
  land.best.entries = {domain::ProfileGuided{}, KnobValue{"node_pool", "1024"},
                       domain::Preload{"mimalloc"},
                       domain::EnvironmentVariable{"OMP_WAIT_POLICY", "active"}};
  return land;
}

Landscape dense() {
  Landscape land{"dense", program_on(1), {}, {}};
  add(land.program, {"product", "src/dense.cc", 0.62, Source::Loop::kSum}, {"-O2"});
  add(land.program, {"length", "src/length.cc", 0.25, Source::Loop::kSum}, {"-O2"});
  add(land.program, {"read_rows", "src/rows.cc", 0.13}, {"-O2"});
  add_knob(land.program, "tile", Layer::kKernel, "16", {"8", "16", "32", "64", "128"});
  land.times = [](const Settings& with) -> std::vector<double> {
    const bool is_native = with.has_flag("-march=native"), is_o3 = with.has_flag("-O3");
    const auto sum = [&](double time, const char* file, const char* patch) {
      if (with.is_fast(file) || with.has_patch(patch)) return time * (is_native ? 0.19 : 0.55);
      return time * (is_native ? 1.33 : 1) * (is_o3 ? 1.08 : 1);
    };
    const double tile = with.number("tile");
    const double cache = tile == 8 ? 1.2 : tile == 32 ? 0.92 : tile == 64 ? 0.85 : 1;
    return {cache * sum(0.62, "src/dense.cc", "@product"), sum(0.25, "src/length.cc", "@length"),
            0.13};
  };
  land.best.entries = {added_flags({"-march=native"}), added_flags({"-ffast-math"}),
                       KnobValue{"tile", "64"}};
  return land;
}

Landscape pool() {
  Landscape land{"pool", program_on(1), {}, {}};
  land.program.machine.cpus = 2;
  add(land.program, {"serve", "src/serve.cc", 0.60}, {"-O2"});
  add(land.program, {"parse", "src/parse.cc", 0.15}, {"-O2"});
  add_library(land.program, "malloc", 0.05);
  add_library(land.program, "futex_wait", 0.20);
  add_knob(land.program, "workers", Layer::kRuntime, "1", {"1", "2", "4"});
  add_knob(land.program, "wait_policy", Layer::kRuntime, "block", {"block", "spin"});
  add_knob(land.program, "queue_block", Layer::kFramework, "32", {"8", "16", "32", "64", "128"});
  land.times = [](const Settings& with) -> std::vector<double> {
    const double block = with.number("queue_block"), workers = with.number("workers");
    const double waiting = block == 8 ? 0.45 : block == 16 ? 0.5 : block == 32 ? 1 : block / 20;
    const double spinning = with.knob("wait_policy") == "spin" ? 2.5 : 1;
    const double pgo = with.has_pgo() ? 0.85 : 1;
    return {0.60 * pgo * (with.has_flag("-O3") ? 0.98 : 1), 0.15 * pgo, 0.05,
            0.20 * waiting * workers * spinning};
  };
  land.best.entries = {domain::ProfileGuided{}, added_flags({"-O3"}),
                       KnobValue{"queue_block", "8"}};
  return land;
}

Landscape image() {
  Landscape land{"image", program_on(4), {}, {}};
  add(land.program, {"blur", "src/blur.cc", 0.38, Source::Loop::kMap}, {"-O2"});
  add(land.program, {"resize", "src/resize.cc", 0.30, Source::Loop::kMap}, {"-O2"});
  add(land.program, {"tone", "src/tone.cc", 0.20, Source::Loop::kMap}, {"-O2"});
  add(land.program, {"decode", "src/decode.cc", 0.12}, {"-O2"});
  add_knob(land.program, "workers", Layer::kRuntime, "1", {"1", "2", "4", "8"});
  add_knob(land.program, "tile_rows", Layer::kFramework, "8", {"2", "4", "8", "16", "32"});
  land.times = [](const Settings& with) -> std::vector<double> {
    const auto map = [&](double time, const char* patch) {
      const bool is_vector = with.has_flag("-O3") || with.has_patch(patch);
      const double width = with.has_flag("-march=native") ? 0.45 : 0.7;
      return time * (is_vector ? width : 1);
    };
    const double workers = with.number("workers"), rows = with.number("tile_rows");
    const double many = workers == 1 ? 1 : workers == 2 ? 0.55 : workers == 4 ? 0.31 : 0.36;
    const double tile = rows == 2    ? 1.15
                        : rows == 4  ? 1.05
                        : rows == 8  ? 1
                        : rows == 16 ? 0.92
                                     : 1.1;
    const double fast = with.has_flag("-ffast-math") ? 0.9 : 1;
    return {tile * many * map(0.38, "@blur"), tile * many * map(0.30, "@resize"),
            fast * many * map(0.20, "@tone"), 0.12};
  };
  land.best.entries = {added_flags({"-O3"}), added_flags({"-march=native"}),
                       added_flags({"-ffast-math"}), KnobValue{"workers", "4"},
                       KnobValue{"tile_rows", "16"}};
  return land;
}

Landscape json_reader() {
  Landscape land{"json_reader", program_on(2), {}, {}};
  add(land.program, {"scan", "src/scan.cc", 0.48}, {"-O2"});
  add(land.program, {"build_value", "src/value.cc", 0.17}, {"-O2"});
  add_library(land.program, "malloc", 0.22);
  add_library(land.program, "read", 0.13);
  add_knob(land.program, "read_block", Layer::kApplication, "4096",
           {"1024", "2048", "4096", "16384", "65536"});
  land.times = [](const Settings& with) -> std::vector<double> {
    const double own = (with.has_pgo() ? 0.82 : 1) * (with.has_flag("-flto=auto") ? 0.94 : 1);
    const double block = with.number("read_block");
    return {0.48 * own * (with.has_flag("-O3") ? 0.98 : 1), 0.17 * own,
            0.22 * (with.has_preload("mimalloc")   ? 0.4
                    : with.has_preload("jemalloc") ? 0.6
                                                   : 1),
            0.13 * (block < 4096     ? 1.5
                    : block == 4096  ? 1
                    : block == 16384 ? 0.7
                                     : 0.6)};
  };
  land.best.entries = {domain::ProfileGuided{}, added_flags({"-flto=auto"}), added_flags({"-O3"}),
                       domain::Preload{"mimalloc"}, KnobValue{"read_block", "65536"}};
  return land;
}

Landscape lookup() {
  Landscape land{"lookup", program_on(1), {}, {}};
  add(land.program, {"probe", "src/table.cc", 0.80}, {"-O2"});
  add(land.program, {"hash_key", "src/key.cc", 0.12}, {"-O2"});
  add_library(land.program, "read", 0.08);
  add_knob(land.program, "probe_batch", Layer::kApplication, "8", {"1", "2", "4", "8", "16", "32"});
  add_knob(land.program, "huge_pages", Layer::kSystem, "never", {"never", "always"});
  land.times = [](const Settings& with) -> std::vector<double> {
    const double batch = with.number("probe_batch");
    const double probe = batch == 1 ? 1.1 : batch == 2 ? 0.8 : batch == 4 ? 0.85 : batch / 8;
    return {0.80 * probe * (with.knob("huge_pages") == "always" ? 0.85 : 1),
            0.12 * (with.has_flag("-march=native") ? 0.8 : 1), 0.08};
  };
  land.best.entries = {KnobValue{"probe_batch", "2"}, KnobValue{"huge_pages", "always"},
                       added_flags({"-march=native"})};
  return land;
}

Landscape all_reduce() {
  Landscape land{"all_reduce", program_on(4), {}, {}};
  add(land.program, {"exchange", "src/exchange.cc", 0.55}, {"-O2"});
  add(land.program, {"reduce", "src/reduce.cc", 0.30, Source::Loop::kMap}, {"-O2"});
  add(land.program, {"pack", "src/pack.cc", 0.15}, {"-O2"});
  add_knob(land.program, "algorithm", Layer::kCommunication, "ring", {"ring", "tree", "direct"});
  add_knob(land.program, "chunk", Layer::kCommunication, "4096",
           {"1024", "4096", "16384", "65536", "262144"});
  add_knob(land.program, "overlap", Layer::kCommunication, "0", {"0", "1"});
  land.times = [](const Settings& with) -> std::vector<double> {
    const double chunk = with.number("chunk");
    double exchange = chunk == 1024 ? 1.3 : chunk == 4096 ? 1 : chunk == 16384 ? 0.85 : 0.8;
    exchange *= with.knob("algorithm") == "tree"     ? 0.8
                : with.knob("algorithm") == "direct" ? 1.4
                                                     : 1;
    exchange *= with.knob("overlap") == "0" ? 1 : chunk >= 16384 ? 0.75 : 1.05;
    const bool is_vector = with.has_flag("-O3") || with.has_patch("@reduce");
    const double reduce = is_vector ? (with.has_flag("-march=native") ? 0.4 : 0.6) : 1;
    return {0.55 * exchange, 0.30 * reduce, 0.15};
  };
  land.best.entries = {added_flags({"-O3"}), added_flags({"-march=native"}),
                       KnobValue{"algorithm", "tree"}, KnobValue{"chunk", "65536"},
                       KnobValue{"overlap", "1"}};
  return land;
}

TEST(LandscapePrograms, TakeTheirSharesOfTimeAtTheRootAndGainWithTheBestRecipe) {
  auto all = development_landscapes();
  std::ranges::move(held_out_landscapes(), std::back_inserter(all));
  for (const auto& land : all) {
    const auto times = land.times({land.program.manifest, {}});
    ASSERT_EQ(times.size(), land.program.profile.hotspots.size()) << land.name;
    for (std::size_t i = 0; i < times.size(); ++i)
      EXPECT_NEAR(times[i], land.program.profile.hotspots[i].share, 1e-9) << land.name << i;
    EXPECT_NEAR(land.log_speed({}), 0, 1e-9) << land.name;
    EXPECT_GT(land.log_speed(land.best), 0.2) << land.name;
  }
}

TEST(LandscapePrograms, TheServerIsWorthWhatWasMeasuredByHand) {
  const auto land = llm_serving();
  const auto speed = [&](std::vector<domain::ChangeEntry> entries) {
    return std::exp(land.log_speed({std::move(entries)}));
  };
  const auto threads = KnobValue{"threads", "2"};
  EXPECT_NEAR(speed({patched("omp-simd-reduction@matmul")}), 2.6, 0.1);
  EXPECT_NEAR(speed({threads}), 0.73, 0.01);
  EXPECT_NEAR(speed({threads, KnobValue{"wait", "spin"}}), 1.8, 0.1);
  EXPECT_NEAR(speed({added_flags({"-O3"})}), 1.15, 0.03);
  EXPECT_NEAR(
      speed({added_flags({"-O3"}), added_flags({"-march=native"}), added_flags({"-ffast-math"})}),
      4.5, 0.3);
}

}  // namespace

std::vector<Landscape> development_landscapes() {
  return {llm_serving(), interpreter(), graph(), dense(), pool()};
}
std::vector<Landscape> held_out_landscapes() {
  return {image(), json_reader(), lookup(), all_reduce()};
}

}  // namespace arbor::agents
