// SPDX-License-Identifier: Apache-2.0
#include "domain/layer.h"

namespace arbor::domain {

std::string_view layer_name(Layer layer) {
  switch (layer) {
    case Layer::kApplication:
      return "application";
    case Layer::kFramework:
      return "framework";
    case Layer::kRuntime:
      return "runtime";
    case Layer::kCompiler:
      return "compiler";
    case Layer::kKernel:
      return "kernel";
    case Layer::kCommunication:
      return "communication";
    case Layer::kSystem:
      return "system";
  }
  return "application";
}

std::optional<Layer> parse_layer(std::string_view name) {
  for (const Layer layer : kAllLayers)
    if (layer_name(layer) == name) return layer;
  return std::nullopt;
}

}  // namespace arbor::domain
