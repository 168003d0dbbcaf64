#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/schedule/state.h"

namespace loom::tune {

/// The executors of a loop's iterations: thread blocks, virtual threads (Parts), threads, or one thread one after
/// another. Vectorized and unrolled loops are Serial.
enum class Place : std::uint8_t { Grid, Parts, Threads, Serial };
/// Returns the executors of a loop's iterations, by its binding.
Place placeOf(const ir::ForNode& loop);

/// Returns the value of an index when the variable `var` is `number` and all others are 0; nothing if the index has
/// anything but integers, variables, +, -, *, floor division and modulo, minimum and maximum, or divides by 0.
std::optional<std::int64_t> valueAt(const ir::Expr& e, const ir::VarNode* var, std::int64_t number);

inline constexpr std::int64_t kMostIterations = 1 << 20;  ///< the longest loop that valuesAlong evaluates
/// Returns how many different values an index takes while a loop runs from 0 on and all other variables are 0; 1 if it
/// can't be told, or the loop has more than kMostIterations iterations.
std::int64_t valuesAlong(const ir::Expr& index, const ir::ForNode& loop);

/// Returns the loops around a block, which must be in the tree, outermost first, through all blocks around it.
std::vector<ir::For> loopsAround(const schedule::Tree& tree, ir::Id block);
/// Returns the extent of the innermost vectorized loop around a block, which must be in the tree; 1 if there is none or
/// the extent isn't constant.
std::int64_t vectorOf(const schedule::Tree& tree, ir::Id block);
/// Returns the argument `offset` of the block's last storage_align (annotation buffer_dim_align), in elements: the
/// padding of rows that are multiples of its argument `factor` long; 0 without storage_align.
std::int64_t paddingOf(const ir::BlockNode& block);

}  // namespace loom::tune
