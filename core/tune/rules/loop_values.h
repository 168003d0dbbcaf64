#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/schedule/state.h"

namespace loom::tune {

/// Where the iterations of a loop go.
enum class Place : std::uint8_t { Grid, Parts, Threads, Serial };
Place placeOf(const ir::ForNode& loop);

/// Returns the value of an index with one loop's variable at a number and all others at 0; nothing: it is no plain
/// arithmetic.
std::optional<std::int64_t> valueAt(const ir::Expr& e, const ir::VarNode* var, std::int64_t number);

inline constexpr std::int64_t kMostIterations = 1 << 20;  ///< of a loop that is looked at one by one
/// Returns how many values an index takes while a loop runs and all others stand still; 1 where it can't be told.
std::int64_t valuesAlong(const ir::Expr& index, const ir::ForNode& loop);

/// Returns the loops around a block, outermost first, through all blocks around it.
std::vector<ir::For> loopsAround(const schedule::Tree& tree, ir::Id block);
/// Returns the elements of the vectorized loop around a block; 1: there is none.
std::int64_t vectorOf(const schedule::Tree& tree, ir::Id block);
/// Returns the elements by which storage_align makes the rows longer of what a block writes; 0: none.
std::int64_t paddingOf(const ir::BlockNode& block);

}  // namespace loom::tune
