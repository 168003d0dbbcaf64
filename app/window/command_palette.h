#pragma once

#include <string>
#include <vector>

#include "app/ui/look.h"
#include "app/window/commands.h"

namespace loom::window {

/// All commands in one list that a few letters search: over the window, with the keyboard in it. Enter runs the chosen
/// one, Escape closes it.
class CommandPalette {
 public:
  /// Opens it in the next frame, with the commands as they are now.
  void open(Commands commands);
  /// Within a frame, outside all windows.
  void draw(const Look& look);

 private:
  void search();
  void drawFound(const Look& look);
  void move(int rows);
  void run(int index);

  Commands commands_;
  bool opening_ = false;
  bool moved_ = false;  // by keys: the list scrolls to what they chose
  std::string wanted_;
  std::vector<int> found_;
  int chosen_ = 0;  // of found_
};

}  // namespace loom::window
