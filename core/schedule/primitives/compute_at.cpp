// compute_at(block, loop, preserve_unit_loops=False, index=-1)
// reverse_compute_at(block, loop, preserve_unit_loops=False, index=-1)
//
//   for i, j: B[i, j] = …                  for i:
//   for i:                             →     for ax0: B[i, ax0] = …
//     for j: C[i, j] = f(B[i, j])            for j: C[i, j] = f(B[i, j])
//
// The block leaves its loops and gets new ones under `loop`, just large enough for what its consumers (reverse: its
// producers) there need of it; what the loops run over too much becomes a predicate. The block's old predicate is
// dropped. At the marker "inline" (of sample_compute_location) the block is inlined, at "root" nothing happens. Loops
// of extent 1 are left out unless asked for. `index`: -1 is the last possible position among the loop's statements, -2
// the first, else the position itself. Refused, in TVM's order: RootBlockError, NotStagePipelineError,
// NotCompleteOrReductionBlockError, NotInSameScopeError, OutputBlockError (compute_at), OnlyLeafError,
// InsertionPointNotFoundError, NotAllRequiredBlocksAreVisitedError, InternalError (an impossible index; a region that
// TVM cannot invert).
#include "core/ir/visit.h"
#include "core/schedule/block_domain.h"
#include "core/schedule/inliner.h"
#include "core/schedule/instructions.h"
#include "core/schedule/refuse.h"

namespace loom::schedule {

using namespace ir;

namespace {

enum class Direction { Forward, Reverse };  // move a producer to its consumers, or a consumer to its producers

// Binds the loops from `loop` up to the scope.
Checked bindLoopsOf(const Program& p, Id block, Id loop, Id scope, arith::Analyzer& analyzer) {
  const Tree& tree = p.tree();
  auto otherScope = [&] {
    return refuse(
        "NotInSameScopeError",
        message("block and loop must be under the same block scope, and the loop not an ancestor of the block"),
        {block, loop});
  };
  Id at = loop;
  for (; tree.isLoop(at); at = tree.parent(at)) {
    const For node = tree.loop(at);
    analyzer.bind(node->var, Range{node->min, node->extent});
  }
  if (at != scope) return otherScope();
  for (at = tree.parent(block); at != scope; at = tree.parent(at)) {
    if (at == loop) return otherScope();
  }
  return {};
}

Checked checkAllVisited(int visited, const std::vector<Id>& required, const char* relation) {
  const int missing = static_cast<int>(required.size()) - visited;
  if (missing <= 0) return {};
  return refuse("NotAllRequiredBlocksAreVisitedError",
                message("all {} of the block must be under the loop, but {} are not", relation, missing), required);
}

Result<int> insertionPoint(const std::vector<Stmt>& subtrees, const std::vector<Id>& producers,
                           const std::vector<Id>& consumers, Direction direction, std::int64_t index) {
  auto split = splitProducersConsumers(subtrees, producers, consumers);
  if (!split) return Failure(split.error());
  auto visited = direction == Direction::Forward ? checkAllVisited(split->consumersVisited, consumers, "consumers")
                                                 : checkAllVisited(split->producersVisited, producers, "producers");
  if (!visited) return Failure(visited.error());
  if (index == -1) return split->firstConsumer;
  if (index == -2) return split->lastProducer + 1;
  if (index >= 0 && index >= split->lastProducer + 1 && index <= split->firstConsumer) return static_cast<int>(index);
  return refuse(
      "InternalError",
      message("index must be -1, -2 or in [{}, {}], but is {}", split->lastProducer + 1, split->firstConsumer, index),
      {}, Forbids::Tvm);
}

// The block with its new values and predicate, under its new loops.
struct NewNest {
  Stmt nest;
  BlockRealize realize;
};

NewNest makeNest(Draft& draft, const BlockRealize& old, const std::vector<IterDomain>& domains, bool keepUnitLoops,
                 arith::Analyzer& analyzer) {
  const Block& block = old->block;
  std::vector<For> loops;
  std::vector<Expr> values;
  Expr predicate = boolImm(true);
  for (std::size_t i = 0; i < domains.size(); ++i) {
    const Range range = domains[i].domain.coverRange(block->iters[i].domain);
    if (keepUnitLoops || !isConst(range.extent, 1)) {
      const DType dtype = DType::Int(std::max(range.min->dtype.bits, range.extent->dtype.bits));
      auto loop = std::make_shared<ForNode>();
      loop->id = draft.newId();
      loop->var = makeVar("ax" + std::to_string(loops.size()), dtype);
      loop->min = zero(dtype);
      loop->extent = analyzer.simplify(range.extent);
      values.push_back(range.min + Expr(loop->var));
      analyzer.bind(loop->var, Range{zero(dtype), range.extent});
      draft.origin(loop->id, {block->id});
      loops.push_back(std::move(loop));
    } else {
      values.push_back(range.min);
    }
    const arith::IntSet& bound = domains[i].bound;
    if (bound.isNothing()) continue;
    auto require = [&](const Expr& condition) {
      if (!analyzer.canProve(condition, arith::Strength::SymbolicBound)) predicate = andOf(predicate, condition);
    };
    if (bound.hasLowerBound()) require(ge(values[i], bound.min()));
    if (bound.hasUpperBound()) require(lt(values[i], bound.max() + 1));
  }
  NewNest made;
  made.realize = realize(std::move(values), analyzer.simplify(predicate), block);
  made.nest = made.realize;
  for (auto it = loops.rbegin(); it != loops.rend(); ++it) {
    made.nest = edit(**it, [&](ForNode& n) { n.body = made.nest; });
  }
  return made;
}

// Takes the old place out and puts the new one in.
class Mover : public Mutator {
 public:
  Mover(Stmt before, Stmt after, For target) : before_(before), after_(after), target_(std::move(target)) {}
  using Mutator::rewrite;
  Expr rewrite(const Expr& e) override { return e; }
  Block rewriteBlock(const Block& block) override { return block; }  // only the scope is entered
  Block rewriteScope(const Block& scope) {
    auto* removed = asRealize(after_);
    const Block& from = removed && removed->block->id == scope->id ? removed->block : scope;
    BlockNode changed = *from;
    changed.body = rewrite(from->body);
    return std::make_shared<const BlockNode>(std::move(changed));
  }

