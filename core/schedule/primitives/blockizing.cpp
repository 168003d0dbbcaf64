#include "core/schedule/primitives/blockizing.h"

#include <algorithm>
#include <optional>

#include "core/arith/int_set.h"
#include "core/arith/iter_map.h"
#include "core/ir/build.h"
#include "core/ir/substitute.h"
#include "core/ir/visit.h"

namespace loom::schedule {
namespace {

using namespace loom::ir;

Range rangeFromExtent(const Expr& extent) { return {zero(extent->dtype), extent}; }

Failure internalError(Message message) { return fail("InternalError", std::move(message), Forbids::Tvm); }

// Values made purely of outer or purely of inner loops need no arithmetic: each iterator goes whole to one side.
std::optional<arith::SubspaceDivision> trivialDivision(const BlockRealizeNode& realize, const std::vector<Var>& outer,
                                                       const std::vector<Var>& inner) {
  if (!isConst(realize.predicate, 1)) return std::nullopt;
  auto usesAny = [](const Expr& e, const std::vector<Var>& vars) {
    return usesVar(e, [&](const VarNode* v) {
      return std::any_of(vars.begin(), vars.end(), [&](const Var& var) { return var.get() == v; });
    });
  };
  const arith::IterMark unit = arith::makeMark(arith::makeSum({}, intImm(0)), intImm(1));
  arith::SubspaceDivision out;
  for (std::size_t i = 0; i < realize.values.size(); ++i) {
    const Expr& value = realize.values[i];
    bool isOuter = usesAny(value, outer), isInner = usesAny(value, inner);
    if (isOuter && isInner) return std::nullopt;
    arith::IterMark whole = arith::makeMark(arith::makeSum({}, value), realize.block->iters[i].domain.extent);
    out.bindings.push_back({isOuter ? whole : unit, isInner ? whole : unit});
  }
  out.outerPredicate = boolImm(true);
  out.innerPredicate = boolImm(true);
  return out;
}

// The block around a block's loops; none around a root block.
Id scopeOf(const Tree& tree, Id block) {
  const std::vector<Id> loops = tree.loopsAbove(block);
  return tree.parent(loops.empty() ? block : loops.front());
}

struct InnerLoops {
  std::vector<For> loops;  // innermost first
  arith::SubspaceDivision division;
};

// Loops from the block up to `limit` are inner, those above it outer, up to the next block. With `limitIsOuter` the
// limit is the first outer loop, except that a loop directly around the block is always inner (as in TVM).
Result<InnerLoops> divide(const Draft& draft, const BlockRealize& realize, Id limit, bool limitIsOuter,
                          bool preserveUnitIters, arith::Analyzer& analyzer) {
  InnerLoops out;
  std::vector<Var> innerVars, outerVars;
  arith::VarRanges domain;
  bool isInner = true;
  const Tree& tree = draft.tree();
  for (Id at = tree.parent(realize->block->id); at && tree.isLoop(at); at = tree.parent(at)) {
    For loop = tree.loop(at);
    if (isInner) {
      out.loops.push_back(loop);
      innerVars.push_back(loop->var);
    } else {
      outerVars.push_back(loop->var);
    }
    domain.set(loop->var, Range{loop->min, loop->extent});
    if ((limitIsOuter && tree.parent(at) == limit) || at == limit) isInner = false;
  }
  auto division = arith::subspaceDivide(realize->values, domain, innerVars, realize->predicate,
                                        arith::IterMapLevel::Surjective, analyzer, !preserveUnitIters);
  if (!division) division = trivialDivision(*realize, outerVars, innerVars);
  if (!division) {
    Failure failure =
        fail("SubspaceNotDivisibleError",
             message("The iterators of the block don't separate into those of the outer and of the inner loops"));
    failure.value().subjects = {realize->block->id};
    if (!out.loops.empty()) failure.value().subjects.push_back(out.loops.back()->id);
    return failure;
  }
  out.division = std::move(*division);
  return out;
}

struct Iterators {
  std::vector<IterVar> vars;
  std::vector<Expr> values;
};

// iterator = outer * (inner extent) + inner; gives what the iterators of the block become. With `reuseOuter` the outer
// ones are there already and must be the same.
Result<VarMap> deriveIterators(const std::vector<IterVar>& iters, const arith::SubspaceDivision& division,
                               bool preserveUnitIters, bool reuseOuter, Iterators& outer, Iterators& inner) {
  VarMap map;
  arith::Analyzer analyzer;
  for (std::size_t i = 0; i < iters.size(); ++i) {
    const auto& [outerMark, innerMark] = division.bindings[i];
    const IterVar& iter = iters[i];
    Expr outerValue = arith::normalizeIterMapToExpr(outerMark->source);
    if (!reuseOuter) {
      outer.vars.push_back(
          {makeVar(iter.var->name + "_o", iter.var->dtype), rangeFromExtent(outerMark->extent), iter.type});
      outer.values.push_back(outerValue);
    } else if (i >= outer.vars.size()) {
      return fail("IndexError", message("The blocks have not equally many iterators"), Forbids::Tvm);
    } else if (!analyzer.canProveEqual(outer.vars[i].domain.extent, outerMark->extent) ||
               !analyzer.canProveEqual(outer.values[i], outerValue)) {
      return internalError(message("The blocks do not divide into the same outer iterators"));
    }
    const Var& outerVar = outer.vars[i].var;
    Expr& now = map[iter.var.get()];
    if (isConst(innerMark->extent, 1)) {
      bool isDropped = isConst(outerMark->extent, 1) && !preserveUnitIters;
      now = isDropped ? zero(outerMark->extent->dtype) : Expr(outerVar);
      continue;
    }
    Var innerVar = makeVar(iter.var->name + "_i", iter.var->dtype);
    inner.vars.push_back({innerVar, rangeFromExtent(innerMark->extent), iter.type});
    inner.values.push_back(arith::normalizeIterMapToExpr(innerMark->source));
    now = isConst(outerMark->extent, 1) ? Expr(innerVar) : Expr(outerVar) * innerMark->extent + Expr(innerVar);
  }
  return map;
}

// Replaces variables and simplifies every expression on the way up, as TVM does.
class SimplifyingSubstitution : public Mutator {
 public:
  SimplifyingSubstitution(const VarMap& map, arith::Analyzer& analyzer) : map_(map), analyzer_(analyzer) {}
  Expr rewrite(const Expr& e) override {
    Expr after = Mutator::rewrite(e);
    return after == e ? e : analyzer_.simplify(after);
  }
  using Mutator::rewrite;

