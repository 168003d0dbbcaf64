#pragma once

#include <optional>
#include <span>
#include <string>

#include "core/document/history.h"
#include "core/tune/tensorize/loop_scaling.h"

namespace loom::tune {

/// The four passes by which an ordinary schedule goes to tensor cores, as far as they came: after a pass that fails,
/// the later ones are `NotReached`.
struct Tensorization {
  int at = 0;    ///< index in the history of the state that the lines begin at: the latest with a plain nest
  int done = 0;  ///< passes whose lines have been applied at `at` already, on the path to the state
  PatternMatch pattern;
  Identification matrices;
  ThreadUnification threads;
  LoopScaling scaling;
  std::string further;           ///< lines on the path after those of all four passes; "": none
  std::optional<Error> refusal;  ///< of a step line, with StepRefused
  bool isKernel = false;         ///< whether all four lead to a kernel

  const PassReport& report(int pass) const;
  /// Returns whether all four have succeeded.
  bool complete() const { return succeeded(scaling.outcome); }
  /// Returns the lines of the first `passes` passes, to be applied at `at`.
  std::string linesUpTo(int passes) const;
  /// Returns titles for these lines, with a part for each pass.
  document::FoldTitles titlesUpTo(int passes) const;
};

/// A row of the table of passes: its names, and the question that it answers.
struct TensorizePass {
  std::string_view id;  ///< for scripts: "pattern_match"
  Message title, question;
};
/// Returns the four rows in their order.
const std::array<TensorizePass, 4>& tensorizePasses();

/// Returns the state that has the product as a plain nest: that of `at`, or where the program has its loops in parts,
/// after the first pass's lines.
schedule::State startOf(const document::History& history, const Tensorization& passes,
                        const schedule::Environment& environment);

/// Asks the four passes about a state of a history. A state whose product is bound to threads already is answered with
/// lines for the state before it that has the plain nest, and with what of its threads and tiles is kept. All lines
/// have been applied on trial. `device` may be null. Takes some ms to some 10 ms.
Tensorization tensorization(const document::History& history, int node, const schedule::Environment& environment,
                            const model::Device* device, const TensorizeRequest& request);

}  // namespace loom::tune
