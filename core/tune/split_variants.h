#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <string>
#include <vector>

#include "core/tune/candidate_steps.h"

namespace loom::tune {

/// Reads a split's factors as a step line (a call of a scheduling primitive) writes them: `[None, 16]` gives {0, 16},
/// where 0 is the factor that is left open. Returns an empty vector if the text is no list of positive integers and
/// None.
std::vector<std::int64_t> factorsOf(const std::string& text);
/// Returns a split's factors as a step line writes them: {0, 16} gives `[None, 16]`. A 0 stands for the open factor.
std::string factorsText(const std::vector<std::int64_t>& factors);

/// Returns the lists of factors that differ from `factors` by a factor of two moved from one loop of the split to
/// another: {4, 16} gives {2, 32} and {8, 8}. A 0 stands for the open factor, which stays 0. Each list appears once.
std::vector<std::vector<std::int64_t>> factorsNearby(const std::vector<std::int64_t>& factors);

/// Tries, for each split with at least two factors on the way to state `node` of a history, the tree of a program's
/// states (a state is the program after some steps), the factors of `factorsNearby` in its place, applies all later
/// steps again, and returns the variants in which every step was accepted, as edits of earlier steps. Each nearby list
/// is tried for one split alone and for all splits that have the same factors. `threads` has the numbers of threads
/// of a block along x, y and z. Other splits may have been written for the same numbers; so for each axis with several
/// threads, each variant is also tried with a half, a quarter, twice and four times the axis's number in place of every
/// factor that is equal to it in the splits that the variant leaves. Variants that bind loops of different extents to
/// one thread axis are dropped. The caller sets CandidateStep::grid and ::threads of the result by countThreads.
/// Deterministic; returns what it has found so far once `stop` becomes true. Takes up to some 100 ms.
std::vector<CandidateStep> editedSplits(const document::History& history, int node,
                                        const schedule::Environment& environment,
                                        const std::array<std::int64_t, 3>& threads, const std::atomic<bool>& stop);

}  // namespace loom::tune
