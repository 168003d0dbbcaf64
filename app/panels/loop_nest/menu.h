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

/// The context menu of loops or blocks. An entry is a schedule step, several steps, or a submenu of such entries. A
/// click on a legal entry applies its steps, or opens a form in the panel Step if the step needs further arguments; an
/// illegal entry is grey, with the reason below it, and with a button for the steps that would do it, if such are
/// known. All panels preview the steps of the legal entry, or of the button, that the mouse or the keyboard is on.
class LoopMenu {
 public:
  ~LoopMenu() { drop(); }
  /// Tries the steps of the menu for the loops or blocks `ids` in the background; `draw` opens the menu once that is
  /// done. The entries of an earlier menu are dropped. The entries `stages` (for the stages of a software pipeline)
  /// come first; their steps are tried, too.
  void open(PanelContext& context, std::vector<ir::Id> ids, std::vector<tune::MenuEntry> stages = {});
  /// Does the same for a menu of one primitive on the loop `id`: the menu has what can be chosen for it, such as the
  /// axes for "bind" or the factors for "split".
  void openChoices(PanelContext& context, ir::Id id, std::string primitive);
  /// Draws the menu while it is open, and applies the step that the user chooses. To be called once a frame, always
  /// within the same ImGui window. The menu closes if another state becomes current.
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

  int node_ = -1;  ///< the state that was current when the menu was asked for; −1: no menu was
  std::shared_ptr<std::atomic<bool>> stop_;
  std::future<std::vector<tune::MenuEntry>> pending_;
  std::vector<tune::MenuEntry> entries_;
  session::OptionTimes times_;
  std::map<const tune::MenuEntry*, std::string> lines_;  ///< step lines of the entries that have been drawn
  /// `at_`: x of the panel's left edge and y of the mouse when the menu opened; `size_`: the menu's size in the frame
  /// before; px of the screen.
  ImVec2 at_, size_;
  std::string title_;                           ///< title of a menu of `openChoices`; empty for `open`
  std::optional<std::string> outside_;          ///< step lines that were previewed when the menu opened; else none
  const tune::MenuEntry* hovered_ = nullptr;    ///< the entry under the mouse or keyboard in this frame; null: none
  const tune::MenuEntry* previewed_ = nullptr;  ///< the entry whose step is previewed; null: none
};

}  // namespace loom::panels
