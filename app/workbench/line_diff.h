#pragma once

#include <string>
#include <vector>

namespace loom::workbench {

enum class Mark : char { kSame, kAdded, kChanged };

/// How a text's lines differ from those of the text before it.
struct LineDiff {
  std::vector<Mark> marks;  ///< one per line of the new text; empty where there is nothing to compare with
  int added = 0, changed = 0, removed = 0;
  int first = -1;  ///< the first line that is not the same, or -1

  bool same() const { return added == 0 && changed == 0 && removed == 0; }
};

std::vector<std::string> splitLines(const std::string& text);
/// Lines of a run that replaces others are changed, as far as there are others; the rest is added.
LineDiff diffLines(const std::vector<std::string>& before, const std::vector<std::string>& after);

}  // namespace loom::workbench
