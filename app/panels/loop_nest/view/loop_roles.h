#pragma once

#include <set>
#include <vector>

#include "app/panels/loop_nest/view/loop_nest.h"
#include "core/device/program.h"
#include "core/schedule/tree.h"

namespace loom::session {

/// Fills in which warps execute the blocks of a nest, if its kernels' warps have several roles, and what the blocks'
/// annotations say of turns and of products in flight (`warps`, `turns`, `inFlight`). `program` is the device program
/// of the nest's state, whose tree is `tree`.
void fillRoles(LoopNest& nest, const device::Program& program, const schedule::Tree& tree);

/// Returns the warps of each group that takes turns at the tiles of a block, {0, 1, 2, 3}, {4, 5, 6, 7}; empty if none
/// do, or if a row around this one has the warps.
std::vector<std::set<int>> takingTurns(const NestRow& row);

}  // namespace loom::session
