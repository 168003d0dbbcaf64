#include "core/ir/build.h"
#include "core/ir/visit.h"

namespace loom::ir {
namespace {

// The rewritten children, and whether any differs from before.
template <class T, class F>
std::pair<std::vector<T>, bool> rewriteAll(const std::vector<T>& before, F rewrite) {
  std::vector<T> after;
  after.reserve(before.size());
  bool changed = false;
  for (const auto& x : before) {
    after.push_back(rewrite(x));
    changed = changed || after.back() != x;
  }
  return {std::move(after), changed};
}

}  // namespace

bool sameNodes(const Range& a, const Range& b) { return a.min == b.min && a.extent == b.extent; }

bool sameNodes(const BufferRegion& a, const BufferRegion& b) {
  if (a.buffer != b.buffer || a.region.size() != b.region.size()) return false;
  for (std::size_t i = 0; i < a.region.size(); ++i) {
    if (!sameNodes(a.region[i], b.region[i])) return false;
  }
  return true;
}

Expr Mutator::rewrite(const Expr& e) {
  if (!e) return e;
  switch (e->kind) {
    case ExprKind::Var: return rewriteVar(e);
    case ExprKind::IntImm:
    case ExprKind::FloatImm:
    case ExprKind::StringImm: return e;
    case ExprKind::Not: return rewriteNot(e);
    case ExprKind::Cast: return rewriteCast(e);
    case ExprKind::Select: return rewriteSelect(e);
    case ExprKind::Load: return rewriteLoad(e);
    case ExprKind::Call: return rewriteCall(e);
    case ExprKind::Ramp: return rewriteRamp(e);
    case ExprKind::Broadcast: return rewriteBroadcast(e);
    case ExprKind::Let: return rewriteLet(e);
    default: return rewriteBinary(e);
  }
}

Expr Mutator::rewriteBinary(const Expr& e) {
  auto* n = as<BinaryNode>(e);
  Expr a = rewrite(n->a), b = rewrite(n->b);
  return a == n->a && b == n->b ? e : binary(n->kind, a, b);
}
Expr Mutator::rewriteNot(const Expr& e) {
  Expr a = rewrite(as<NotNode>(e)->a);
  return a == as<NotNode>(e)->a ? e : std::make_shared<NotNode>(a);
}
Expr Mutator::rewriteCast(const Expr& e) {
  Expr value = rewrite(as<CastNode>(e)->value);
  return value == as<CastNode>(e)->value ? e : std::make_shared<CastNode>(e->dtype, value);
}
Expr Mutator::rewriteSelect(const Expr& e) {
  auto* n = as<SelectNode>(e);
  Expr condition = rewrite(n->condition), yes = rewrite(n->yes), no = rewrite(n->no);
  return condition == n->condition && yes == n->yes && no == n->no ? e : select(condition, yes, no);
}
Expr Mutator::rewriteLoad(const Expr& e) {
  auto* n = as<LoadNode>(e);
  auto [indices, changed] = rewriteAll(n->indices, [&](const Expr& i) { return rewrite(i); });
  Buffer buffer = rewriteBuffer(n->buffer);
  if (!changed && buffer == n->buffer) return e;
  // The lanes of a vector by its first element's coordinates don't show in the indices.
  if (int lanes = e->dtype.lanes; indices.empty() || indices.back()->dtype.lanes < lanes)
    return std::make_shared<LoadNode>(buffer, std::move(indices), buffer->dtype.withLanes(lanes));
  return load(buffer, std::move(indices));
}
Expr Mutator::rewriteCall(const Expr& e) {
  auto* n = as<CallNode>(e);
  auto [args, changed] = rewriteAll(n->args, [&](const Expr& a) { return rewrite(a); });
  return changed ? call(n->dtype, n->op, std::move(args)) : e;
}
Expr Mutator::rewriteRamp(const Expr& e) {
  auto* n = as<RampNode>(e);
  Expr base = rewrite(n->base), stride = rewrite(n->stride);
  return base == n->base && stride == n->stride ? e : ramp(base, stride, n->dtype.lanes);
}
Expr Mutator::rewriteBroadcast(const Expr& e) {
  Expr value = rewrite(as<BroadcastNode>(e)->value);
  return value == as<BroadcastNode>(e)->value ? e : broadcast(value, e->dtype.lanes);
}
Expr Mutator::rewriteLet(const Expr& e) {
  auto* n = as<LetNode>(e);
  Expr value = rewrite(n->value), body = rewrite(n->body);
  return value == n->value && body == n->body ? e : std::make_shared<LetNode>(n->var, value, body);
}

Stmt Mutator::rewrite(const Stmt& s) {
  if (!s) return s;
  switch (s->kind) {
    case StmtKind::For: return rewriteFor(s);
    case StmtKind::BlockRealize: return rewriteRealize(s);
    case StmtKind::Store: return rewriteStore(s);
    case StmtKind::Evaluate: return rewriteEvaluate(s);
    case StmtKind::IfThenElse: return rewriteIf(s);
    case StmtKind::Seq: return rewriteSeq(s);
    case StmtKind::Let: return rewriteLetStmt(s);
    case StmtKind::Attr: return rewriteAttr(s);
    case StmtKind::While: return rewriteWhile(s);
  }
  return s;
}

Stmt Mutator::rewriteFor(const Stmt& s) {
  auto* n = as<ForNode>(s);
  Expr min = rewrite(n->min), extent = rewrite(n->extent);
  Stmt body = rewrite(n->body);
  if (min == n->min && extent == n->extent && body == n->body) return s;
  return edit(*n, [&](ForNode& f) {
    f.min = min;
    f.extent = extent;
    f.body = body;
  });
}

Stmt Mutator::rewriteRealize(const Stmt& s) {
  auto* n = as<BlockRealizeNode>(s);
  auto [values, changed] = rewriteAll(n->values, [&](const Expr& v) { return rewrite(v); });
  Expr predicate = rewrite(n->predicate);
  Block block = rewriteBlock(n->block);
  if (!changed && predicate == n->predicate && block == n->block) return s;
  return realize(std::move(values), predicate, block);
}

Block Mutator::rewriteBlock(const Block& b) {
  BlockNode after = *b;
  bool changed = false;
  for (auto& iter : after.iters) {
    Range domain = rewriteRange(iter.domain);
    changed = changed || !sameNodes(domain, iter.domain);
    iter.domain = domain;
  }
  auto region = [&](BufferRegion& r) {
    BufferRegion now = rewriteRegion(r);
    changed = changed || !sameNodes(now, r);
    r = std::move(now);
  };
  auto buffer = [&](Buffer& x) {
    Buffer now = rewriteBuffer(x);
    changed = changed || now != x;
    x = std::move(now);
  };
  for (auto& r : after.reads) region(r);
  for (auto& w : after.writes) region(w);
  for (auto& a : after.allocs) buffer(a);
  for (auto& m : after.matches) {
    region(m.source);
    buffer(m.buffer);
  }
  after.init = rewrite(b->init);
  after.body = rewrite(b->body);
  changed = changed || after.init != b->init || after.body != b->body;
  return changed ? std::make_shared<const BlockNode>(std::move(after)) : b;
}

Stmt Mutator::rewriteStore(const Stmt& s) {
  auto* n = as<StoreNode>(s);
  Expr value = rewrite(n->value);
  auto [indices, changed] = rewriteAll(n->indices, [&](const Expr& i) { return rewrite(i); });
  Buffer buffer = rewriteBuffer(n->buffer);
  return !changed && value == n->value && buffer == n->buffer ? s : store(buffer, value, std::move(indices));
}
Stmt Mutator::rewriteEvaluate(const Stmt& s) {
  Expr value = rewrite(as<EvaluateNode>(s)->value);
  return value == as<EvaluateNode>(s)->value ? s : evaluate(value);
}
Stmt Mutator::rewriteIf(const Stmt& s) {
  auto* n = as<IfThenElseNode>(s);
  Expr condition = rewrite(n->condition);
  Stmt yes = rewrite(n->yes), no = rewrite(n->no);
  return condition == n->condition && yes == n->yes && no == n->no ? s : ifThen(condition, yes, no);
}
Stmt Mutator::rewriteSeq(const Stmt& s) {
  auto [stmts, changed] = rewriteAll(asSeq(s)->stmts, [&](const Stmt& x) { return rewrite(x); });
  return changed ? seq(std::move(stmts)) : s;
}
Stmt Mutator::rewriteLetStmt(const Stmt& s) {
  auto* n = as<LetStmtNode>(s);
  Expr value = rewrite(n->value);
  Stmt body = rewrite(n->body);
  if (value == n->value && body == n->body) return s;
  return edit(*n, [&](LetStmtNode& l) {
    l.value = value;
    l.body = body;
  });
}
Stmt Mutator::rewriteAttr(const Stmt& s) {
  auto* n = as<AttrNode>(s);
  Expr node = rewrite(n->node), value = rewrite(n->value);
  Stmt body = rewrite(n->body);
  if (node == n->node && value == n->value && body == n->body) return s;
  return edit(*n, [&](AttrNode& a) {
    a.node = node;
    a.value = value;
    a.body = body;
  });
}
Stmt Mutator::rewriteWhile(const Stmt& s) {
  auto* n = as<WhileNode>(s);
  Expr condition = rewrite(n->condition);
  Stmt body = rewrite(n->body);
  if (condition == n->condition && body == n->body) return s;
  return edit(*n, [&](WhileNode& w) {
    w.condition = condition;
    w.body = body;
  });
}

Range Mutator::rewriteRange(const Range& r) { return {rewrite(r.min), rewrite(r.extent)}; }

BufferRegion Mutator::rewriteRegion(const BufferRegion& r) {
  BufferRegion after{rewriteBuffer(r.buffer), {}};
  for (const auto& range : r.region) after.region.push_back(rewriteRange(range));
  return after;
}

}  // namespace loom::ir
