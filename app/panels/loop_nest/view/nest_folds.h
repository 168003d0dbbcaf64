#pragma once

#include <functional>
#include <set>
#include <vector>

#include "app/panels/loop_nest/view/loop_nest.h"

namespace loom::session {

/// Which rows of a nest stand on the line of the loop above them, kept from state to state: what a step doesn't touch
/// stays folded, or unfolded, as it was. More is folded only as far as room asks for it: what is farthest from the last
/// step's changes first. Rows that the step made are never folded by it.
class NestFolds {
 public:
  /// Returns the lines of a nest. `fits` says whether lines have room; `open` are rows that are to stand on lines of
  /// their own without making others fold.
  std::vector<NestLine> lines(const LoopNest& nest, const std::vector<ir::Id>& open,
                              const std::function<bool(const std::vector<NestLine>&)>& fits);

 private:
  std::vector<NestLine> folded(const LoopNest& nest, const std::vector<ir::Id>& open) const;

  std::set<ir::Id> joined_;  ///< to the line of the loop above
};

}  // namespace loom::session
