// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <iterator>

#include "base/pattern.h"
#include "base/text.h"
#include "measure/readers/reader.h"

namespace arbor::measure {
namespace {

constexpr std::size_t kLongestLine = 1U << 20;  // a number is not looked for in a dump

// A pattern with exactly one group, searched line by line. Of several matches the last one counts,
// since programs print running figures before the final one, and in one line as well: a line that a
// program left open is continued by whoever prints next. How many there were is told.
class RegexReader : public Reader {
 public:
  base::Result<Reading> read(const domain::Metric& metric,
                             const ports::LaunchOutcome& outcome) const override {
    ARBOR_TRY(const std::string_view text, metric_text(metric, outcome));
    const auto pattern = base::Pattern::compile(metric.pattern);
    if (!pattern) return unreadable(metric, pattern.error().message);
    if (pattern->groups() != 1)
      return unreadable(metric, fmt::format("the pattern has {} groups, it needs exactly one",
                                            pattern->groups()));
    return last_match(metric, text, *pattern);
  }

 private:
  // "2,273,045" as people write it: commas between groups of three, and nothing looser. Where a
  // comma was meant as the decimal point, both arms are a thousand times too large: gains are
  // ratios.
  static std::string without_grouping(std::string number) {
    static const base::Pattern kGrouped("^[-+]?[0-9]{1,3}(,[0-9]{3})+([.][0-9]+)?$");
    if (kGrouped.is_in(number)) std::erase(number, ',');
    return number;
  }

  static base::Result<Reading> last_match(const domain::Metric& metric, std::string_view text,
                                          const base::Pattern& pattern) {
    std::string_view last;
    std::int64_t matches = 0;
    int too_long = 0;
    for (const std::string_view line : base::lines_of(text)) {
      if (line.size() > kLongestLine) {
        ++too_long;
      } else if (const auto found = pattern.all(line); !found.empty()) {
        last = found.back();
        matches += std::ssize(found);
      }
    }
    if (matches > 0) {
      const std::string number = without_grouping(std::string(last));
      if (const auto value = base::parse_number(number)) return Reading{*value, matches};
      return unreadable(metric, fmt::format("\"{}\" is not a number",
                                            base::printable(base::shortened(number, 80))));
    }
    if (too_long > 0)
      return unreadable(metric, fmt::format("no line matches; {} lines of more than {} bytes were "
                                            "not searched",
                                            too_long, kLongestLine));
    return unreadable(metric, "no line matches");
  }
};

ARBOR_REGISTER(Reader, "regex", "The group of a regular expression, its last match", RegexReader);

}  // namespace
}  // namespace arbor::measure
