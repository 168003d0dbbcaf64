// What the rows of the table do, one file a rule. Private to the room.
#pragma once

#include <set>

#include "core/tune/rules/rule.h"

namespace loom::tune {

RuleOutcome inlineElementwise(const RuleInput& input, const SketchDraft& draft);  // R1 always_inline.cpp
RuleOutcome inlineProducers(const RuleInput& input, const SketchDraft& draft);    // R1 fuse_consumer.cpp
RuleOutcome fuseConsumer(const RuleInput& input, const SketchDraft& draft);       // R16 fuse_consumer.cpp
RuleOutcome matchTensorUnit(const RuleInput& input, const SketchDraft& draft);    // R3 tensorize.cpp
RuleOutcome padToTiles(const RuleInput& input, const SketchDraft& draft);         // R2 pad.cpp
RuleOutcome tileForTensorUnit(const RuleInput& input, const SketchDraft& draft);  // R3
RuleOutcome tileForWarps(const RuleInput& input, const SketchDraft& draft);       // R4 multi_level_tiling.cpp
RuleOutcome tileForThreads(const RuleInput& input, const SketchDraft& draft);     // R13 thread_tiling.cpp
RuleOutcome beginThreads(const RuleInput& input, const SketchDraft& draft);       // R4 thread_tiling.cpp
RuleOutcome finishThreads(const RuleInput& input, const SketchDraft& draft);      // R5, R7, R11, R12 thread_tiling.cpp
RuleOutcome sumInSlices(const RuleInput& input, const SketchDraft& draft);        // R15 lane_tiling.cpp
RuleOutcome tileForLanes(const RuleInput& input, const SketchDraft& draft);       // R4 lane_tiling.cpp
RuleOutcome copyForLanes(const RuleInput& input, const SketchDraft& draft);       // R6, R7 lane_tiling.cpp
RuleOutcome finishLanes(const RuleInput& input, const SketchDraft& draft);        // R5, R11, R12, R15 lane_tiling.cpp
RuleOutcome orderBlocks(const RuleInput& input, const SketchDraft& draft);        // R17 raster_order.cpp
RuleOutcome bindTiles(const RuleInput& input, const SketchDraft& draft);          // R4
RuleOutcome copyToShared(const RuleInput& input, const SketchDraft& draft);       // R6 multi_level_spm.cpp
RuleOutcome copyToFragments(const RuleInput& input, const SketchDraft& draft);    // R7 multi_scope_spm.cpp
RuleOutcome stageResult(const RuleInput& input, const SketchDraft& draft);        // R5 cache_stage.cpp
RuleOutcome fetchTogether(const RuleInput& input, const SketchDraft& draft);      // R8 cooperative_fetch.cpp
RuleOutcome spreadOverBanks(const RuleInput& input, const SketchDraft& draft);    // R9 bank_layout.cpp
RuleOutcome decomposeInit(const RuleInput& input, const SketchDraft& draft);      // R11 decompose_init.cpp
RuleOutcome placeIntrinsics(const RuleInput& input, const SketchDraft& draft);    // R3
RuleOutcome unrollInner(const RuleInput& input, const SketchDraft& draft);        // R12 unroll.cpp
RuleOutcome pipelineCopies(const RuleInput& input, const SketchDraft& draft);     // R10 pipeline.cpp
// Apply rules to products by warpgroups (warpgroup_tiling.cpp, warpgroup_copies.cpp, warpgroup_roles.cpp).
RuleOutcome tileForWarpgroups(const RuleInput& input, const SketchDraft& draft);    // R18
RuleOutcome copyByEngine(const RuleInput& input, const SketchDraft& draft);         // R6
RuleOutcome holdInWarpgroups(const RuleInput& input, const SketchDraft& draft);     // R7
RuleOutcome swizzleTiles(const RuleInput& input, const SketchDraft& draft);         // R9
RuleOutcome bindGrid(const RuleInput& input, const SketchDraft& draft);             // R4
RuleOutcome placeWarpgroups(const RuleInput& input, const SketchDraft& draft);      // R11, R3
RuleOutcome ringOfTiles(const RuleInput& input, const SketchDraft& draft);          // R10
RuleOutcome giveRoles(const RuleInput& input, const SketchDraft& draft);            // R18
RuleOutcome reduceAcrossThreads(const RuleInput& input, const SketchDraft& draft);  // R14 cross_thread.cpp
RuleOutcome bindRest(const RuleInput& input, const SketchDraft& draft);             // R19 auto_bind.cpp
RuleOutcome computeNeighbours(const RuleInput& input, const SketchDraft& draft);    // R21 neighbouring_results.cpp
RuleOutcome turnTiles(const RuleInput& input, const SketchDraft& draft);            // R22 turning.cpp

/// Opens the decisions of clusters (`cluster.j`, `cluster.i`), where there can be any (warpgroup_clusters.cpp).
void decideClusters(const RuleInput& input, SketchDraft& draft);
/// Returns these numbers of tiles along an axis, and those that they come to in whole clusters of one of `sizes` tiles.
std::vector<std::int64_t> wholeClusters(const std::vector<std::int64_t>& tiles, const std::vector<std::int64_t>& sizes);
/// Constrain clusters to what the grid has, and to what warps that load can do. Nothing where no cluster was decided.
void limitClusters(SketchDraft& draft, const DeviceLimits& device);
void giveClustersRoles(SketchDraft& draft);
/// Writes the lines that make clusters and have their blocks bring each other parts of tiles.
void writeClusters(SketchDraft& draft);

/// Adds the constraint that what a thread does for a tile, on CUDA cores, fits the instruction cache, and the
/// quantities `instructions`, of each element, `written`, of a tile, and `written.limit` (pipeline.cpp). The draft's
/// results are known.
void limitCode(SketchDraft& draft);
/// Returns how many elements a thread may copy at once where accesses of `aligned` are aligned: whole bytes, at
/// most 16.
std::vector<std::int64_t> copiedAtOnce(const ir::DType& type, std::int64_t aligned);
/// Adds the constraint that at least half of a block's threads have a vector of a row of so many elements.
void keepThreadsAtWork(SketchDraft& d, const std::string& threads, const std::string& vector, std::int64_t length);
/// Returns which of a block's reads are indexed last by its last iterator, so that neighbours are neighbours in memory.
std::vector<int> neighbouringReads(const ir::Block& block);
/// Returns how many neighbours a thread may take at once of these reads, and of what is written: 1, 2, … up to 16
/// bytes.
std::vector<std::int64_t> vectorsOf(const ir::Block& block, const std::vector<int>& reads, bool writes);
/// Writes the lines by which a block reads, or writes, vectors inside a loop; variables stand for block and loop.
void readVectors(SketchDraft& draft, const std::string& block, const std::string& loop, const std::vector<int>& reads,
                 const std::string& when);
void writeVectors(SketchDraft& draft, const std::string& block, const std::string& loop, const std::string& when);

/// Applies R14 to a whole program: reductions of rows, and what is computed element by element of rows and their
/// results, become one kernel with a block a row. `blocks` are all blocks that are left, in program order.
RuleOutcome fuseRows(const RuleInput& input, const SketchDraft& draft, const std::vector<ir::Id>& blocks);

/// Writes the lines that make of a sum of products one over rows, columns and sums, whatever its iterators are.
void writeReindexed(SketchDraft& draft);

/// An operand whose tiles a block copies to shared memory, and threads of CUDA cores from there to registers.
struct OperandTiles {
  const ProductOperand& operand;  ///< of the draft's product
  bool ofRows, ofBatch;           ///< whether a tile has rows of C, else columns; whether each of a batch has its own
  std::string name;               ///< with which its decisions begin: "a", "b", of further ones "a2", "b2", "a3"…
  std::string word;               ///< as sentences call it: "A", "B", or its buffer's name
  std::string inShared, inLocal;  ///< variables of its copies
  std::vector<std::string> inlined;  ///< variables of blocks to be inlined into the copy to shared memory
};
/// Returns A, B and the further operands on a side of the product.
std::vector<OperandTiles> operandTilesOf(const SketchDraft& draft);
/// Returns how many there are of rows, or of columns.
std::int64_t operandsOn(const Contraction& product, bool rows);
/// Returns the terms of a sum, " + …", each `factor` times a thread's own rows, and columns, of all operands.
std::string ownOfOperands(const Contraction& product, const std::string& factor, const std::string& rows,
                          const std::string& columns);

/// Constrains the tiles of an axis: they make up its extent, or, padded, reach beyond it (C2) by an eighth at most, or
/// by less than `least`.
void constrainAxis(SketchDraft& draft, const std::string& axis, const std::string& blocks, const std::string& tile,
                   std::int64_t extent, bool pads, std::int64_t least);
/// Returns whether some tile of whole units of a matrix instruction reaches beyond an extent, by an eighth of it at
/// most.
bool mayReachBeyond(std::int64_t extent, std::int64_t unit);
/// Returns whether there are steps and tiles enough along k that operands in registers can be read ahead, across the
/// barrier.
bool mayReadAhead(const SketchDraft& draft);
/// Returns how many tiles there may be: as many as the extent takes of any of these.
std::vector<std::int64_t> tileCounts(std::int64_t extent, const std::set<std::int64_t>& tiles);
/// Returns the steps along k that a tile may have: these; of sums that can't be padded, all divisors of k up to as
/// many, but for 1 where there are others.
std::vector<std::int64_t> stepsAlongK(const Contraction& product, std::vector<std::int64_t> steps);
/// Returns the terms of a sum, " + …", of the registers in which a thread keeps operands besides A and B.
std::string registersOfFurther(const Contraction& product, const std::string& results);
/// Writes the lines that inline what makes operands besides A and B, but for those on a side, into what reads them.
void inlineFurther(SketchDraft& draft);
/// Writes the quantities that all products have.
void describeTiles(SketchDraft& draft, const std::string& threads, const std::string& registers);

}  // namespace loom::tune
