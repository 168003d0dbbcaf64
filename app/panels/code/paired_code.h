#pragma once

#include <vector>

#include "app/panels/code/code_view.h"
#include "core/script/line_diff.h"

namespace loom::panels {

/// Two texts beside each other that are scrolled together: what is at the top of one has its counterpart at the top of
/// the other.
class PairedCode {
 public:
  /// Pairs two texts that weren't shown before: both scroll to what changed. `diff` compares `own` with the other text.
  void begin(CodeView& own, CodeView& other, const script::LineDiff& diff, std::size_t otherLines);
  /// Scrolls one view to the counterpart of what the other shows. To be called each frame, before they are drawn. The
  /// view that was scrolled leads, or `own` if both were.
  void follow(CodeView& own, CodeView& other);

 private:
  std::vector<int> toOther_, toOwn_;  ///< by line, the counterpart or the one of the closest line above that has one
};

}  // namespace loom::panels
