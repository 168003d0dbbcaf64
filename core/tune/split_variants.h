#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <string>
#include <vector>

#include "core/tune/candidate_steps.h"

namespace loom::tune {

/// A split's list of plain factors, 0 for the open one, as a line writes it (`[None, 16]`); empty for any other text.
std::vector<std::int64_t> factorsOf(const std::string& text);
std::string factorsText(const std::vector<std::int64_t>& factors);

/// The lists of a split's factors that differ from `factors` (0: the open one) by a factor of two that another of its
/// loops has.
std::vector<std::vector<std::int64_t>> factorsNearby(const std::vector<std::int64_t>& factors);

/// The state as it would be if a split of its past had such factors and all that followed were applied again: of one
/// split, and of all that have the same factors. Where that changes how many `threads` of a kind a block has, factors
/// that were that number are changed with it. Only what the engine takes throughout, and what binds loops of one length
/// to an axis of threads.
std::vector<CandidateStep> editedSplits(const document::History& history, int node,
                                        const schedule::Environment& environment,
                                        const std::array<std::int64_t, 3>& threads, const std::atomic<bool>& stop);

}  // namespace loom::tune
