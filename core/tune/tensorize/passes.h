#pragma once

#include <optional>
#include <span>
#include <string>

#include "core/document/history.h"
#include "core/tune/tensorize/loop_scaling.h"

namespace loom::tune {

/// The results of the four passes that take a matrix product to tensor cores: pattern match, matrix identification,
/// thread unification and loop scaling. After a pass that fails, the outcome of the later ones is `NotReached`. A state
/// is a program after some scheduling steps, and a history the tree of states made from one program.
struct Tensorization {
  /// Index in the history of the state at which the passes' step lines begin: the latest on the path in which the
  /// product is a plain loop nest, or, if there is none, the latest in which lines of pass 1 can make it one; else 0.
  int at = 0;
  int done = 0;  ///< number of passes whose lines are on the path from `at` to the state already
  PatternMatch pattern;
  Identification matrices;
  ThreadUnification threads;
  LoopScaling scaling;
  std::string further;           ///< lines on the path to the state after those of all four passes; "": none
  std::optional<Error> refusal;  ///< the error of a refused step line, if the outcome of a pass is StepRefused

  /// Returns the report of the pass with this index, 0 to 3.
  const PassReport& report(int pass) const;
  /// Returns whether all four passes have succeeded: their lines then lead to a kernel.
  bool complete() const { return succeeded(scaling.outcome); }
  /// Returns the step lines of the first `passes` passes (0 to 4), to be applied at `at`. A pass that failed or wasn't
  /// reached adds none, but one with the outcome StepRefused adds those of which one was refused.
  std::string linesUpTo(int passes) const;
  /// Returns the titles under which the history shows the lines of the first `passes` passes (1 to 4), with a part for
  /// each pass, also for one without lines.
  document::FoldTitles titlesUpTo(int passes) const;
};

/// A row of the table of passes: its names, and the question that it answers.
struct TensorizePass {
  std::string_view id;  ///< for scripts: "pattern_match"
  Message title, question;
};
/// Returns the four rows in their order.
const std::array<TensorizePass, 4>& tensorizePasses();

/// Returns the state in which the product is a plain loop nest with one loop for each iterator: the state `passes.at`,
/// or, if its loops are split, the state after the lines of the first pass. If that pass failed or its lines are
/// refused, it is `passes.at`, whatever its loops are.
schedule::State startOf(const document::History& history, const Tensorization& passes,
                        const schedule::Environment& environment);

/// Runs the four passes on state `node` of a history. If the product is bound to threads already, the lines begin at an
/// earlier state with the plain loop nest, and keep the state's division into threads and tiles as far as possible. If
/// all passes succeed, their lines have been applied on trial, which leaves the history as it is. `device` may be null
/// if it isn't known: it is then assumed to have the operations. `request` is what a person chose: the block, the tile
/// and the division among warps, each of which may be left open. Takes some ms to some 10 ms.
Tensorization tensorization(const document::History& history, int node, const schedule::Environment& environment,
                            const model::Device* device, const TensorizeRequest& request);

}  // namespace loom::tune
