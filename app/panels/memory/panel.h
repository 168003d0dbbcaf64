#pragma once

#include <memory>

#include "app/panels/memory/view/change.h"
#include "app/panels/memory/view/memory.h"
#include "app/panels/panel.h"
#include "app/session/shown_model.h"
#include "app/widgets/advice_list.h"
#include "app/widgets/shared_option.h"

namespace loom::panels {

/// The panel Memory hierarchy. It draws the memory levels as horizontal bands, the buffers as boxes in the column of
/// their operand, and the traffic between levels as arrows. Beside or below these are tables: limits of the
/// multiprocessor's resources, reuse, and the shortest time that each rate of the device allows. All figures are those
/// of the workbench's performance model of the current, or previewed, state, that is, of the program after the schedule
/// steps applied so far, or after the previewed one.
class MemoryHierarchyPanel : public Panel {
 public:
  void draw(PanelContext& context) override;
  void shareOptions(Panel& twin) override;

 private:
  void drawLevels(PanelContext& context, float width, bool wide);
  void drawTrafficChoice(const window::Look& look);
  bool showsCompiled() const;
  void mark();

  session::ShownModel shown_;
  std::shared_ptr<const session::StateModel> model_, before_;  ///< model of the state shown; of the one compared with
  session::MemoryView compiledView_;           ///< view of `model_` with the machine code's traffic, if that is shown
  const session::MemoryView* view_ = nullptr;  ///< the view of `model_` that is drawn
  session::MemoryChange change_;               ///< how the view of `model_` differs from that of `before_`
  bool ghost_ = false;                         ///< whether the state shown is a previewed one
  bool wholeGrid_ = false;                     ///< the user's choice: bytes of the whole grid instead of one block
  bool compiled_ = false;                      ///< the user's choice: traffic of the machine code, where it is known
  bool marked_ = false;                        ///< whether `change_` compares the traffic of the machine code
  SharedOption<bool> sharedGrid_, sharedCompiled_;
  AdviceList advice_;
};

}  // namespace loom::panels
