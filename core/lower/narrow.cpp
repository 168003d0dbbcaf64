#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "core/arith/analyzer.h"
#include "core/ir/build.h"
#include "core/ir/visit.h"
#include "core/lower/passes.h"

namespace loom::lower {
namespace {

using namespace ir;

constexpr std::int64_t kLeast = -(std::int64_t{1} << 31), kMost = (std::int64_t{1} << 31) - 1;

bool fits(const arith::ConstIntBound& b) { return b.min >= kLeast && b.max <= kMost; }
bool isWide(DType t) { return t.isInt() && t.bits == 64; }
DType narrowType(DType t) { return DType::Int(32).withLanes(t.lanes); }

// Calls whose arguments are places in memory, not values.
bool takesPlaces(const CallNode& c) { return c.dtype.isHandle() || c.op == "ptx_ldmatrix" || c.op == "ptx_mma"; }

// Casts to 64 bits that a value of 32 needs no more.
bool widens(const CastNode& c) {
  const DType from = c.value->dtype;
  return from.isBool() || (from.isInt() && from.bits <= 32) || (from.isUInt() && from.bits < 32);
}

// Calls whose result in 32 bits is that in 64, where operands and result fit.
bool isArithmetic(const CallNode& c) {
  return c.op == "if_then_else" || c.op == "bitwise_and" || c.op == "bitwise_or" || c.op == "bitwise_xor" ||
         c.op == "bitwise_not" || c.op == "shift_left" || c.op == "shift_right";
}

// The operands of a node of 64-bit arithmetic that are of the same arithmetic, and `apart`, those that are not (a
// condition, what is cast). Nothing for a leaf.
struct Operands {
  std::vector<Expr> same, apart;
};
std::optional<Operands> operandsOf(const Expr& e) {
  switch (e->kind) {
    case ExprKind::Select: {
      const auto& n = *as<SelectNode>(e);
      return Operands{{n.yes, n.no}, {n.condition}};
    }
    case ExprKind::Cast:
      if (!widens(*as<CastNode>(e))) return std::nullopt;
      return Operands{{}, {as<CastNode>(e)->value}};
    case ExprKind::Ramp: return Operands{{as<RampNode>(e)->base, as<RampNode>(e)->stride}, {}};
    case ExprKind::Broadcast: return Operands{{as<BroadcastNode>(e)->value}, {}};
    case ExprKind::Call: {
      const auto& c = *as<CallNode>(e);
      if (!isArithmetic(c)) return std::nullopt;
      Operands all;  // the condition, and how far to shift, are of types of their own
      for (const Expr& a : c.args) (isWide(a->dtype) ? all.same : all.apart).push_back(a);
      return all;
    }
    default: break;
  }
  if (auto* b = asBinary(e)) return Operands{{b->a, b->b}, {}};
  return std::nullopt;
}

// What is known on the way down: the values of variables.
class Known {
 public:
  void enter(const ForNode& loop) { analyzer_.bind(loop.var, Range{loop.min, loop.extent}, true); }
  void enter(const LetStmtNode& n) { analyzer_.bind(n.var, n.value, true); }
  bool fits(const Expr& e) { return lower::fits(analyzer_.constIntBound(e)); }
  bool fits(const ForNode& loop) { return fits(loop.min) && fits(loop.min + loop.extent); }
  // Shifts past 31 bits differ.
  bool shiftsWithin32(const CallNode& c) {
    if (c.op != "shift_left" && c.op != "shift_right") return true;
    auto by = analyzer_.constIntBound(c.args[1]);
    return by.min >= 0 && by.max < 32;
  }
  // The operands fit; does the result?
  bool resultFits(const Expr& e) {
    auto* c = asCall(e);
    if (!c) return fits(e);
    if (!shiftsWithin32(*c)) return false;
    return c->op.starts_with("bitwise_") || fits(e);
  }

