#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace loom::window {

/// A command of the menus and of the command palette, which lists those of all menus. All texts are in the current
/// language.
struct Command {
  std::string id;     ///< stable id, unique within the menu, by which tests find the item
  std::string menu;   ///< path of the menu with the command: "File", "File › Export"; for a primitive, its group
  std::string label;  ///< text of the menu item
  std::string keys;   ///< keyboard shortcut to show, "Ctrl+S", which others must handle; empty: none
  std::function<void()> run;  ///< executes the command
  bool enabled = true;
  bool chosen = false;      ///< whether the menu item has a check mark
  std::string detail = {};  ///< a further line on what the command does, or why it is disabled; empty: none
  bool apart = false;       ///< whether a separator is drawn before the item in its menu
};

using Commands = std::vector<Command>;

/// Draws all these commands, whatever their `menu`, as items of the menu that is open, with the details of disabled
/// ones as tooltips, and runs the one that is clicked.
void drawItems(const Commands& commands);

/// Returns how well a command, enabled or not, matches a search text, the better the higher; 0 if it doesn't. Each word
/// must be in the label, the menu, the id or the detail, or be a subsequence of the label that begins at the start of a
/// word ("cr" of "cache_read"). Case is ignored. An empty search text gives 1 for every command.
int match(std::string_view wanted, const Command& command);

/// Returns the indices of the commands that match, the best first and equally good ones in the order given; all of them
/// if `wanted` is empty.
std::vector<int> find(std::string_view wanted, const Commands& commands);

}  // namespace loom::window
