#pragma once

#include <vector>

#include "app/panels/code/code_view.h"
#include "core/script/line_diff.h"

namespace loom::panels {

/// Two texts beside each other that are scrolled together: what is at the top of one has its counterpart at the top of
/// the other.
class PairedCode {
 public:
  /// Other texts than before: both begin at what changed. `diff`: of `own` against the other's.
  void begin(CodeView& own, CodeView& other, const script::LineDiff& diff, std::size_t otherLines);
  /// For each frame, before they are drawn: whichever was scrolled leads, `own` where both were.
  void follow(CodeView& own, CodeView& other);

 private:
  std::vector<int> toOther_, toOwn_;  ///< by line, the counterpart or the one of the closest line above that has one
};

}  // namespace loom::panels
