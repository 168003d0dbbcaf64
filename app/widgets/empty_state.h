#pragma once

#include "app/panels/panel.h"

namespace loom::panels {

/// Draws one sentence that says why there is nothing to see.
void drawEmpty(const PanelContext& context, const text::Text& why);
/// Where there is no program: that one is being opened, or that none is open.
void drawNoProgram(const PanelContext& context);

/// A panel that has nothing to show yet and says so.
class EmptyPanel : public Panel {
 public:
  explicit EmptyPanel(const text::Text& why) : why_(why) {}
  void draw(PanelContext& context) override { drawEmpty(context, why_); }

 private:
  const text::Text& why_;
};

template <const text::Text& why>
std::unique_ptr<Panel> makeEmpty() {
  return std::make_unique<EmptyPanel>(why);
}

}  // namespace loom::panels
