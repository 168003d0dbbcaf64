#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/ir/stmt.h"
#include "core/schedule/linear_index.h"
#include "core/schedule/state.h"

namespace loom::tune {

// An index of a block as a linear function of its iterators (core/schedule/linear_index.h).
using schedule::linearIndex;
using schedule::LinearIndex;

/// Returns, for each iterator of a block, which must be in the state, the number of the loop above the block (0 is the
/// outermost) whose variable is the iterator's value. Returns nothing if an iterator's value is another expression, if
/// there are more or fewer loops than iterators, or if a condition guards the block.
std::optional<std::vector<int>> loopsOfIterators(const schedule::State& state, ir::Id block);

/// Returns the index, among the regions that the block reads, of the first one with the load's buffer; -1: there is
/// none.
int readOf(const ir::BlockNode& block, const ir::LoadNode& load);

}  // namespace loom::tune
