#pragma once

#include "app/panels/panel.h"
#include "app/session/shown_model.h"
#include "app/widgets/advice_list.h"

namespace loom::panels {

/// What was refused, is wrong or cannot be a kernel, and why; below it what costs the most time in the state, and what
/// helps. What the kernel doesn't do that the schedule says is a remark among them.
class ProblemsPanel : public Panel {
 public:
  void draw(PanelContext& context) override;

 private:
  void drawProblems(PanelContext& context) const;
  /// False where the state has no advice.
  bool drawAdvice(PanelContext& context, bool alone);

  AdviceList advice_;
  session::ShownModel model_;  ///< whose advice is drawn
};

}  // namespace loom::panels
