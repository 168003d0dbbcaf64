#pragma once

#include <string>

#include "core/model/occupancy.h"

namespace loom::window {
struct Look;
}

namespace loom::panels {

/// Returns the names of the resources that limit how many blocks are resident on a multiprocessor: the one that allows
/// the fewest blocks, then those that allow just as few: "registers, shared memory". `occupancy` has the number of
/// blocks that each allows. Returns a text that the block is too large if not a single block fits for that reason.
std::string limitersText(const window::Look& look, const model::Occupancy& occupancy);

}  // namespace loom::panels
