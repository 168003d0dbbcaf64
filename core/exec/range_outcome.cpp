#include "core/exec/range_outcome.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "core/ir/equal.h"
#include "core/ir/loads.h"
#include "core/ir/visit.h"

namespace loom::exec {

using namespace ir;

namespace {

using Bound = arith::ConstIntBound;

constexpr Bound kEverything{arith::kNegInf, arith::kPosInf};

bool within(const Bound& a, const Bound& b) { return a.min >= b.min && a.max <= b.max; }
Bound hull(const Bound& a, const Bound& b) { return {std::min(a.min, b.min), std::max(a.max, b.max)}; }

// The program with every load replaced by a variable of the range that its buffer's elements have.
class Bounds : public Visitor {
 public:
  explicit Bounds(const std::map<const BufferNode*, Bound>& inputs) : inputs_(inputs) {}

  RangeOutcome outcome;

  void run(const Function& f) {
    // What a statement reads may be written by a later one of the same loop: once more with what is known then, and
    // what still grows may be anything.
    for (int pass = 0; pass < 3; ++pass) {
      grown_.clear();
      outcome.violations.clear();
      visit(Stmt(f->body));
      if (grown_.empty()) return;
      if (pass == 1) {
        for (const BufferNode* b : grown_) written_[b].value = kEverything;
      }
    }
  }

 protected:
  void visitFor(const ForNode& n) override {
    const Bound first = boundOf(n.min);
    Inputs sources = sourcesOf(n.min);
    sources.merge(sourcesOf(n.extent));
    checkInside(n.min), checkInside(n.extent);
    noteRows(n);
    // min + extent is simplified, so that `P[i] + (P[i + 1] - P[i])` is the next row's first.
    const Bound end = boundOf(binary(ExprKind::Add, n.min, cast(n.min->dtype, n.extent)));
    const std::int64_t last = end.max == arith::kPosInf ? arith::kPosInf : end.max - 1;
    bindTo(n.var, {first.min, std::max(first.min, last)}, sources);
    visit(n.body);
  }
  void visitRealize(const BlockRealizeNode& n) override {
    const BlockNode& b = *n.block;
    for (std::size_t i = 0; i < b.iters.size(); ++i) {
      const Bound value = boundOf(n.values[i]);
      const Bound first = boundOf(b.iters[i].domain.min), extent = boundOf(b.iters[i].domain.extent);
      Bound domain = kEverything;
      if (first.min != arith::kNegInf) domain.min = first.min;
      if (first.max != arith::kPosInf && extent.max != arith::kPosInf) domain.max = first.max + extent.max - 1;
      checkInside(n.values[i]);
      Bound both{std::max(value.min, domain.min), std::min(value.max, domain.max)};
      if (both.min > both.max) both = value;
      bindTo(b.iters[i].var, both, sourcesOf(n.values[i]));
    }
    under(n.predicate, [&] {
      if (b.init) visit(b.init);
      visit(b.body);
    });
  }
  void visitIf(const IfThenElseNode& n) override {
    checkInside(n.condition);
    under(n.condition, [&] { visit(n.yes); });
    if (n.no) under(notOf(n.condition), [&] { visit(n.no); });
  }
  void visitLetStmt(const LetStmtNode& n) override {
    checkInside(n.value);
    bindTo(n.var, boundOf(n.value), sourcesOf(n.value));
    visit(n.body);
  }
  void visitStore(const StoreNode& n) override {
    checkInside(n.value);
    for (const Expr& i : n.indices) checkInside(i);
    checkIndices(*n.buffer, n.indices);
    Content& content = written_[n.buffer.get()];
    const Bound before = content.value, value = boundOf(n.value);
    Inputs sources = sourcesOf(n.value);
    content.sources.merge(sources);
    content.value = content.known ? hull(before, value) : value;
    if (!content.known || content.value != before) grown_.insert(n.buffer.get());
    content.known = true;
  }
  void visitEvaluate(const EvaluateNode& n) override { checkInside(n.value); }

