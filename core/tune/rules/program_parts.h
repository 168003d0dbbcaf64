#pragma once

#include <vector>

#include "core/schedule/state.h"

namespace loom::tune {

/// Returns the parts of a program of one function whose blocks (computations with iterators, as in TensorIR) are plain
/// loop nests, each part a program of its own. A part is a product, with the elementwise blocks that read the results
/// of no other part, or that make its factors; or all reductions that are no products between two products, with the
/// elementwise blocks around them; or a single elementwise block that reads a product's result and another part's. A
/// buffer that one part writes and another reads is a parameter of both. Blocks, loops and buffers keep their names and
/// ids, so that step lines of a part are valid for the whole program. Parts are in the program order of their first
/// product or other reduction, or of the elementwise block that is a part by itself. Returns only the program itself if
/// it has at most one part, several functions, or blocks that aren't plain loop nests one after another.
std::vector<schedule::State> partsOf(const schedule::State& state);

}  // namespace loom::tune
