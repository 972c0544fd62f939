// SPDX-License-Identifier: Apache-2.0
#include "scenario.h"

#include <algorithm>
#include <fstream>
#include <sstream>
#include <stdexcept>

namespace arbor::scenario {
namespace {

using Words = std::vector<std::string>;

Words words_of(std::string line) {
  line.resize(std::min(line.size(), line.find('#')));
  std::istringstream stream(line);
  Words words;
  for (std::string word; stream >> word;) words.push_back(word);
  return words;
}

// Reads NAME=VALUE words and complains of those that nobody asked for.
class Options {
 public:
  Options(const Words& words, std::size_t first) {
    for (std::size_t i = first; i < words.size(); ++i) {
      const auto equals = words[i].find('=');
      if (equals == std::string::npos) throw std::runtime_error("not NAME=VALUE: " + words[i]);
      values_[words[i].substr(0, equals)] = words[i].substr(equals + 1);
    }
  }
  std::string text(const std::string& name, const std::string& otherwise) {
    const auto found = values_.find(name);
    if (found == values_.end()) return otherwise;
    const std::string value = found->second;
    values_.erase(found);
    return value;
  }
  double number(const std::string& name, double otherwise) {
    const std::string value = text(name, "");
    return value.empty() ? otherwise : std::stod(value);
  }
  void end() const {
    if (!values_.empty()) throw std::runtime_error("unknown option " + values_.begin()->first);
  }

 private:
  std::map<std::string, std::string> values_;
};

Truth truth_of(Options& options) {
  Truth truth;
  truth.gain = options.number("gain", 1);
  truth.fails = options.text("fails", "");
  truth.builds_as = options.text("builds-as", "");
  const std::string with = options.text("with", "");
  if (!with.empty())
    truth.gain_with[with.substr(0, with.find(':'))] = std::stod(with.substr(with.find(':') + 1));
  return truth;
}

Idea idea_of(const std::string& name, Options& options) {
  Idea idea;
  idea.name = name;
  idea.predicted = options.number("predicts", 1.1);
  idea.is_source = options.text("kind", "flag") == "source";
  idea.layer = options.text("layer", "compiler");
  idea.after = options.text("after", "");
  idea.asked = static_cast<int>(options.number("asked", 1));
  return idea;
}

void read_campaign(Options& options, Scenario& scenario) {
  scenario.budget_s = options.number("budget", scenario.budget_s);
  scenario.seed = static_cast<std::uint64_t>(options.number("seed", 1));
  if (const double trials = options.number("trials", 0); trials > 0)
    scenario.trials = static_cast<int>(trials);
  if (const auto name = options.text("without", ""); !name.empty())
    scenario.without.push_back(name);
}

void read_line(const Words& words, Scenario& scenario) {
  const std::string& verb = words[0];
  if (verb == "busy") {
    scenario.loads.clear();
    for (std::size_t i = 1; i < words.size(); ++i) scenario.loads.push_back(std::stod(words[i]));
    return;
  }
  if (verb == "check" || verb == "bench") {
    scenario.is_check_blind = scenario.is_check_blind || verb == "check";
    scenario.is_bench_constant = scenario.is_bench_constant || verb == "bench";
    return;
  }
  const bool has_name = verb == "idea" || verb == "truth";
  Options options(words, has_name ? 2 : 1);
  if (verb == "program") {
    scenario.launch_s = options.number("launch", scenario.launch_s);
    scenario.build_s = options.number("build", scenario.build_s);
    scenario.noise = options.number("noise", scenario.noise);
  } else if (verb == "campaign") {
    read_campaign(options, scenario);
  } else if (verb == "idea") {
    scenario.ideas.push_back(idea_of(words.at(1), options));
  } else if (verb == "truth") {
    scenario.truths[words.at(1)] = truth_of(options);
  } else if (verb == "baseline") {
    scenario.baseline_fails = options.text("fails", "");
  } else {
    throw std::runtime_error("unknown directive " + verb);
  }
  options.end();
}

}  // namespace

Scenario read_scenario(const std::filesystem::path& file) {
  Scenario scenario;
  scenario.file = file;
  std::ifstream stream(file);
  int number = 0;
  for (std::string line; std::getline(stream, line);) {
    ++number;
    scenario.head += line + "\n";
    const Words words = words_of(line);
    if (words.empty()) continue;
    if (words[0] == "expect") break;
    try {
      read_line(words, scenario);
    } catch (const std::exception& wrong) {
      throw std::runtime_error(file.string() + ":" + std::to_string(number) + ": " + wrong.what());
    }
  }
  std::ostringstream rest;
  rest << stream.rdbuf();
  scenario.expected = rest.str();
  return scenario;
}

std::vector<std::filesystem::path> all_scenarios() {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(ARBOR_SCENARIOS))
    if (entry.path().extension() == ".scenario") files.push_back(entry.path());
  std::ranges::sort(files);
  return files;
}

}  // namespace arbor::scenario
