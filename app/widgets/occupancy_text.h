#pragma once

#include <string>

#include "core/model/occupancy.h"

namespace loom::window {
struct Look;
}

namespace loom::panels {

/// Returns what allows the fewest blocks on a multiprocessor, and what else allows as few: "registers, shared memory".
std::string limitersText(const window::Look& look, const model::Occupancy& occupancy);

}  // namespace loom::panels
