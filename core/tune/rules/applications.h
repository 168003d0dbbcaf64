// The functions of the rules, which rules.cpp lists in a table. Private to the room core/tune/rules.
//
// Each function that returns a RuleOutcome applies a rule to the block of `input`, a computation with iterators as in
// TensorIR: it looks at the block and at `draft` (a schedule with open decisions, while rules write it), and returns
// whether the rule applies, why, and, if it does, copies of the draft with the rule's step lines, which call scheduling
// primitives, decisions and constraints. A product (Contraction) sums products of elements of A and B over k, or
// combines them in another way, as distances do; there may be further operands. "Sum" stands here for the result of any
// reduction, also of one by another combiner, such as max; R3 and R18 need products that are added up. All functions
// rely on the decisions, facts and variables of step lines that the rules before them (`rules()` has the order) left in
// the draft; those that write lines, and aren't rules themselves, write them to the fold that was begun
// (SketchDraft::begin). The comment behind a declaration has the rule's numbers and its file; the numbers are (R20 is
// the rules of users, own_rule.h):
// R1   computes elementwise blocks where they are read      R12  unrolls short inner loops
// R2   pads extents that no tile divides with zeros         R13  tiles for threads, and virtual threads
// R3   multiplies by matrix instructions                    R14  sums each row by several threads
// R4   splits loops into tiles of thread blocks and warps   R15  splits a sum into parts that are summed separately
// R5   sums near the arithmetic, and stores results once    R16  computes elementwise readers where results are stored
// R6   copies operand tiles to shared memory                R17  orders thread blocks so that neighbours share L2 lines
// R7   holds operands and sums in fragments or registers    R18  multiplies by warpgroups (wgmma)
// R8   has all threads of a thread block copy a tile        R19  binds loops that no other rule took
// R9   pads or swizzles rows against bank conflicts         R21  has a thread compute neighbouring results
// R10  pipelines copies and products                        R22  transposes tiles in shared memory
// R11  moves the start of a sum out of its loop
#pragma once

#include <set>

#include "core/tune/rules/rule.h"

