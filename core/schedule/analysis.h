// Analyses with which primitives check whether a step is legal. `Program` is the program of a state (State::program())
// or of a draft (Draft::program()); ids must be of its loops and blocks. A function named check… gives the error whose
// code the comment beside it names if the condition in its name doesn't hold. A scope is the part of a program that is
// directly in one block; it is a stage pipeline if no block in it has a WAR or opaque dependency on another, and each
// that depends on others reads of their buffers only what they have written. A block's binding, the values of its
// iterators, is affine if it maps the loops around onto compact iterators. Source of the semantics: TVM 0.22,
// src/tir/schedule/analysis.
#pragma once
#include <unordered_map>
#include <unordered_set>

#include "core/arith/analyzer.h"
#include "core/arith/var_ranges.h"
#include "core/schedule/state.h"

namespace loom::schedule {

using Checked = Result<void>;

// ---- Scopes ----

// Returns the block that encloses a loop or block. Errors: "RootBlockError" for a root block; "NotStagePipelineError"
// if `requireStagePipeline` and the scope is no stage pipeline.
Result<Id> scopeRoot(const Program& p, Id target, bool requireStagePipeline);

// Return the number of the first clause in TVM's definition of a complete block, or of a reduction block, that the
// block violates; 0 if it violates none. Complete: 1 all iterators are spatial, 2 it is the only writer of its buffers
// in the scope, 3 it doesn't read what it writes. Reduction: 1 it has an init, 2 its binding is affine, 3 its iterators
// are spatial or reduce, 4 as 2 of complete, 5 no reduce iterator indexes its output; 6 isn't a clause: the block
// writes an unknown buffer (OutputIndexing::UnknownBuffer, below), and the checks then give the error InternalError
// instead of their own. `scope` is the enclosing scope block, or a loop around the block. For a loop, clauses 2 and 4
// ask something else, as in TVM: for each buffer that the block writes, the first of the loop's child blocks counts
// that has blocks directly in its own scope which write the buffer; exactly one of these may, whichever it is. A child
// that itself writes the buffer doesn't count. If no child counts, the clauses hold.
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
// Checks that each child block of the loop or block `subtreeRoot` is a complete or a reduction block in it. Error
// NotCompactDataFlowError.
Checked checkSubtreeCompactDataflow(const Program& p, Id subtreeRoot);
// Returns whether the block writes a buffer that isn't allocated in the scope block.
bool isOutputBlock(const Program& p, Id block, Id scope);
Checked checkNotOutputBlock(const Program& p, Id block, Id scope);  // OutputBlockError
// Returns the blocks at any depth below `scope`, in program order, that are output blocks of the block directly around
// them.
std::vector<Id> outputBlocks(const Program& p, Id scope);

// Return the blocks of the scope that the block depends on, or that depend on it, by a RAW or WAW dependency, each
// once, in the order of BlockScope::deps.
std::vector<Id> producers(const BlockScope& scope, Id block);
std::vector<Id> consumers(const BlockScope& scope, Id block);
// Return the producers and the consumers of a block in the scope block around it. Error "RootBlockError" for a root
// block.
Result<std::vector<Id>> producersOf(const Program& p, Id block);
Result<std::vector<Id>> consumersOf(const Program& p, Id block);

// Where the producers and consumers of a block are among n statements in sequence, the subtrees.
struct ProducerConsumerSplit {
  int lastProducer = -1;  // all producers fall into subtrees [0, lastProducer]
  int firstConsumer = 0;  // all consumers fall into subtrees [firstConsumer, n); n if there is none
  int producersVisited = 0, consumersVisited = 0;  // how many of them are in the subtrees
};
// Finds the producers and consumers in the subtrees, without looking at blocks inside other blocks. Error
// "InsertionPointNotFoundError" if the subtree with the first consumer isn't behind the one with the last producer.
Result<ProducerConsumerSplit> splitProducersConsumers(const std::vector<ir::Stmt>& subtrees,
                                                      const std::vector<Id>& producers,
                                                      const std::vector<Id>& consumers);

// ---- Bindings and domains ----

// Loop variables with their ranges in the order found, innermost first.
using LoopDomain = arith::VarRanges;
// Returns the loops from `low` upward to the next block, `low` included and `high` excluded (no id: no limit). For a
// storage scope other than global, also the thread loops further up, across blocks, that share such memory ("shared" is
// shared by threadIdx and vthread loops, "warp" by threadIdx.x). If `low` is a block, only these thread loops are
// returned.
LoopDomain loopDomain(const Program& p, Id low, Id high = {}, const std::string& storageScope = "global");
// Returns whether the threads of an axis ("threadIdx.x") share memory of the storage scope.
bool canRelaxStorageUnderThread(const std::string& storageScope, const std::string& thread);
// Returns the rank of a storage scope in TVM's order (global 0, shared 1, warp 2, local 3, wmma.* 4–6, …); nothing for
// an unknown scope.
std::optional<int> storageRank(const std::string& scope);
Checked checkStorageScope(const std::string& scope);  // that storageRank knows the scope; InvalidStorageScopeError

// Returns the binding value of each iterator of the block, by the iterator's variable.
std::unordered_map<const ir::VarNode*, ir::Expr> bindings(const ir::BlockRealizeNode& realize);
// Returns whether the values map the loops onto compact iterators (TVM's IsAffineBinding); true without loops. The
// analyzer must know the ranges of other variables in the values.
bool isAffineBinding(const ir::BlockRealizeNode& realize, const LoopDomain& loops, arith::Analyzer& analyzer);
// Check that a block's binding is affine. Error "NotAffineBindingError". The second passes also if the binding is
// affine in the loops below `high` alone.
Checked checkAffineBinding(const Program& p, Id block);
Checked checkPartialAffineBinding(const Program& p, Id block, Id high);
// Collects the loop variables in the values of spatial and of reduce iteration variables. Returns whether there are
// iteration variables of other kinds.
bool varsTouchedByIters(const ir::BlockRealizeNode& realize, std::unordered_set<const ir::VarNode*>& spatial,
                        std::unordered_set<const ir::VarNode*>& reduce);
// Returns whether the binding values of the block are the loops above it, in their order, one each.
bool isTrivialBinding(const Program& p, Id block);
Checked checkTrivialBinding(const Program& p, Id block);  // NotTrivialBindingError

// The blocks directly in a scope block, in program order, and the variables in the values of their spatial iterators
// and of their other iterators.
struct ScopeLoops {
  std::vector<ir::BlockRealize> realizes;
  std::unordered_set<const ir::VarNode*> spatial, nonSpatial;
};
// Returns the blocks directly in the scope block, and the variables in their iterators' values.
ScopeLoops scopeLoops(const ir::BlockNode& scope);

// ---- Loops ----

Checked checkLoopStartsWithZero(const Program& p, Id loop, arith::Analyzer& analyzer);  // LoopNotStartWithZeroError
// Checks that a loop has no annotation and isn't bound to threads. Error "HasAnnotationOrThreadBindingError".
Checked checkNoAnnotationOrThread(const Program& p, Id loop);
// Returns the kind of the iteration variables, of the loop's child blocks, that the loop's variable determines:
// Spatial, also if there is none; Reduce; or Opaque if they are mixed or one is opaque.
ir::IterType loopIterType(const ir::ForNode& loop);
// Returns the only child block of a loop or block. Error "NonSingleChildBlockError" if there is none or several.
Result<ir::BlockRealize> singleChildBlock(const Program& p, Id parent);
// Tells the analyzer that the shape variables of the function which contains `inside` are never negative (TVM's
// AddShapeVarBounds).
void addShapeVarBounds(const Program& p, Id inside, arith::Analyzer& analyzer);

// ---- Buffers of a block ----

enum class Access { Read, Write };
// Returns the region of an access by its index in `reads` or `writes`. Error "BufferIndexOutOfRangeError".
Result<ir::BufferRegion> accessRegion(const ir::BlockNode& block, std::int64_t index, Access access);
// The block that defines a buffer: it allocates it (`isAllocation`), or views another buffer as it (match_buffer). For
// parameters of the function, `block` has no id.
struct DefiningSite {
  Id block;
  bool isAllocation = false;
};
// Returns the site that defines the buffer, among `block` and the blocks around it; that of a parameter if none does.
DefiningSite definingSite(const Program& p, Id block, const ir::Buffer& buffer);

// ---- Reductions ----

bool onlySpatialAndReduceIters(const std::vector<ir::IterVar>& iters);
// Which iterators index the stores of a block's body. SpatialOnly: no reduce iterator does. ByReduceVariable: one does.
// UnknownBuffer: a store writes a buffer that the block neither lists as written, nor allocates itself, nor views; TVM
// ends in an InternalError then.
enum class OutputIndexing { SpatialOnly, ByReduceVariable, UnknownBuffer };
OutputIndexing outputIndexing(const ir::BlockNode& block);

// Returns a statement's parts: the statements of a Seq, or else the statement itself.
std::vector<ir::Stmt> asArray(const ir::Stmt& stmt);
// How to remove a block from its scope together with the loops that would be empty without it (TVM's
// LeafBlockRemovalPlan): `before`, a For or the scope's BlockRealize, is replaced by `after`, which has its id. Error
// "OnlyLeafError" if nothing would be left. Throws std::logic_error for a root block.
struct LeafRemoval {
  ir::Stmt before, after;
};
Result<LeafRemoval> leafRemovalPlan(const Program& p, Id leafBlock);

}  // namespace loom::schedule
