#pragma once

#include <cstdint>
#include <string>

#include "app/panels/panel.h"
#include "core/ir/message.h"

namespace loom::panels {

/// A row that asks for the values of the numbers that the function takes ("n = 1000, 1024; alpha = 0.5"), and says what
/// is shown and what nobody named. Draws nothing where it takes none.
class TargetSizes {
 public:
  void draw(PanelContext& context);

 private:
  std::string text_;
  Message error_;
  std::uint64_t opened_ = ~std::uint64_t{0};  // what `text_` is of
};

}  // namespace loom::panels
