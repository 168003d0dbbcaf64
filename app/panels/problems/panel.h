#pragma once

#include "app/panels/panel.h"
#include "app/session/shown_model.h"
#include "app/widgets/advice_list.h"

namespace loom::panels {

/// The panel Problems: what was refused, is wrong or can't be a kernel, and why; below it what costs the most time in
/// the state, and what helps. What the schedule says and the kernel doesn't do is a remark among the problems.
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
