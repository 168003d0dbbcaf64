#pragma once

#include <string>
#include <vector>

namespace loom::panels {

/// Abbreviates a step line for a row of a list: "l5, l6 = sch.split(loop=l3, factors=[None, 16],
/// preserve_unit_iters=True)" becomes "split(l3, [None, 16])".
std::string abbreviatedStep(const std::string& source);
/// Returns a step line without the arguments that have their default value, which TVM's traces print as well.
std::string withoutDefaults(std::string line);

/// Returns `text`, cut to `width` pixels of the current font with "…" at its end if it is longer.
std::string ellipsized(const std::string& text, float width);

/// Returns the first character of a text, in UTF-8; empty of an empty one.
std::string firstCharacter(const std::string& text);

/// A text that was cut, and the part of it that is drawn.
struct EllipsizedText {
  std::string shown, whole;
  friend bool operator==(const EllipsizedText&, const EllipsizedText&) = default;
};
/// From this call on, every text that is cut is added to `list`, which must live until the next call; null ends that.
/// Returns the list that was set before. For checks of what is drawn; only the thread that draws may call this.
std::vector<EllipsizedText>* noteShortened(std::vector<EllipsizedText>* list);

/// Breaks a buffer's name into as few lines of `width` pixels of the current font as can hold it: after '_' and '.', or
/// anywhere if that would take more than `most` lines. If even then it doesn't fit, it is broken within a part only
/// where the part is longer than a line, and the last line is cut with "…".
std::vector<std::string> nameLines(const std::string& name, float width, int most);

/// Returns an abbreviated step, cut in its middle to `width` pixels of the code font, by whole arguments if possible:
/// the first and last arguments distinguish a step best.
std::string fittedAround(const std::string& text, float width);

/// Draws `text`, cut to `width` pixels. If it was cut, a tooltip shows all of it.
void fittedText(const std::string& text, float width);

}  // namespace loom::panels
