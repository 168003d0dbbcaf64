#pragma once

#include <memory>

#include "app/panels/memory/view/change.h"
#include "app/panels/memory/view/memory.h"
#include "app/panels/panel.h"
#include "app/session/shown_model.h"
#include "app/widgets/advice_list.h"
#include "app/widgets/shared_option.h"

namespace loom::panels {

/// Levels of memory as bands, buffers in the column of their operand, traffic as arrows; beside or below them budgets,
/// reuse and the shortest time that each rate allows. What it shows is the workbench's model of the state.
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
  std::shared_ptr<const session::StateModel> model_, before_;  ///< shown, and what its marks are told against
  session::MemoryView compiledView_;                           ///< of `model_`, where its arrows are the machine code's
  const session::MemoryView* view_ = nullptr;                  ///< of `model_`
  session::MemoryChange change_;
  bool ghost_ = false;  ///< what is shown is a preview's
  bool wholeGrid_ = false;
  bool compiled_ = false;  ///< arrows of the machine code, where it is known
  bool marked_ = false;    ///< what `change_` is of: arrows of the machine code
  SharedOption<bool> sharedGrid_, sharedCompiled_;
  AdviceList advice_;
};

}  // namespace loom::panels
