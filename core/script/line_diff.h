// Compares two texts line by line.
#pragma once

#include <string>
#include <vector>

namespace loom::script {

/// How a line of the new text compares to the earlier text.
enum class Mark : char { kSame, kAdded, kChanged };

/// The difference between the lines of two texts, an earlier and a later one.
struct LineDiff {
  std::vector<Mark> marks;  ///< one for each line of the new text; empty also if nothing was compared
  /// Numbers of lines: of those marked kAdded, of those marked kChanged, and of the earlier lines that none replaces.
  int added = 0, changed = 0, removed = 0;
  int first = -1;  ///< index of the first line of the new text that is added or changed; -1 if there is none
  /// A line of the earlier text that the new text doesn't have, or has changed: changed + removed of them.
  struct Gone {
    /// Index of the line of the new text that replaces it, or before which it stood; the number of lines: at the end.
    int at = 0;
    int line = 0;  ///< its index in the earlier text
    std::string text;
  };
  std::vector<Gone> gone;   ///< in the order of both texts
  std::vector<int> before;  ///< by line of the new text: index of the earlier line that it equals or replaces; -1: none

  bool same() const { return added == 0 && changed == 0 && removed == 0; }
};

/// Returns the lines of a text without their "\n"; none for an empty text. A text that ends in "\n" has no empty line
/// after it.
std::vector<std::string> splitLines(const std::string& text);
/// Returns the difference between the lines `before` and `after`. Lines are paired in order: those that differ at most
/// in indentation, which count as the same, and those that have more than half of the longer one's words (names and
/// numbers) in common, which count as changed. With `byWords` false the latter aren't paired, as is right for machine
/// code, whose lines all have the same words. Between pairs, the new lines replace the earlier ones one by one and
/// count as changed; further new lines are added, further earlier ones removed. If, after the lines that both texts
/// begin with, the product of the numbers of lines is over 250,000, `byWords` is taken as false; if it is over 4
/// million, none of these lines are paired.
LineDiff diffLines(const std::vector<std::string>& before, const std::vector<std::string>& after, bool byWords = true);

}  // namespace loom::script
