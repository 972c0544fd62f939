// SPDX-License-Identifier: Apache-2.0
#include "ports/profiler/perf_script.h"

#include <cxxabi.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdlib>
#include <optional>
#include <tuple>
#include <unordered_map>
#include <utility>

namespace arbor::ports {
namespace {

constexpr std::size_t kLongestSymbol = 2048;   // longer ones are cut before anything looks at them
constexpr std::size_t kLongestLine = 1 << 20;  // what a longer one says is not kept
constexpr std::string_view kSpace = " \t\r";

struct Frame {
  std::uint64_t address = 0;
  std::string_view symbol;
  std::string_view binary;
};

std::string_view without_offset(std::string_view symbol) {
  const auto plus = symbol.rfind("+0x");
  if (plus == std::string_view::npos || plus == 0) return symbol;
  const auto digits = symbol.substr(plus + 3);
  const bool is_offset =
      !digits.empty() && digits.find_first_not_of("0123456789abcdef") == std::string_view::npos;
  return is_offset ? symbol.substr(0, plus) : symbol;
}

// Where " (binary)" begins. Symbols hold brackets of their own, and so does a deleted binary:
// "operator()(int) const (/a/b (deleted))".
std::size_t binary_begin(std::string_view line) {
  for (const std::string_view opening : {" (/", " (["})
    if (const auto found = line.rfind(opening); found != std::string_view::npos) return found;
  return line.rfind(" (");
}

std::optional<Frame> parse_frame(std::string_view line) {
  const auto begin = line.find_first_not_of(kSpace);
  if (begin == 0 || begin == std::string_view::npos) return std::nullopt;
  line.remove_prefix(begin);
  line = line.substr(0, line.find_last_not_of(kSpace) + 1);
  Frame frame;
  const auto [end, failed] =
      std::from_chars(line.data(), line.data() + line.size(), frame.address, 16);
  const auto digits = static_cast<std::size_t>(end - line.data());
  if (failed != std::errc() || digits == line.size() || line[digits] != ' ') return std::nullopt;
  line.remove_prefix(digits);  // keeps the space, for a frame without a symbol
  const auto opening = binary_begin(line);
  if (opening == std::string_view::npos || line.back() != ')') return std::nullopt;
  frame.binary = line.substr(opening + 2, line.size() - opening - 3);
  if (frame.binary.ends_with(" (deleted)")) frame.binary.remove_suffix(10);
  const auto symbol = line.substr(0, opening);
  const auto first = symbol.find_first_not_of(kSpace);
  if (first != std::string_view::npos) frame.symbol = without_offset(symbol.substr(first));
  if (frame.symbol.empty()) frame.symbol = "[unknown]";
  if (frame.binary.empty()) frame.binary = "[unknown]";
  return frame;
}

class Counter {
 public:
  void frame(const Frame& frame) {
    if (frame.binary == "inlined") return;
    const std::size_t index = index_of(frame);
    SymbolSamples& symbol = samples_.symbols[index];
    if (!has_leaf_) {
      ++samples_.count;
      ++symbol.self;
      ++symbol.at[frame.address];
      has_leaf_ = true;
    }
    if (std::exchange(last_sample_[index], samples_.count) != samples_.count) ++symbol.total;
  }

  void begin_sample() { has_leaf_ = false; }

  PerfSamples finish() && {
    std::ranges::sort(samples_.symbols, [](const auto& a, const auto& b) {
      return std::tie(b.self, b.total, a.symbol, a.binary) <
             std::tie(a.self, a.total, b.symbol, b.binary);
    });
    return std::move(samples_);
  }

 private:
  std::size_t index_of(const Frame& frame) {
    key_.assign(frame.symbol);
    key_.push_back('\0');
    key_.append(frame.binary);
    const auto [raw, is_new] = by_raw_name_.try_emplace(key_, 0);
    if (!is_new) return raw->second;
    // Several raw names (a clone and its origin) may be one function.
    SymbolSamples symbol;
    symbol.symbol = plain_symbol(frame.symbol);
    symbol.binary = frame.binary;
    const auto [plain, is_first] = by_plain_name_.try_emplace(
        std::pair(symbol.symbol, symbol.binary), samples_.symbols.size());
    if (is_first) {
      samples_.symbols.push_back(std::move(symbol));
      last_sample_.push_back(0);
    }
    return raw->second = plain->second;
  }

