// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <vector>

#include "domain/measurement.h"

// The few statistics the gate rests on. Empty or too short input is our own mistake, not a value.
namespace arbor::measure {

double mean(std::span<const double> values);                  // at least one
double standard_deviation(std::span<const double> values);    // n - 1 below; at least two
double median(std::vector<double> values);                    // at least one
double lag1_autocorrelation(std::span<const double> values);  // 0 for fewer than three

double t_quantile(double probability, double degrees);  // Student's t
double normal_quantile(double probability);

// How far the true standard deviation may lie above (below) one estimated from n values, at 90 %
// confidence, as a factor: sqrt((n−1)/χ²(0.10, n−1)), 1.277 at n = 20; below with χ²(0.90, n−1).
double deviation_upper_factor(int values);
double deviation_lower_factor(int values);

// Standard error of a mean whose values were measured in windows. Values of one window share what
// the machine did then, so with at least three windows, and where windows differ by more than their
// own scatter explains, the variance between windows is used with windows − 1 degrees of freedom;
// else all values count as independent.
struct MeanError {
  double mean = 0;
  double standard_error = 0;
  double degrees = 1;
};
MeanError error_of_mean(std::span<const double> values, std::span<const int> windows);
domain::Interval interval_of_mean(std::span<const double> values, std::span<const int> windows);

// Smallest log gain that both stages together find with 80 % power in at most 20 pairs.
double smallest_detectable(double s_aa);

}  // namespace arbor::measure
