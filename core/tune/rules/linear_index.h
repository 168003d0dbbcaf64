#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/ir/stmt.h"
#include "core/schedule/linear_index.h"
#include "core/schedule/state.h"

namespace loom::tune {

using schedule::linearIndex;
using schedule::LinearIndex;

/// Returns, for each iterator of a block, the number of the loop above the block (0 is the outermost) whose variable is
/// the iterator's value. Returns nothing if an iterator's value is another expression, if there are loops
/// without an iterator, or if a condition guards the block.
std::optional<std::vector<int>> loopsOfIterators(const schedule::State& state, ir::Id block);

/// Returns the index, among the regions that the block reads, of the first one with the load's buffer; -1: there is
/// none.
int readOf(const ir::BlockNode& block, const ir::LoadNode& load);

}  // namespace loom::tune
