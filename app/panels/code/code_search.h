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

/// The search in a view of code: a text field above the code, the lines that contain the text typed into it, and a
/// frame around the first place in each of them. Upper and lower case are distinguished.
class CodeSearch {
 public:
  /// Opens the text field, which takes the keyboard in the next frame.
  void open() { isOpen_ = focuses_ = true; }
  bool isOpen() const { return isOpen_; }

  /// Draws the text field and finds, anew in each frame, the lines that contain its text; Escape closes the field and
  /// ends the search while the keyboard belongs to the panel. To be called once a frame while `isOpen`. Returns the
  /// index of the line to scroll to: the first line found if the user has edited the text in this frame, the next one
  /// if the user has pressed Enter, the one before with Shift+Enter; behind the last comes the first. Returns nothing
  /// if the user did none of these, or if no line contains the text. An empty text is contained in no line.
  std::optional<int> draw(const window::Look& look, const std::vector<std::string>& lines);

  /// Draws a frame around the first place of the searched text in the line with the index `line`, whose text is `text`;
  /// draws nothing if the last `draw` didn't find the line or closed the field. `rows` says where the line is wrapped.
  /// `at` is the upper left corner of the line's first row at column 0 and `rowHeight` the height of each of its rows,
  /// both in px. The code font must be the current one.
  void drawFound(const window::Look& look, const std::string& text, int line, const session::CodeRows& rows, ImVec2 at,
                 float rowHeight) const;

 private:
  bool isOpen_ = false, focuses_ = false;
  std::string words_;
  std::vector<int> found_;  // indices of lines, ascending
  int at_ = 0;              // index into `found_` of the line that was scrolled to last
};

}  // namespace loom::panels
