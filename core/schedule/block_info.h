// Computes BlockInfo (state.h) from the program: of all blocks when a schedule begins, and of the blocks of one scope
// where blockize, tensorize and decompose_reduction have rewritten it. Other primitives update only the infos that they
// change. The values are TVM's, even where TVM is more lenient than BlockInfo says. Source of the semantics: TVM 0.22,
// BlockScope's constructor and BlockInfoCollector.
#pragma once
#include "core/schedule/state.h"

namespace loom::schedule {

// Which bindings of blocks are affine, and which blocks' reads are covered, by these blocks and the loops around them.
// What is known is so as long as these are the same, whatever becomes of other blocks: a step changes few of many.
struct KnownFlags {
  // Of each block the address of its node, and for each loop and block around it, from the inside, what of a loop
  // matters, or the block's id; of a binding those of the block itself, of reads those of the reader and of all that
  // write for it.
  using Key = std::vector<std::uint64_t>;
  struct Flag {
    bool holds = false;
    std::vector<std::shared_ptr<const void>> nodes;  // whose addresses the key has, which so stay where they are
  };
  std::map<Key, Flag> affine, covered;
};

// Returns the RAW, WAW and WAR dependencies between blocks, the child blocks of one block in program order. Never null;
// empty for no blocks.
std::shared_ptr<const BlockScope> findDependencies(const Tree& tree, const std::vector<Id>& blocks);

// Fills the infos of `block`, which must exist, and of every block below it. As nothing outside is looked at, the
// block's own `regionCover` becomes true, and `affineBinding` is true only if it has no iterators. This is right for
// the root block of a function; for another one, blockize restores the `affineBinding` that it had before, except, as
// in TVM, for a list of blocks.
void computeBlockInfo(Program& program, Id block);
// Fills the infos of the blocks below `block` only, for tensorize and decompose_reduction. All of the info of `block`
// stays, also the dependencies of its children, which only Draft::replace finds anew, in blocks that it replaces. As in
// TVM, `regionCover` of its children becomes true whatever they read, `affineBinding` of a child directly below it is
// true only if the child has no iterators, and callers don't correct this.
void computeBlockInfoInside(Program& program, Id block);

}  // namespace loom::schedule
