#pragma once

#include <functional>
#include <string>
#include <vector>

namespace loom::session {

/// A line of figures in a buffer's box: a text, and right of it the text on the buffer's bank conflicts ("4-way"). At
/// most one of the two is empty.
struct BoxFigure {
  std::string text, conflict;
  bool operator==(const BoxFigure&) const = default;
};

/// Returns the lines of figures to draw in a box that is `room` px wide and has room for `most` lines. A figure is
/// never shortened, since a part of a number would be another number. `texts` are wordings of the same figures, from
/// the longest to the shortest; `conflict` is the text on bank conflicts, or empty. The first wording that fits on one
/// line beside `conflict` is taken, or else the first that does so without its blanks. If none does, the same is tried
/// with a line of its own for `conflict`. If that fails, too, the wording that takes the fewest lines is broken at its
/// blanks and before "/", with `conflict` beside the last line or below it. If that takes more than `most` lines, or
/// has a piece wider than `room`, `conflict` alone is returned if it fits, else nothing. `widthOf` returns the width of
/// a text in px, and `between` is the gap before a conflict in px.
std::vector<BoxFigure> boxFigures(const std::vector<std::string>& texts, const std::string& conflict, float room,
                                  float between, int most, const std::function<float(const std::string&)>& widthOf);

}  // namespace loom::session
