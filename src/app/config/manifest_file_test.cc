// SPDX-License-Identifier: Apache-2.0
#include "app/config/manifest_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/files.h"

namespace arbor::app {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr std::string_view kSmallest =
    "schema = 1\n[build]\ncommand = 'make'\n[check]\ncommand = './check'\n[bench]\n"
    "command = './bench'\n";

std::string with(std::string_view more) { return std::string(kSmallest) + std::string(more); }

domain::Manifest parsed(const std::string& toml) {
  auto manifest = parse_manifest(toml, "arbor.toml");
  EXPECT_TRUE(manifest) << manifest.error().message << "\nin\n" << toml;
  return manifest.value_or(domain::Manifest{});
}

// The message of the refusal; empty (and a failed test) when the text was accepted.
std::string refusal(const std::string& toml) {
  const auto manifest = parse_manifest(toml, "arbor.toml");
  if (manifest) {
    ADD_FAILURE() << "accepted:\n" << toml;
    return "";
  }
  EXPECT_EQ(manifest.error().kind, base::ErrorKind::kUsage);
  return manifest.error().message;
}

TEST(Manifest, ThreeCommandsAreEnoughAndTheRestIsTheDomainsDefaults) {
  domain::Manifest expected;
  expected.build.command = "make";
  expected.check.command = "./check";
  expected.bench.command = "./bench";
  EXPECT_EQ(parsed(std::string(kSmallest)), expected);
}

TEST(Manifest, ReadsTheServingExample) {
  const auto loaded = load_manifest(ARBOR_SOURCE_ROOT "/examples/llm_serving");
  ASSERT_TRUE(loaded) << loaded.error().message;
  const auto* manifest = &loaded->manifest;
  EXPECT_EQ(manifest->program.name, "llm_serving");
  EXPECT_EQ(manifest->build.timeout_s, 120);
  EXPECT_EQ(manifest->bench.metric.reader, "json");
  EXPECT_EQ(manifest->bench.metric.pattern, "/tokens_per_s");
  EXPECT_EQ(manifest->bench.metric.goal, domain::Goal::kMaximise);
  EXPECT_THAT(manifest->bench.holdout, HasSubstr("--seed 3"));
  ASSERT_EQ(manifest->bench.guards.size(), 1U);
  EXPECT_DOUBLE_EQ(manifest->bench.guards[0].worse_by_max, 0.1);
  ASSERT_EQ(manifest->knobs.size(), 4U);
  EXPECT_EQ(manifest->knobs[0].layer, domain::Layer::kFramework);
  EXPECT_THAT(manifest->knobs[0].values, ElementsAre("2", "4", "8", "16"));
  EXPECT_THAT(manifest->edit.allow, ElementsAre("src/**"));
}

TEST(Manifest, AMistypedKeyIsNamedWithItsLineAndTheLikelyOne) {
  EXPECT_EQ(refusal(with("timeot = 3\n")),
            "arbor.toml:8: [bench] has no key 'timeot'; did you mean 'timeout'?");
  EXPECT_THAT(refusal(with("[serch]\nseed = 1\n")),
              HasSubstr("arbor.toml:8: there is no table [serch]; did you mean [search]?"));
  EXPECT_THAT(refusal(with("metric = { nme = 'x' }\n")),
              HasSubstr("[bench] metric has no key 'nme'"));
}

TEST(Manifest, AWrongTypeNamesKeyExpectedAndFound) {
  EXPECT_EQ(refusal(with("timeout = 'soon'\n")),
            "arbor.toml:8: [bench] timeout: expected a duration such as \"15m\", or seconds, found "
            "the string \"soon\"");
  EXPECT_THAT(refusal(with("harness = 'one'\n")),
              HasSubstr("[bench] harness: expected a list of strings, found the string"));
  EXPECT_THAT(refusal(with("inner = 1\n")),
              HasSubstr("expected true or false, found the number 1"));
  EXPECT_THAT(refusal(with("guard = { name = 'x' }\n")), HasSubstr("expected a list of tables"));
}

TEST(Manifest, AllThatIsWrongIsSaidAtOnce) {
  const std::string message = refusal("schema = 1\n[build]\ncommand = 3\n[check]\ncommand = ' '\n");
  EXPECT_THAT(message, HasSubstr("arbor.toml:3: [build] command"));
  EXPECT_THAT(message, HasSubstr("arbor.toml:5: [check] command: is empty"));
  EXPECT_THAT(message, HasSubstr("arbor.toml: [bench] needs 'command'"));
}

TEST(Manifest, TheSchemaMustBeTheOneThisVersionReads) {
  EXPECT_THAT(refusal("[build]\ncommand='a'\n[check]\ncommand='a'\n[bench]\ncommand='a'\n"),
              HasSubstr("needs 'schema = 1'"));
  std::string newer(kSmallest);
  newer[9] = '2';
  EXPECT_THAT(refusal(newer), HasSubstr("reads schema 1, found the number 2"));
}

TEST(Manifest, ASyntaxErrorNamesItsLine) {
  EXPECT_THAT(refusal("schema = 1\n[build\n"), HasSubstr("arbor.toml:2: not valid TOML"));
  EXPECT_THAT(refusal(with("command = 'twice'\n")), HasSubstr("not valid TOML"));
}

TEST(Manifest, NumbersHaveBounds) {
  EXPECT_THAT(refusal(with("timeout = 0\n")), HasSubstr("more than 0"));
  EXPECT_THAT(refusal(with("timeout = -1.5\n")), HasSubstr("more than 0"));
  EXPECT_THAT(refusal(with("timeout = inf\n")), HasSubstr("finite"));
  EXPECT_THAT(refusal(with("timeout = nan\n")), HasSubstr("finite"));
  EXPECT_THAT(refusal(with("guard = [{ name = 'g', reader = 'user', worse_by_max = '120%' }]\n")),
              HasSubstr("at most 1"));
  EXPECT_THAT(refusal(with("[search]\nseed = -1\n")), HasSubstr("at least 0"));
  EXPECT_THAT(refusal(with("[goal]\nspeedup = '1x'\n")), HasSubstr("more than 1"));
  EXPECT_THAT(refusal("schema = 1\n[build]\ncommand='a'\n[bench]\ncommand='a'\n[check]\n"
                      "command='a'\nrepeat = 0\n"),
              HasSubstr("[check] repeat: expected a whole number that is at least 1"));
}

TEST(Manifest, QuantitiesAreWrittenAsPeopleWriteThem) {
  const auto manifest = parsed(
      with("timeout = '1h30m'\nguard = [{ name = 'g', reader = 'user', worse_by_max = '2%' }, { "
           "name = 'h', reader = 'memory', "
           "worse_by_max = 0.05 }]\n[budget]\nwall = 90\n[sandbox]\nmemory = '2 GiB'\n[goal]\n"
           "speedup = '1.5x'\n"));
  EXPECT_EQ(manifest.bench.timeout_s, 5400);
  EXPECT_DOUBLE_EQ(manifest.bench.guards[0].worse_by_max, 0.02);
  EXPECT_DOUBLE_EQ(manifest.bench.guards[1].worse_by_max, 0.05);
  EXPECT_EQ(manifest.budget.wall_s, 90);
  EXPECT_EQ(manifest.sandbox.memory_bytes, std::int64_t{2} << 30);
  EXPECT_EQ(manifest.goal.speedup, 1.5);
}

TEST(Manifest, AReaderIsANameOrOnePattern) {
  EXPECT_EQ(parsed(with("metric = { name = 'm', reader = 'user' }\n")).bench.metric.reader, "user");
  const auto metric =
      parsed(with("metric = { reader = { regex = 't=(.*)', file = 'out.txt' } }\n")).bench.metric;
  EXPECT_EQ(metric.reader, "regex");
  EXPECT_EQ(metric.pattern, "t=(.*)");
  EXPECT_EQ(metric.file, "out.txt");
  EXPECT_THAT(refusal(with("metric = { name = 'tokens_per_s' }\n")), HasSubstr("needs 'reader'"));
  EXPECT_THAT(refusal(with("metric = { reader = 'json' }\n")), HasSubstr("{ json = "));
  EXPECT_THAT(refusal(with("metric = { reader = { json = 'a/b' } }\n")),
              HasSubstr("starts with '/'"));
  EXPECT_THAT(refusal(with("metric = { reader = { json = '/a', regex = '(b)' } }\n")),
              HasSubstr("exactly one reader"));
  EXPECT_THAT(refusal(with("metric = { reader = { file = 'x' } }\n")), HasSubstr("exactly one"));
}

TEST(Manifest, ARegularExpressionMustBeOneThatIsSearchedInLinearTime) {
  const auto reader = [](const std::string& pattern) {
    return refusal(with("metric = { reader = { regex = '" + pattern + "' } }\n"));
  };
  EXPECT_THAT(reader("(a)\\1"), AllOf(HasSubstr("metric"), HasSubstr("backreferences are not")));
  EXPECT_THAT(reader("(?=a)(b)"), HasSubstr("lookahead"));
  EXPECT_THAT(reader("(b"), HasSubstr("missing )"));
  EXPECT_THAT(reader("b"), HasSubstr("has 0 groups"));
  EXPECT_THAT(reader("(a)(b)"), HasSubstr("has 2 groups"));
  const auto knob = [](const std::string& activates) {
    return with("[[knob]]\nname='k'\nvariable='K'\ndefault='1'\nvalues=['1','2']\nactivates='" +
                activates + "'\n");
  };
  EXPECT_THAT(refusal(knob("k=(?!{})")),
              AllOf(HasSubstr("[[knob]] k activates"), HasSubstr("lookahead")));
  EXPECT_EQ(parsed(knob("k={} .*")).knobs[0].activates, "k={} .*");
}

TEST(Manifest, NoTimeIsLongerThanAYear) {
  for (const char* wall : {"99999999999h", "366d"})
    EXPECT_THAT(refusal(with("") + "[budget]\nwall = '" + wall + "'\n"),
                AllOf(HasSubstr("[budget] wall"), HasSubstr("at most 365d")))
        << wall;
  EXPECT_EQ(parsed(with("") + "[budget]\nwall = '365d'\n").budget.wall_s, 365 * 86400.0);
}

TEST(Manifest, AScoreSaysWhereItIsAndHowBadItMayBe) {
  const auto check = [](const std::string& score) {
    return "schema = 1\n[build]\ncommand='a'\n[bench]\ncommand='a'\n[check]\ncommand='a'\n" + score;
  };
  const auto rule =
      parsed(check("score = { json = '/acc', floor = 0.9, drop_max = 0.01 }\n")).check.score;
  ASSERT_TRUE(rule);
  EXPECT_EQ(rule->metric.pattern, "/acc");
  EXPECT_EQ(rule->metric.name, "score");
  EXPECT_EQ(rule->metric.goal, domain::Goal::kMaximise);
  EXPECT_EQ(rule->floor, 0.9);
  EXPECT_EQ(rule->drop_max, 0.01);
  EXPECT_THAT(refusal(check("score = { json = '/acc' }\n")), HasSubstr("floor or a drop_max"));
  EXPECT_THAT(refusal(check("score = { json = '/a', regex = '(b)', floor = 1 }\n")),
              HasSubstr("source twice"));
  EXPECT_THAT(refusal(check("score = { floor = 1 }\n")), HasSubstr("say where the score is"));
  const auto outputs =
      parsed(check("outputs = [{ file = 'o.bin' }, { file = 'o.txt', rtol = 1e-6 }]\n"));
  ASSERT_EQ(outputs.check.outputs.size(), 2U);
  EXPECT_EQ(outputs.check.outputs[1].rtol, 1e-6);
}

TEST(Manifest, PathsDoNotLeaveTheProgram) {
  EXPECT_THAT(refusal(with("metric = { reader = 'wall', file = '../x' }\n")), HasSubstr("leaves"));
  EXPECT_THAT(refusal(with("metric = { reader = 'wall', file = 'a/../../x' }\n")),
              HasSubstr("leaves"));
  EXPECT_THAT(refusal(with("metric = { reader = 'wall', file = '/etc/x' }\n")),
              HasSubstr("leaves"));
}

TEST(Manifest, EachKindOfKnobNeedsWhatCarriesItsValue) {
  const auto knob = [](std::string_view rest) {
    return with("[[knob]]\nname = 'n'\ndefault = 1\nvalues = [1, 2]\n" + std::string(rest));
  };
  const auto numbers = parsed(knob("variable = 'N'\n")).knobs;
  ASSERT_EQ(numbers.size(), 1U);
  EXPECT_THAT(numbers[0].values, ElementsAre("1", "2"));
  EXPECT_EQ(numbers[0].default_value, "1");
  EXPECT_THAT(refusal(knob("kind = 'env'\n")), HasSubstr("needs 'variable'"));
  EXPECT_THAT(refusal(knob("kind = 'define'\n")), HasSubstr("name of the macro"));
  EXPECT_THAT(refusal(knob("kind = 'argument'\nargument = '-n'\n")), HasSubstr("{}"));
  EXPECT_THAT(refusal(knob("kind = 'argument'\nargument = '-n {}'\n")),
              HasSubstr("put {knob.n} into the command"));
  EXPECT_THAT(refusal(knob("kind = 'file-template'\n")), HasSubstr("needs 'file'"));
  EXPECT_THAT(refusal(knob("kind = 'enviroment'\n")), HasSubstr("one of env, argument"));
  EXPECT_THAT(refusal(knob("variable = 'N'\nlayer = 'kernal'\n")), HasSubstr("\"kernel\"?"));
  EXPECT_THAT(refusal(knob("variable = 'N'\n") + "[[knob]]\nname='n'\ndefault=1\nvalues=[1]\n"
                                                 "variable='M'\n"),
              HasSubstr("two knobs are called 'n'"));
}

TEST(Manifest, WhatIsReservedIsRefusedAndNotCalledUnknown) {
  for (const char* table : {"[serve]\nx=1\n", "[models.big]\nx=1\n", "[executor]\n", "[store]\n",
                            "[prepare]\ncommand='x'\n"}) {
    const std::string message = refusal(with(table));
    EXPECT_THAT(message, HasSubstr("not supported by this version of arbor"));
    EXPECT_THAT(message, Not(HasSubstr("there is no table")));
  }
  EXPECT_THAT(refusal(with("pareto = []\n")), HasSubstr("[bench] pareto: not supported"));
  EXPECT_THAT(
      refusal(with("[[knob]]\nname='n'\ndefault=1\nvalues=[1]\nvariable='N'\nrange=[1,2]\n")),
      HasSubstr("[knob] range: not supported"));
}

TEST(Manifest, OneBenchMayBeWrittenAsAListAndSeveralAreRefused) {
  const std::string head = "schema=1\n[build]\ncommand='a'\n[check]\ncommand='a'\n";
  EXPECT_EQ(parsed(head + "[[bench]]\ncommand='b'\n").bench.command, "b");
  EXPECT_THAT(refusal(head + "[[bench]]\ncommand='b'\n[[bench]]\ncommand='c'\n"),
              HasSubstr("write one [bench]"));
}

TEST(Manifest, AnAbsentFileSaysHowToMakeOne) {
  const auto manifest = load_manifest("/nonexistent/program");
  ASSERT_FALSE(manifest);
  EXPECT_EQ(manifest.error().kind, base::ErrorKind::kNotFound);
  EXPECT_THAT(manifest.error().message, HasSubstr("arbor init"));
}

TEST(Manifest, HostileTextIsRefusedWithoutControlBytes) {
  const std::string message = refusal(with("\"\\u001b[2J\" = 1\n"));
  EXPECT_EQ(message.find('\x1b'), std::string::npos);
  EXPECT_THAT(refusal("schema = " + std::string(100000, '[')), HasSubstr("nested deeper"));
  EXPECT_THAT(refusal("\xff\xfe"), HasSubstr("not valid TOML"));
}

}  // namespace
}  // namespace arbor::app
