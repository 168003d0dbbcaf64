// Computes what BlockInfo (state.h) holds of each block from the program, when a schedule begins, and where a primitive
// needs it: whether its binding is affine, whether its producers cover what it reads, whether it is a stage pipeline,
// and the dependencies of its child blocks. Other steps only update what they change. Source of the semantics: TVM
// 0.22, BlockScope's constructor and BlockInfoCollector.
#pragma once
#include "core/schedule/state.h"

namespace loom::schedule {

// Returns the dependencies between the blocks, which must be given in program order.
std::shared_ptr<const BlockScope> findDependencies(const Tree& tree, const std::vector<Id>& blocks);

// Fills the infos of `block` and of every block below it. The block's own binding is judged without the loops above it.
void computeBlockInfo(Program& program, Id block);
// Fills the infos of the blocks below `block` only. The flags of `block` stay, `regionCover` of its children becomes
// true, and the binding of a child without a loop around it is judged as if nothing were around it.
void computeBlockInfoInside(Program& program, Id block);

}  // namespace loom::schedule
