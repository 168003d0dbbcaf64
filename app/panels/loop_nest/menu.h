#pragma once

#include <imgui.h>

#include <atomic>
#include <functional>
#include <future>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/panels/panel.h"
#include "app/session/option_times.h"
#include "core/tune/loop_menu.h"

namespace loom::panels {

/// The context menu of loops or blocks: what can be done to them is a click, what can't stays grey with its reason. The
/// entry under the mouse or the keyboard is previewed.
class LoopMenu {
 public:
  ~LoopMenu() { drop(); }
  /// Opens the menu. To be called within the window that has it. `stages` come first: entries for a pipeline's stages,
  /// whose steps are tried along with the others.
  void open(PanelContext& context, std::vector<ir::Id> ids, std::vector<tune::MenuEntry> stages = {});
  /// Opens a menu with the values of one primitive only: axes to bind to, or factors to split by.
  void openChoices(PanelContext& context, ir::Id id, std::string primitive);
  void draw(PanelContext& context);

 private:
  using Find = std::function<std::vector<tune::MenuEntry>(const schedule::State&, const schedule::Environment&,
                                                          const std::atomic<bool>&)>;
  void drop();
  void start(PanelContext& context, Find find);
  void drawEntries(PanelContext& context, const std::vector<tune::MenuEntry>& entries);
  static void drawNote(const window::Look& look, const std::string& text);
  void drawRemedy(PanelContext& context, const tune::MenuEntry& entry);
  void choose(PanelContext& context, const tune::MenuEntry& entry);
  void followHover(PanelContext& context);
  std::string timeOf(PanelContext& context, const tune::MenuEntry& entry);
  void placeBeside(const window::Look& look) const;

  int node_ = -1;
  std::shared_ptr<std::atomic<bool>> stop_;
  std::future<std::vector<tune::MenuEntry>> pending_;
  std::vector<tune::MenuEntry> entries_;
  session::OptionTimes times_;
  std::map<const tune::MenuEntry*, std::string> lines_;  ///< of entries that have been on show
  ImVec2 at_, size_;                          ///< left edge of the panel, the mouse; size in the frame before
  std::string title_;                         ///< of a menu of one primitive's values
  std::optional<std::string> outside_;        ///< lines that were previewed when it opened
  const tune::MenuEntry* hovered_ = nullptr;  ///< in this frame
  const tune::MenuEntry* previewed_ = nullptr;
};

}  // namespace loom::panels
