#pragma once

#include <string>
#include <vector>

namespace loom::window {
struct Look;
}

namespace loom::panels {

/// Warps of a block by their numbers, which ascend: "warp 4", "warps 0–3, 8".
std::string warpsText(const window::Look& look, const std::vector<int>& warps);

}  // namespace loom::panels