 private:
  struct Content {
    bool known = false;
    Bound value{0, 0};
    Inputs sources;
  };
  struct Known {
    Expr load;
    Var var;
  };

  // What is true inside a condition's side; constants where the values so far decide it.
  Expr known(const Expr& condition) { return analyzer_.simplify(plain(condition)); }

  template <class Body>
  void under(const Expr& condition, Body&& body) {
    if (!condition) return body();
    const Expr inside = known(condition);
    if (isTrue(inside)) return body();
    if (isFalse(inside)) {
      closed_.push_back(sourcesOf(condition));
      body();
      closed_.pop_back();
      return;
    }
    const auto constraint = analyzer_.enter(inside);
    body();
  }
  // What a condition keeps out can't go wrong for as long as its own inputs keep it out.
  bool keptOut(const Inputs& sources) const {
    return std::ranges::any_of(closed_, [&](const Inputs& by) {
      return by.empty() || std::ranges::any_of(by, [&](const BufferNode* b) { return sources.count(b) > 0; });
    });
  }

  void bindTo(const Var& v, const Bound& b, Inputs sources) {
    // A range without one end is none that the analyzer takes; a wide one does.
    constexpr std::int64_t kWide = std::int64_t(1) << 40;
    const std::int64_t low = std::max(b.min, -kWide), high = std::max(low, std::min(b.max, kWide));
    if (low == high) {
      fixed_[v.get()] = low;  // for the analyzer that would be for ever
    } else {
      fixed_.erase(v.get());
      analyzer_.bind(v, Range{intImm(low, v->dtype), intImm(high - low + 1, v->dtype)}, true);
    }
    if (sources.empty()) {
      sources_.erase(v.get());
    } else {
      sources_[v.get()] = std::move(sources);
    }
  }

  // --- loads become variables ---

  std::pair<Bound, Inputs> contentOf(const BufferNode& b) const {
    std::pair<Bound, Inputs> c{{0, 0}, {}};
    if (auto found = inputs_.find(&b); found != inputs_.end()) c = {found->second, {&b}};
    if (auto found = written_.find(&b); found != written_.end() && found->second.known) {
      c.first = inputs_.count(&b) ? hull(c.first, found->second.value) : found->second.value;
      c.second.insert(found->second.sources.begin(), found->second.sources.end());
    }
    return c;
  }

  Expr variableFor(const Expr& load, DType dtype) {
    const auto& n = *as<LoadNode>(load);
    const bool stays = !written_.count(n.buffer.get());
    if (stays) {
      for (const Known& k : loads_) {
        if (k.var->dtype == dtype && structuralEqual(k.load, load)) return valueOf(k.var);
      }
    }
    Var v = makeVar(n.buffer->name, dtype);
    auto [bound, sources] = contentOf(*n.buffer);
    bindTo(v, bound, std::move(sources));
    if (stays) loads_.push_back({load, v});
    return valueOf(v);
  }
  Expr valueOf(const Var& v) const {
    const auto found = fixed_.find(v.get());
    return found == fixed_.end() ? Expr(v) : intImm(found->second, v->dtype);
  }

