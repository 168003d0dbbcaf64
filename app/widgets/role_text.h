#pragma once

#include <string>
#include <vector>

#include "core/model/roles.h"

namespace loom::window {
struct Look;
}

namespace loom::panels {

/// Returns the warps of a block by their numbers, which must ascend, in the language of `look`: "warp 4", "warps 0–3,
/// 8".
std::string warpsText(const window::Look& look, const std::vector<int>& warps);

/// Returns what the warps of a role (the warps of a block that run the same part of the kernel) do: "warps 0–3 multiply
/// · 232 registers a thread". The registers are left out if the program requests no number of registers for the role
/// (setmaxnreg).
std::string roleText(const window::Look& look, const model::WarpRole& role);

}  // namespace loom::panels
