#pragma once

#include <vector>

#include "app/panels/code/code_view.h"
#include "core/script/line_diff.h"

namespace loom::panels {

/// Scrolls two views of code side by side together: the line at the top of one view is the counterpart of the line at
/// the top of the other view, or of the closest line above that which has one.
class PairedCode {
 public:
  /// Pairs the views of two texts. Both views scroll to the first line that was added or changed, with up to three
  /// lines above it; to the top if lines were only removed, or none changed. `diff` says how the text of `own` differs
  /// from the text of `other`, which has `otherLines` lines. To be called again when a view gets another text.
  void begin(CodeView& own, CodeView& other, const script::LineDiff& diff, std::size_t otherLines);
  /// Scrolls one view to the counterpart of the other view's top line: if the user scrolled `own`, `other` follows;
  /// else if the user scrolled `other`, `own` follows. To be called once a frame, after `begin` and with the same
  /// views.
  void follow(CodeView& own, CodeView& other);

 private:
  /// For each line of one text: the index of its counterpart in the other text. A line without a counterpart has that
  /// of the closest line above that has one; 0 if none has.
  std::vector<int> toOther_, toOwn_;
};

}  // namespace loom::panels
