// Compares two texts line by line.
#pragma once

#include <string>
#include <vector>

namespace loom::script {

/// How a line of the new text compares to the earlier text.
enum class Mark : char { kSame, kAdded, kChanged };

/// The difference between the lines of two texts, an earlier and a later one.
struct LineDiff {
  std::vector<Mark> marks;  ///< one for each line of the new text; empty if nothing was compared
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

/// Returns the lines of a text without their newlines; none for an empty text.
std::vector<std::string> splitLines(const std::string& text);
/// Returns the difference between the lines `before` and `after`. Lines that differ only in indentation are the same. A
/// line is an earlier line changed if the two have more than half of the longer one's words (names and numbers) in
/// common; with `byWords` false this rule is left out, as is right for machine code, whose lines all have the same
/// words. Lines that stand where other
/// lines were removed count as changed, one for each removed line; further ones are added. If, after the lines that
/// both texts begin with, the product of the numbers of lines is over 250,000, `byWords` is taken as false; if it is
/// over 4 million, all these lines count as removed and replaced.
LineDiff diffLines(const std::vector<std::string>& before, const std::vector<std::string>& after, bool byWords = true);

}  // namespace loom::script
