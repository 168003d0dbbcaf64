#pragma once

#include <functional>
#include <set>
#include <vector>

#include "app/panels/loop_nest/view/loop_nest.h"

namespace loom::session {

/// Remembers, while schedule steps change the program, which rows (loops and blocks) of the loop nest are folded, that
/// is, share a line with the loop above them. Rows that a step doesn't touch stay folded or unfolded. If the lines
/// don't fit, further chains of rows are folded, those farthest from the rows that the last step changed first. A row
/// that the last step created is never folded.
class NestFolds {
 public:
  /// Returns the lines of a nest, after folding further chains while `fits` returns false for the lines. Rows with ids
  /// in `open` get lines of their own in the result, but `fits` is asked about the lines as they are without `open`.
  std::vector<NestLine> lines(const LoopNest& nest, const std::vector<ir::Id>& open,
                              const std::function<bool(const std::vector<NestLine>&)>& fits);

 private:
  std::vector<NestLine> folded(const LoopNest& nest, const std::vector<ir::Id>& open) const;

  std::set<ir::Id> joined_;  ///< ids of the rows that share the line of the loop above them
};

}  // namespace loom::session
