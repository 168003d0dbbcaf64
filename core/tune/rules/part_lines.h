#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "core/tune/rules/plan.h"

namespace loom::tune {

/// Step lines, which call scheduling primitives, of one part of a program (program_parts.h) or of several parts.
struct PartLines {
  std::vector<SketchLine> lines;
  std::vector<SketchFold> folds;  ///< the lines by rule and block, in the order of `lines`; together all lines
  /// The rules that were tried. Those that applied and wrote a fold stand in the order of `folds`.
  std::vector<PlanRow> rows;
  double nanoseconds = 0;  ///< time predicted for the parts that leave nothing open, in ns; an unknown time counts as 0

  /// Appends the lines, folds and rows of `more`, and adds its time.
  void append(const PartLines& more);
};

/// The number of stages into which `inStages` divides lines.
inline constexpr std::size_t kLineStages = 3;

/// Divides the lines of a part into stages, so that lines of several parts can be applied together stage by stage:
/// first those of all parts in the first stage, then those in the second and the third. Some primitives ask whether all
/// that a block of the program reads is known to have been written before (compute_at, compute_inline and the like),
/// and others find anew whether it is (blockize, decompose_reduction, tensorize). Where a part's tiles reach beyond its
/// axes, a predicate guards what is stored, and what is found anew is that it isn't known. So the lines up to the last
/// finding that is asked about afterwards are the first stage, those from there up to the next finding the second, in
/// which nothing is found anew, and the rest, which asks nothing, the third. A fold of which lines are in several
/// stages becomes a fold in each, with a row in each. The whole time goes with the first stage.
std::array<PartLines, kLineStages> inStages(const PartLines& part);

/// Returns lines that leave nothing open, with other names for the variables that they assign: each gets `suffix`
/// ("_2") at its end. Names in strings, of attributes and of keyword arguments stay. A line that is no Python stays as
/// it is.
std::vector<SketchLine> withOtherVariables(const std::vector<SketchLine>& lines, std::string_view suffix);

}  // namespace loom::tune