 private:
  arith::Analyzer analyzer_;
};

// One expression of 64-bit arithmetic: the variables in it, and whether something in it needs 64 bits.
struct Tree {
  std::vector<const VarNode*> vars;
  bool wide = false;
  bool data = false;  // values of which nothing is known are in it: loaded ones, symbolic sizes
};
Tree treeOf(const Expr& e, Known& known) {
  Tree t;
  auto grow = [&](auto& self, const Expr& x) -> void {
    if (x->kind == ExprKind::Var) return t.vars.push_back(asVar(x));
    if (x->kind == ExprKind::IntImm) {
      t.wide |= !known.fits(x);
      return;
    }
    auto operands = operandsOf(x);
    if (!operands) {
      t.wide = t.data = true;
      return;
    }
    for (const Expr& o : operands->same) self(self, o);
    t.wide = t.wide || !known.resultFits(x);
  };
  grow(grow, e);
  return t;
}

// Which variables need no more than 32 bits: not those with values beyond, nor those of an index that needs 64, so that
// no index mixes both. Data of 64 bits says nothing of the variables that it is computed with.
class NarrowVariables : public Visitor {
 public:
  bool any64 = false;

  // The variables that become 32 bits.
  std::unordered_set<const VarNode*> settle() {
    for (bool changed = true; changed;) {
      changed = false;
      for (Tree& t : trees_) {
        for (const VarNode* v : t.vars) t.wide = t.wide || wide_.count(v);
        if (!t.wide) continue;
        for (const VarNode* v : t.vars) changed |= wide_.insert(v).second;
      }
    }
    std::unordered_set<const VarNode*> narrow;
    for (const VarNode* v : bound_)
      if (!wide_.count(v)) narrow.insert(v);
    return narrow;
  }

  using Visitor::visit;
  void visit(const Expr& e) override {
    if (!e) return;
    const bool index = std::exchange(index_, true);
    if (!isWide(e->dtype)) return Visitor::visit(e);
    any64 = true;
    leaves(e);
    Tree t = treeOf(e, known_);
    for (const VarNode* v : t.vars) t.data |= !bound_.count(v);
    if (index && !t.data) trees_.push_back(std::move(t));
  }

 protected:
  void visitFor(const ForNode& n) override {
    visit(n.min);
    visit(n.extent);
    known_.enter(n);
    if (isWide(n.var->dtype)) {
      any64 = true;
      bound_.insert(n.var.get());
      if (!known_.fits(n)) wide_.insert(n.var.get());
    }
    visit(n.body);
  }
  void visitLetStmt(const LetStmtNode& n) override {
    visit(n.value);
    if (isWide(n.var->dtype)) {
      bound_.insert(n.var.get());
      Tree value = treeOf(n.value, known_);
      value.vars.push_back(n.var.get());
      trees_.push_back(std::move(value));
    }
    known_.enter(n);
    visit(n.body);
  }
  void visitBlock(const BlockNode& n) override {
    for (const Buffer& b : n.allocs) shape(*b);
    for (const MatchBuffer& m : n.matches) shape(*m.buffer);
    Visitor::visitBlock(n);
  }
  void visitStore(const StoreNode& n) override {
    shape(*n.buffer);
    for (const Expr& i : n.indices) visit(i);
    value(n.value);
  }
  void visitCast(const CastNode& n) override { value(n.value); }
  void visitCall(const CallNode& n) override {
    for (const Expr& a : n.args) takesPlaces(n) ? visit(a) : value(a);
  }
  void visitLoad(const LoadNode& n) override {
    shape(*n.buffer);
    Visitor::visitLoad(n);
  }

 private:
  void shape(const BufferNode& b) {
    if (!shapes_.insert(&b).second) return;
    for (const Expr& e : b.shape) visit(e);
    for (const Expr& e : b.strides) visit(e);
    visit(b.elemOffset);
  }
  void value(const Expr& e) {
    index_ = false;
    visit(e);
    index_ = true;
  }
  // What is below the leaves of a tree, and beside it.
  void leaves(const Expr& e) {
    auto operands = operandsOf(e);
    if (!operands) return Visitor::visit(e);
    for (const Expr& o : operands->same) leaves(o);
    for (const Expr& o : operands->apart) visit(o);
  }

