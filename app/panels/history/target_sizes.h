#pragma once

#include <cstdint>
#include <string>

#include "app/panels/panel.h"
#include "core/ir/message.h"

namespace loom::panels {

/// A text field for the values of the function's number parameters ("n = 1000, 1024; alpha = 0.5"), and below it a
/// sentence that says for which values programs and times are shown, or why the text was refused.
class TargetSizes {
 public:
  /// Draws the field and the sentence. Draws nothing if the function has no number parameters.
  void draw(PanelContext& context);

 private:
  std::string text_;                          // text of the field
  Message error_;                             // why the text was refused; empty: it wasn't
  std::uint64_t opened_ = ~std::uint64_t{0};  // Session::opened of the target that `text_` belongs to
};

}  // namespace loom::panels
