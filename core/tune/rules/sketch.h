#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/tune/space/space.h"

namespace loom::tune {

/// A step line, which calls a scheduling primitive, with open places. `?name` stands for the value of the decision of
/// that name, and `?{…}` for the value of an expression over decisions with + - * // % and parentheses:
/// `sch.split(l1, factors=[None, ?{i.warps*16}])`. A decision is a choice that the schedule leaves open.
struct SketchLine {
  std::string text;
  std::string when;  ///< an expression like those in `?{…}`: if its value is 0, the line is left out; "": it stays
};

/// The lines that one rule wrote for one block (a computation with iterators, as in TensorIR). The list of steps shows
/// them as one entry that can be expanded.
struct SketchFold {
  std::string rule;   ///< name of the rule's row: "multi-level tiling"; for a lesson's configurations their name
  std::string block;  ///< name of the block that it was applied to; "" for a lesson's configurations
  int first = 0;      ///< index in Sketch::lines of its first line
  int lines = 0;      ///< how many lines it wrote
};

/// A number that follows from the decisions, by which schedules are compared: rows of a tile, threads of a block.
struct Quantity {
  std::string name;     ///< unique in its sketch: "tile.m", "threads", "shared"
  std::string formula;  ///< an expression like those in `?{…}`
};

struct Construction;

/// A schedule that leaves decisions open, which rules write for a program. An assignment of its space (a value for each
/// decision) turns it into ordinary step lines.
struct Sketch {
  std::string name;  ///< unique among the sketches of a program: "mma.sync", "CUDA cores, k in parts"
  std::vector<SketchLine> lines;
  std::vector<SketchFold> folds;  ///< the lines by rule and block, in the order of `lines`; together all lines
  std::vector<Quantity> quantities;
  Space space;  ///< the open decisions, with their possible values and the constraints between them
  /// Values for the decisions of this sketch that were constructed and improved while a part of the program was planned
  /// alone (plan_of_parts.h), whose decisions the sketch has; `buildAll` (built.h) takes them as they are. Null: there
  /// are none, and `buildAll` constructs them.
  std::shared_ptr<const Construction> constructed = nullptr;
};

/// Returns the step lines of the sketch with these values, one a line, without lines whose `when` is 0. Fails with
/// `SketchError` if there aren't as many values as decisions, and where a line or its `when` names a decision that the
/// space lacks, divides by 0, or can't be read.
Result<std::string> linesOf(const Sketch& sketch, const Assignment& assignment);

/// Returns the lines of each fold as `linesOf` returns all, in the order of `Sketch::folds`. Fails as `linesOf` does.
Result<std::vector<std::string>> linesOfFolds(const Sketch& sketch, const Assignment& assignment);

/// Returns the value of the quantity of this name, or 0 if the sketch has none. Fails with `SketchError` if there
/// aren't as many values as decisions, or its formula can't be evaluated.
Result<std::int64_t> quantityOf(const Sketch& sketch, const std::string& name, const Assignment& assignment);

}  // namespace loom::tune
