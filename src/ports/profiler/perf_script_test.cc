// SPDX-License-Identifier: Apache-2.0
#include "ports/profiler/perf_script.h"

#include <gtest/gtest.h>

#include "base/random.h"

namespace arbor::ports {
namespace {

const SymbolSamples* find(const PerfSamples& samples, std::string_view symbol) {
  for (const auto& entry : samples.symbols)
    if (entry.symbol == symbol) return &entry;
  return nullptr;
}

constexpr std::string_view kThreeSamples =
    "# a comment of perf's own\n"
    "server 100/101  5.000001: cpu-clock:u: \n"
    "\t            1175 matmul+0x15 (/srv/app/bin/server)\n"
    "\t            2000 forward(Model&, int)+0x20 (/srv/app/bin/server)\n"
    "\t           2724a __libc_start_call_main+0x7a (/usr/lib/libc.so.6)\n"
    "\n"
    "my server 100/101  5.001: cpu-clock:u: \n"
    "\t            1180 matmul+0x20 (/srv/app/bin/server)\n"
    "\t            2000 forward(Model&, int)+0x20 (/srv/app/bin/server)\n"
    "\n"
    "  spaced 102  5.002:     1001001 cpu-clock:u: \n"
    "\t            2010 forward(Model&, int)+0x30 (/srv/app/bin/server)\n"
    "\n";

TEST(PerfScript, CountsSelfAndInclusiveSamples) {
  const auto samples = parse_perf_script(kThreeSamples);
  EXPECT_EQ(samples.count, 3);
  ASSERT_EQ(samples.symbols.size(), 3U);
  EXPECT_EQ(samples.symbols[0].symbol, "matmul");
  EXPECT_EQ(samples.symbols[0].self, 2);
  EXPECT_EQ(samples.symbols[0].total, 2);
  EXPECT_EQ(samples.symbols[0].binary, "/srv/app/bin/server");
  EXPECT_EQ(samples.symbols[0].at,
            (std::map<std::uint64_t, std::int64_t>{{0x1175, 1}, {0x1180, 1}}));
  EXPECT_EQ(samples.symbols[1].symbol, "forward(Model&, int)");
  EXPECT_EQ(samples.symbols[1].self, 1);
  EXPECT_EQ(samples.symbols[1].total, 3);
  EXPECT_EQ(samples.symbols[2].self, 0);
}

TEST(PerfScript, CountsRecursionOncePerSample) {
  const auto samples = parse_perf_script(
      "fib 1 1.0: cpu-clock:u: \n\t 10 fib+0x1 (/a)\n\t 20 fib+0x2 (/a)\n\t 20 fib.part.0+0x2 "
      "(/a)\n"
      "\t 30 main (/a)\n\n");
  EXPECT_EQ(find(samples, "fib")->total, 1);
  EXPECT_EQ(find(samples, "fib")->self, 1);
  EXPECT_EQ(find(samples, "main")->total, 1);
}

TEST(PerfScript, KeepsUnknownCodeAndTheKernelApart) {
  const auto samples = parse_perf_script(
      "x 1 1.0: cpu-clock: \n\tffffffff81000000 do_page_fault+0x9 ([kernel.kallsyms])\n"
      "\t 7f00 [unknown] (/tmp/perf-1.map (deleted))\n\n"
      "x 1 1.0: cpu-clock: \n\t 0 [unknown] ([unknown])\n\n");
  EXPECT_EQ(find(samples, "do_page_fault")->binary, "[kernel.kallsyms]");
  EXPECT_EQ(samples.count, 2);
  ASSERT_EQ(samples.symbols.size(), 3U);
  EXPECT_EQ(samples.symbols[2].binary, "/tmp/perf-1.map");
}

TEST(PerfScript, ReadsSymbolsAndPathsWithBracketsAndSpaces) {
  const auto samples = parse_perf_script(
      "x 1 1.0: cpu-clock:u: \n"
      "\t 10 std::function<void (int)>::operator()(int) const+0x4 (/opt/my (app) dir/x y)\n\n");
  ASSERT_EQ(samples.symbols.size(), 1U);
  EXPECT_EQ(samples.symbols[0].symbol, "std::function<void (int)>::operator()(int) const");
  EXPECT_EQ(samples.symbols[0].binary, "/opt/my (app) dir/x y");
}

TEST(PerfScript, GivesInlinedCodeToTheFunctionThatHoldsIt) {
  const auto samples =
      parse_perf_script("x 1 1.0: cpu-clock:u: \n\t 10 dot (inlined)\n\t 10 matmul+0x4 (/x)\n\n");
  ASSERT_EQ(samples.symbols.size(), 1U);
  EXPECT_EQ(samples.symbols[0].symbol, "matmul");
  EXPECT_EQ(samples.symbols[0].self, 1);
}

TEST(PerfScript, ReadsWhatIsThereWhenTheTextIsCutOff) {
  for (std::size_t size = 0; size < kThreeSamples.size(); ++size) {
    const auto samples = parse_perf_script(kThreeSamples.substr(0, size));
    EXPECT_LE(samples.count, 3);
  }
  EXPECT_EQ(parse_perf_script("").count, 0);
  EXPECT_EQ(parse_perf_script("no samples here\n\nnor here").count, 0);
}

TEST(PerfScript, ReadsTheSameWhereverThePiecesEnd) {
  const auto whole = parse_perf_script(kThreeSamples);
  for (std::size_t size = 1; size < 90; ++size) {
    PerfScriptReader reader;
    for (std::size_t at = 0; at < kThreeSamples.size(); at += size)
      reader.feed(kThreeSamples.substr(at, size));
    const auto samples = std::move(reader).finish();
    EXPECT_EQ(samples.count, whole.count);
    EXPECT_EQ(samples.symbols, whole.symbols);
  }
}

TEST(PerfScript, WritesSymbolsAsPeopleDo) {
  EXPECT_EQ(plain_symbol("_ZN3llm6matmulEPKfi"), "llm::matmul(float const*, int)");
  EXPECT_EQ(plain_symbol("_ZN3llm6matmulEPKfi.cold"), "llm::matmul(float const*, int)");
  EXPECT_EQ(plain_symbol("llm::run(int) [clone .isra.0] [clone ._omp_fn.3]"), "llm::run(int)");
  EXPECT_EQ(plain_symbol("heavy._omp_fn.12"), "heavy");
  EXPECT_EQ(plain_symbol("heavy.constprop.0.isra.1.cold"), "heavy");
  EXPECT_EQ(plain_symbol("heavy.2"), "heavy.2");
  EXPECT_EQ(plain_symbol(".cold"), ".cold");
  EXPECT_EQ(plain_symbol("_Znot mangled"), "_Znot mangled");
}

TEST(PerfScript, SurvivesAnyDamage) {
  base::Random random(20);
  const std::string_view pieces[] = {"\n", "\t", " (", ")", "+0x", "_ZN", "(inlined)", "[clone ."};
  std::int64_t read = 0;
  for (int round = 0; round < 3000; ++round) {
    std::string text(kThreeSamples);
    for (std::uint64_t edits = 1 + random.below(12); edits > 0; --edits) {
      const auto at = random.below(text.size());
      if (random.coin())
        text[at] = static_cast<char>(random.next());
      else
        text.insert(at, pieces[random.below(std::size(pieces))]);
    }
    const auto samples = parse_perf_script(text);
    std::int64_t self = 0;
    for (const auto& symbol : samples.symbols) {
      self += symbol.self;
      ASSERT_GE(symbol.total, symbol.self);
      ASSERT_LE(symbol.total, samples.count);
    }
    ASSERT_EQ(self, samples.count);
    read += samples.count;
  }
  EXPECT_GT(read, 3000);
}

}  // namespace
}  // namespace arbor::ports
