// How the flags and dependencies of blocks are computed in full: when a schedule begins, and where a primitive asks for
// it. Source of the semantics: TVM 0.22, BlockScope's constructor and BlockInfoCollector.
#pragma once
#include "core/schedule/state.h"

namespace loom::schedule {

// Dependencies between the blocks, in program order.
std::shared_ptr<const BlockScope> findDependencies(const Tree& tree, const std::vector<Id>& blocks);

// Fills the infos of `block` and of every block below it. The block's own binding is judged without the loops above it.
void computeBlockInfo(Program& program, Id block);
// Computes this for the blocks below `block` only. The block's own flags stay, its children cover their regions, and a
// child without a loop around it is judged as if it were outermost.
void computeBlockInfoInside(Program& program, Id block);

}  // namespace loom::schedule
