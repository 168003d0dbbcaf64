#pragma once

#include "app/panels/panel.h"
#include "app/session/shown_model.h"
#include "app/widgets/advice_list.h"

namespace loom::panels {

/// The panel Problems: which steps were refused, which states can't be kernels, and which states compute wrong results,
/// each with the reason; below it what costs the most time in the current state, and what helps. If the kernel doesn't
/// do something that the schedule says, a remark among the problems says so.
class ProblemsPanel : public Panel {
 public:
  void draw(PanelContext& context) override;

 private:
  void drawProblems(PanelContext& context) const;
  /// Draws the advice on the state. Returns false, and draws nothing, if there is none. `alone` is true if no problems
  /// are drawn above it.
  bool drawAdvice(PanelContext& context, bool alone);

  AdviceList advice_;
  session::ShownModel model_;  ///< the model whose advice is drawn
};

}  // namespace loom::panels
