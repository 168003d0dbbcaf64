// decompose_padding(block, loop) -> block
//
//                                                        for i in range(130):
//   for i in range(130):                                   block B_pad_const(vi): B[vi] = 0
//     block B(vi):                                   →   for i in range(128):
//       B[vi] = if_then_else(1 <= vi < 129, A[vi - 1], 0)   block B(vi): B[vi + 1] = A[vi]
//
// A block that pads becomes one that fills all of the buffer with the constant, before `loop`, and one that copies what
// lies inside. The filling block is returned.
//
// Refused, in this order: IncompleteBlockError, LoopPositionError (the loop is not around the block),
// PaddingPatternMatchError (the block does not pad, or its inside is no box).
#include <algorithm>

#include "core/arith/deep_equal.h"
#include "core/arith/iter_map.h"
#include "core/ir/substitute.h"
#include "core/ir/visit.h"
#include "core/schedule/analysis.h"
#include "core/schedule/instructions.h"
#include "core/schedule/refuse.h"

namespace loom::schedule {
namespace {

using namespace ir;

struct Padding {
  std::vector<Range> inside;  // of the block's iterators, where the predicate holds
  Expr value;                 // there, in terms of the iterators
  Expr predicate;             // in terms of the loops
  Expr constant;              // elsewhere
};

Failure noPattern(const BlockNode& block, Message message) {
  return refuse("PaddingPatternMatchError", std::move(message), {block.id});
}

void conjuncts(const Expr& e, Expr& all) {
  if (const auto* both = asBinary(e, ExprKind::And)) {
    conjuncts(both->a, all);
    conjuncts(both->b, all);
    return;
  }
  const auto* likely = asCall(e);
  all = andOf(all, likely && likely->op == "likely" ? likely->args[0] : e);
}

Result<Padding> paddingOf(const BlockRealizeNode& whole, const arith::VarRanges& loops, arith::Analyzer& analyzer) {
  const BlockNode& block = *whole.block;
  if (!block.body || block.body->kind != StmtKind::Store)
    return noPattern(block, message("The body of the block \"{}\" is no single store", block.name));
  const auto* choice = asCall(as<StoreNode>(block.body)->value);
  if (!choice || choice->op != "if_then_else")
    return noPattern(block, message("The block \"{}\" does not store an if_then_else", block.name));
  Padding padding{{}, choice->args[1], boolImm(true), choice->args[2]};
  if (padding.constant->kind != ExprKind::IntImm && padding.constant->kind != ExprKind::FloatImm)
    return noPattern(block, message("What the block \"{}\" stores outside is no constant", block.name));
  if (arith::effectOf(padding.value) == arith::Effect::UpdateState)
    return noPattern(block, message("What the block \"{}\" stores inside has side effects", block.name));
  const Expr condition = substitute(choice->args[0], bindings(whole));
  conjuncts(andOf(condition, whole.predicate), padding.predicate);
  padding.predicate = analyzer.simplify(padding.predicate);
  if (isTrue(padding.predicate))
    return noPattern(block, message("The condition of the block \"{}\" holds everywhere", block.name));
  const auto map =
      arith::detectIterMap(whole.values, loops, padding.predicate, arith::IterMapLevel::Surjective, analyzer);
  if (!map)
    return noPattern(
        block, message("The iterators of the block \"{}\" are not independent where its condition holds", block.name));
  for (const arith::IterSum& sum : map.indices) {
    if (sum->args.empty()) {
      padding.inside.push_back({sum->base, one(sum->base->dtype)});
      continue;
    }
    if (!analyzer.canProveEqual(sum->args[0]->scale, intImm(1)))
      return noPattern(block, message("The block \"{}\" runs in strides", block.name));
    padding.inside.push_back({sum->base, sum->args[0]->extent});
  }
  return padding;
}

// Replaces variables, and simplifies.
class Rewriting {
 public:
  explicit Rewriting(arith::Analyzer& analyzer) : analyzer_(analyzer) {}
  VarMap map;

