#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <string>
#include <vector>

#include "core/document/history.h"

namespace loom::tune {

/// Lines that could be applied, and the program that they give: the engine has taken them.
struct CandidateStep {
  int at = 0;         ///< the state that they are applied to: the one asked for, or one before it
  int edited = -1;    ///< where that is one before: the state whose step is another one; what followed is applied again
  std::string lines;  ///< all of them; of an edit those that follow it, too
  std::string step;   ///< what tells it apart: the lines, but of an edit only its own
  std::vector<std::string> primitives;  ///< of `step`, each once, without those that only name loops and blocks
  std::vector<std::string> blocks;      ///< names of those whose loops it changes; empty for an edit: all
  schedule::State state;                ///< that they lead to
  std::int64_t grid = 1, threads = 1;   ///< of that state: blocks, and threads of a block
  bool joint = false;                   ///< several of them, one after another

  bool uses(std::string_view primitive) const;
  bool concerns(const std::string& block) const;
};

/// How many blocks a grid and threads a block of the state have, by the longest loop bound to each axis.
void countThreads(CandidateStep& step);

/// What is tried, in this order and without ways to one program that were known from their lines alone:
/// every step that the menus of all loops and blocks offer, with each value that they list (loop_menu.h); pieces of a
/// loop, 2, 4, … 1024 long, that are bound, vectorized or unrolled; all loops of a block that no thread has yet, made
/// one, split and bound to the `threads` of a block of the kernel, with vectors; a product without threads put onto
/// blocks and threads; rows of shared buffers padded; and each split of the past with a factor of two moved from one of
/// its loops to another.
/// Deterministic. Gives up early, with what there is, when `stop` becomes true. Some 100 ms: for another thread.
std::vector<CandidateStep> candidateSteps(const document::History& history, int node,
                                          const schedule::Environment& environment,
                                          const std::array<std::int64_t, 3>& threads, const std::atomic<bool>& stop);

}  // namespace loom::tune
