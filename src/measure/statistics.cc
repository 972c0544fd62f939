// SPDX-License-Identifier: Apache-2.0
#include "measure/statistics.h"

#include <algorithm>
#include <boost/math/distributions/chi_squared.hpp>
#include <boost/math/distributions/normal.hpp>
#include <boost/math/distributions/students_t.hpp>
#include <cmath>
#include <map>
#include <numeric>

#include "base/check.h"

namespace arbor::measure {

double mean(std::span<const double> values) {
  ARBOR_CHECK(!values.empty(), "a mean of nothing");
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

double standard_deviation(std::span<const double> values) {
  ARBOR_CHECK(values.size() >= 2, "a deviation of fewer than two values");
  const double center = mean(values);
  double squares = 0;
  for (const double value : values) squares += (value - center) * (value - center);
  return std::sqrt(squares / static_cast<double>(values.size() - 1));
}

double median(std::vector<double> values) {
  ARBOR_CHECK(!values.empty(), "a median of nothing");
  std::sort(values.begin(), values.end());
  const std::size_t half = values.size() / 2;
  return values.size() % 2 == 1 ? values[half] : 0.5 * (values[half - 1] + values[half]);
}

double lag1_autocorrelation(std::span<const double> values) {
  if (values.size() < 3) return 0;
  const double center = mean(values);
  double squares = 0, products = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    squares += (values[i] - center) * (values[i] - center);
    if (i > 0) products += (values[i] - center) * (values[i - 1] - center);
  }
  return squares > 0 ? products / squares : 0;
}

double t_quantile(double probability, double degrees) {
  ARBOR_CHECK(probability > 0 && probability < 1 && degrees >= 1, "t quantile out of its domain");
  return boost::math::quantile(boost::math::students_t(degrees), probability);
}

double normal_quantile(double probability) {
  ARBOR_CHECK(probability > 0 && probability < 1, "normal quantile out of its domain");
  return boost::math::quantile(boost::math::normal(), probability);
}

namespace {
double deviation_factor(int values, double probability) {
  ARBOR_CHECK(values >= 2, "a deviation's bound needs at least two values");
  const double degrees = values - 1;
  return std::sqrt(degrees / boost::math::quantile(boost::math::chi_squared(degrees), probability));
}
}  // namespace

double deviation_upper_factor(int values) { return deviation_factor(values, 0.10); }
double deviation_lower_factor(int values) { return deviation_factor(values, 0.90); }

MeanError error_of_mean(std::span<const double> values, std::span<const int> windows) {
  ARBOR_CHECK(values.size() == windows.size(), "each value needs its window");
  const auto n = static_cast<double>(values.size());
  MeanError error{mean(values), standard_deviation(values) / std::sqrt(n), n - 1};
  struct Window {
    double sum = 0, count = 0;
  };
  std::map<int, Window> by_window;
  for (std::size_t i = 0; i < values.size(); ++i) {
    by_window[windows[i]].sum += values[i];
    by_window[windows[i]].count += 1;
  }
  const auto k = static_cast<double>(by_window.size());
  if (by_window.size() < 3 || by_window.size() == values.size()) return error;
  double between = 0;
  for (const auto& [window, part] : by_window) {
    const double off = part.sum / part.count - error.mean;
    between += part.count * off * off;
  }
  const double total = error.standard_error * error.standard_error * n * (n - 1);
  const double mean_square_between = between / (k - 1);
  const double mean_square_within = std::max(0.0, total - between) / (n - k);
  if (mean_square_between <= mean_square_within) return error;
  return {error.mean, std::sqrt(mean_square_between / n), k - 1};
}

domain::Interval interval_of_mean(std::span<const double> values, std::span<const int> windows) {
  const MeanError error = error_of_mean(values, windows);
  const double half = t_quantile(0.975, error.degrees) * error.standard_error;
  return {error.mean, error.mean - half, error.mean + half};
}

double smallest_detectable(double s_aa) { return 0.85 * s_aa; }

}  // namespace arbor::measure