  Expr operator()(const Expr& e) const { return analyzer_.simplify(substitute(e, map)); }
  std::vector<Expr> operator()(std::vector<Expr> list) const {
    for (Expr& e : list) e = (*this)(e);
    return list;
  }
  std::vector<BufferRegion> operator()(std::vector<BufferRegion> list) const {
    for (BufferRegion& region : list)
      for (Range& range : region.region) range = {(*this)(range.min), (*this)(range.extent)};
    return list;
  }

 private:
  arith::Analyzer& analyzer_;
};

// `loops` from the innermost outwards.
struct Nest {
  Stmt outermost;
  Id block;
};

Nest fillingNest(Draft& draft, const BlockRealizeNode& whole, const Padding& padding, const std::vector<For>& loops,
                 arith::Analyzer& analyzer) {
  const BlockNode& block = *whole.block;
  const auto& stored = *as<StoreNode>(block.body);
  auto made = std::make_shared<BlockNode>();
  made->id = draft.newId();
  made->name = block.name + "_pad_const";
  Rewriting rewritten(analyzer);
  for (const IterVar& iter : block.iters) {
    made->iters.push_back({makeVar(iter.var->name, iter.var->dtype), iter.domain, IterType::Spatial});
    rewritten.map[iter.var.get()] = made->iters.back().var;
  }
  made->writes = rewritten(block.writes);
  made->body = store(stored.buffer, padding.constant, rewritten(stored.indices));
  for (const For& loop : loops) rewritten.map[loop->var.get()] = makeVar(loop->var->name, loop->var->dtype);
  Stmt nest = realize(rewritten(whole.values), rewritten(whole.predicate), made);
  for (const For& loop : loops) {
    auto copy = std::make_shared<ForNode>();
    copy->id = draft.newId();
    copy->var = varOf(rewritten.map.at(loop->var.get()));
    copy->min = loop->min;
    copy->extent = loop->extent;
    copy->body = std::move(nest);
    draft.origin(copy->id, {loop->id});
    nest = copy;
  }
  draft.origin(made->id, {block.id});
  return {nest, made->id};
}

Nest insideNest(const BlockRealizeNode& whole, const Padding& padding, const std::vector<For>& loops,
                arith::Analyzer& analyzer) {
  const BlockNode& block = *whole.block;
  const auto& stored = *as<StoreNode>(block.body);
  arith::VarRanges ranges;
  for (const For& loop : loops) ranges.set(loop->var, {loop->min, loop->extent});
  auto made = std::make_shared<BlockNode>();
  made->id = block.id;
  made->name = block.name;
  Rewriting rewritten(analyzer);
  std::vector<Expr> values;
  for (std::size_t i = 0; i < padding.inside.size(); ++i) {
    const IterVar& iter = block.iters[i];
    const Range& inside = padding.inside[i];
    const Var var = makeVar(iter.var->name, iter.var->dtype);
    const Range domain{zero(var->dtype), inside.extent};
    made->iters.push_back({var, domain, IterType::Spatial});
    rewritten.map[iter.var.get()] = Expr(var) + inside.min;
    const Expr& value = whole.values[i];
    if (!asVar(value) || !ranges.contains(asVar(value))) {
      values.push_back(analyzer.simplify(value - inside.min));
      continue;
    }
    // A loop that feeds the iterator as it is gets shorter, so that no predicate is needed.
    const Var loop = varOf(value);
    ranges.set(loop, domain);
    values.push_back(value);
    rewritten.map[loop.get()] = Expr(loop) + inside.min;
    analyzer.bind(loop, domain, true);
  }
  made->reads = rewritten(block.reads);
  made->writes = rewritten(block.writes);
  made->body = store(stored.buffer, rewritten(padding.value), rewritten(stored.indices));
  Stmt nest = realize(values, rewritten(padding.predicate), made);
  for (const For& loop : loops) {
    const Range* range = ranges.find(loop->var);
    nest = edit(*loop, [&](ForNode& n) {
      n.min = range->min;
      n.extent = range->extent;
      n.body = std::move(nest);
    });
  }
  return {nest, made->id};
}

class NestReplacer : public Mutator {
 public:
  NestReplacer(Id fillAt, Stmt filling, Id copyAt, Stmt inside)
      : fillAt_(fillAt), copyAt_(copyAt), filling_(std::move(filling)), inside_(std::move(inside)) {}
  using Mutator::rewrite;

