#pragma once

#include <span>

#include "core/tune/rules/draft.h"

namespace loom::tune {

/// What a user allows rules to do that they don't do by default. Rules write sketches for a program: step lines, which
/// call scheduling primitives, with open decisions. R3 and the like are the numbers of rules; applications.h says what
/// each does.
struct RuleChoices {
  /// Whether products of float32 may be multiplied as tf32, which keeps 10 of the 23 binary digits behind the leading
  /// one of each factor (R3, R18).
  bool tf32 = false;
  /// Whether blocks of a cluster may each sum a part of k, and the warps of a block slices of this part (R15), if the
  /// device has clusters. The sketch that does so then takes the place of the others for CUDA cores. It keeps sums in
  /// distributed shared memory, which TVM doesn't have.
  bool clusterSlices = false;
  friend bool operator==(const RuleChoices&, const RuleChoices&) = default;
};

/// The program and the device that a rule is applied to. What the references are to must outlive it.
struct RuleInput {
  const schedule::State& state;  ///< the program, whose loops aren't scheduled yet
  ir::Id block;  ///< the block that the rule is applied to: a computation with iterators, as in TensorIR
  const intrin::Library& intrinsics;
  DeviceLimits device;
  RuleChoices choices;
  Message onlyCudaCores = {};  ///< why matrix instructions must not be used (R3, R18); empty: they may be used
  bool exactTiles = false;     ///< whether tiles and the parts of threads must divide an axis where some size does
};

/// The result of applying a rule to a block and a draft, a sketch while rules write it.
struct RuleOutcome {
  bool applies = false;
  Message why;  ///< a sentence that says, with numbers, why the rule applies or not
  /// The drafts in which the rule has written its lines; several if there are alternatives, each of which becomes a
  /// sketch of its own. Empty: the draft that the rule was given is unchanged.
  std::vector<SketchDraft> drafts;
};

/// The drafts that a row of the table of rules is for: all, only those that multiply by warpgroups (wgmma), or only the
/// others. Rules with the same number may do the same in another way for warpgroups.
enum class RuleScope : std::uint8_t { All, Warps, Warpgroups };

/// A row of the table of rules.
struct Rule {
  const char* number;     ///< "R4"
  const char* name;       ///< "multi-level tiling"
  Message (*sentence)();  ///< returns a sentence that says what the rule does
  /// Applies the rule: looks at the block and at the draft that earlier rules wrote, and writes lines into copies of
  /// it.
  RuleOutcome (*apply)(const RuleInput& input, const SketchDraft& draft);
  RuleScope scope = RuleScope::Warps;
  /// Returns whether the scope of this row includes a draft.
  bool isFor(const SketchDraft& draft) const {
    return scope == RuleScope::All || (scope == RuleScope::Warpgroups) == draft.warpgroups.has_value();
  }
};

/// Returns the rules for a sum of products in the order in which they are tried: first those that inline, then those of
/// the memory hierarchy, then the rest. A rule whose lines stand in two places has two rows of the same name.
std::span<const Rule> rules();
/// Returns the rule for elementwise blocks that other blocks read (R1): they are inlined.
const Rule& inlineRule();
/// Returns the rule for reductions (R14): the threads of a block share each sum.
const Rule& crossThreadRule();
/// Returns the rule for blocks that no other rule takes (R19): their loops are bound to blocks and threads.
const Rule& bindRule();
/// Returns the rule for memory-bound blocks whose results are each made of few elements (R21), such as stencils: a
/// thread computes neighbouring results.
const Rule& neighboursRule();
/// Returns the rule for memory-bound blocks that read along another axis than they write (R22), such as transposes.
const Rule& turningRule();

/// Returns the outcome of a rule that doesn't apply, for the reason `why`.
RuleOutcome leaves(Message why);
/// Returns the outcome of a rule that applies, for the reason `why`, with this draft. The draft is moved from only
/// inside the function, so that the expression for `why` may still read it.
RuleOutcome appliesWith(SketchDraft&& draft, Message why);

}  // namespace loom::tune
