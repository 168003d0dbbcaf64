#pragma once

#include <span>

#include "core/tune/rules/own_rule.h"
#include "core/tune/rules/rule.h"

namespace loom::tune {

/// Whether a rule applied to a block, and why.
struct PlanRow {
  std::string block;
  std::string number, rule;  ///< "R4", "multi-level tiling"
  bool applied = false;
  Message why;
};

/// The sketches that rules make of a program.
struct RulePlan {
  std::vector<PlanRow> rows;                 ///< in the order in which rules were tried; of the first branch
  std::vector<std::vector<PlanRow>> rowsOf;  ///< the same of the branch that each sketch is, in their order
  bool hasWarpgroups = false;                ///< whether the device multiplies by warpgroups: compute capability 9.0
  bool asksForTf32 = false;      ///< whether RuleChoices::tf32 matters: a device since 8.0, a float32 product
  std::vector<Sketch> sketches;  ///< one for each branch, the first what is usually faster; at least one
};

/// Applies the rules to all blocks of a program, consumers first. Fails with `NoRule` where no rule makes a kernel of
/// the program: a block with loops that are scheduled already, or one that no rule fits. Each of the user's rules that
/// applies to a block is a branch after those of the table. `choices`: what the user allows.
Result<RulePlan> sketchOf(const schedule::State& state, const model::Device& device, const intrin::Library& intrinsics,
                          std::span<const OwnRule> own = {}, const RuleChoices& choices = {});

/// Returns why R18 doesn't apply to a program on a device that has wgmma; empty where it applies, no block is a sum of
/// products, or the device has none.
Message whyNotByWarpgroups(const RulePlan& plan);

}  // namespace loom::tune
