#include <numeric>

#include "core/arith/analyzer.h"
#include "core/device/build.h"
#include "core/ir/build.h"
#include "core/ir/substitute.h"
#include "core/ir/visit.h"
#include "core/lower/device_passes.h"

namespace loom::lower {
namespace {

using namespace device;
using ir::ExprKind;
using ir::intImm;

constexpr std::int64_t kMaxVectorBytes = 16;

// Lanes var = 0 … lanes - 1 of one statement.
class Vectorizer {
 public:
  Vectorizer(Var var, std::int64_t lanes, const std::vector<std::pair<Var, ir::Range>>& ranges)
      : var_(std::move(var)), lanes_(lanes), ranges_(ranges) {
    for (const auto& [v, r] : ranges) analyzer_.bind(v, r, true);
    analyzer_.bind(var_, ir::Range{intImm(0, var_->dtype), intImm(lanes, var_->dtype)}, true);
  }

  Stmt run(const Stmt& s) {
    switch (s->kind) {
      case StmtKind::Seq: return mapChildren(s, [&](const Stmt& c) { return run(c); });
      case StmtKind::Block:
      case StmtKind::Loop:
      case StmtKind::If: {
        for (const Expr& e : expressionsOf(s)) {
          if (uses(e)) return unrolled(s);
        }
        if (s->kind == StmtKind::Loop) {
          const auto& loop = *as<LoopNode>(s);
          ranges_.emplace_back(loop.var, ir::Range{intImm(0, loop.var->dtype), loop.extent});
          analyzer_.bind(loop.var, ranges_.back().second, true);
        }
        return mapChildren(s, [&](const Stmt& c) { return run(c); });
      }
      case StmtKind::Store: return vectorStore(s);
      case StmtKind::Wmma: {
        for (const Expr& e : expressionsOf(s)) {
          if (uses(e)) return unrolled(s);
        }
        return s;
      }
      case StmtKind::Barrier: return s;
    }
    return s;
  }

 private:
  bool uses(const Expr& e) const {
    return ir::usesVar(e, [&](const ir::VarNode* v) { return v == var_.get(); });
  }

  // The scalar statement for each lane, as a loop that the compiler unrolls.
  Stmt unrolled(const Stmt& s) const {
    auto loop = std::make_shared<LoopNode>();
    loop->var = var_;
    loop->extent = intImm(lanes_, var_->dtype);
    loop->unroll = true;
    loop->body = s;
    return loop;
  }

  // index = base + stride * var with a constant stride?
  struct Affine {
    Expr base;
    std::int64_t stride = 0;
  };
  std::optional<Affine> affine(const Expr& index) {
    if (!uses(index)) return Affine{index, 0};
    Expr base = analyzer_.simplify(ir::substitute(index, ir::VarMap{{var_.get(), intImm(0, var_->dtype)}}));
    Expr next = ir::substitute(index, ir::VarMap{{var_.get(), intImm(1, var_->dtype)}});
    Expr step = analyzer_.simplify(next - base);
    auto* stride = ir::asInt(step);
    if (!stride) return std::nullopt;
    Expr rest = analyzer_.simplify(index - base - Expr(var_) * stride->value);
    if (!ir::isConst(rest, 0)) return std::nullopt;
    return Affine{base, stride->value};
  }

  // How many consecutive lanes one access can take: contiguous, aligned, at most 16 bytes.
  std::int64_t width(const Buffer& buffer, const Affine& a) {
    if (a.stride == 0) return lanes_;
    if (a.stride != 1) return 1;
    std::int64_t n = std::min<std::int64_t>(lanes_, kMaxVectorBytes * 8 / std::max<int>(buffer->dtype.bits, 1));
    arith::ModularSet m = analyzer_.modularSet(a.base);
    std::int64_t aligned = std::gcd(m.coeff, m.base);  // 0: the constant 0, aligned to everything
    std::int64_t fit = 1;
    while (fit * 2 <= n && lanes_ % (fit * 2) == 0 && (aligned == 0 || aligned % (fit * 2) == 0)) fit *= 2;
    return fit;
  }
  // The narrowest access of the statement decides. 1: no vector form.
  std::int64_t widthOf(const Expr& e) {
    std::int64_t n = lanes_;
    ir::forEachExpr(e, [&](const Expr& x) {
      if (x->kind == ExprKind::Call && uses(x)) n = 1;
      if (x == Expr(var_)) n = std::min<std::int64_t>(n, lanes_);
      if (auto* l = ir::asLoad(x)) {
        auto a = affine(l->indices[0]);
        n = std::min(n, a ? width(l->buffer, *a) : 1);
      }
    });
    return n;
  }

