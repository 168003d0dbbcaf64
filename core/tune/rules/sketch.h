#pragma once

#include <string>
#include <vector>

#include "core/tune/space/space.h"

namespace loom::tune {

/// A step line with open places. `?name` stands for the value of the decision of that name, and `?{…}` for the value of
/// an expression over decisions with + - * // % and parentheses: `sch.split(l1, factors=[None, ?{i.warps*16}])`.
struct SketchLine {
  std::string text;
  std::string when;  ///< an expression like those in `?{…}`: the line is left out where its value is 0; "": never
};

/// The lines that one rule wrote for one block: a fold in the history.
struct SketchFold {
  std::string rule;   ///< name of the rule's row: "multi-level tiling"
  std::string block;  ///< name of the block that it was applied to
  int first = 0;      ///< index in Sketch::lines of its first line
  int lines = 0;      ///< how many lines it wrote
};

/// A schedule that leaves decisions open: what rules make of a program. With an assignment of its space it becomes
/// ordinary step lines.
struct Sketch {
  std::vector<SketchLine> lines;
  std::vector<SketchFold> folds;  ///< in the order of their lines; together all lines
  Space space;
};

/// Returns the step lines of the sketch with these values, one a line, without lines whose `when` is 0. Fails with
/// `SketchError` where a line names a decision that the space lacks, divides by 0, or can't be read.
Result<std::string> linesOf(const Sketch& sketch, const Assignment& assignment);

}  // namespace loom::tune