 protected:
  Stmt rewriteFor(const Stmt& s) override {
    const Id id = as<ForNode>(s)->id;
    const Stmt after = id == copyAt_ ? inside_ : Mutator::rewriteFor(s);
    return id == fillAt_ ? seq({filling_, after}) : after;
  }

 private:
  Id fillAt_, copyAt_;
  Stmt filling_, inside_;
};

// What reads the buffer beside the filling, and not below the loop that holds both, no longer reads what was certainly
// written there.
void loseCover(Draft& draft, Id block, Id filling, Id scope) {
  const auto readers = consumersOf(draft.program(), block);
  bool isPipeline = true;
  for (Id reader : readers ? *readers : std::vector<Id>{}) {
    const Id common = draft.tree().lowestCommonAncestor({reader, block});
    if (draft.tree().isAncestorOrSelf(common, draft.tree().parent(filling))) continue;
    draft.setRegionCover(reader, false);
    isPipeline = false;
  }
  if (!isPipeline) draft.setStagePipeline(scope, false);
}

Result<Handles> applyDecomposePadding(Draft& draft, const Arguments& arguments) {
  const Program& p = draft.program();
  const Tree& tree = draft.tree();
  const Id id = arguments.block("block"), fillAt = arguments.loop("loop");
  const BlockRealize whole = tree.realize(id);
  const auto scope = scopeRoot(p, id, false);
  if (!scope) return Failure(scope.error());
  if (auto ok = checkCompleteBlock(p, id, *scope); !ok) return Failure(ok.error());

  arith::Analyzer analyzer;
  arith::VarRanges domains;
  std::vector<For> inner, filled;  // from the innermost outwards: up to the copy's outermost, and to the filling's
  bool isFound = false, isOnly = true;
  const auto loops = tree.loopsAbove(id);
  for (auto it = loops.rbegin(); it != loops.rend(); ++it) {
    const For loop = tree.loop(*it);
    domains.set(loop->var, {loop->min, loop->extent});
    analyzer.bind(loop->var, {loop->min, loop->extent});
    if (isFound) continue;
    isFound = *it == fillAt;
    filled.push_back(loop);
    isOnly = isOnly && (isFound || asFor(loop->body) || asRealize(loop->body));
    if (isOnly) inner.push_back(loop);
  }
  if (inner.empty())
    return refuse("InternalError", message("TVM finds no loop around the block \"{}\" alone", whole->block->name), {id},
                  Forbids::Tvm);
  if (!isFound) return refuse("LoopPositionError", message("The loop must be an ancestor of the block"), {fillAt, id});
  const auto padding = paddingOf(*whole, domains, analyzer);
  if (!padding) return Failure(padding.error());
  const Nest filling = fillingNest(draft, *whole, *padding, filled, analyzer);
  const Nest inside = insideNest(*whole, *padding, inner, analyzer);
  NestReplacer replacer(fillAt, filling.outermost, inner.back()->id, inside.outermost);
  const Id scopeId = *scope;
  draft.replace(scopeId, edit(*tree.block(scopeId), [&](BlockNode& n) { n.body = replacer.rewrite(n.body); }));
  draft.setAffineBinding(filling.block, true);
  draft.setRegionCover(filling.block, true);
  draft.setStagePipeline(filling.block, true);
  loseCover(draft, id, filling.block, scopeId);
  return Handles{BlockRef{filling.block}};
}

}  // namespace

Instruction decomposePaddingInstruction() {
  Instruction row;
  row.name = "decompose_padding";
  row.traceKind = "DecomposePadding";
  row.group = "blocks";
  row.parameters = {
      {"block",
       ParameterType::Block,
       {},
       "",
       "it stores an if_then_else with a constant",
       "它写入带常数的 if_then_else"},
      {"loop", ParameterType::Loop, {}, "", "the constant is filled in just before it", "在这个循环之前填入常数"}};
  row.results = Instruction::Results::Block;
  row.apply = applyDecomposePadding;
  row.en = "Split a padding into a block that fills in the constant and one that copies what lies inside.";
  row.zh = "把填充拆成填入常数的计算块和拷贝内部数据的计算块。";
  return row;
}

}  // namespace loom::schedule
