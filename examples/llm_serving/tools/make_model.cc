// SPDX-License-Identifier: Apache-2.0

// make_model CONFIG OUT: writes the model file OUT and OUT.merges from a configuration's seed.
// The weights are integers times one scale, so that every compiler and flag gives the same bytes.
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iostream>
#include <map>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "llm/model_file.h"

namespace {

using Config = std::map<std::string, double>;

// splitmix64 (Steele, Lea, Flood 2014).
class Random {
 public:
  explicit Random(uint64_t seed) : state_(seed) {}
  uint64_t next() {
    uint64_t z = (state_ += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
  }
  int below(int n) { return static_cast<int>(next() % static_cast<uint64_t>(n)); }
  // Nearly normal: the sum of four 16-bit uniforms, centred; its standard deviation is kSpread.
  int bell() {
    const uint64_t bits = next();
    int sum = 0;
    for (int i = 0; i < 4; ++i) sum += static_cast<int>((bits >> (16 * i)) & 0xffff);
    return sum - 131070;
  }
  static constexpr double kSpread = 37837.2;

 private:
  uint64_t state_;
};

Config read_config(const char* path) {
  std::ifstream in(path);
  if (!in) throw std::string("cannot read ") + path;
  Config config;
  std::string line;
  while (std::getline(in, line)) {
    if (line.empty() || line[0] == '#') continue;
    std::istringstream fields(line);
    std::string key, equals;
    double value = 0;
    if (!(fields >> key >> equals >> value)) throw "not 'key = value': " + line;
    config[key] = value;
  }
  return config;
}

llm::ModelFileHeader header_of(const Config& config) {
  const auto whole = [&](const char* key) { return static_cast<int32_t>(config.at(key)); };
  llm::ModelFileHeader header{};
  std::memcpy(header.magic, llm::kModelMagic, sizeof header.magic);
  header.dim = whole("dim");
  header.layers = whole("layers");
  header.heads = whole("heads");
  header.kv_heads = whole("kv_heads");
  header.hidden = whole("hidden");
  header.vocab = whole("vocab");
  header.max_seq = whole("max_seq");
  header.rope_theta = static_cast<float>(config.at("rope_theta"));
  header.norm_eps = static_cast<float>(config.at("norm_eps"));
  return header;
}

class Writer {
 public:
  Writer(std::ostream& out, uint64_t seed) : out_(out), random_(seed) {}

  // Standard deviation gain / sqrt(cols): a unit input gives outputs of size gain.
  void matrix(int rows, int cols, double gain) {
    fill(static_cast<size_t>(rows) * static_cast<size_t>(cols), 0.0, gain / std::sqrt(cols));
  }
  void rows_of_unit_size(int rows, int cols) {
    fill(static_cast<size_t>(rows) * static_cast<size_t>(cols), 0.0, 1.0);
  }
  void norm(int size) { fill(static_cast<size_t>(size), 1.0, 0.1); }

 private:
  void fill(size_t count, double mean, double deviation) {
    const double scale = deviation / Random::kSpread;
    std::vector<float> values(count);
    for (float& v : values) v = static_cast<float>(mean + scale * random_.bell());
    out_.write(reinterpret_cast<const char*>(values.data()),
               static_cast<std::streamsize>(count * sizeof(float)));
  }
  std::ostream& out_;
  Random random_;
};

// The gains keep the residual stream near unit size and the attention clearly peaked, so that every
// layer matters to the logits.
void write_model(std::ostream& out, const llm::ModelFileHeader& h, uint64_t seed) {
  out.write(reinterpret_cast<const char*>(&h), sizeof h);
  const int kv_dim = h.dim / h.heads * h.kv_heads;
  Writer writer(out, seed);
  writer.rows_of_unit_size(h.vocab, h.dim);
  for (int layer = 0; layer < h.layers; ++layer) {
    writer.norm(h.dim);
    writer.matrix(h.dim, h.dim, 1.5);
    writer.matrix(kv_dim, h.dim, 1.5);
    writer.matrix(kv_dim, h.dim, 1.0);
    writer.matrix(h.dim, h.dim, 1.5);
    writer.norm(h.dim);
    writer.matrix(h.hidden, h.dim, 1.5);
    writer.matrix(h.hidden, h.dim, 1.5);
    writer.matrix(h.dim, h.hidden, 1.0);
  }
  writer.norm(h.dim);
  writer.matrix(h.vocab, h.dim, 2.5);
}

// A lexicon of made-up words, each a token sequence that the merges shorten.
std::vector<std::vector<int>> make_words(Random& random) {
  static const std::string kConsonants = "bdfghklmnprstvwyz";
  static const std::string kVowels = "aeiou";
  std::vector<std::vector<int>> words(3000);
  for (auto& word : words) {
    word.push_back(' ');
    for (int left = 1 + random.below(3); left > 0; --left) {
      word.push_back(kConsonants[static_cast<size_t>(random.below(17))]);
      word.push_back(kVowels[static_cast<size_t>(random.below(5))]);
    }
  }
  return words;
}

void merge_pair(std::vector<int>& word, std::pair<int, int> pair, int token) {
  size_t kept = 0;
  for (size_t i = 0; i < word.size(); ++i) {
    const bool joins = i + 1 < word.size() && word[i] == pair.first && word[i + 1] == pair.second;
    word[kept++] = joins ? token : word[i];
    if (joins) ++i;
  }
  word.resize(kept);
}

// Byte-pair encoding (Sennrich, Haddow, Birch 2016): the most frequent pair first.
void write_merges(std::ostream& out, int vocab, uint64_t seed) {
  Random random(seed);
  auto words = make_words(random);
  for (int token = 256; token < vocab; ++token) {
    std::map<std::pair<int, int>, int> counts;
    for (const auto& word : words) {
      for (size_t i = 0; i + 1 < word.size(); ++i) ++counts[{word[i], word[i + 1]}];
    }
    if (counts.empty()) throw std::string("the lexicon is too small for the vocabulary");
    auto best = counts.begin();
    for (auto it = counts.begin(); it != counts.end(); ++it) {
      if (it->second > best->second) best = it;
    }
    out << best->first.first << ' ' << best->first.second << '\n';
    for (auto& word : words) merge_pair(word, best->first, token);
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) {
    std::cerr << "usage: make_model CONFIG OUT\n";
    return 2;
  }
  try {
    const Config config = read_config(argv[1]);
    const auto header = header_of(config);
    const auto seed = static_cast<uint64_t>(config.at("seed"));
    const std::string model_path = argv[2];
    std::ofstream merges(model_path + ".merges");
    write_merges(merges, header.vocab, seed + 1);
    std::ofstream model(model_path, std::ios::binary);
    write_model(model, header, seed);
    model.close();
    merges.close();
    if (!model || !merges) throw "cannot write " + model_path;
  } catch (const std::string& message) {
    std::cerr << "make_model: " << message << '\n';
    return 1;
  } catch (const std::exception& error) {
    std::cerr << "make_model: " << argv[1] << ": a key is missing (" << error.what() << ")\n";
    return 1;
  }
  return 0;
}