  // The expression without loads, with one kind of condition, over whole numbers.
  Expr plain(const Expr& e) {
    class Plain : public Mutator {
     public:
      explicit Plain(Bounds& bounds) : bounds_(bounds) {}

     protected:
      Expr rewriteVar(const Expr& e) override { return bounds_.valueOf(varOf(e)); }
      Expr rewriteLoad(const Expr& e) override {
        return e->dtype.isFloat() ? e : bounds_.variableFor(e, e->dtype.isBool() ? DType::Int(32) : e->dtype);
      }
      Expr rewriteCast(const Expr& e) override {
        const Expr& inner = as<CastNode>(e)->value;
        if (!e->dtype.isIntegral() || !inner->dtype.isFloat()) return Mutator::rewriteCast(e);
        // A float's elements are whole numbers here, too.
        if (Expr number = whole(inner, e->dtype)) return number;
        Var v = makeVar("number", e->dtype);
        bounds_.bindTo(v, kEverything, bounds_.sourcesOf(inner));
        return v;
      }
      // Arithmetic that stays among whole numbers, in integers; null for others.
      Expr whole(const Expr& x, DType to) {
        if (x->dtype.isIntegral()) return cast(to, rewrite(x));
        if (x->kind == ExprKind::Load) return bounds_.variableFor(x, to);
        if (x->kind == ExprKind::Cast) return whole(as<CastNode>(x)->value, to);
        if (x->kind == ExprKind::FloatImm) {
          const double v = as<FloatImmNode>(x)->value;
          return std::abs(v) < 1e6 && v == std::floor(v) ? intImm(std::int64_t(v), to) : Expr();
        }
        if (auto* call = asCall(x); call && call->args.size() == 1) {
          const bool stays = call->op == "floor" || call->op == "ceil" || call->op == "round" || call->op == "trunc" ||
                             call->op == "nearbyint";
          return stays ? whole(call->args[0], to) : Expr();
        }
        auto* b = asBinary(x);
        if (!b || (b->kind != ExprKind::Add && b->kind != ExprKind::Sub && b->kind != ExprKind::Mul &&
                   b->kind != ExprKind::Min && b->kind != ExprKind::Max)) {
          return nullptr;
        }
        Expr l = whole(b->a, to), r = whole(b->b, to);
        return l && r ? binary(b->kind, l, r) : Expr();
      }
      Expr rewriteCall(const Expr& e) override {
        const auto& n = *as<CallNode>(e);
        if (n.op == "if_then_else" && n.args.size() == 3) {
          return select(rewrite(n.args[0]), rewrite(n.args[1]), rewrite(n.args[2]));
        }
        if (n.op == "likely" && n.args.size() == 1) return rewrite(n.args[0]);
        return Mutator::rewriteCall(e);
      }

     private:
      Bounds& bounds_;
    };
    return Plain(*this).rewrite(e);
  }

  // --- questions ---

  Inputs sourcesOf(const Expr& e) {
    Inputs all;
    if (!e) return all;
    forEachExpr(e, [&](const Expr& x) {
      if (auto* l = asLoad(x)) {
        auto of = contentOf(*l->buffer).second;
        all.insert(of.begin(), of.end());
      } else if (auto* v = asVar(x)) {
        if (auto found = sources_.find(v); found != sources_.end()) {
          all.insert(found->second.begin(), found->second.end());
        }
      }
    });
    return all;
  }

  Bound boundOf(const Expr& e) {
    if (!e) return kEverything;
    if (e->dtype.isFloat()) {
      if (auto* l = asLoad(e)) return contentOf(*l->buffer).first;
      if (e->kind == ExprKind::Cast) return boundOf(as<CastNode>(e)->value);
      if (e->kind == ExprKind::FloatImm) {
        const double v = as<FloatImmNode>(e)->value;
        if (v == double(std::int64_t(v))) return {std::int64_t(v), std::int64_t(v)};
      }
      return kEverything;
    }
    if (!e->dtype.isIntegral() || e->dtype.lanes != 1) return kEverything;
    const Expr x = analyzer_.simplify(plain(e));
    return conditional(x);
  }

  // Each side of a condition under what it says.
  Bound conditional(const Expr& e) {
    if (e->kind == ExprKind::Select) {
      const auto& n = *as<SelectNode>(e);
      std::optional<Bound> all;
      for (const bool side : {true, false}) {
        const Expr inside = analyzer_.simplify(side ? n.condition : notOf(n.condition));
        if (isFalse(inside)) continue;
        const auto c = analyzer_.enter(inside);
        const Bound b = conditional(analyzer_.simplify(side ? n.yes : n.no));
        all = all ? hull(*all, b) : b;
      }
      return all.value_or(kEverything);
    }
    return analyzer_.constIntBound(e);
  }

