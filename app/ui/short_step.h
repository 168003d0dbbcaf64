#pragma once

#include <string>
#include <vector>

namespace loom::panels {

/// "l5, l6 = sch.split(loop=l3, factors=[None, 16], preserve_unit_iters=True)" → "split(l3, [None, 16])": a row has
/// room for what differs, the hover shows the line.
std::string abbreviatedStep(const std::string& source);
/// A line without the arguments that have the value that they have anyway, as TVM's traces print them.
std::string withoutDefaults(std::string line);

/// `text` in the current font, cut to `width` pixels with "…" where it is longer.
std::string ellipsized(const std::string& text, float width);

/// A text that was shortened, and what of it is drawn.
struct EllipsizedText {
  std::string shown, whole;
  friend bool operator==(const EllipsizedText&, const EllipsizedText&) = default;
};
/// From here on, all that is shortened is added to `list`, which must live until the next call. Null: no longer. Gives
/// the list before. For checks of what is drawn; on the thread that draws.
std::vector<EllipsizedText>* noteShortened(std::vector<EllipsizedText>* list);

/// A buffer's name over as few lines of `width` pixels in the current font as hold it: divided after '_' and '.', and
/// where that takes more than `most` lines, anywhere; the last is cut with "…" where even then it is longer.
std::vector<std::string> nameLines(const std::string& name, float width, int most);

/// The same of a step in the code face: what is cut is in the middle, whole arguments where that is enough, as its
/// first and its last ones tell it from others.
std::string fittedAround(const std::string& text, float width);

/// Draws `text` cut to `width`; where it was cut, the hover shows all of it.
void fittedText(const std::string& text, float width);

}  // namespace loom::panels
