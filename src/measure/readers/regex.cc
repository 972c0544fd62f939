// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <regex>

#include "base/text.h"
#include "measure/readers/reader.h"

namespace arbor::measure {
namespace {

constexpr std::size_t kLongestLine = 4096;  // std::regex recurses once per character
constexpr std::size_t kMostLines = 100'000;

// An ECMAScript pattern with exactly one group, searched line by line. Of several matching lines
// the last one counts, since programs print running figures before the final one.
class RegexReader : public Reader {
 public:
  base::Result<double> read(const domain::Metric& metric,
                            const ports::LaunchOutcome& outcome) const override {
    ARBOR_TRY(const std::string_view text, metric_text(metric, outcome));
    try {
      const std::regex pattern(metric.pattern, std::regex::ECMAScript);
      if (pattern.mark_count() != 1)
        return unreadable(metric, fmt::format("the pattern has {} groups, it needs exactly one",
                                              pattern.mark_count()));
      return last_match(metric, text, pattern);
    } catch (const std::regex_error& error) {
      return unreadable(metric, fmt::format("the pattern cannot be used: {}", error.what()));
    }
  }

 private:
  // "2,273,045" as people write it: commas between groups of three, and nothing looser. Where a
  // comma was meant as the decimal point, both arms are a thousand times too large: gains are
  // ratios.
  static std::string without_grouping(std::string number) {
    static const std::regex kGrouped("[-+]?[0-9]{1,3}(,[0-9]{3})+([.][0-9]+)?");
    if (std::regex_match(number, kGrouped)) std::erase(number, ',');
    return number;
  }

  static base::Result<double> last_match(const domain::Metric& metric, std::string_view text,
                                         const std::regex& pattern) {
    const auto lines = base::lines_of(text);
    int too_long = 0;
    for (std::size_t i = lines.size(); i > 0 && lines.size() - i < kMostLines; --i) {
      const std::string_view line = lines[i - 1];
      std::match_results<std::string_view::const_iterator> match;
      if (line.size() > kLongestLine) {
        ++too_long;
      } else if (std::regex_search(line.begin(), line.end(), match, pattern)) {
        const std::string number = without_grouping(match[1].str());
        if (const auto value = base::parse_number(number)) return *value;
        return unreadable(metric, fmt::format("\"{}\" is not a number",
                                              base::printable(base::shortened(number, 80))));
      }
    }
    if (too_long > 0)
      return unreadable(metric, fmt::format("no line matches; {} lines of more than {} bytes were "
                                            "not searched",
                                            too_long, kLongestLine));
    return unreadable(metric, "no line matches");
  }
};

ARBOR_REGISTER(Reader, "regex", "The group of a regular expression, last matching line",
               RegexReader);

}  // namespace
}  // namespace arbor::measure
