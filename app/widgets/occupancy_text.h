#pragma once

#include <string>

#include "core/model/occupancy.h"

namespace loom::window {
struct Look;
}

namespace loom::panels {

/// Returns the names of the resources that limit how many blocks are resident on a multiprocessor: the one that allows
/// the fewest blocks, then those that allow just as few: "registers, shared memory". Registers aren't among them as
/// long as their number per thread isn't known. If not a single block fits, returns a text that says that a block is
/// too large, without the resource. `look` has the language of the text.
std::string limitersText(const window::Look& look, const model::Occupancy& occupancy);

}  // namespace loom::panels
