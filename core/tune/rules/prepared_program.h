#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/schedule/environment.h"
#include "core/tune/rules/plan.h"

namespace loom::tune {

/// A program after scheduling steps that come before those of all sketches (schedules with open decisions): they give
/// its blocks, computations with iterators as in TensorIR, a form that rules know.
struct PreparedProgram {
  schedule::State state;           ///< the program after the steps
  std::vector<std::string> lines;  ///< the step lines that lead to `state`; they leave no decision open
  std::vector<SketchFold> folds;   ///< divides `lines`: one entry for each rule that was applied to a block
  std::vector<PlanRow> rows;       ///< one for each of `folds`: that the rule was applied, and why

  /// Applies the step lines `more`, and adds a fold and a row to say that the rule with this number ("R4") and name was
  /// applied to the block named `block`, for the reason `why`. Returns false, and changes nothing, if `more` is empty,
  /// can't be read, or has a step that is refused.
  bool apply(const char* number, const char* rule, const std::string& block, const std::vector<std::string>& more,
             const Message& why, const schedule::Environment& environment);
  /// Appends the lines, folds and rows of `more`, which begins at the program `state` of this one, and takes over its
  /// state.
  void append(PreparedProgram&& more);
  /// Changes a plan for the program `state` to one for the program from which `lines` lead to it: puts the lines and
  /// folds before those of all its sketches, and the rows before all its rows.
  void writeBefore(RulePlan& plan) const;
};

/// Returns the blocks of a program but for the root blocks of its functions, by name. Returns nothing if two have one
/// name, so that lines can't tell them apart.
std::optional<std::map<std::string, ir::Id>> blocksByName(const schedule::State& state);

}  // namespace loom::tune
