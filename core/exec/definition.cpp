#include "core/exec/definition.h"

#include <algorithm>
#include <set>

#include "core/arith/analyzer.h"
#include "core/ir/build.h"
#include "core/ir/equal.h"
#include "core/ir/substitute.h"
#include "core/ir/visit.h"
#include "core/schedule/linear_index.h"

namespace loom::exec {

using namespace ir;

namespace {

// A realize with the loops around it.
struct Leaf {
  const BlockRealizeNode* realize = nullptr;
  std::vector<const ForNode*> loops;
};

class Leaves : public Visitor {
 public:
  std::vector<Leaf> found;
  bool plain = true;  // nothing but loops and blocks around the leaves

 protected:
  void visitFor(const ForNode& n) override {
    loops_.push_back(&n);
    visit(n.body);
    loops_.pop_back();
  }
  void visitRealize(const BlockRealizeNode& n) override {
    bool inner = false;
    forEachStmt(n.block->body, [&](const Stmt& s) {
      inner = inner || s->kind == StmtKind::BlockRealize;
      return !inner;
    });
    if (!inner) {
      found.push_back({&n, loops_});
    } else {
      plain = plain && n.block->iters.empty();
      visit(n.block->body);
    }
  }
  void visitIf(const IfThenElseNode&) override { plain = false; }
  void visitLetStmt(const LetStmtNode&) override { plain = false; }
  void visitWhile(const WhileNode&) override { plain = false; }
  void visitStore(const StoreNode&) override { plain = false; }

 private:
  std::vector<const ForNode*> loops_;
};

// Each iterator is a loop of its own, over the same range from 0.
bool bindsPlainly(const Leaf& leaf) {
  if (!isTrue(leaf.realize->predicate)) return false;
  std::set<const VarNode*> used;
  const auto& iters = leaf.realize->block->iters;
  for (std::size_t i = 0; i < iters.size(); ++i) {
    if (!isConst(iters[i].domain.min, 0) || !asInt(iters[i].domain.extent)) return false;
    if (isConst(leaf.realize->values[i], 0) && isConst(iters[i].domain.extent, 1)) continue;
    auto* v = asVar(leaf.realize->values[i]);
    if (!v || !used.insert(v).second) return false;
    bool whole = false;
    for (const ForNode* loop : leaf.loops) {
      whole = whole || (loop->var.get() == v && isConst(loop->min, 0) &&
                        constantOr(loop->extent, -1) == constantOr(iters[i].domain.extent, 0));
    }
    if (!whole) return false;
  }
  // A loop that no iterator follows would repeat the block.
  for (const ForNode* loop : leaf.loops) {
    if (!used.count(loop->var.get()) && !isConst(loop->extent, 1)) return false;
  }
  return true;
}

// Whether all products of bytes are what they are in this type.
bool holdsProducts(DType t) { return t.isFloat() || (t.isInt() && t.bits == 32); }

// An element at plain iterators, perhaps cast to a type that holds all small integers; nothing of other expressions.
std::optional<std::vector<int>> plainFactor(Expr e, ScalarCompiler& compiler) {
  while (e->kind == ExprKind::Cast && e->dtype.bits == 32 && holdsProducts(e->dtype)) e = as<CastNode>(e)->value;
  if (e->kind != ExprKind::Load) return {};
  std::vector<int> variables;
  for (const Expr& index : as<LoadNode>(e)->indices) {
    const VarNode* v = asVar(index);
    if (!v) return {};
    variables.push_back(compiler.variable(v));
  }
  return variables;
}

// The term of a sum: what is added to the element's own value so far.
void findTerm(const StoreNode& store, ScalarCompiler& compiler, ElementDefinition& d) {
  auto* sum = asBinary(store.value);
  if (!sum || sum->kind != ExprKind::Add || d.update.back().kind != ScalarStep::Kind::Binary) return;
  const auto* own = sum->a->kind == ExprKind::Load ? as<LoadNode>(sum->a) : nullptr;
  bool again = false;
  auto term = compiler.compile(sum->b, [&](const LoadNode& l) { return again |= l.buffer == store.buffer, false; });
  if (!own || own->buffer != store.buffer || !term || again) return;
  d.term = std::move(*term);
  d.combine = d.update.back();
  auto* product = asBinary(sum->b);
  if (!product || product->kind != ExprKind::Mul || !holdsProducts(product->dtype)) return;
  const auto a = plainFactor(product->a, compiler), b = plainFactor(product->b, compiler);
  if (!a || !b) return;
  for (const ScalarStep& s : d.term)
    if (s.kind == ScalarStep::Kind::Load) d.factors.push_back({s.index, d.factors.empty() ? *a : *b});
}

// The store of a block that stores one of two values, or, where an element keeps what it has, one or none; null: it is
// something else.
Stmt asOneStore(const Stmt& body) {
  if (!body || body->kind != StmtKind::IfThenElse) return body;
  const auto& choice = *as<IfThenElseNode>(body);
  if (choice.yes->kind != StmtKind::Store) return nullptr;
  const auto& yes = *as<StoreNode>(choice.yes);
  Expr otherwise = load(yes.buffer, yes.indices);
  if (choice.no) {
    if (choice.no->kind != StmtKind::Store) return nullptr;
    const auto& no = *as<StoreNode>(choice.no);
    if (no.buffer != yes.buffer || !std::ranges::equal(no.indices, yes.indices, ExprEqual())) return nullptr;
    otherwise = no.value;
  }
  return store(yes.buffer, ifThenElse(choice.condition, yes.value, std::move(otherwise)), yes.indices);
}

// The iterators of an index as digits of a number, the one that counts by ones last; none: the index is something else.
std::vector<std::size_t> digitsOf(const BlockNode& block, const Expr& index) {
  const auto sum = schedule::linearIndex(block, index);
  if (!sum || sum->constant != 0) return {};
  std::vector<std::size_t> digits;
  for (std::size_t n = 0; n < block.iters.size(); ++n)
    if (sum->of[n] != 0) digits.push_back(n);
  std::ranges::sort(digits, std::greater(), [&](std::size_t n) { return sum->of[n]; });
  std::int64_t below = 1;
  for (std::size_t d = digits.size(); d-- > 0;) {
    if (sum->of[digits[d]] != below) return {};
    below *= constantOr(block.iters[digits[d]].domain.extent, 0);
  }
  return digits;
}

// Rewrites the indices of a block by what is known of its iterators.
class IndexSimplifier : public Mutator {
 public:
  explicit IndexSimplifier(const std::vector<IterVar>& iters) {
    for (const IterVar& iter : iters) analyzer_.bind(iter.var, iter.domain);
  }

