#pragma once

#include <span>

#include "core/tune/rules/draft.h"

namespace loom::tune {

/// What a user allows rules to do that they don't do by default.
struct RuleChoices {
  /// Whether products of float32 may be multiplied as tf32, which keeps 10 of the 23 digits of each factor (R3, R18).
  bool tf32 = false;
  /// Whether blocks of a cluster sum parts of k, and warps of each its slices (R15), where the device has clusters:
  /// this one sketch in place of the others for CUDA cores. It keeps sums in memory that TVM doesn't have.
  bool clusterSlices = false;
  friend bool operator==(const RuleChoices&, const RuleChoices&) = default;
};

/// The program and the device that a rule is applied to.
struct RuleInput {
  const schedule::State& state;  ///< the program; its loops are as a person wrote them
  ir::Id block;
  const intrin::Library& intrinsics;
  DeviceLimits device;
  RuleChoices choices;
  Message onlyCudaCores = {};  ///< why matrix instructions are not to be used (R3, R18); empty: they may be
};

/// The result of applying a rule to a block.
struct RuleOutcome {
  bool applies = false;
  Message why;  ///< a sentence with the numbers that it looked at, whether it applies or not
  /// Drafts to go on with: one, or several where a rule branches; none: the one that it was given.
  std::vector<SketchDraft> drafts;
};

/// Whose products a row of the table is for: rules that share a number may do the same by other means for warpgroups.
enum class RuleScope : std::uint8_t { All, Warps, Warpgroups };

/// A row of the table.
struct Rule {
  const char* number;  ///< "R4", as the reference numbers them
  const char* name;    ///< "multi-level tiling"
  Message (*sentence)();
  /// Looks at the block and at what earlier rules made, and writes its lines into copies of the draft.
  RuleOutcome (*apply)(const RuleInput& input, const SketchDraft& draft);
  /// Of which drafts it is asked: of all, or only of those that multiply by warpgroups, or of the others.
  RuleScope scope = RuleScope::Warps;

  bool isFor(const SketchDraft& draft) const {
    return scope == RuleScope::All || (scope == RuleScope::Warpgroups) == draft.warpgroups.has_value();
  }
};

/// Returns the rules for a sum of products in the order in which they are tried: inline, then the memory hierarchy,
/// then the rest. A rule whose lines belong in two places has two rows of the same name.
std::span<const Rule> rules();
/// Return the rules for other blocks: elementwise ones that are read by others; reductions; what no other rule took.
const Rule& inlineRule();
const Rule& crossThreadRule();
const Rule& bindRule();
/// Return the rules for blocks that memory binds: few elements a result; what is read along another axis.
const Rule& neighboursRule();
const Rule& turningRule();

/// Returns the outcome of a rule that doesn't apply.
RuleOutcome leaves(Message why);
/// Returns the outcome of a rule that applies, with this draft, which is taken only then: what `why` is made of may be
/// the draft's.
RuleOutcome appliesWith(SketchDraft&& draft, Message why);

}  // namespace loom::tune
