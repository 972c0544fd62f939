// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "domain/manifest.h"

// An output file against the baseline's. With tolerances the texts are compared piece by piece:
// numbers by |seen − golden| ≤ atol + rtol·|golden|, everything else letter by letter, and there
// must be equally many pieces; with exact_integers, whole numbers letter by letter too. Without
// tolerances, byte by byte.
namespace arbor::measure {

// Pieces are what whitespace and the marks , ; : ( ) [ ] { } = % | < > " ' separate, and those
// marks themselves. A piece is a number where all of it reads as one, nan and inf included.
struct Piece {
  std::string_view text;
  std::optional<double> number;
  int line = 1;
};

class PieceReader {
 public:
  explicit PieceReader(std::string_view text) : text_(text) {}
  std::optional<Piece> next();                    // nothing at the end
  std::size_t offset() const { return offset_; }  // behind the last piece

 private:
  std::string_view text_;
  std::size_t offset_ = 0;
  int line_ = 1;
};

bool is_close(double golden, double seen, const domain::OutputRule& rule);

// The first difference as a sentence with both values; nothing where the rule is satisfied.
std::optional<std::string> first_difference(std::string_view golden, std::string_view seen,
                                            const domain::OutputRule& rule);

}  // namespace arbor::measure
