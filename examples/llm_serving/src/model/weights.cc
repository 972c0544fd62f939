// SPDX-License-Identifier: Apache-2.0

#include "model/weights.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstring>
#include <stdexcept>

namespace llm {
namespace {

ModelConfig config_of(const ModelFileHeader& header) {
  ModelConfig config;
  config.dim = header.dim;
  config.layers = header.layers;
  config.heads = header.heads;
  config.kv_heads = header.kv_heads;
  config.hidden = header.hidden;
  config.vocab = header.vocab;
  config.max_seq = header.max_seq;
  config.rope_theta = header.rope_theta;
  config.norm_eps = header.norm_eps;
  return config;
}

size_t float_count(const ModelConfig& c) {
  const auto dim = static_cast<size_t>(c.dim);
  const size_t layer = 2 * dim + 2 * dim * dim + 2 * dim * static_cast<size_t>(c.kv_dim()) +
                       3 * dim * static_cast<size_t>(c.hidden);
  return 2 * static_cast<size_t>(c.vocab) * dim + static_cast<size_t>(c.layers) * layer + dim;
}

}  // namespace

Weights::Weights(const std::string& path) {
  const int fd = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  struct stat status{};
  if (fd < 0 || fstat(fd, &status) != 0) throw std::runtime_error("cannot open model " + path);
  mapping_bytes_ = static_cast<size_t>(status.st_size);
  if (mapping_bytes_ < sizeof(ModelFileHeader)) throw std::runtime_error("not a model: " + path);
  mapping_ = mmap(nullptr, mapping_bytes_, PROT_READ, MAP_PRIVATE, fd, 0);
  close(fd);
  if (mapping_ == MAP_FAILED) throw std::runtime_error("cannot map model " + path);

  ModelFileHeader header;
  std::memcpy(&header, mapping_, sizeof header);
  config_ = config_of(header);
  const bool is_ours = std::memcmp(header.magic, kModelMagic, sizeof header.magic) == 0;
  if (!is_ours || mapping_bytes_ != sizeof header + float_count(config_) * sizeof(float)) {
    throw std::runtime_error("not a model, or cut short: " + path);
  }
  const char* tensors = static_cast<const char*>(mapping_) + sizeof header;
  locate_tensors(reinterpret_cast<const float*>(tensors));
}

Weights::~Weights() { munmap(mapping_, mapping_bytes_); }

void Weights::locate_tensors(const float* next) {
  const auto take = [&next](int rows, int cols) {
    const float* tensor = next;
    next += static_cast<size_t>(rows) * static_cast<size_t>(cols);
    return tensor;
  };
  const ModelConfig& c = config_;
  embedding_ = take(c.vocab, c.dim);
  layers_.resize(c.layers);
  for (LayerWeights& layer : layers_) {
    layer.attention_norm = take(1, c.dim);
    layer.wq = take(c.dim, c.dim);
    layer.wk = take(c.kv_dim(), c.dim);
    layer.wv = take(c.kv_dim(), c.dim);
    layer.wo = take(c.dim, c.dim);
    layer.ffn_norm = take(1, c.dim);
    layer.w_gate = take(c.hidden, c.dim);
    layer.w_up = take(c.hidden, c.dim);
    layer.w_down = take(c.dim, c.hidden);
  }
  final_norm_ = take(1, c.dim);
  output_ = take(c.vocab, c.dim);
}

}  // namespace llm
