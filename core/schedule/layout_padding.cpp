#include "core/schedule/layout_padding.h"

#include <algorithm>

#include "core/arith/deep_equal.h"
#include "core/ir/build.h"
#include "core/ir/substitute.h"
#include "core/ir/visit.h"
#include "core/schedule/new_loops.h"

namespace loom::schedule {
namespace {

using namespace ir;

// A store to the buffer and what stands around it.
struct Write {
  const StoreNode* store = nullptr;
  const BlockRealizeNode* realize = nullptr;  // of the innermost block; null: the scope itself
  std::vector<const ForNode*> loops;          // that its indices depend on, and those between them
  bool isRowMajor = false;                    // do these run over the buffer as it is stored?
};

class WriteFinder : public Visitor {
 public:
  explicit WriteFinder(Buffer buffer) : buffer_(std::move(buffer)) {}
  using Visitor::visit;

  std::vector<Write> in(const BlockNode& scope) {
    visitBlock(scope);
    return std::move(writes_);
  }

 protected:
  void visitFor(const ForNode& n) override {
    depths_[n.var.get()] = {loops_.size(), loops_.size()};
    loops_.push_back(&n);
    Visitor::visitFor(n);
    loops_.pop_back();
    depths_.erase(n.var.get());
  }
  void visitLetStmt(const LetStmtNode& n) override {
    const bool isNew = bind(n.var.get(), n.value);
    Visitor::visitLetStmt(n);
    if (isNew) forget(n.var.get());
  }
  void visitRealize(const BlockRealizeNode& n) override {
    std::vector<const VarNode*> bound;
    for (std::size_t i = 0; i < n.values.size(); ++i)
      if (bind(n.block->iters[i].var.get(), n.values[i])) bound.push_back(n.block->iters[i].var.get());
    const auto* around = std::exchange(realize_, &n);
    Visitor::visitRealize(n);
    realize_ = around;
    for (const VarNode* var : bound) forget(var);
  }
  void visitStore(const StoreNode& n) override {
    if (n.buffer != buffer_) return;
    std::optional<Depths> depths;
    for (const Expr& index : n.indices) unite(depths, depthsOf(index));
    Write write{&n, realize_, {}, false};
    if (depths) {
      const auto at = loops_.begin();
      write.loops.assign(at + std::ptrdiff_t(depths->first), at + std::ptrdiff_t(depths->second) + 1);
    }
    write.isRowMajor = isRowMajor(write);
    writes_.push_back(std::move(write));
  }

 private:
  using Depths = std::pair<std::size_t, std::size_t>;  // of the outermost and the innermost loop

  static void unite(std::optional<Depths>& all, const std::optional<Depths>& one) {
    if (all && one) all = {std::min(all->first, one->first), std::max(all->second, one->second)};
    if (!all) all = one;
  }
  std::optional<Depths> depthsOf(const Expr& e) const {
    std::optional<Depths> depths;
    forEachExpr(e, [&](const Expr& x) {
      if (const auto it = depths_.find(asVar(x)); it != depths_.end()) unite(depths, it->second);
    });
    return depths;
  }
  // Variables that depend on no loop stay unknown.
  bool bind(const VarNode* var, const Expr& value) {
    const auto depths = depthsOf(value);
    if (!depths) return false;
    depths_[var] = *depths;
    values_[var] = substitute(value, values_);
    return true;
  }
  void forget(const VarNode* var) {
    depths_.erase(var);
    values_.erase(var);
  }
  bool isRowMajor(const Write& write) const {
    const auto& indices = write.store->indices;
    if (write.loops.empty() || write.loops.size() != buffer_->shape.size() || write.loops.size() != indices.size())
      return false;
    for (std::size_t i = 0; i < indices.size(); ++i) {
      const ForNode& loop = *write.loops[i];
      if (substitute(indices[i], values_) != Expr(loop.var) || !isConst(loop.min, 0) ||
          !arith::deepEqual(loop.extent, buffer_->shape[i]) || loop.forKind != ForKind::Serial)
        return false;
    }
    return true;
  }