namespace loom::tune {

RuleOutcome inlineElementwise(const RuleInput& input, const SketchDraft& draft);  // R1 fuse_consumer.cpp
RuleOutcome inlineProducers(const RuleInput& input, const SketchDraft& draft);    // R1 fuse_consumer.cpp
RuleOutcome fuseConsumer(const RuleInput& input, const SketchDraft& draft);       // R16 fuse_consumer.cpp
RuleOutcome matchTensorUnit(const RuleInput& input, const SketchDraft& draft);    // R3 tensorize.cpp
RuleOutcome padToTiles(const RuleInput& input, const SketchDraft& draft);         // R2 pad.cpp
RuleOutcome tileForTensorUnit(const RuleInput& input, const SketchDraft& draft);  // R3 tensorize.cpp
RuleOutcome tileForWarps(const RuleInput& input, const SketchDraft& draft);       // R4 multi_level_tiling.cpp
RuleOutcome tileForThreads(const RuleInput& input, const SketchDraft& draft);     // R13 thread_tiling.cpp
RuleOutcome beginThreads(const RuleInput& input, const SketchDraft& draft);       // R4 thread_tiling.cpp
RuleOutcome finishThreads(const RuleInput& input, const SketchDraft& draft);      // R5, R7, R11, R12 thread_tiling.cpp
RuleOutcome sumInSlices(const RuleInput& input, const SketchDraft& draft);        // R15 lane_tiling.cpp
RuleOutcome tileForLanes(const RuleInput& input, const SketchDraft& draft);       // R4 lane_tiling.cpp
RuleOutcome copyForLanes(const RuleInput& input, const SketchDraft& draft);       // R6, R7 lane_tiling.cpp
RuleOutcome finishLanes(const RuleInput& input, const SketchDraft& draft);        // R5, R11, R12, R15 lane_tiling.cpp
RuleOutcome orderBlocks(const RuleInput& input, const SketchDraft& draft);        // R17 multi_level_tiling.cpp
RuleOutcome bindTiles(const RuleInput& input, const SketchDraft& draft);          // R4 multi_level_tiling.cpp
RuleOutcome copyToShared(const RuleInput& input, const SketchDraft& draft);       // R6 multi_level_spm.cpp
RuleOutcome copyToFragments(const RuleInput& input, const SketchDraft& draft);    // R7 multi_level_spm.cpp
RuleOutcome stageResult(const RuleInput& input, const SketchDraft& draft);        // R5 multi_level_spm.cpp
RuleOutcome fetchTogether(const RuleInput& input, const SketchDraft& draft);      // R8 cooperative_fetch.cpp
RuleOutcome spreadOverBanks(const RuleInput& input, const SketchDraft& draft);    // R9 cooperative_fetch.cpp
RuleOutcome decomposeInit(const RuleInput& input, const SketchDraft& draft);      // R11 multi_level_spm.cpp
RuleOutcome placeIntrinsics(const RuleInput& input, const SketchDraft& draft);    // R3 tensorize.cpp
RuleOutcome unrollInner(const RuleInput& input, const SketchDraft& draft);        // R12 pipeline.cpp
RuleOutcome pipelineCopies(const RuleInput& input, const SketchDraft& draft);     // R10 pipeline.cpp
// The rules for products by warpgroups (warpgroup_tiling.cpp, warpgroup_copies.cpp, warpgroup_roles.cpp).
RuleOutcome tileForWarpgroups(const RuleInput& input, const SketchDraft& draft);    // R18
RuleOutcome copyByEngine(const RuleInput& input, const SketchDraft& draft);         // R6
RuleOutcome holdInWarpgroups(const RuleInput& input, const SketchDraft& draft);     // R7
RuleOutcome swizzleTiles(const RuleInput& input, const SketchDraft& draft);         // R9
RuleOutcome bindGrid(const RuleInput& input, const SketchDraft& draft);             // R4
RuleOutcome placeWarpgroups(const RuleInput& input, const SketchDraft& draft);      // R11, R3
RuleOutcome ringOfTiles(const RuleInput& input, const SketchDraft& draft);          // R10
RuleOutcome giveRoles(const RuleInput& input, const SketchDraft& draft);            // R18
RuleOutcome reduceAcrossThreads(const RuleInput& input, const SketchDraft& draft);  // R14 cross_thread.cpp
RuleOutcome bindRest(const RuleInput& input, const SketchDraft& draft);             // R19 cross_thread.cpp
RuleOutcome computeNeighbours(const RuleInput& input, const SketchDraft& draft);    // R21 neighbouring_results.cpp
RuleOutcome turnTiles(const RuleInput& input, const SketchDraft& draft);            // R22 turning.cpp

/// Adds the decisions `cluster.j` and `cluster.i` to the draft, the thread blocks of a cluster along columns and rows
/// of the result, if the device's number of multiprocessors is even (warpgroup_clusters.cpp).
void decideClusters(const RuleInput& input, SketchDraft& draft);
/// Returns possible numbers of tiles along an axis, ascending, each once: each number of `tiles` rounded up to a
/// multiple of each cluster size of `sizes`.
std::vector<std::int64_t> wholeClusters(const std::vector<std::int64_t>& tiles, const std::vector<std::int64_t>& sizes);
/// Adds the constraints by which clusters fit the grid and the device; none if the draft has no decisions of clusters.
void limitClusters(SketchDraft& draft, const DeviceLimits& device);
/// Adds the constraints between clusters and producer warps; none if the draft has no decisions of clusters.
void giveClustersRoles(SketchDraft& draft);
/// Writes the lines that make clusters whose blocks multicast parts of the operands' tiles to each other; none if the
/// draft has no decisions of clusters.
void writeClusters(SketchDraft& draft);

/// Adds the constraint that the unrolled code of a thread for a tile, on CUDA cores, fits in the instruction cache, and
/// three quantities (numbers that follow from decisions): `instructions` for each pair of elements
/// (Contraction::instructions), `written`, those of the unrolled code, and `written.limit`, the most that fit
/// (pipeline.cpp). `draft.results` must be set.
void limitCode(SketchDraft& draft);
/// Returns the possible vector lengths, in elements of `type`, of a thread's copies, ascending: powers of two that
/// divide `aligned` (in elements), of whole bytes, at most 16 bytes.
std::vector<std::int64_t> copiedAtOnce(const ir::DType& type, std::int64_t aligned);
/// Adds the constraint that at least half of a thread block's threads get a vector of a row of `length` elements.
/// `threads` and `vector` are expressions: the threads of the thread block, and the elements of a vector.
void keepThreadsAtWork(SketchDraft& d, const std::string& threads, const std::string& vector, std::int64_t length);
/// Adds, if RuleInput::exactTiles asks for it, the constraint that the product of some decisions divides `extent`, so
/// that no thread has a part beyond it. Adds nothing if no combination of their values does.
void keepInside(const RuleInput& input, SketchDraft& d, const std::vector<std::string>& decisions, std::int64_t extent);
/// Returns the indices, among a block's reads, of those of single elements whose last dimension is indexed by the
/// block's last iterator, so that neighbouring iterations read neighbouring elements. Buffers that the block reads
/// twice are left out.
std::vector<int> neighbouringReads(const ir::Block& block);
/// Returns the possible vector lengths, in elements, for these reads of a block and, with `writes`, for its write:
/// powers of two of up to 16 bytes that divide the extent of the block's last iterator and the rows of the buffers.
std::vector<std::int64_t> vectorsOf(const ir::Block& block, const std::vector<int>& reads, bool writes);
/// Writes the lines by which a block reads vectors: for each of `reads` (indices as those of `neighbouringReads`), a
/// copy in registers that is computed inside a loop, with its innermost loop vectorized. The vector's length follows
/// from the block's loops inside that loop, which the caller has split. `block` and `loop` are variables of the step
/// lines; the lines stay only if the expression `when` isn't 0.
void readVectors(SketchDraft& draft, const std::string& block, const std::string& loop, const std::vector<int>& reads,
                 const std::string& when);
/// Writes the lines by which a block writes vectors from a copy in registers, with parameters as those of
/// `readVectors`.
void writeVectors(SketchDraft& draft, const std::string& block, const std::string& loop, const std::string& when);

/// Applies R14 to a whole program (row_fusion.cpp): reductions of rows, and a last elementwise block on these rows and
/// their results, become one kernel with a thread block for each row. `blocks` are all blocks that no rule has taken
/// yet, in program order. The block of `input` is ignored.
RuleOutcome fuseRows(const RuleInput& input, const SketchDraft& draft, const std::vector<ir::Id>& blocks);

/// Writes the lines that reindex the draft's product, whose block is the variable `b` of the step lines, so that it has
/// one iterator each for rows, columns and sums, and at most one for the batch. Sets the draft's facts accordingly: A,
/// B and C are accessed through copies then (SketchDraft::reindexesA and the like). The copies of A and B become the
/// first elements of inlinedA and inlinedB, and that of C becomes the first of `consumers`.
void writeReindexed(SketchDraft& draft);

/// An operand whose tiles a thread block copies to shared memory, and threads copy from there to registers, if CUDA
/// cores multiply.
struct OperandTiles {
  const ProductOperand& operand;  ///< a member of the draft's product
  bool ofRows, ofBatch;           ///< whether tiles are along rows of C, else columns; whether the batch indexes them
  std::string name;               ///< prefix of the decisions' names: "a", "b"; further operands: "a2", "b2", "a3"…
  std::string word;               ///< name of the operand in sentences: "A", "B", or its buffer's name
  std::string inShared, inLocal;  ///< variables of the step lines for its copies in shared memory and in registers
  std::vector<std::string> inlined;  ///< variables of blocks to be inlined into the copy to shared memory
};
/// Returns A, B and the further operands that are on a side of the product (FurtherOperand::isOnSide).
std::vector<OperandTiles> operandTilesOf(const SketchDraft& draft);
/// Returns the number of operands, A or B included, on the side of rows, or else of columns.
std::int64_t operandsOn(const Contraction& product, bool rows);
/// Returns terms to append to a sum: " + factor*rows" for each operand on the side of rows, and " + factor*columns" for
/// each on that of columns. `rows` and `columns` are expressions, a thread's own; with `factor` "" they stand alone.
std::string ownOfOperands(const Contraction& product, const std::string& factor, const std::string& rows,
                          const std::string& columns);

/// Constrains the number (`blocks`) and the length (`tile`) of the tiles of an axis, both expressions: their product is
/// `extent`, or, with `pads`, exceeds it: by less than a tile, and by at most an eighth or up to the next multiple of
/// `least`, whichever is more. `axis` ("i", "j", "k") begins the constraints' names, and names the axis in their words.
void constrainAxis(SketchDraft& draft, const std::string& axis, const std::string& blocks, const std::string& tile,
                   std::int64_t extent, bool pads, std::int64_t least);
/// Returns whether tiles of some multiple of `unit`, the length of a matrix instruction along the axis, cover `extent`
/// with at least one element, and at most an eighth, too many. The extent may be a multiple of `unit` itself.
bool mayReachBeyond(std::int64_t extent, std::int64_t unit);
/// Returns whether the decisions' values allow at least three tiles along k, and at least two steps in each, so that
/// operands can be read from shared memory to registers a step ahead, across the barrier between tiles.
bool mayReadAhead(const SketchDraft& draft);
/// Returns the possible numbers of tiles along an axis, ascending, each once: for each length in `tiles`, as many as
/// cover `extent`.
std::vector<std::int64_t> tileCounts(std::int64_t extent, const std::set<std::int64_t>& tiles);
/// Returns the lengths that a tile may have along k, in elements: `steps`, which are ascending; or, if k can't be
/// padded and is no multiple of 8, all divisors of k up to the last of `steps`, without 1 if there are others.
std::vector<std::int64_t> stepsAlongK(const Contraction& product, std::vector<std::int64_t> steps);
/// Returns terms to append to a sum of a thread's registers: " + results" for each operand besides A and B that has an
/// element for every row and column, and isn't indexed by k. `results` is an expression: the results of a thread.
std::string registersOfFurther(const Contraction& product, const std::string& results);
/// Writes the lines that inline the producers of operands besides A and B into their consumers, except for operands on
/// a side of the product.
void inlineFurther(SketchDraft& draft);
/// Writes the quantities that all products have: tiles, extents, thread blocks, operands and the like. `threads` (of a
/// thread block) and `registers` (of a thread) are expressions.
void describeTiles(SketchDraft& draft, const std::string& threads, const std::string& registers);

}  // namespace loom::tune
