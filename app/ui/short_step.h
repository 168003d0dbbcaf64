#pragma once

#include <string>
#include <vector>

namespace loom::panels {

/// Returns a step line abbreviated for a row of a list, without its results, "sch.", arguments that have their default
/// (withoutDefaults) and the names of arguments; other lines lose what they have of these: "l5, l6 = sch.split(loop=l3,
/// factors=[None, 16], preserve_unit_iters=True)" becomes "split(l3, [None, 16])".
std::string abbreviatedStep(const std::string& source);
/// Returns a step line without those of the arguments preserve_unit_iters, preserve_unit_loops, disable_predication,
/// index and ordered that have their default value, such as "index=-1". TVM's traces print them.
std::string withoutDefaults(std::string line);

/// Returns `text`; if it is wider than `width` px in the current font, it is cut to fit and ends with "…".
std::string ellipsized(const std::string& text, float width);

/// Returns the first character of a text in UTF-8, which may take several bytes; empty for an empty text.
std::string firstCharacter(const std::string& text);

/// A text that was cut, and the part of it that is drawn.
struct EllipsizedText {
  std::string shown, whole;
  friend bool operator==(const EllipsizedText&, const EllipsizedText&) = default;
};
/// Sets the list to which the functions of this header add every text that they cut to a width, so that tests can check
/// what is drawn. The list must live until the next call; null: nothing is recorded. Returns the list that was set
/// before. Only the thread that draws may call this.
std::vector<EllipsizedText>* noteShortened(std::vector<EllipsizedText>* list);

/// Returns a buffer's name broken into as few lines as can hold it, each at most `width` px wide in the current font.
/// `most`, at least 1, is the largest number of lines. The name is broken after '_' and '.'; if it doesn't fit so,
/// anywhere. If it doesn't fit in `most` lines at all, it is broken after '_' and '.', and within such parts as are
/// longer than a line, and the last line is cut with "…".
std::vector<std::string> nameLines(const std::string& name, float width, int most);

/// Returns `text`, a step as `abbreviatedStep` gives it; if it is wider than `width` px in the current font, which must
/// be the code font, it is cut in its middle, by whole arguments if possible: the first and last arguments distinguish
/// a step best.
std::string fittedAround(const std::string& text, float width);

/// Draws `text` in the current font, cut to `width` px as `ellipsized` does. If it was cut, a tooltip shows all of it.
void fittedText(const std::string& text, float width);

}  // namespace loom::panels
