#pragma once

#include <imgui.h>

#include <optional>
#include <string>
#include <vector>

namespace loom::window {
struct Look;
}
namespace loom::session {
class CodeRows;
}

namespace loom::panels {

/// The search of a code view: a field that is typed into above the code, the lines that have the words, and frames
/// around the words. Upper and lower case are told apart.
class CodeSearch {
 public:
  /// Opens the field; the keyboard goes to it with the next frame.
  void open() { isOpen_ = focuses_ = true; }
  bool isOpen() const { return isOpen_; }

  /// Draws the field and finds the lines that have its words; Escape closes it. Returns the index of the line that was
  /// gone to in this frame, by typing or by Enter (the next one) or Shift+Enter (the one before); none: nothing was.
  std::optional<int> draw(const window::Look& look, const std::vector<std::string>& lines);

  /// Frames the first place of the words in a line that has them; other lines stay as they are. `at` is the corner of
  /// the line's text, `rowHeight` the height of each of its rows, both in px. In the code face.
  void drawFound(const window::Look& look, const std::string& text, int line, const session::CodeRows& rows, ImVec2 at,
                 float rowHeight) const;

 private:
  bool isOpen_ = false, focuses_ = false;
  std::string words_;
  std::vector<int> found_;  // indices of lines, ascending
  int at_ = 0;              // which of them was gone to
};

}  // namespace loom::panels
