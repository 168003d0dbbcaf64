#pragma once

#include <memory>
#include <span>

#include "core/tune/rules/own_rule.h"
#include "core/tune/rules/rule.h"

namespace loom::tune {

class KernelTimes;  // kernel_times.h

/// Whether a rule applied to a block (a computation of the program with iterators, as in TensorIR), and why.
struct PlanRow {
  std::string block;         ///< name of the block; for rules that are tried for the whole program, that of its product
                             ///< (R15), or of the last of the blocks that other rules left (R14)
  std::string number, rule;  ///< number and name of the rule: "R4", "multi-level tiling"; "R20" for a user's rule
  bool applied = false;
  Message why;  ///< a sentence that says why the rule was applied or not
};

/// Name of the sketches by which threads compute each result by itself, without tiles.
inline constexpr const char* kThreads = "threads";

/// The sketches that rules write for a program: schedules that leave decisions open.
struct RulePlan {
  /// What to show of the plan: the first of `rowsOf`, and then a row of rule R15 (split-K) if that was tried for the
  /// program as a whole.
  std::vector<PlanRow> rows;
  /// For each of `sketches`, the rules that were tried on the way to it, in order, whether they applied or not. Users'
  /// rules (R20), tried for each block, and those for memory-bound blocks (R21, R22) make sketches of their own, which
  /// have their rows. Where such a rule makes no sketch, its row stands behind those of the first sketch that was made
  /// by none of R21 and R22.
  std::vector<std::vector<PlanRow>> rowsOf;
  bool hasWarpgroups = false;  ///< whether the device has wgmma: compute capability 9.0
  bool asksForTf32 = false;    ///< whether RuleChoices::tf32 matters: compute capability ≥ 8.0, and a float32 product
  std::vector<Sketch> sketches;  ///< at least one; the one that is usually fastest comes first
  /// Predicted times of kernels that were made while planning, which `buildAll` (built.h) then needn't predict again;
  /// null: none.
  std::shared_ptr<KernelTimes> times;
};

/// Applies the rules to all blocks of `state`, a program, consumers first. Alternatives that rules offer for a product
/// become sketches, one for each combination, and so does each of the user's rules, `own`, for each block that it
/// applies to. Of a program with several products or reductions, only the part that takes longest has alternatives
/// (planOfParts, plan_of_parts.h). `choices` is what the user allows rules to do. The plan refers to none of the
/// arguments. Fails with `NoRule` if rules can't make a kernel of the program: it has several functions, no block, two
/// blocks of one name, loops that are scheduled already, or a block that no rule fits.
Result<RulePlan> sketchOf(const schedule::State& state, const model::Device& device, const intrin::Library& intrinsics,
                          std::span<const OwnRule> own = {}, const RuleChoices& choices = {});

/// Returns why rule R18, for products by warpgroups (wgmma), doesn't apply to the program of a plan. Returns an empty
/// message if it applies, if the program has no sum of products, or if the device has no wgmma.
Message whyNotByWarpgroups(const RulePlan& plan);

}  // namespace loom::tune
