#pragma once

#include <string>
#include <vector>

#include "core/schedule/environment.h"
#include "core/tune/rules/plan.h"

namespace loom::tune {

/// A program after steps that make indices of operands plain, so that each is an iterator or a sum of iterators. Some
/// of its blocks become contractions by these steps.
struct ProgramMadePlain {
  schedule::State state;           ///< the program after the steps
  std::vector<std::string> lines;  ///< the step lines that lead to `state`; they leave no decision open
  std::vector<SketchFold> folds;   ///< the lines by block, one entry for each block
  std::vector<PlanRow> rows;       ///< for each of these blocks: that the rule was applied, and why

  /// Puts the lines before those of all sketches of a plan.
  void writeBefore(RulePlan& plan) const;
};
/// Makes operands plain that are read by a quotient of an iterator, as those of grouped convolutions are (`X[n, co //
/// 32
/// * 16 + ci, …]`): the iterator becomes two. Or at places that another buffer holds (`X[I[i], k]`): what is read there
/// becomes a block of its own. Blocks that are no contractions even so stay as they are.
ProgramMadePlain madePlain(const schedule::State& state, const schedule::Environment& environment);

}  // namespace loom::tune
