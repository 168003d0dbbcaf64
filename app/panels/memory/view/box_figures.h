#pragma once

#include <functional>
#include <string>
#include <vector>

namespace loom::session {

/// A line of figures in a buffer's box: its text and, right of it, how many ways its accesses conflict in. Either may
/// be empty, not both.
struct BoxFigure {
  std::string text, conflict;
  bool operator==(const BoxFigure&) const = default;
};

/// Returns the lines of figures that a box of `room` px holds, each whole: a figure that is cut would be another one.
/// `texts` say the same from the one with most to the briefest; the first that fits on one line with its
/// blanks is shown, else the first that does without. Where none does, the conflict goes to a line of its own, then a
/// text is broken at its blanks and before "/". Returns at most `most` lines; what fits nowhere is left out. `widthOf`
/// returns the width of a text in px, and `between` is the gap before a conflict.
std::vector<BoxFigure> boxFigures(const std::vector<std::string>& texts, const std::string& conflict, float room,
                                  float between, int most, const std::function<float(const std::string&)>& widthOf);

}  // namespace loom::session
