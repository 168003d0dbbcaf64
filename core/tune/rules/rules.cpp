#include "core/tune/rules/rule.h"

#include "core/tune/rules/applications.h"

namespace loom::tune {

namespace {

Message sayInline() { return message("What is computed element by element is computed where it is read, not stored."); }
Message sayFuse() { return message("Elementwise blocks that alone read a result are computed while it is stored."); }
Message sayTensorize() { return message("A sum of products is multiplied by the device's matrix instruction."); }
Message sayPad() { return message("Extents that no tile divides are padded with zeros."); }
Message sayTiling() {
  return message("Loops are cut into tiles for blocks, warps and instructions, so that operands are used again.");
}
Message sayVirtual() { return message("A thread computes parts that lie apart, so that a warp reads neighbours."); }
Message saySlices() {
  return message(
      "A sum is cut into parts: warps of a block, or blocks of their own, sum one each, and then these sums.");
}
Message sayRaster() {
  return message("Blocks run in an order in which neighbours share rows and columns in the L2 cache.");
}
Message sayShared() { return message("Tiles of the operands are copied to shared memory, where all warps read them."); }
Message sayScopes() { return message("The matrix instruction reads and adds to fragments of its own kind."); }
Message sayStage() { return message("Results are summed up near the arithmetic and stored once."); }
Message sayFetch() { return message("All threads of a block copy a tile together, neighbours by neighbours."); }
Message sayBanks() {
  return message("Rows in shared memory are padded or swizzled, so that a warp reaches all banks.");
}
Message sayInit() { return message("A sum begins at zero once, before its loop."); }
Message sayUnroll() { return message("Short inner loops are written out."); }
Message sayPipeline() { return message("Tiles to come are copied while one is multiplied."); }
Message sayWarpgroups() {
  return message(
      "Warpgroups of Hopper multiply tiles that the copy engine brings into a ring: who loads, who multiplies, and how "
      "many products are on their way.");
}
Message sayCrossThread() { return message("Threads of a block each sum up a part of a row, and then together."); }
Message sayNeighbours() {
  return message(
      "A thread computes neighbouring results, so that what several of them read is loaded once, in vectors.");
}
Message sayTurn() {
  return message(
      "What is read along another axis than it is written goes through shared memory in tiles, both in rows.");
}
Message sayBind() { return message("Loops that no other rule took are shared among blocks and threads."); }

constexpr Rule kRules[] = {
    {"R1", "always inline", sayInline, inlineProducers, RuleScope::All},
    {"R16", "fuse consumer", sayFuse, fuseConsumer, RuleScope::All},
    {"R18", "warpgroups", sayWarpgroups, tileForWarpgroups, RuleScope::All},
    {"R3", "tensorize", sayTensorize, matchTensorUnit},
    {"R4", "multi-level tiling", sayTiling, beginThreads},
    {"R2", "pad", sayPad, padToTiles},
    {"R3", "tensorize", sayTensorize, tileForTensorUnit},
    {"R4", "multi-level tiling", sayTiling, tileForWarps},
    {"R15", "sum in slices", saySlices, sumInSlices},
    {"R4", "multi-level tiling", sayTiling, tileForLanes},
    {"R13", "virtual threads", sayVirtual, tileForThreads},
    {"R17", "raster order", sayRaster, orderBlocks, RuleScope::All},
    {"R4", "multi-level tiling", sayTiling, bindTiles},
    {"R6", "multi-level SPM", sayShared, copyToShared},
    {"R6", "multi-level SPM", sayShared, copyForLanes},
    {"R7", "multi-scope SPM", sayScopes, copyToFragments},
    {"R5", "add cache stage", sayStage, stageResult},
    {"R5", "add cache stage", sayStage, finishThreads},
    {"R5", "add cache stage", sayStage, finishLanes},
    {"R9", "bank layout", sayBanks, spreadOverBanks},
    {"R8", "cooperative fetch", sayFetch, fetchTogether},
    {"R11", "decompose init", sayInit, decomposeInit},
    {"R3", "tensorize", sayTensorize, placeIntrinsics},
    {"R12", "unroll", sayUnroll, unrollInner},
    {"R10", "pipeline", sayPipeline, pipelineCopies},
    {"R7", "multi-scope SPM", sayScopes, holdInWarpgroups, RuleScope::Warpgroups},
    {"R6", "multi-level SPM", sayShared, copyByEngine, RuleScope::Warpgroups},
    {"R4", "multi-level tiling", sayTiling, bindGrid, RuleScope::Warpgroups},
    {"R3", "tensorize", sayTensorize, placeWarpgroups, RuleScope::Warpgroups},
    {"R9", "bank layout", sayBanks, swizzleTiles, RuleScope::Warpgroups},
    {"R10", "pipeline", sayPipeline, ringOfTiles, RuleScope::Warpgroups},
    {"R18", "warpgroups", sayWarpgroups, giveRoles, RuleScope::Warpgroups},
};

constexpr Rule kInline{"R1", "always inline", sayInline, inlineElementwise};
constexpr Rule kCrossThread{"R14", "cross-thread reduction", sayCrossThread, reduceAcrossThreads};
constexpr Rule kBind{"R19", "auto-bind", sayBind, bindRest};
constexpr Rule kNeighbours{"R21", "neighbouring results", sayNeighbours, computeNeighbours};
constexpr Rule kTurning{"R22", "turned tiles", sayTurn, turnTiles};

}  // namespace

std::span<const Rule> rules() { return kRules; }
const Rule& inlineRule() { return kInline; }
const Rule& crossThreadRule() { return kCrossThread; }
const Rule& bindRule() { return kBind; }
const Rule& neighboursRule() { return kNeighbours; }
const Rule& turningRule() { return kTurning; }

RuleOutcome leaves(Message why) { return {false, std::move(why), {}}; }

RuleOutcome appliesWith(SketchDraft&& draft, Message why) {
  RuleOutcome outcome{true, std::move(why), {}};
  outcome.drafts.push_back(std::move(draft));
  return outcome;
}

}  // namespace loom::tune