 protected:
  Expr rewriteLoad(const Expr& e) override {
    const Expr rewritten = Mutator::rewriteLoad(e);
    const auto& load = *as<LoadNode>(rewritten);
    std::vector<Expr> indices;
    for (const Expr& index : load.indices) indices.push_back(analyzer_.simplify(index));
    return std::make_shared<LoadNode>(load.buffer, std::move(indices), load.dtype);
  }
  Stmt rewriteStore(const Stmt& s) override {
    const Stmt rewritten = Mutator::rewriteStore(s);
    const auto& store = *as<StoreNode>(rewritten);
    std::vector<Expr> indices;
    for (const Expr& index : store.indices) indices.push_back(analyzer_.simplify(index));
    return ir::store(store.buffer, store.value, std::move(indices));
  }

 private:
  arith::Analyzer analyzer_;
};

// The block with one store, and with one iterator for each dimension that it stores at by several, as g and c of
// `g * 32 + c`. Null: its body is no store.
Block atPlainIterators(const Block& block) {
  BlockNode made = *block;
  made.body = asOneStore(block->body);
  if (!made.body || made.body->kind != StmtKind::Store) return nullptr;
  VarMap replaced;
  for (const Expr& index : as<StoreNode>(made.body)->indices) {
    const std::vector<std::size_t> digits = digitsOf(*block, index);
    if (digits.size() < 2) continue;
    const Var number = makeVar("digits", index->dtype);
    std::int64_t below = 1;
    for (std::size_t d = digits.size(); d-- > 0;) {
      const IterVar& iter = block->iters[digits[d]];
      if (iter.type != IterType::Spatial || replaced.contains(iter.var.get())) return nullptr;
      const std::int64_t extent = constantOr(iter.domain.extent, 0);
      replaced[iter.var.get()] = floormod(floordiv(number, intImm(below, index->dtype)), intImm(extent, index->dtype));
      std::erase_if(made.iters, [&](const IterVar& other) { return other.var == iter.var; });
      below *= extent;
    }
    made.iters.push_back({number, {intImm(0, index->dtype), intImm(below, index->dtype)}, IterType::Spatial});
  }
  if (replaced.empty()) return std::make_shared<const BlockNode>(std::move(made));
  IndexSimplifier simplify(made.iters);
  made.body = simplify.rewrite(substitute(made.body, replaced));
  if (made.init) made.init = simplify.rewrite(substitute(made.init, replaced));
  return std::make_shared<const BlockNode>(std::move(made));
}

std::optional<std::pair<int, ElementDefinition>> define(const BlockNode& block, ScalarCompiler& compiler) {
  const auto& store = *as<StoreNode>(block.body);
  // Elements that share a place have no definition of their own: the last one written stays.
  const auto layout = elementLayout(*store.buffer);
  if (!layout || !layout->nested()) return {};
  ElementDefinition d;
  std::set<const VarNode*> spatial;
  for (std::size_t n = 0; n < store.indices.size(); ++n) {
    auto* v = asVar(store.indices[n]);
    if (!v || !spatial.insert(v).second) return {};
    bool whole = false;
    for (const IterVar& iter : block.iters) {
      whole = whole || (iter.var.get() == v && iter.type == IterType::Spatial &&
                        constantOr(iter.domain.extent, -1) == constantOr(store.buffer->shape[n], 0));
    }
    if (!whole) return {};
    d.spatial.push_back(compiler.variable(v));
  }
  for (const IterVar& iter : block.iters) {
    if (spatial.count(iter.var.get())) continue;
    std::int64_t extent = constantOr(iter.domain.extent, 0);
    if (iter.type != IterType::Reduce && extent != 1) return {};
    d.reductions.push_back({compiler.variable(iter.var.get()), extent});
  }
  auto same = [&](const std::vector<Expr>& indices) {
    for (std::size_t n = 0; n < indices.size(); ++n) {
      if (indices[n] != store.indices[n]) return false;
    }
    return true;
  };
  bool readsElsewhere = false;
  auto isAccumulator = [&](const LoadNode& l) {
    if (l.buffer != store.buffer) return false;
    if (!same(l.indices)) readsElsewhere = true;
    return true;
  };
  if (block.init) {
    if (block.init->kind != StmtKind::Store) return {};
    const auto& init = *as<StoreNode>(block.init);
    if (init.buffer != store.buffer || !same(init.indices)) return {};
    auto code = compiler.compile(init.value, isAccumulator);
    if (!code) return {};
    d.hasInit = true;
    d.init = std::move(*code);
  }
  auto code = compiler.compile(store.value, isAccumulator);
  if (!code || readsElsewhere) return {};
  d.update = std::move(*code);
  findTerm(store, compiler, d);
  return std::pair{compiler.buffer(store.buffer), std::move(d)};
}

}  // namespace

std::optional<std::vector<std::pair<int, ElementDefinition>>> findDefinitions(const Function& function,
                                                                              ScalarCompiler& compiler) {
  Leaves leaves;
  leaves.visit(function->body->block->body);
  if (!leaves.plain) return {};
  std::vector<std::pair<int, ElementDefinition>> all;
  std::vector<Block> rewritten;  // the compiler tells variables apart by where they are
  for (const Leaf& leaf : leaves.found) {
    if (!bindsPlainly(leaf) || !leaf.realize->block->matches.empty()) return {};
    rewritten.push_back(atPlainIterators(leaf.realize->block));
    auto d = rewritten.back() ? define(*rewritten.back(), compiler) : std::nullopt;
    if (!d) return {};
    for (const auto& [buffer, other] : all) {
      if (buffer == d->first) return {};
    }
    // A reader before the writer would see something else.
    const auto readsWritten = [&](const ScalarStep& s) {
      return s.kind == ScalarStep::Kind::Load && compiler.accesses()[std::size_t(s.index)].buffer == d->first;
    };
    for (const auto& [buffer, other] : all) {
      for (const ScalarCode* code : {&other.init, &other.update})
        if (std::ranges::any_of(*code, readsWritten)) return {};
    }
    all.push_back(std::move(*d));
  }
  return all;
}

}  // namespace loom::exec