  Stmt vectorStore(const Stmt& s) {
    const auto& n = *as<StoreNode>(s);
    auto target = affine(n.index);
    if (!target || target->stride != 1) return uses(n.index) || uses(n.value) ? unrolled(s) : s;
    std::int64_t count = std::min(width(n.buffer, *target), widthOf(n.value));
    if (count <= 1) return unrolled(s);
    if (count < lanes_) {
      // Chunks of `count` lanes: the loop over chunks stays, the lanes inside one become the vector.
      Var chunk = ir::makeVar(var_->name, var_->dtype);
      Var lane = ir::makeVar(var_->name + "_lane", var_->dtype);
      Stmt inner = device::substitute(s, var_, Expr(chunk) * count + lane);
      auto ranges = ranges_;
      ranges.emplace_back(chunk, ir::Range{intImm(0), intImm(lanes_ / count)});
      auto loop = std::make_shared<LoopNode>();
      loop->var = chunk;
      loop->extent = intImm(lanes_ / count, var_->dtype);
      loop->unroll = true;
      loop->body = vectorize(inner, lane, count, ranges);
      return loop;
    }
    return edit<StoreNode>(s, [&](StoreNode& m) {
      m.index = ramp(*target);
      m.elements.clear();
      m.value = lanesOf(n.value);
      if (m.value->dtype.lanes == 1) m.value = std::make_shared<ir::BroadcastNode>(m.value, int(lanes_));
    });
  }

  Expr ramp(const Affine& a) {
    return std::make_shared<ir::RampNode>(a.base, intImm(a.stride, a.base->dtype), int(lanes_));
  }
  // e for all lanes at once; stays scalar where no lane differs.
  Expr lanesOf(const Expr& e) {
    if (!uses(e)) return e;
    switch (e->kind) {
      case ExprKind::Var: return ramp({intImm(0, e->dtype), 1});
      case ExprKind::Load: {
        const auto& l = *ir::as<ir::LoadNode>(e);
        auto a = *affine(l.indices[0]);
        if (a.stride == 0) return std::make_shared<ir::LoadNode>(l.buffer, std::vector<Expr>{a.base}, l.dtype);
        return std::make_shared<ir::LoadNode>(l.buffer, std::vector<Expr>{ramp(a)}, l.dtype.withLanes(int(lanes_)));
      }
      case ExprKind::Cast: {
        Expr value = lanesOf(ir::as<ir::CastNode>(e)->value);
        return std::make_shared<ir::CastNode>(e->dtype.withLanes(value->dtype.lanes), value);
      }
      case ExprKind::Not: return std::make_shared<ir::NotNode>(lanesOf(ir::as<ir::NotNode>(e)->a));
      case ExprKind::Select: {
        const auto& n = *ir::as<ir::SelectNode>(e);
        return std::make_shared<ir::SelectNode>(spread(lanesOf(n.condition)), spread(lanesOf(n.yes)),
                                                spread(lanesOf(n.no)));
      }
      default: break;
    }
    if (auto* b = ir::asBinary(e)) {
      Expr x = spread(lanesOf(b->a)), y = spread(lanesOf(b->b));
      return std::make_shared<ir::BinaryNode>(b->kind, x, y, e->dtype.withLanes(int(lanes_)));
    }
    return e;
  }
  Expr spread(Expr e) {
    if (e->dtype.lanes > 1) return e;
    return std::make_shared<ir::BroadcastNode>(e, int(lanes_));
  }

  Var var_;
  std::int64_t lanes_;
  std::vector<std::pair<Var, ir::Range>> ranges_;  // of the variables in scope, without var_
  arith::Analyzer analyzer_;
};

}  // namespace

Stmt vectorize(const Stmt& body, const Var& var, std::int64_t lanes,
               const std::vector<std::pair<Var, ir::Range>>& ranges) {
  return Vectorizer(var, lanes, ranges).run(body);
}

}  // namespace loom::lower
