#pragma once

#include <atomic>
#include <future>
#include <memory>
#include <vector>

#include "app/panels/panel.h"
#include "app/workbench/loop_menu.h"

namespace loom::panels {

/// The context menu of a loop or block: what can be done to it is a click, what can't stays grey with its reason.
class LoopMenu {
 public:
  ~LoopMenu() { drop(); }
  /// Within the window that has the menu.
  void open(PanelContext& context, ir::Id id);
  void draw(PanelContext& context);

 private:
  void drop();
  void drawEntries(PanelContext& context, const std::vector<workbench::MenuEntry>& entries);

  int node_ = -1;
  std::shared_ptr<std::atomic<bool>> stop_;
  std::future<std::vector<workbench::MenuEntry>> pending_;
  std::vector<workbench::MenuEntry> entries_;
};

}  // namespace loom::panels
