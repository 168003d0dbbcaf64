#pragma once

#include <set>
#include <vector>

#include "app/panels/loop_nest/view/loop_nest.h"
#include "core/device/program.h"
#include "core/schedule/tree.h"

namespace loom::session {

/// Fills in `warps`, `turns` and `inFlight` of the blocks of a nest (NestRow): which warps execute a block, left empty
/// unless the kernel's warps have several roles; how many warpgroups compute different tiles in turns, and how many
/// groups of wgmma products may be in flight, as its annotations say, 0 without one. `program` is the device program of
/// the nest's state, whose tree is `tree`.
void fillRoles(LoopNest& nest, const device::Program& program, const schedule::Tree& tree);

/// Returns the warps of each group that takes turns at the tiles of a block, for example {0, 1, 2, 3}, {4, 5, 6, 7};
/// empty if none do, if `row.warps` is empty, or if the warps can't be divided evenly among the groups.
std::vector<std::set<int>> takingTurns(const NestRow& row);

}  // namespace loom::session