 protected:
  Expr rewriteVar(const Expr& e) override {
    auto it = map_.find(as<VarNode>(e));
    return it == map_.end() ? e : it->second;
  }

 private:
  const VarMap& map_;
  arith::Analyzer& analyzer_;
};

// Regions over all values of the inner iterators.
std::vector<BufferRegion> relax(const std::vector<BufferRegion>& regions, const arith::IntSetMap& domain) {
  std::vector<BufferRegion> out;
  for (const auto& region : regions) {
    arith::IntRegion sets = arith::evalSet(region.region, domain);
    BufferRegion relaxed{region.buffer, {}};
    for (std::size_t i = 0; i < sets.size(); ++i) {
      relaxed.region.push_back(sets[i].coverRange(rangeFromExtent(region.buffer->shape[i])));
    }
    out.push_back(std::move(relaxed));
  }
  return out;
}

// A region per buffer. TVM lists them by a hash of addresses, in practice the last one first.
std::vector<BufferRegion> unite(const std::vector<BufferRegion>& regions) {
  std::vector<std::pair<Buffer, std::vector<std::vector<arith::IntSet>>>> byBuffer;
  for (const auto& region : regions) {
    auto it = std::find_if(byBuffer.begin(), byBuffer.end(), [&](const auto& b) { return b.first == region.buffer; });
    if (it == byBuffer.end()) {
      byBuffer.emplace_back(region.buffer, std::vector<std::vector<arith::IntSet>>(region.region.size()));
      it = byBuffer.end() - 1;
    }
    for (std::size_t i = 0; i < region.region.size(); ++i) {
      it->second[i].push_back(arith::IntSet::fromRange(region.region[i]));
    }
  }
  std::vector<BufferRegion> out;
  for (auto it = byBuffer.rbegin(); it != byBuffer.rend(); ++it) {
    BufferRegion united{it->first, {}};
    for (const auto& sets : it->second) {
      arith::IntSet all = sets.size() == 1 ? sets[0] : arith::unionOf(sets);
      Expr end = all.max() + 1;
      united.region.push_back({all.min(), isConst(all.min(), 0) ? end : end - all.min()});
    }
    out.push_back(std::move(united));
  }
  return out;
}

// The block that stays inside. Its writes become reads as well when the outer block is part of the reduction.
BlockRealize innerRealize(const Block& block, const Iterators& iterators, const Expr& predicate, bool accumulates) {
  Block inner = edit(*block, [&](BlockNode& n) {
    n.iters = iterators.vars;
    n.init = nullptr;
    if (accumulates) n.reads.insert(n.reads.begin(), n.writes.begin(), n.writes.end());
  });
  return realize(iterators.values, predicate, inner);
}

// The initialization as a nest of its own in the outer block: the inner loops that its spatial iterators need.
Stmt outerInit(Draft& draft, const Stmt& init, const BlockRealize& inner, const std::vector<For>& loops,
               const std::string& name) {
  auto block = std::make_shared<BlockNode>();
  block->id = draft.newId();
  block->name = name;
  block->writes = inner->block->writes;
  block->body = init;
  draft.origin(block->id, {inner->block->id});
  std::vector<Expr> values;
  VarMap map;
  for (std::size_t i = 0; i < inner->values.size(); ++i) {
    const IterVar& iter = inner->block->iters[i];
    if (iter.type != IterType::Spatial || !usesVar(init, [&](const VarNode* v) { return v == iter.var.get(); })) {
      continue;
    }
    Var copy = makeVar(iter.var->name + "_init", iter.var->dtype);
    map[iter.var.get()] = copy;
    block->iters.push_back({copy, iter.domain, iter.type});
    values.push_back(inner->values[i]);
  }
  Stmt nest = realize(values, inner->predicate, block);
  for (const For& loop : loops) {
    bool isNeeded = std::any_of(values.begin(), values.end(), [&](const Expr& value) {
      return usesVar(value, [&](const VarNode* v) { return v == loop->var.get(); });
    });
    if (!isNeeded) continue;
    Var copy = makeVar(loop->var->name, loop->var->dtype);
    map[loop->var.get()] = copy;
    nest = edit(*loop, [&](ForNode& n) {
      n.id = draft.newId();
      n.var = copy;
      n.body = nest;
      draft.origin(n.id, {loop->id});
    });
  }
  return substitute(nest, map);
}

bool hasReduction(const std::vector<IterVar>& iters) {
  return std::any_of(iters.begin(), iters.end(), [](const IterVar& iter) { return iter.type == IterType::Reduce; });
}

arith::IntSetMap bindInner(const Iterators& inner, arith::Analyzer& analyzer) {
  arith::IntSetMap domain;
  for (const auto& iter : inner.vars) {
    domain.emplace(iter.var.get(), arith::IntSet::fromRange(iter.domain));
    analyzer.bind(iter.var, iter.domain);
  }
  return domain;
}

}  // namespace

Result<BlockRealize> blockized(Draft& draft, Id loop, bool preserveUnitIters) {
  auto child = singleChildBlock(draft.program(), loop);
  if (!child) return Failure(child.error());
  const Block& block = (*child)->block;
  arith::Analyzer analyzer;
  auto divided = divide(draft, *child, loop, false, preserveUnitIters, analyzer);
  if (!divided) return Failure(divided.error());
  Iterators outer, inner;
  auto map = deriveIterators(block->iters, divided->division, preserveUnitIters, false, outer, inner);
  if (!map) return Failure(map.error());
  arith::IntSetMap domain = bindInner(inner, analyzer);
  Block changed = SimplifyingSubstitution(*map, analyzer).rewriteBlock(block);
  bool accumulates = changed->init && hasReduction(outer.vars);
  BlockRealize innerBlock = innerRealize(changed, inner, divided->division.innerPredicate, accumulates);

  auto around = std::make_shared<BlockNode>();
  around->id = draft.newId();
  draft.origin(around->id, {block->id});
  around->name = changed->name + "_o";
  around->iters = outer.vars;
  around->reads = relax(changed->reads, domain);
  around->writes = relax(changed->writes, domain);
  around->body = innerBlock;
  for (const For& l : divided->loops) {
    around->body = edit(*l, [&](ForNode& n) { n.body = around->body; });
  }
  if (changed->init)
    around->init = outerInit(draft, changed->init, innerBlock, divided->loops, changed->name + "_init");
  return realize(outer.values, divided->division.outerPredicate, around);
}

Result<BlockizedGroup> blockizedGroup(Draft& draft, const std::vector<Id>& blocks, bool preserveUnitIters) {
  if (blocks.empty()) return fail("TypeError", message("The list of blocks is empty"), Forbids::Input);
  const Tree& tree = draft.tree();
  Id scope = tree.lowestCommonAncestor(blocks);
  arith::Analyzer analyzer;
  auto around = std::make_shared<BlockNode>();
  around->id = draft.newId();
  around->name = "outer_";
  draft.origin(around->id, blocks);
  Iterators outer;
  Expr predicate;
  VarMap loopMap;
  std::vector<BufferRegion> reads, writes;
  std::vector<Stmt> body;
  for (Id id : blocks) {
    BlockRealize realize = tree.realize(id);
    auto divided = divide(draft, realize, scope, true, preserveUnitIters, analyzer);
    if (!divided) return Failure(divided.error());
    predicate = divided->division.outerPredicate;
    Iterators inner;
    auto map =
        deriveIterators(realize->block->iters, divided->division, preserveUnitIters, !outer.vars.empty(), outer, inner);
    if (!map) return Failure(map.error());
    // TVM takes a block twice and puts copies of it, or of one inside another block, where no variable is bound.
    if (std::count(blocks.begin(), blocks.end(), id) > 1)
      return internalError(message("The block \"{}\" is named twice", tree.block(id)->name));
    if (scopeOf(tree, id) != scopeOf(tree, blocks[0])) return internalError(message("The blocks are not of one scope"));
    for (std::size_t i = 0; i < outer.vars.size(); ++i) {
      if (asVar(outer.values[i])) loopMap.try_emplace(asVar(outer.values[i]), outer.vars[i].var);
    }
    arith::IntSetMap domain;
    for (const auto& iter : inner.vars) {
      Range range = substitute(iter.domain, loopMap);
      domain.emplace(iter.var.get(), arith::IntSet::fromRange(range));
      analyzer.bind(iter.var, range);
    }
    Block changed = SimplifyingSubstitution(*map, analyzer).rewriteBlock(realize->block);
    for (auto& region : relax(changed->reads, domain)) reads.push_back(std::move(region));
    for (auto& region : relax(changed->writes, domain)) writes.push_back(std::move(region));
    around->name += changed->name + "_";
    if (changed->init && hasReduction(outer.vars)) {
      return internalError(message("No reduction iterators are allowed for the outer loops of several blocks"));
    }
    Stmt nest = innerRealize(changed, inner, divided->division.innerPredicate, false);
    for (const For& loop : divided->loops) {
      nest = edit(*loop, [&](ForNode& n) {
        n.body = nest;
        n.extent = substitute(n.extent, loopMap);
      });
    }
    body.push_back(nest);
  }
  if (body.size() == 1) return internalError(message("A sequence of one statement"));
  around->iters = outer.vars;
  around->reads = unite(reads);
  around->writes = unite(writes);
  around->body = seq(body);
  BlockRealize block = realize(outer.values, predicate, around);

  // The statements of the common scope that hold the blocks make room for the new one.
  const Tree::Node& node = tree.at(scope);
  const Stmt& scopeBody = node.isBlock ? tree.block(scope)->body : tree.loop(scope)->body;
  auto* statements = asSeq(scopeBody);
  if (!statements) return internalError(message("The blocks must not be nested in each other"));
  std::vector<Stmt> after;
  int last = -1;
  for (std::size_t i = 0; i < statements->stmts.size(); ++i) {
    bool holds = false;
    forEachStmt(statements->stmts[i], [&](const Stmt& s) {
      auto* r = asRealize(s);
      if (r && std::find(blocks.begin(), blocks.end(), r->block->id) != blocks.end()) holds = true;
      return !r;
    });
    if (!holds) {
      after.push_back(statements->stmts[i]);
      continue;
    }
    if (last >= 0 && last != static_cast<int>(i) - 1) return internalError(message("The blocks must be consecutive"));
    if (last < 0) after.push_back(block);
    last = static_cast<int>(i);
  }
  if (last < 0) return internalError(message("The blocks are inside other blocks"));
  Stmt newBody = after.size() == 1 ? after[0] : seq(after);
  Stmt replacement;
  if (node.isBlock) {
    BlockRealize old = tree.realize(scope);
    replacement = realize(old->values, old->predicate, edit(*old->block, [&](BlockNode& n) { n.body = newBody; }));
  } else {
    replacement = edit(*tree.loop(scope), [&](ForNode& n) { n.body = newBody; });
  }
  return BlockizedGroup{block, scope, replacement};
}

}  // namespace loom::schedule
