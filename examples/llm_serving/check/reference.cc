// SPDX-License-Identifier: Apache-2.0

#include "reference.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <fstream>
#include <stdexcept>

namespace llm::check {
namespace {

using Vector = std::vector<double>;
using Matrix = std::vector<Vector>;

Vector read_vector(std::istream& in, int size) {
  std::vector<float> raw(size);
  in.read(reinterpret_cast<char*>(raw.data()), static_cast<std::streamsize>(size * sizeof(float)));
  return Vector(raw.begin(), raw.end());
}

Matrix read_matrix(std::istream& in, int rows, int cols) {
  Matrix matrix;
  for (int r = 0; r < rows; ++r) matrix.push_back(read_vector(in, cols));
  return matrix;
}

double dot(const double* a, const double* b, size_t size) {
  double sum = 0;
  for (size_t i = 0; i < size; ++i) sum += a[i] * b[i];
  return sum;
}

Vector times(const Matrix& w, const Vector& x) {
  Vector out;
  for (const Vector& row : w) out.push_back(dot(row.data(), x.data(), x.size()));
  return out;
}

void add(Vector& x, const Vector& delta) {
  for (size_t i = 0; i < x.size(); ++i) x[i] += delta[i];
}

Vector softmax(const Vector& scores) {
  const double max = *std::max_element(scores.begin(), scores.end());
  Vector out;
  double sum = 0;
  for (const double s : scores) {
    out.push_back(std::exp(s - max));
    sum += out.back();
  }
  for (double& p : out) p /= sum;
  return out;
}

}  // namespace

Reference::Reference(const std::string& model_path) {
  std::ifstream in(model_path, std::ios::binary);
  in.read(reinterpret_cast<char*>(&header_), sizeof header_);
  if (!in || std::memcmp(header_.magic, kModelMagic, sizeof header_.magic) != 0) {
    throw std::runtime_error("not a model: " + model_path);
  }
  const int dim = header_.dim;
  const int kv_dim = dim / header_.heads * header_.kv_heads;
  embedding_ = read_matrix(in, header_.vocab, dim);
  for (int i = 0; i < header_.layers; ++i) {
    Layer layer;
    layer.attention_norm = read_vector(in, dim);
    layer.wq = read_matrix(in, dim, dim);
    layer.wk = read_matrix(in, kv_dim, dim);
    layer.wv = read_matrix(in, kv_dim, dim);
    layer.wo = read_matrix(in, dim, dim);
    layer.ffn_norm = read_vector(in, dim);
    layer.gate = read_matrix(in, header_.hidden, dim);
    layer.up = read_matrix(in, header_.hidden, dim);
    layer.down = read_matrix(in, dim, header_.hidden);
    layers_.push_back(std::move(layer));
  }
  final_norm_ = read_vector(in, dim);
  output_ = read_matrix(in, header_.vocab, dim);
  if (!in) throw std::runtime_error("cut short: " + model_path);
}

Vector Reference::normed(const Vector& x, const Vector& w) const {
  const double mean_square = dot(x.data(), x.data(), x.size()) / static_cast<double>(x.size());
  Vector out;
  for (size_t i = 0; i < x.size(); ++i) {
    out.push_back(w[i] * x[i] / std::sqrt(mean_square + static_cast<double>(header_.norm_eps)));
  }
  return out;
}

void Reference::rotate(Vector& x, size_t position) const {
  const size_t head_dim = static_cast<size_t>(header_.dim / header_.heads);
  for (size_t i = 0; i < x.size(); i += 2) {
    const double fraction = static_cast<double>(i % head_dim) / static_cast<double>(head_dim);
    const double angle = static_cast<double>(position) / std::pow(header_.rope_theta, fraction);
    const double a = x[i];
    const double b = x[i + 1];
    x[i] = a * std::cos(angle) - b * std::sin(angle);
    x[i + 1] = b * std::cos(angle) + a * std::sin(angle);
  }
}

void Reference::add_attention(const Layer& layer, Matrix& x) const {
  const size_t head_dim = static_cast<size_t>(header_.dim / header_.heads);
  const size_t group = static_cast<size_t>(header_.heads / header_.kv_heads);
  Matrix keys;
  Matrix values;
  for (size_t t = 0; t < x.size(); ++t) {
    const Vector in = normed(x[t], layer.attention_norm);
    Vector q = times(layer.wq, in);
    rotate(q, t);
    keys.push_back(times(layer.wk, in));
    rotate(keys.back(), t);
    values.push_back(times(layer.wv, in));

    Vector joined(q.size(), 0.0);
    for (size_t head = 0; head < static_cast<size_t>(header_.heads); ++head) {
      const size_t at = head * head_dim;
      const size_t kv_at = head / group * head_dim;
      Vector scores;
      for (const Vector& key : keys) {
        scores.push_back(dot(&q[at], &key[kv_at], head_dim) /
                         std::sqrt(static_cast<double>(head_dim)));
      }
      const Vector weights = softmax(scores);
      for (size_t s = 0; s <= t; ++s) {
        for (size_t i = 0; i < head_dim; ++i) joined[at + i] += weights[s] * values[s][kv_at + i];
      }
    }
    add(x[t], times(layer.wo, joined));  // later positions read only their own x
  }
}

void Reference::add_ffn(const Layer& layer, Vector& x) const {
  const Vector in = normed(x, layer.ffn_norm);
  Vector gate = times(layer.gate, in);
  const Vector up = times(layer.up, in);
  for (size_t i = 0; i < gate.size(); ++i) gate[i] = gate[i] / (1 + std::exp(-gate[i])) * up[i];
  add(x, times(layer.down, gate));
}

Matrix Reference::logits(const std::vector<int>& tokens, size_t first) const {
  Matrix x;
  for (const int token : tokens) x.push_back(embedding_.at(static_cast<size_t>(token)));
  for (const Layer& layer : layers_) {
    add_attention(layer, x);
    for (Vector& row : x) add_ffn(layer, row);
  }
  Matrix out;
  for (size_t t = first; t < x.size(); ++t) {
    out.push_back(times(output_, normed(x[t], final_norm_)));
  }
  return out;
}

}  // namespace llm::check
