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
/// another: {4, 16} gives {2, 32} and {8, 8}. The open factor, 0, may take or give the two and is still written 0:
/// {0, 16} gives {0, 8} and {0, 32}. An odd factor gives none. Each list appears once, in ascending order.
std::vector<std::vector<std::int64_t>> factorsNearby(const std::vector<std::int64_t>& factors);

/// Tries, for each split with at least two factors (the open one counts) on the way to state `node` of a history, the
/// tree of a program's states (a state is the program after some steps), the factors of `factorsNearby` in its place,
/// applies all later steps again, and returns the variants in which every step was accepted, as edits of earlier steps.
/// Each nearby list is tried for one split alone and for all splits that have the same factors. `threads` has the
/// numbers of threads of a block along x, y and z. Splits to which a variant gives no nearby list may have been written
/// for these numbers; so for each axis with several threads, the variant is tried again with every factor of those
/// splits that equals the axis's number replaced by a half, a quarter, twice or four times that number. Variants that
/// bind loops of different extents to one thread axis are dropped. CandidateStep::grid and ::threads of the result are
/// 1; the caller sets them. Deterministic; once `stop` becomes true, returns what it has found so far. Takes about
/// 100 ms at most.
std::vector<CandidateStep> editedSplits(const document::History& history, int node,
                                        const schedule::Environment& environment,
                                        const std::array<std::int64_t, 3>& threads, const std::atomic<bool>& stop);

}  // namespace loom::tune