  Buffer buffer_;
  std::vector<Write> writes_;
  std::vector<const ForNode*> loops_;
  std::unordered_map<const VarNode*, Depths> depths_;
  VarMap values_;
  const BlockRealizeNode* realize_ = nullptr;
};

// Iterators over the new shape: a loop for each dimension, and the block's iterator that it feeds.
struct NewIterators {
  std::vector<Expr> loops;  // their variables
  std::vector<IterVar> iters;
  std::vector<Expr> indices;
  VarMap toIters;  // from loops
};

NewIterators iteratorsOf(const LayoutChange& change) {
  NewIterators made;
  for (std::size_t i = 0; i < change.inverse.map.inputs.size(); ++i) {
    const Var loop = change.inverse.map.inputs[i];
    const Var var = makeVar("v_" + loop->name, loop->dtype);
    const Expr extent = change.after->shape[i];
    made.loops.push_back(loop);
    made.iters.push_back({var, {zero(extent->dtype), extent}, IterType::Spatial});
    made.indices.push_back(var);
    made.toIters[loop.get()] = var;
  }
  return made;
}

Stmt loopsOver(Draft& draft, const LayoutChange& change, Stmt body) {
  std::vector<Expr> vars;
  std::vector<Range> domains;
  for (std::size_t i = 0; i < change.inverse.map.inputs.size(); ++i) {
    const Expr& extent = change.after->shape[i];
    vars.push_back(change.inverse.map.inputs[i]);
    domains.push_back({zero(extent->dtype), extent});
  }
  return newLoops(draft, vars, domains, std::move(body), {change.before->id});
}

Result<Expr> padValueAt(const LayoutChange& change, const std::vector<Expr>& indices, arith::Analyzer& analyzer) {
  auto values = mapIndices(*change.padValue, indices, analyzer);
  if (!values) return Failure(values.error());
  return values->front();
}

// A row-major nest, run over the new shape instead.
class StoreReplacer : public Mutator {
 public:
  StoreReplacer(const LayoutChange& change, const Write& write)
      : change_(change), write_(write), padding_(change.inverse.padding) {
    for (std::size_t i = 0; i < write.loops.size(); ++i)
      replaced_[write.loops[i]->var.get()] = change.inverse.map.outputs[i];
    for (const Var& axis : change.inverse.map.inputs) indices_.push_back(axis);
    if (write.realize) iterateAnew();
  }
  using Mutator::rewrite;

  // Run the nest's body. Nothing if another store stands beside those of the one element.
  Result<Stmt> run() {
    auto value = padValueAt(change_, indices_, analyzer_);
    if (!value) return Failure(value.error());
    padValue_ = *value;
    Stmt body = rewrite(write_.loops.back()->body);
    return onlyThose_ ? body : nullptr;
  }

 protected:
  Expr rewriteVar(const Expr& e) override {
    const auto it = replaced_.find(asVar(e));
    return it == replaced_.end() ? e : it->second;
  }
  Stmt rewriteStore(const Stmt& s) override {
    const auto* n = as<StoreNode>(s);
    const auto& wanted = write_.store->indices;
    const bool isThat =
        n->buffer == write_.store->buffer &&
        std::equal(wanted.begin(), wanted.end(), n->indices.begin(), n->indices.end(), arith::deepEqual);
    if (!isThat) {
      onlyThose_ = false;
      return Mutator::rewriteStore(s);
    }
    return Mutator::rewriteStore(store(change_.after, ifThenElse(padding_, padValue_, n->value), indices_));
  }
  Stmt rewriteRealize(const Stmt& s) override {
    const auto* before = as<BlockRealizeNode>(s);
    const Stmt after = Mutator::rewriteRealize(s);
    if (before != write_.realize) return after;
    const auto* n = as<BlockRealizeNode>(after);
    const Block block = edit(*n->block, [&](BlockNode& b) { b.iters = iters_; });
    return realize(values_, n->predicate, block);
  }

 private:
  // Iterators of the block that index the buffer, in the order of its dimensions, make way for new ones. Else the block
  // keeps its own, and their values too, though these name loops that are gone: so does TVM.
  void iterateAnew() {
    const BlockRealizeNode& realize = *write_.realize;
    iters_ = realize.block->iters;
    values_ = realize.values;
    const auto& indices = write_.store->indices;
    if (indices.empty() || iters_.size() < indices.size()) return;
    std::size_t first = 0;
    while (first < iters_.size() - indices.size() && Expr(iters_[first].var) != indices[0]) ++first;
    for (std::size_t i = 0; i < indices.size(); ++i)
      if (Expr(iters_[first + i].var) != indices[i] || iters_[first + i].type != IterType::Spatial) return;
    const NewIterators made = iteratorsOf(change_);
    for (std::size_t i = 0; i < indices.size(); ++i)
      replaced_[asVar(indices[i])] = substitute(change_.inverse.map.outputs[i], made.toIters);
    padding_ = substitute(padding_, made.toIters);
    indices_ = made.indices;
    const auto exchange = [&](auto& list, const auto& now) {
      const auto at =
          list.erase(list.begin() + std::ptrdiff_t(first), list.begin() + std::ptrdiff_t(first + indices.size()));
      list.insert(at, now.begin(), now.end());
    };
    exchange(iters_, made.iters);
    exchange(values_, made.loops);
  }

