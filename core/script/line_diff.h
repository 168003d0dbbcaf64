#pragma once

#include <string>
#include <vector>

namespace loom::script {

enum class Mark : char { kSame, kAdded, kChanged };

/// The difference between the lines of two texts, an earlier and a later one.
struct LineDiff {
  std::vector<Mark> marks;  ///< one per line of the new text; empty where there is nothing to compare with
  int added = 0, changed = 0, removed = 0;
  int first = -1;  ///< the first line that is not the same, or -1
  /// A line of the text before that the new one doesn't have, or has otherwise.
  struct Gone {
    int at = 0;    ///< it stands before this line of the new text; their number: at its end
    int line = 0;  ///< of the text before
    std::string text;
  };
  std::vector<Gone> gone;   ///< in the order of both texts
  std::vector<int> before;  ///< by line of the new text: that of the text before that it is, or stands for; −1: none

  bool same() const { return added == 0 && changed == 0 && removed == 0; }
};

std::vector<std::string> splitLines(const std::string& text);
/// A line that is only indented otherwise is the same; one with more than half of its words is changed. Where lines
/// with little in common stand in place of others they are changed, as far as there are others; the rest is added.
/// `byWords` false: no line is another changed, as in machine code, whose lines all have the same words.
LineDiff diffLines(const std::vector<std::string>& before, const std::vector<std::string>& after, bool byWords = true);

}  // namespace loom::script
