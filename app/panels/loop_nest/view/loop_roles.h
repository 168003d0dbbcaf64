#pragma once

#include "app/panels/loop_nest/view/loop_nest.h"
#include "core/device/program.h"
#include "core/schedule/tree.h"

namespace loom::session {

/// Fills in which warps execute the blocks of a nest, if its kernels' warps have several roles, and what the blocks'
/// annotations say of turns and of products in flight (`warps`, `turns`, `inFlight`). `program` is the device program
/// of the nest's state, whose tree is `tree`.
void fillRoles(LoopNest& nest, const device::Program& program, const schedule::Tree& tree);

}  // namespace loom::session
