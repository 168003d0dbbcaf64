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

/// Something that follows from the decisions, by which schedules are compared: rows of a tile, threads of a block.
struct Quantity {
  std::string name;     ///< unique in its sketch: "tile.m", "threads", "shared"
  std::string formula;  ///< an expression like those in `?{…}`
};

/// A schedule that leaves decisions open: what rules make of a program. With an assignment of its space it becomes
/// ordinary step lines.
struct Sketch {
  std::string name;  ///< tells the sketches of a program apart: "mma.sync", "CUDA cores, k in parts"
  std::vector<SketchLine> lines;
  std::vector<SketchFold> folds;  ///< in the order of their lines; together all lines
  std::vector<Quantity> quantities;
  Space space;
};

/// Returns the step lines of the sketch with these values, one a line, without lines whose `when` is 0. Fails with
/// `SketchError` where a line names a decision that the space lacks, divides by 0, or can't be read.
Result<std::string> linesOf(const Sketch& sketch, const Assignment& assignment);

/// Returns the lines of each fold, in the order of `Sketch::folds`; errors as those of `linesOf`.
Result<std::vector<std::string>> linesOfFolds(const Sketch& sketch, const Assignment& assignment);

/// Returns the value of a quantity, or 0 where the sketch has none of that name; errors as those of `linesOf`.
Result<std::int64_t> quantityOf(const Sketch& sketch, const std::string& name, const Assignment& assignment);

}  // namespace loom::tune