  const LayoutChange& change_;
  const Write& write_;
  Expr padding_, padValue_;
  std::vector<Expr> indices_;  // of the new buffer
  std::vector<IterVar> iters_;
  std::vector<Expr> values_;
  VarMap replaced_;
  bool onlyThose_ = true;
  arith::Analyzer analyzer_;
};

// The block that stores the value to the padding, or says that it is there, in loops over the new shape.
Result<Stmt> paddingBlock(Draft& draft, const LayoutChange& change, bool stores) {
  const NewIterators made = iteratorsOf(change);
  arith::Analyzer analyzer;
  const auto value = padValueAt(change, made.indices, analyzer);
  if (!value) return Failure(value.error());
  auto block = std::make_shared<BlockNode>();
  block->id = draft.newId();
  block->name = "buffer_" + change.after->name + (stores ? "_padding" : "_assumptions");
  block->iters = made.iters;
  (stores ? block->writes : block->reads) = {{change.after, pointRegion(made.indices)}};
  if (stores) {
    block->body = store(change.after, *value, made.indices);
  } else {
    const Expr holds = eq(load(change.after, made.indices), *value);
    const Expr padding = substitute(change.inverse.padding, made.toIters);
    block->body = evaluate(call(DType::Bool(), "assume", {orOf(notOf(padding), holds)}));
  }
  draft.origin(block->id, {change.before->id});
  return loopsOver(draft, change, realize(made.loops, stores ? change.inverse.padding : boolImm(true), block));
}

}  // namespace

Result<std::optional<IndexMap>> padValueOf(const Value& value, const Buffer& buffer, std::size_t dimensions,
                                           DType indexType) {
  if (value.isNone()) return std::optional<IndexMap>();
  if (const auto* lambda = value.as<Lambda>()) {
    auto map = indexMapOf(**lambda, dimensions, indexType);
    if (!map) return Failure(map.error());
    return std::optional<IndexMap>(std::move(*map));
  }
  IndexMap constant;
  for (std::size_t i = 0; i < dimensions; ++i)
    constant.inputs.push_back(makeVar("indices_" + std::to_string(i), indexType));
  const bool isWhole = buffer->dtype.isInt() || buffer->dtype.isUInt();
  Expr e;
  if (const auto* truth = value.as<bool>()) {
    e = isWhole ? intImm(*truth, buffer->dtype) : boolImm(*truth);
  } else if (const auto* number = value.as<std::int64_t>()) {
    e = intImm(*number, isWhole ? buffer->dtype : DType::Int(32));
  } else if (const auto* real = value.as<double>()) {
    e = floatImm(*real, buffer->dtype.isFloat() ? buffer->dtype : DType::Float(32));
  } else if (const auto* handle = value.as<Handle>()) {
    e = std::get<ExprRef>(*handle).value;
  } else {
    e = *value.as<Expr>();
  }
  constant.outputs = {e};
  return std::optional<IndexMap>(std::move(constant));
}

Result<PaddingPlan> planPadding(Draft& draft, const BlockNode& scope, const LayoutChange& change) {
  PaddingPlan plan;
  const std::vector<Write> writes = WriteFinder(change.before).in(scope);
  if (writes.empty()) {
    auto first = paddingBlock(draft, change, false);
    if (!first) return Failure(first.error());
    plan.first = *first;
    return plan;
  }
  for (const Write& write : writes) {
    if (!write.isRowMajor) continue;
    auto body = StoreReplacer(change, write).run();
    if (!body) return Failure(body.error());
    if (*body) plan.replacements[write.loops.front()->id] = loopsOver(draft, change, *body);
  }
  if (!plan.replacements.empty()) return plan;
  auto last = paddingBlock(draft, change, true);
  if (!last) return Failure(last.error());
  plan.last = *last;
  const Write& final = writes.back();
  plan.lastWriter = !final.loops.empty() ? final.loops.front()->id
                    : final.realize      ? final.realize->block->id
                                         : scope.id;
  return plan;
}

}  // namespace loom::schedule