  void demand(const Expr& value, const Bound& allowed) {
    Inputs sources = sourcesOf(value);
    if (sources.empty()) return;
    outcome.reached.insert(sources.begin(), sources.end());
    const Bound b = boundOf(value);
    if (!within(b, allowed) && !keptOut(sources)) outcome.violations.push_back({b, allowed, std::move(sources)});
  }
  void checkIndices(const BufferNode& b, const std::vector<Expr>& indices) {
    for (std::size_t d = 0; d < indices.size() && d < b.shape.size(); ++d) {
      if (auto* extent = asInt(b.shape[d])) demand(indices[d], {0, extent->value - 1});
    }
  }

  // Loads, divisors and shifts inside an expression, each under the conditions around it.
  void checkInside(const Expr& e) {
    if (!e) return;
    if (auto* l = asLoad(e)) {
      for (const Expr& i : l->indices) checkInside(i);
      return checkIndices(*l->buffer, l->indices);
    }
    auto branch = [&](const Expr& condition, const Expr& yes, const Expr& no) {
      checkInside(condition);
      if (yes) under(condition, [&] { checkInside(yes); });
      if (no) under(notOf(condition), [&] { checkInside(no); });
    };
    if (auto* b = asBinary(e)) {
      if (b->kind == ExprKind::And) return branch(b->a, b->b, nullptr);
      if (b->kind == ExprKind::Or) return branch(b->a, nullptr, b->b);
      checkInside(b->a), checkInside(b->b);
      const bool divides = b->kind == ExprKind::Div || b->kind == ExprKind::Mod || b->kind == ExprKind::FloorDiv ||
                           b->kind == ExprKind::FloorMod;
      if (divides && e->dtype.isIntegral()) {
        const bool below = boundOf(b->b).max < 0;
        demand(b->b, below ? Bound{arith::kNegInf, -1} : Bound{1, arith::kPosInf});
      }
      return;
    }
    switch (e->kind) {
      case ExprKind::Select: {
        const auto& n = *as<SelectNode>(e);
        return branch(n.condition, n.yes, n.no);
      }
      case ExprKind::Not: return checkInside(as<NotNode>(e)->a);
      case ExprKind::Cast: return checkInside(as<CastNode>(e)->value);
      case ExprKind::Let: {
        const auto& n = *as<LetNode>(e);
        checkInside(n.value);
        if (n.var->dtype.isIntegral()) bindTo(n.var, boundOf(n.value), sourcesOf(n.value));
        return checkInside(n.body);
      }
      case ExprKind::Call: {
        const auto& n = *as<CallNode>(e);
        if (n.op == "if_then_else" && n.args.size() == 3) return branch(n.args[0], n.args[1], n.args[2]);
        for (const Expr& a : n.args) checkInside(a);
        if ((n.op == "shift_left" || n.op == "shift_right") && n.args.size() == 2) {
          demand(n.args[1], {0, n.dtype.bits - 1});
        }
        return;
      }
      default: return;
    }
  }

  // for k in range(P[i], P[i + 1]), or range(P[i + 1] - P[i]): P's elements are where rows begin.
  void noteRows(const ForNode& n) {
    std::vector<const LoadNode*> loads = loadsIn(n.min);
    std::ranges::copy(loadsIn(n.extent), std::back_inserter(loads));
    for (const LoadNode* a : loads) {
      for (const LoadNode* b : loads) {
        const bool same = std::ranges::equal(a->indices, b->indices, ExprEqual{});
        if (a->buffer == b->buffer && !same && inputs_.count(a->buffer.get()))
          outcome.ascending.insert(a->buffer.get());
      }
    }
  }

  const std::map<const BufferNode*, Bound>& inputs_;
  arith::Analyzer analyzer_;
  std::map<const BufferNode*, Content> written_;
  std::set<const BufferNode*> grown_;
  std::vector<Inputs> closed_;  // of the conditions around that are false
  std::vector<Known> loads_;
  std::map<const VarNode*, std::int64_t> fixed_;
  std::map<const VarNode*, Inputs> sources_;
};

}  // namespace

RangeOutcome outcomeOf(const Function& function, const std::map<const BufferNode*, Bound>& inputs) {
  Bounds bounds(inputs);
  bounds.run(function);
  return std::move(bounds.outcome);
}

}  // namespace loom::exec
