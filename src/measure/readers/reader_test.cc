// SPDX-License-Identifier: Apache-2.0
#include "measure/readers/reader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace arbor::measure {
namespace {

using ::testing::HasSubstr;

domain::Metric metric(std::string reader, std::string pattern = "", std::string file = "") {
  domain::Metric metric;
  metric.name = "rate";
  metric.reader = std::move(reader);
  metric.pattern = std::move(pattern);
  metric.file = std::move(file);
  return metric;
}

ports::LaunchOutcome printed(std::string text) {
  ports::LaunchOutcome outcome;
  outcome.standard_output = std::move(text);
  return outcome;
}

std::string error_of(const domain::Metric& metric, const ports::LaunchOutcome& outcome) {
  const auto value = read_measurement(metric, outcome);
  EXPECT_FALSE(value) << value->value;
  return value ? "" : value.error().message;
}

TEST(Reader, GivesTheParentsTimesInSeconds) {
  ports::LaunchOutcome outcome;
  outcome.wall_ns = 1'500'000'000;
  outcome.user_ns = 2'000'000'000;
  outcome.system_ns = 250'000'000;
  outcome.peak_bytes = 4096;
  EXPECT_DOUBLE_EQ(read_measurement(metric("wall"), outcome)->value, 1.5);
  EXPECT_DOUBLE_EQ(read_measurement(metric("user"), outcome)->value, 2.0);
  EXPECT_DOUBLE_EQ(read_measurement(metric("system"), outcome)->value, 0.25);
  EXPECT_DOUBLE_EQ(read_measurement(metric("memory"), outcome)->value, 4096);
}

TEST(Reader, RefusesATimeOfZeroAndAMemoryThatNobodyMeasured) {
  EXPECT_THAT(error_of(metric("wall"), {}), HasSubstr("wall time of the run was 0 ns"));
  EXPECT_THAT(error_of(metric("user"), {}), HasSubstr("user"));
  EXPECT_THAT(error_of(metric("memory"), {}), HasSubstr("peak memory"));
}

TEST(Reader, NamesTheReadersThereAreWhenItDoesNotKnowOne) {
  EXPECT_THAT(error_of(metric("jsno"), {}), HasSubstr("json, memory, regex, system, user, wall"));
}

TEST(RegexReader, TakesTheLastMatchingLine) {
  const auto outcome = printed("step 1: 10.5 req/s\nstep 2: 12.25 req/s\ndone\n");
  EXPECT_DOUBLE_EQ(read_measurement(metric("regex", R"(([0-9.]+) req/s)"), outcome)->value, 12.25);
}

TEST(RegexReader, SaysWhatWasNotANumber) {
  EXPECT_THAT(error_of(metric("regex", "rate (.*)"), printed("rate 1,23")),
              HasSubstr("\"1,23\" is not a number"));
  EXPECT_THAT(error_of(metric("regex", "rate (.*)"), printed("rate nan")), HasSubstr("not finite"));
  EXPECT_THAT(error_of(metric("regex", "rate (.*)"), printed("rate inf")), HasSubstr("not finite"));
  EXPECT_THAT(error_of(metric("regex", "rate (.*)"), printed("rate -3")), HasSubstr("negative"));
}

TEST(RegexReader, ReadsNumbersWithGroupedThousands) {
  EXPECT_EQ(read_measurement(metric("regex", "rate (.*)"), printed("rate 2,273,045"))->value,
            2273045);
  EXPECT_EQ(read_measurement(metric("regex", "rate (.*)"), printed("rate 1,234.5"))->value, 1234.5);
  EXPECT_THAT(error_of(metric("regex", "rate (.*)"), printed("rate 1,2345")),
              HasSubstr("is not a number"));
}

TEST(RegexReader, NamesMetricSourceAndPatternWhenNothingMatches) {
  const auto message = error_of(metric("regex", "rate (.*)", "log.txt"), {});
  EXPECT_THAT(message, HasSubstr("rate (regex in log.txt at rate (.*))"));
  EXPECT_THAT(message, HasSubstr("left no such file"));
  EXPECT_THAT(error_of(metric("regex", "rate (.*)"), printed("hello")), HasSubstr("no line"));
  EXPECT_THAT(error_of(metric("regex", "rate (.*)"), printed(" \n")), HasSubstr("nothing"));
}

TEST(RegexReader, RefusesPatternsThatDoNotNameOneNumber) {
  EXPECT_THAT(error_of(metric("regex", "rate .*"), printed("x")), HasSubstr("0 groups"));
  EXPECT_THAT(error_of(metric("regex", "(a)(b)"), printed("x")), HasSubstr("2 groups"));
  EXPECT_THAT(error_of(metric("regex", "(a"), printed("x")), HasSubstr("cannot be used"));
}

TEST(RegexReader, SurvivesAnEndlessLine) {
  const auto outcome = printed("rate 1\n" + std::string(8 << 20, 'x'));
  EXPECT_DOUBLE_EQ(read_measurement(metric("regex", "rate (.*)"), outcome)->value, 1);
  EXPECT_THAT(error_of(metric("regex", "rate (.*)"), printed(std::string(8 << 20, 'x'))),
              HasSubstr("were not searched"));
}

TEST(RegexReader, TellsHowManyLinesTheNumberCouldHaveComeFrom) {
  const auto rate = metric("regex", "rate (.*)");
  EXPECT_EQ(read_measurement(rate, printed("rate 1\n"))->matches, 1);
  EXPECT_EQ(read_measurement(rate, printed("rate 1\nother\nrate 9"))->matches, 2);
  EXPECT_EQ(read_score(rate, printed("rate nothing yet\nrate 9"))->matches, 2);
  ports::LaunchOutcome outcome;
  outcome.wall_ns = 5;
  EXPECT_EQ(read_measurement(metric("wall"), outcome)->matches, 1);
}

// What a backtracking search would never come back from.
TEST(RegexReader, IsNotHeldUpByWhatACandidatePrints) {
  EXPECT_THAT(error_of(metric("regex", "(a+)+b"), printed(std::string(50, 'a') + "c")),
              HasSubstr("no line matches"));
  std::string text;
  for (int i = 0; i < 4096; ++i) text += std::string(4095, 'x') + "\n";
  EXPECT_THAT(error_of(metric("regex", R"(.*x.*x.*x (\d+))"), printed(text)),
              HasSubstr("no line matches"));
  EXPECT_EQ(read_measurement(metric("regex", R"(.*x (\d+))"), printed(text + "x 7"))->value, 7);
}

TEST(RegexReader, MatchesBytesThatAreNoText) {
  EXPECT_EQ(
      read_measurement(metric("regex", "^.*rate ([0-9]+)"), printed("\xff\xfe rate 3"))->value, 3);
}

TEST(RegexReader, TakesTheLastOfSeveralFiguresInOneLine) {
  const auto rate = metric("regex", "rate ([0-9]+)");
  const auto joined = read_measurement(rate, printed("rate 100 rate 1\n"));
  EXPECT_EQ(joined->value, 1) << "the first was left without its line's end by somebody else";
  EXPECT_EQ(joined->matches, 2);
}

TEST(JsonReader, TellsHowOftenTheKeyIsNamed) {
  const auto matches = [](const std::string& text) {
    return read_measurement(metric("json", "/runs/0/p99"), printed(text))->matches;
  };
  const std::string honest = "{\n \"runs\": [ {\"p99\" : 7} ]\n}\n";
  EXPECT_EQ(matches(honest), 1);
  EXPECT_EQ(matches(honest + "{\"runs\": [{\"p99\": 3}]}"), 2);
  EXPECT_EQ(matches(honest + R"({"runs": [{"p\u00399": 3}]})"), 2);
  EXPECT_EQ(matches(R"({"runs": [{"p99": 7, "p99": 3}]})"), 2);
  EXPECT_EQ(matches(R"({"runs": [{"p99": 7, "note": "p99"}]})"), 1);
  EXPECT_EQ(matches("{\"runs\": [{\"p99\": 3}]}\n\"" + honest), 2) << "an open quote before it";
  EXPECT_EQ(read_measurement(metric("json", "/a~1b"), printed(R"({"a/b": 1})"))->matches, 1);
  EXPECT_EQ(read_measurement(metric("json", "/0"), printed("[5]"))->matches, 1);
}

TEST(Reader, KnowsTheWordThatWhoeverPrintsTheMetricHasToWrite) {
  EXPECT_EQ(printed_name(metric("json", "/runs/0/tokens_per_s")), "tokens_per_s");
  EXPECT_EQ(printed_name(metric("regex", R"(^Mean latency\s*:\s+(\d+) us)")), "latency");
  EXPECT_EQ(printed_name(metric("regex", R"(rates?: (\d+))")), "rate");
  EXPECT_EQ(printed_name(metric("regex", R"((?:ops|rate): (\d+))")), "");
  EXPECT_EQ(printed_name(metric("regex", R"(^(\d+)$)")), "");
  EXPECT_EQ(printed_name(metric("wall", "")), "");
}

TEST(JsonReader, RefusesNestingWithoutEnd) {
  EXPECT_THAT(error_of(metric("json", "/rate"), printed(std::string(4 << 20, '['))),
              HasSubstr("nested deeper"));
  EXPECT_THAT(error_of(metric("json", "/rate"), printed("{\"a\":" + std::string(1 << 20, '['))),
              HasSubstr("JSON"));
}

TEST(JsonReader, ReadsAWholeDocumentFromAFile) {
  ports::LaunchOutcome outcome;
  outcome.collected["out/r.json"] = "{\n \"runs\": [ {\"p99\": 7.5} ]\n}\n";
  EXPECT_DOUBLE_EQ(read_measurement(metric("json", "/runs/0/p99", "out/r.json"), outcome)->value,
                   7.5);
}

TEST(JsonReader, TakesTheLastObjectAmongOtherLines) {
  const auto outcome = printed("warming up\n{\"rate\": 1}\n{\"rate\": 2}\n{broken\nbye\n");
  EXPECT_DOUBLE_EQ(read_measurement(metric("json", "/rate"), outcome)->value, 2);
}

TEST(JsonReader, SaysWhichFieldIsMissingOrNoNumber) {
  const auto outcome = printed("{\"rate\": \"12\", \"ok\": true}");
  EXPECT_THAT(error_of(metric("json", "/speed"), outcome), HasSubstr("at /speed): there is no"));
  EXPECT_THAT(error_of(metric("json", "/rate"), outcome), HasSubstr("holds a string"));
  EXPECT_THAT(error_of(metric("json", "/ok"), outcome), HasSubstr("holds a boolean"));
  EXPECT_THAT(error_of(metric("json", "rate"), outcome), HasSubstr("not a JSON pointer"));
  EXPECT_THAT(error_of(metric("json", "/rate"), printed("no json")), HasSubstr("not valid JSON"));
}

TEST(JsonReader, LetsOnlyScoresBeNegative) {
  const auto outcome = printed("{\"loss\": -0.5}");
  EXPECT_DOUBLE_EQ(read_score(metric("json", "/loss"), outcome)->value, -0.5);
  EXPECT_THAT(error_of(metric("json", "/loss"), outcome), HasSubstr("negative"));
}

}  // namespace
}  // namespace arbor::measure
