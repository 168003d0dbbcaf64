#include "core/exec/definition.h"

#include <set>

#include "core/ir/build.h"
#include "core/ir/visit.h"

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

std::optional<std::pair<int, ElementDefinition>> define(const Leaf& leaf, ScalarCompiler& compiler) {
  const BlockNode& block = *leaf.realize->block;
  if (!bindsPlainly(leaf) || !block.matches.empty() || !block.body || block.body->kind != StmtKind::Store) return {};
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
  for (const Leaf& leaf : leaves.found) {
    auto d = define(leaf, compiler);
    if (!d) return {};
    for (const auto& [buffer, other] : all) {
      if (buffer == d->first) return {};
    }
    // A reader before the writer would see something else.
    for (const auto& [buffer, other] : all) {
      for (const ScalarStep& s : other.update) {
        if (s.kind == ScalarStep::Kind::Load && compiler.accesses()[std::size_t(s.index)].buffer == d->first) return {};
      }
    }
    all.push_back(std::move(*d));
  }
  return all;
}

}  // namespace loom::exec
