// The questions primitives ask about a program. All take `const Program&` (State::program(), Draft::program()).
// Source of the semantics: TVM 0.22, src/tir/schedule/analysis.
#pragma once
#include <unordered_map>
#include <unordered_set>

#include "core/arith/analyzer.h"
#include "core/arith/var_ranges.h"
#include "core/schedule/state.h"

namespace loom::schedule {

using Checked = Result<void>;

// ---- Scopes ----

// The block that encloses a loop or block. RootBlockError for a root block; NotStagePipelineError if asked and the
// scope is none.
Result<Id> scopeRoot(const Program& p, Id target, bool requireStagePipeline);

// Clauses a block violates, 0 if none (complete: 1…3, reduction: 1…5; numbers are TVM's; 6 is an
// OutputIndexing::UnknownBuffer). `scope` is the enclosing scope block, or a loop for the "local" notions.
int completeBlockViolation(const Program& p, Id block, Id scope);
int reductionBlockViolation(const Program& p, Id block, Id scope);
inline bool isCompleteBlock(const Program& p, Id block, Id scope) {
  return completeBlockViolation(p, block, scope) == 0;
}
inline bool isReductionBlock(const Program& p, Id block, Id scope) {
  return reductionBlockViolation(p, block, scope) == 0;
}
Checked checkCompleteBlock(const Program& p, Id block, Id scope);             // IncompleteBlockError
Checked checkReductionBlock(const Program& p, Id block, Id scope);            // NotReductionBlockError
Checked checkCompleteOrReductionBlock(const Program& p, Id block, Id scope);  // NotCompleteOrReductionBlockError
Checked checkSubtreeCompactDataflow(const Program& p, Id subtreeRoot);        // NotCompactDataFlowError
bool isOutputBlock(const Program& p, Id block, Id scope);
Checked checkNotOutputBlock(const Program& p, Id block, Id scope);  // OutputBlockError
// Output blocks at any depth below the block, in program order.
std::vector<Id> outputBlocks(const Program& p, Id scope);

// Blocks connected by RAW or WAW in the block's scope, in order of discovery, each once.
std::vector<Id> producers(const BlockScope& scope, Id block);
std::vector<Id> consumers(const BlockScope& scope, Id block);
// The same, finding the scope: RootBlockError for a root block.
Result<std::vector<Id>> producersOf(const Program& p, Id block);
Result<std::vector<Id>> consumersOf(const Program& p, Id block);

// Where producers end and consumers begin among statements in sequence. InsertionPointNotFoundError when they cross.
struct ProducerConsumerSplit {
  int lastProducer = -1;  // all producers fall into subtrees [0, lastProducer]
  int firstConsumer = 0;  // all consumers fall into subtrees [firstConsumer, n); n if there is none
  int producersVisited = 0, consumersVisited = 0;
};
// Blocks inside other blocks are not looked at.
Result<ProducerConsumerSplit> splitProducersConsumers(const std::vector<ir::Stmt>& subtrees,
                                                      const std::vector<Id>& producers,
                                                      const std::vector<Id>& consumers);

// ---- Bindings and domains ----

// Loop variables with their ranges in the order found, innermost first.
using LoopDomain = arith::VarRanges;
// Loops from `low` upward to the next block, `high` excluded (none: no limit). For a storage scope other than global,
// also the thread loops further up, across blocks, that share such memory ("shared" is shared by threadIdx and vthread
// loops, "warp" by threadIdx.x). The walk starts at `low`; when that is a block, only those thread loops are found.
LoopDomain loopDomain(const Program& p, Id low, Id high = {}, const std::string& storageScope = "global");
// Is memory of the storage scope shared by the threads of the axis ("threadIdx.x")?
bool canRelaxStorageUnderThread(const std::string& storageScope, const std::string& thread);
// Rank of a storage scope as TVM orders them (global 0, shared 1, warp 2, local 3, wmma.* 4–6…), nothing if there is no
// such scope.
std::optional<int> storageRank(const std::string& scope);
Checked checkStorageScope(const std::string& scope);  // InvalidStorageScopeError

// Iteration variable → value.
std::unordered_map<const ir::VarNode*, ir::Expr> bindings(const ir::BlockRealizeNode& realize);
// Do the values map the loops onto compact iterators (TVM's IsAffineBinding)? True when there are no loops.
bool isAffineBinding(const ir::BlockRealizeNode& realize, const LoopDomain& loops, arith::Analyzer& analyzer);
// NotAffineBindingError. With `high`, a block that fails globally may still pass under the loops below `high`.
Checked checkAffineBinding(const Program& p, Id block);
Checked checkPartialAffineBinding(const Program& p, Id block, Id high);
// Loop variables in the values of spatial and of reduce iteration variables; true if there are others besides.
bool varsTouchedByIters(const ir::BlockRealizeNode& realize, std::unordered_set<const ir::VarNode*>& spatial,
                        std::unordered_set<const ir::VarNode*>& reduce);
bool isTrivialBinding(const Program& p, Id block);
Checked checkTrivialBinding(const Program& p, Id block);  // NotTrivialBindingError

// Blocks directly in a scope block with the loop variables that feed their iterators.
struct ScopeLoops {
  std::vector<ir::BlockRealize> realizes;
  std::unordered_set<const ir::VarNode*> spatial, nonSpatial;
};
ScopeLoops scopeLoops(const ir::BlockNode& scope);

// ---- Loops ----

Checked checkLoopStartsWithZero(const Program& p, Id loop, arith::Analyzer& analyzer);  // LoopNotStartWithZeroError
// HasAnnotationOrThreadBindingError
Checked checkNoAnnotationOrThread(const Program& p, Id loop);
// What the loop's variable feeds: Spatial, Reduce, or Opaque when mixed.
ir::IterType loopIterType(const ir::ForNode& loop);
// NonSingleChildBlockError
Result<ir::BlockRealize> singleChildBlock(const Program& p, Id parent);
// Shape variables of the function's buffers are never negative (TVM's AddShapeVarBounds).
void addShapeVarBounds(const Program& p, Id inside, arith::Analyzer& analyzer);

// ---- Buffers of a block ----

enum class Access { Read, Write };
// BufferIndexOutOfRangeError
Result<ir::BufferRegion> accessRegion(const ir::BlockNode& block, std::int64_t index, Access access);
// The block that allocates the buffer, or views it (isAllocation false); none for parameters.
struct DefiningSite {
  Id block;
  bool isAllocation = false;
};
DefiningSite definingSite(const Program& p, Id block, const ir::Buffer& buffer);

// ---- Reductions ----

bool onlySpatialAndReduceIters(const std::vector<ir::IterVar>& iters);
// What indexes the stores of the block's body. UnknownBuffer: one of them writes a buffer that the block neither lists
// as written, nor allocates itself, nor views; TVM ends in an InternalError then.
enum class OutputIndexing { SpatialOnly, ByReduceVariable, UnknownBuffer };
OutputIndexing outputIndexing(const ir::BlockNode& block);

// A statement's parts: a Seq's statements, else the statement itself.
std::vector<ir::Stmt> asArray(const ir::Stmt& stmt);
// How to take a block out of its scope together with the loops that would be empty without it (TVM's
// LeafBlockRemovalPlan): replace `before`, a For or the scope's BlockRealize, by `after`, which has its id.
// OnlyLeafError when nothing would be left.
struct LeafRemoval {
  ir::Stmt before, after;
};
Result<LeafRemoval> leafRemovalPlan(const Program& p, Id leafBlock);

}  // namespace loom::schedule
