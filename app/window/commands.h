#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace loom::window {

/// Something that can be done from a menu and from the command palette.
struct Command {
  std::string id;     ///< stable within its menu: tests name the item by it
  std::string menu;   ///< where it stands: "File", "File › Export"; of a primitive, its kind
  std::string label;  ///< in the language of the moment, as all that is read here
  std::string keys;   ///< its shortcut; empty: none
  std::function<void()> run;
  bool enabled = true;
  bool chosen = false;      ///< drawn with a mark
  std::string detail = {};  ///< one more line of what it does, or why it can't be done now
  bool apart = false;       ///< a line stands before it in its menu
};

using Commands = std::vector<Command>;

/// Draws the commands as items of the menu that is open, and runs the one that is clicked.
void drawItems(const Commands& commands);

/// How well `wanted` names a command: each of its words must stand in the label, the menu, the id or the detail, or be
/// letters of the label in their order ("cr" in "cache_read"). 0: it doesn't. Case doesn't count.
int match(std::string_view wanted, const Command& command);

/// The indices of those that `wanted` names, best first, otherwise in their order. All of them where it is empty.
std::vector<int> find(std::string_view wanted, const Commands& commands);

}  // namespace loom::window
