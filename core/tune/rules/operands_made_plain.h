#pragma once

#include <string>
#include <vector>

#include "core/schedule/environment.h"
#include "core/tune/rules/plan.h"

namespace loom::tune {

/// A program some of whose blocks became contractions as their operands' indices were made plain.
struct ProgramMadePlain {
  schedule::State state;
  std::vector<std::string> lines;  ///< steps that lead there, which leave nothing open
  std::vector<SketchFold> folds;   ///< of these, one for each block
  std::vector<PlanRow> rows;       ///< what was seen of these blocks

  /// Puts the lines before those of all sketches.
  void writeBefore(RulePlan& plan) const;
};
/// Makes operands plain that are read by a quotient of an iterator, as those of grouped convolutions are (`X[n, co //
/// 32
/// * 16 + ci, …]`): the iterator becomes two. Or at places that another buffer holds (`X[I[i], k]`): what is read there
/// becomes a block of its own. Blocks that are no contractions even so stay as they are.
ProgramMadePlain madePlain(const schedule::State& state, const schedule::Environment& environment);

}  // namespace loom::tune
