#pragma once

#include <string>

#include "core/document/branches.h"

namespace loom::session {
class Session;
}
namespace loom::window {
struct Look;
}

namespace loom::panels {

/// The context menu of a row of the history: name and note of its state (the program after a schedule step), pinning,
/// comparing, editing its step, deleting and undoing. The row of a fold, which stands for several steps, acts on the
/// fold's last state, but deleting removes all states of the fold. Deleting a state removes the states after it, too.
class StateMenu {
 public:
  /// Opens the menu when the item that was drawn last is right-clicked, draws it while it is open, and carries out what
  /// is chosen at once, so that the history may have changed afterwards. To be called once a frame for each row, right
  /// after its item, with an ImGui id of the row pushed; one object serves all rows. If the user chooses to edit the
  /// step, sets `edited` to the index of the row's state (of a fold, the last one); else leaves it.
  void draw(const window::Look& look, session::Session& session, const document::HistoryRow& row, int& edited);

 private:
  std::string name_, note_;  // as they are typed
};

}  // namespace loom::panels
