#pragma once

#include <memory>
#include <optional>
#include <string>

#include "app/panels/panel.h"
#include "app/workbench/thread_binding.h"

namespace loom::workbench {
struct Derived;
}

namespace loom::panels {

/// Grid → block → warp → lane: whoever is chosen, the elements that they touch in the chosen statement are lit, and
/// what the warp's request costs is shown as sectors or banks.
class ThreadBindingPanel : public Panel {
 public:
  void draw(PanelContext& context) override;

 private:
  bool follow(PanelContext& context);  // false: nothing to show, and said why
  void drawChoice(PanelContext& context);
  void drawPictures(PanelContext& context);
  void choose(workbench::BindingChoice choice);

  std::shared_ptr<const workbench::Derived> shown_;
  std::unique_ptr<workbench::ThreadBinding> binding_;
  workbench::BindingChoice choice_;
  workbench::BindingView view_;
  // The statement is found again in the next state by what it does.
  std::string block_, buffer_;
  bool write_ = false;
  std::string owners_;  // of the element clicked
};

}  // namespace loom::panels