 protected:
  Stmt rewriteFor(const Stmt& s) override {
    if (as<ForNode>(s)->id == target_->id) return target_;
    auto* removed = asFor(before_);
    return Mutator::rewriteFor(removed && removed->id == as<ForNode>(s)->id ? after_ : s);
  }

 private:
  Stmt before_, after_;
  For target_;
};

Result<Handles> moveBlock(Draft& draft, const Arguments& arguments, Direction direction) {
  const Program& p = draft.program();
  const Tree& tree = draft.tree();
  const Id id = arguments.block("block");
  const bool forward = direction == Direction::Forward;
  if (auto* handle = arguments["loop"].as<Handle>()) {
    auto* marked = std::get_if<LoopRef>(handle);
    if (marked && marked->marker == LoopRef::Marker::Root) return Handles{};
    if (marked && marked->marker == LoopRef::Marker::Inline) {
      auto done = forward ? computeInline(draft, id) : reverseComputeInline(draft, id);
      if (!done) return Failure(done.error());
      return Handles{};
    }
  }
  const Id loopId = arguments.loop("loop");
  const BlockRealize realize = tree.realize(id);
  const Block& block = realize->block;
  const For loop = tree.loop(loopId);
  arith::Analyzer analyzer;

  const auto scope = scopeRoot(p, id, true);
  if (!scope) return Failure(scope.error());
  addShapeVarBounds(p, id, analyzer);
  const auto makers = producers(*p.info(*scope).scope, id), users = consumers(*p.info(*scope).scope, id);
  if (auto ok = checkCompleteOrReductionBlock(p, id, *scope); !ok) return Failure(ok.error());
  if (auto ok = bindLoopsOf(p, id, loopId, *scope, analyzer); !ok) return Failure(ok.error());
  if (forward) {
    if (auto ok = checkNotOutputBlock(p, id, *scope); !ok) return Failure(ok.error());
  }
  const auto removal = leafRemovalPlan(p, id);
  if (!removal) return Failure(removal.error());
  std::vector<Stmt> subtrees = asArray(loop->body);
  const auto position = insertionPoint(subtrees, makers, users, direction, arguments.integer("index"));
  if (!position) return Failure(position.error());

  RegionsByBuffer provided, required;
  for (const auto& region : forward ? block->writes : block->reads) {
    Intervals sets;
    for (const auto& range : region.region) sets.push_back(arith::IntSet::fromRange(range));
    provided.of(region.buffer).push_back(std::move(sets));
    required.of(region.buffer);
  }
  for (Id other : forward ? users : makers) {
    const BlockRealize there = tree.realize(other);
    relaxRegions(p, *there, forward ? there->block->reads : there->block->writes, tree.parent(other), loopId, forward,
                 required);
  }
  const auto domains = solveDomains(block->iters, provided, required, analyzer);
  if (!domains) return Failure(domains.error());

  const NewNest made = makeNest(draft, realize, *domains, arguments.flag("preserve_unit_loops"), analyzer);
  subtrees.insert(subtrees.begin() + *position, made.nest);
  const For target = edit(*loop, [&](ForNode& n) { n.body = seq(std::move(subtrees)); });
  draft.replace(*scope, Mover(removal->before, removal->after, target).rewriteScope(tree.block(*scope)));
  draft.setAffineBinding(
      id, isAffineBinding(*made.realize, loopDomain(draft.program(), draft.tree().parent(id)), analyzer));
  return Handles{};
}

Instruction moveRow() {
  Instruction row;
  row.group = "memory";
  row.parameters = {
      {"block", ParameterType::Block, {}, "", "the block to move", "要移动的计算块"},
      {"loop", ParameterType::Loop, {}, "", "the loop to move it under", "移入的循环"},
      {"preserve_unit_loops", ParameterType::Bool, Value{false}, "", "keep loops of extent 1", "保留长度为 1 的循环"},
      {"index", ParameterType::Int, Value{std::int64_t{-1}}, "",
       "position among the loop's statements: -1 last possible, -2 first possible",
       "在循环体中的位置：-1 最后可行处，-2 最前可行处"}};
  return row;
}

}  // namespace

Instruction computeAtInstruction() {
  Instruction row = moveRow();
  row.name = "compute_at";
  row.traceKind = "ComputeAt";
  row.apply = [](Draft& draft, const Arguments& arguments) { return moveBlock(draft, arguments, Direction::Forward); };
  row.en = "Move a producer under a loop of its consumers, computing just what is needed there.";
  row.zh = "把生产者计算块移到消费者的循环之下，只计算那里需要的部分。";
  return row;
}

Instruction reverseComputeAtInstruction() {
  Instruction row = moveRow();
  row.name = "reverse_compute_at";
  row.traceKind = "ReverseComputeAt";
  row.apply = [](Draft& draft, const Arguments& arguments) { return moveBlock(draft, arguments, Direction::Reverse); };
  row.en = "Move a consumer under a loop of its producers, using what was just computed there.";
  row.zh = "把消费者计算块移到生产者的循环之下，立即使用刚算出的部分。";
  return row;
}

}  // namespace loom::schedule