  PerfSamples samples_;
  std::vector<std::int64_t> last_sample_;  // by symbol: the last sample that counted to its total
  std::unordered_map<std::string, std::size_t> by_raw_name_;
  std::map<std::pair<std::string, std::string>, std::size_t> by_plain_name_;
  std::string key_;
  bool has_leaf_ = false;
};

std::string demangled(std::string_view symbol) {
  if (!symbol.starts_with("_Z")) return std::string(symbol);
  int status = 0;
  char* const text = abi::__cxa_demangle(std::string(symbol).c_str(), nullptr, nullptr, &status);
  std::string result = text == nullptr ? std::string(symbol) : std::string(text);
  std::free(text);
  return result;
}

// Cuts one clone suffix off; false when there is none.
bool cut_clone_suffix(std::string& symbol) {
  if (symbol.ends_with(']'))
    if (const auto clone = symbol.rfind(" [clone ."); clone != std::string::npos && clone > 0) {
      symbol.resize(clone);
      return true;
    }
  static constexpr std::array<std::string_view, 7> kClones = {
      ".constprop", ".isra", ".part", ".cold", ".lto_priv", "._omp_fn", ".llvm"};
  const auto digits = symbol.find_last_not_of("0123456789");
  const std::size_t stem_size =
      digits != std::string::npos && symbol[digits] == '.' && digits + 1 < symbol.size()
          ? digits
          : symbol.size();
  const auto stem = std::string_view(symbol).substr(0, stem_size);
  for (const auto clone : kClones)
    if (stem.ends_with(clone) && stem.size() > clone.size()) {
      symbol.resize(stem.size() - clone.size());
      return true;
    }
  return false;
}

}  // namespace

std::string plain_symbol(std::string_view symbol) {
  std::string plain = demangled(symbol.substr(0, kLongestSymbol));
  while (cut_clone_suffix(plain)) {
  }
  return plain.starts_with("_Z") ? demangled(plain) : plain;
}

struct PerfScriptReader::State {
  Counter counter;
  std::string rest;        // of a line whose end is in a later piece
  bool is_inside = false;  // of a sample, between its header and the empty line

  void line(std::string_view text) {
    if (text.find_first_not_of(kSpace) == std::string_view::npos) {
      is_inside = false;
    } else if (is_inside && kSpace.contains(text.front())) {
      if (const auto frame = parse_frame(text)) counter.frame(*frame);
    } else if (!text.starts_with('#')) {
      counter.begin_sample();  // a command may begin with spaces: the first line is no frame
      is_inside = true;
    }
  }
};

PerfScriptReader::PerfScriptReader() : state_(std::make_unique<State>()) {}
PerfScriptReader::PerfScriptReader(PerfScriptReader&&) noexcept = default;
PerfScriptReader::~PerfScriptReader() = default;

void PerfScriptReader::feed(std::string_view piece) {
  std::string& rest = state_->rest;
  while (!piece.empty()) {
    const auto end = piece.find('\n');
    if (end == std::string_view::npos) {
      if (rest.size() < kLongestLine) rest += piece;
      return;
    }
    if (rest.empty()) {
      state_->line(piece.substr(0, end));
    } else {
      state_->line(rest += piece.substr(0, end));
      rest.clear();
    }
    piece.remove_prefix(end + 1);
  }
}

PerfSamples PerfScriptReader::finish() && {
  if (!state_->rest.empty()) state_->line(state_->rest);
  return std::move(state_->counter).finish();
}

PerfSamples parse_perf_script(std::string_view text) {
  PerfScriptReader reader;
  reader.feed(text);
  return std::move(reader).finish();
}

}  // namespace arbor::ports