  Known known_;
  bool index_ = true;  // is the next expression an index (an extent, a condition), not data?
  std::vector<Tree> trees_;
  std::unordered_set<const VarNode*> wide_;
  std::unordered_set<const VarNode*> bound_;  // by loops and lets; others can be anything
  std::unordered_set<const BufferNode*> shapes_;
};

class Narrowing : public Mutator {
 public:
  explicit Narrowing(std::unordered_set<const VarNode*> narrow) : narrow_(std::move(narrow)) {}
  BufferMap buffers;  // before → after, of those that changed

  using Mutator::rewrite;
  // The same value, of 32 bits where the whole expression can be.
  Expr rewrite(const Expr& e) override {
    if (!e || !isWide(e->dtype)) return Mutator::rewrite(e);
    const Tree t = treeOf(e, known_);
    bool wide = t.wide;
    for (const VarNode* v : t.vars) wide = wide || !narrow_.count(v);
    return wide ? kept(e) : narrowed(e);
  }
  Buffer rewriteBuffer(const Buffer& b) override {
    auto [it, isNew] = seen_.try_emplace(b.get(), b);
    if (!isNew) return it->second;
    BufferNode after = *b;
    bool same = true;
    auto part = [&](Expr& e) {
      Expr now = rewrite(e);
      same = same && now == e;
      e = now;
    };
    for (Expr& e : after.shape) part(e);
    for (Expr& e : after.strides) part(e);
    part(after.elemOffset);
    if (same) return b;
    return buffers[b.get()] = seen_[b.get()] = std::make_shared<const BufferNode>(std::move(after));
  }

 protected:
  // Operands of a comparison may have come to differ.
  Expr rewriteBinary(const Expr& e) override {
    const auto& n = *as<BinaryNode>(e);
    if (!isWide(n.a->dtype)) return Mutator::rewriteBinary(e);
    Expr a = rewrite(n.a), b = rewrite(n.b);
    if (a == n.a && b == n.b) return e;
    if (a->dtype != b->dtype) {
      a = cast(n.a->dtype, a);
      b = cast(n.b->dtype, b);
    }
    return binary(n.kind, a, b);
  }
  Expr rewriteCast(const Expr& e) override {
    const auto& n = *as<CastNode>(e);
    Expr value = rewrite(n.value);
    return value == n.value ? e : cast(e->dtype, value);
  }
  // What an operator or an intrinsic computes may depend on the type of its operands; addresses don't.
  Expr rewriteCall(const Expr& e) override {
    const auto& n = *as<CallNode>(e);
    std::vector<Expr> args;
    bool changed = false;
    for (const Expr& a : n.args) {
      args.push_back(takesPlaces(n) ? rewrite(a) : typed(a->dtype, a));
      changed = changed || args.back() != a;
    }
    return changed ? call(n.dtype, n.op, std::move(args)) : e;
  }
  Expr rewriteLet(const Expr& e) override {
    const auto& n = *as<LetNode>(e);
    Expr value = typed(n.value->dtype, n.value), body = typed(e->dtype, n.body);
    return value == n.value && body == n.body ? e : std::make_shared<LetNode>(n.var, value, body);
  }

