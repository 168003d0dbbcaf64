#pragma once

#include <string>
#include <vector>

#include "app/ui/look.h"
#include "app/window/commands.h"

namespace loom::window {

/// The command palette: a popup with all commands, which the user searches by typing. Enter runs the chosen command,
/// Escape closes the popup.
class CommandPalette {
 public:
  /// Opens the palette in the next frame with these commands, instead of any that it shows. They are kept until the
  /// next call.
  void open(Commands commands);
  /// Draws the palette if it is open, and runs the command that the user chooses. To be called once a frame, outside of
  /// all ImGui windows.
  void draw(const Look& look);

 private:
  void search();
  void drawFound(const Look& look);
  void move(int rows);
  void run(int index);

  Commands commands_;
  bool opening_ = false;
  bool moved_ = false;      // whether arrow keys have chosen another row, to which the list is to scroll
  std::string wanted_;      // the search text
  std::vector<int> found_;  // indices of the commands that match, the best first
  int chosen_ = 0;          // index in found_
};

}  // namespace loom::window
