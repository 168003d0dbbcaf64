#pragma once

#include <memory>
#include <span>

#include "core/tune/rules/own_rule.h"
#include "core/tune/rules/rule.h"

namespace loom::tune {

class KernelTimes;  // kernel_times.h

/// Whether a rule applied to a block (a computation of the program with iterators, as in TensorIR), and why.
struct PlanRow {
  std::string block;         ///< name of the block
  std::string number, rule;  ///< number and name of the rule: "R4", "multi-level tiling"; "R20" for a user's rule
  bool applied = false;
  Message why;  ///< a sentence that says why the rule was applied or not
};

/// Name of the sketches by which threads compute each result by itself, without tiles.
inline constexpr const char* kThreads = "threads";

/// The sketches that rules write for a program: schedules that leave decisions open.
struct RulePlan {
  std::vector<PlanRow> rows;  ///< rules of the first sketch, in the order in which they were tried
  /// For each sketch: the rules that were tried for it, in order; for the first also those that made no sketch.
  std::vector<std::vector<PlanRow>> rowsOf;
  bool hasWarpgroups = false;  ///< whether the device has wgmma: compute capability 9.0
  bool asksForTf32 = false;    ///< whether RuleChoices::tf32 matters: compute capability ≥ 8.0, and a float32 product
  std::vector<Sketch> sketches;  ///< at least one; the one that is usually fastest comes first
  /// Times of kernels that rules came by while they planned, for `buildAll`; null: none.
  std::shared_ptr<KernelTimes> times;
};

/// Applies the rules to all blocks of `state`, a program, consumers first. Each alternative that a rule offers becomes
/// a sketch of its own, and so does each of the user's rules, `own`, that applies to a block, after those of the table.
/// `choices` is what the user allows rules to do. Fails with `NoRule` if rules can't make a kernel of the program: it
/// has several functions, no block, two blocks of one name, loops that are scheduled already, or a block that no rule
/// fits.
Result<RulePlan> sketchOf(const schedule::State& state, const model::Device& device, const intrin::Library& intrinsics,
                          std::span<const OwnRule> own = {}, const RuleChoices& choices = {});

/// Returns why rule R18, for products by warpgroups (wgmma), doesn't apply to the program of a plan. Returns an empty
/// message if it applies, if the program has no sum of products, or if the device has no wgmma.
Message whyNotByWarpgroups(const RulePlan& plan);

}  // namespace loom::tune