  Stmt rewriteFor(const Stmt& s) override {
    const auto& n = *asFor(s);
    known_.enter(n);
    Var var = varOf(narrowVar(n.var));
    Expr min = typed(var->dtype, n.min), extent = typed(var->dtype, n.extent);
    Stmt body = rewrite(n.body);
    if (var == n.var && min == n.min && extent == n.extent && body == n.body) return s;
    return edit(n, [&](ForNode& m) {
      m.var = var;
      m.min = min;
      m.extent = extent;
      m.body = body;
    });
  }
  Block rewriteBlock(const Block& b) override {
    Block inner = Mutator::rewriteBlock(b);
    auto level = [](BufferRegion& r) {
      for (Range& range : r.region) {
        if (range.min->dtype == range.extent->dtype) continue;
        matchTypes(range.min, range.extent);
      }
    };
    return inner == b ? b : edit(*inner, [&](BlockNode& n) {
      for (BufferRegion& r : n.reads) level(r);
      for (BufferRegion& r : n.writes) level(r);
      for (MatchBuffer& m : n.matches) level(m.source);
    });
  }
  Stmt rewriteStore(const Stmt& s) override {
    Stmt inner = Mutator::rewriteStore(s);
    const auto &before = *as<StoreNode>(s), &after = *as<StoreNode>(inner);
    if (after.value->dtype == before.value->dtype) return inner;
    return store(after.buffer, cast(before.value->dtype, after.value), after.indices);
  }
  Stmt rewriteLetStmt(const Stmt& s) override {
    const auto& n = *as<LetStmtNode>(s);
    known_.enter(n);
    Var var = varOf(narrowVar(n.var));
    Expr value = typed(var->dtype, n.value);
    Stmt body = rewrite(n.body);
    if (var == n.var && value == n.value && body == n.body) return s;
    return edit(n, [&](LetStmtNode& m) {
      m.var = var;
      m.value = value;
      m.body = body;
    });
  }

 private:
  Expr typed(DType dtype, const Expr& e) {
    Expr now = rewrite(e);
    return !now || now->dtype == dtype ? now : cast(dtype, now);
  }

  Expr narrowVar(const Expr& e) {
    if (!narrow_.count(asVar(e))) return e;
    auto [it, isNew] = vars_.try_emplace(asVar(e));
    if (isNew) it->second = makeVar(asVar(e)->name);
    return it->second;
  }

  // All of the tree in 32 bits.
  Expr narrowed(const Expr& e) {
    const DType to = narrowType(e->dtype);
    if (e->kind == ExprKind::Var) return narrowVar(e);
    if (auto* i = asInt(e)) return intImm(i->value, to);
    return rebuilt(e, to, [&](const Expr& x) { return narrowed(x); });
  }
  // All of it in 64; what is below its leaves on its own.
  Expr kept(const Expr& e) {
    auto operands = operandsOf(e);
    if (e->kind == ExprKind::Var) return cast(e->dtype, narrowVar(e));
    if (!operands) return Mutator::rewrite(e);
    return rebuilt(e, e->dtype, [&](const Expr& x) { return kept(x); });
  }
  template <class F>
  Expr rebuilt(const Expr& e, DType to, F f) {
    switch (e->kind) {
      case ExprKind::Select: {
        const auto& n = *as<SelectNode>(e);
        return select(rewrite(n.condition), f(n.yes), f(n.no));
      }
      case ExprKind::Cast: return cast(to, rewrite(as<CastNode>(e)->value));
      case ExprKind::Ramp: return ramp(f(as<RampNode>(e)->base), f(as<RampNode>(e)->stride), e->dtype.lanes);
      case ExprKind::Broadcast: return broadcast(f(as<BroadcastNode>(e)->value), e->dtype.lanes);
      case ExprKind::Call: {
        const auto& c = *as<CallNode>(e);
        std::vector<Expr> args;
        for (const Expr& a : c.args) args.push_back(isWide(a->dtype) ? f(a) : rewrite(a));
        return call(to, c.op, std::move(args));
      }
      default: break;
    }
    const auto& b = *asBinary(e);
    return binary(b.kind, f(b.a), f(b.b));
  }

  const std::unordered_set<const VarNode*> narrow_;
  Known known_;
  std::unordered_map<const VarNode*, Expr> vars_;
  std::unordered_map<const BufferNode*, Buffer> seen_;
};

}  // namespace

NarrowIndices narrowIndices(const Stmt& s) {
  NarrowVariables variables;
  variables.visit(s);
  if (!variables.any64) return {s, {}};
  Narrowing narrowing(variables.settle());
  Stmt body = narrowing.rewrite(s);
  return {body, std::move(narrowing.buffers)};
}

}  // namespace loom::lower
