#include "core/exec/input_ranges.h"

#include <algorithm>
#include <utility>

#include "core/exec/range_outcome.h"
#include "core/ir/loads.h"
#include "core/ir/visit.h"

namespace loom::exec {

using namespace ir;

namespace {

using Bound = arith::ConstIntBound;

// Finds the ranges: first one value for each input with which as little as possible goes wrong, then the widest around
// it with which no more does.
class Search {
 public:
  explicit Search(const Function& f) : function_(f) {
    std::int64_t most = 16;
    auto note = [&](const Buffer& b) {
      for (const Expr& extent : b->shape) most = std::max(most, constantOr(extent, 0));
    };
    for (std::size_t p = 0; p < f->params.size(); ++p) {
      const Buffer& b = f->params[p].buffer;
      if (!b) continue;
      note(b);
      inputs_[b.get()] = {0, 0};
      position_[b.get()] = int(p);
    }
    cap_ = std::min<std::int64_t>(2 * most, 1 << 20);
  }

  InputRanges run() {
    InputRanges result;
    const RangeOutcome first = outcomeOf(function_, inputs_);
    if (first.reached.empty()) return result;
    const Inputs reached = first.reached, ascending = first.ascending;
    std::vector<Violation> wrong = settle(first.violations);
    Inputs hopeless;
    for (const Violation& v : wrong) hopeless.insert(v.sources.begin(), v.sources.end());
    for (const BufferNode* b : reached) {
      if (hopeless.count(b)) result.unknown.push_back(b->name);
    }
    std::ranges::sort(result.unknown);
    grow(reached, hopeless, wrong.size());
    for (const BufferNode* b : reached) {
      if (hopeless.count(b)) continue;
      result.ranges[position_.at(b)] = {inputs_[b].min, inputs_[b].max, ascending.count(b) > 0};
    }
    return result;
  }

 private:
  std::size_t wrongWith(const BufferNode* b, const Bound& value) {
    const Bound kept = std::exchange(inputs_[b], value);
    const std::size_t wrong = outcomeOf(function_, inputs_).violations.size();
    inputs_[b] = kept;
    return wrong;
  }
  std::pair<std::int64_t, std::int64_t> limitsOf(const BufferNode* b) const {
    const DType t = b->dtype;
    if (t.isBool()) return {0, 1};
    const int bits = t.isFloat() ? (t.bits >= 32 ? 22 : t.bits == 16 ? 9 : 4) : std::min<int>(t.bits, 40);
    const std::int64_t high = (std::int64_t(1) << (t.isUInt() || t.isFloat() ? bits : bits - 1)) - 1;
    return {t.isUInt() ? 0 : -high, high};
  }

  // One value for each input with which nothing goes wrong, or as little as possible.
  std::vector<Violation> settle(std::vector<Violation> wrong) {
    for (int round = 0; round < 16 && !wrong.empty(); ++round) {
      const std::size_t before = wrong.size();
      for (const Violation& v : wrong) {
        for (const BufferNode* b : v.sources) {
          std::vector<std::int64_t> tries{0, 1, 2};
          for (const std::int64_t off :
               {v.allowed.min - v.value.min, v.allowed.max - v.value.max, v.value.min - v.allowed.min}) {
            if (off < -(1 << 30) || off > (1 << 30)) continue;
            tries.push_back(off);
            tries.push_back(inputs_[b].min + off);
          }
          tries.push_back(-1);
          const auto [low, high] = limitsOf(b);
          for (const std::int64_t t : tries) {
            if (t < low || t > high || wrongWith(b, {t, t}) >= wrong.size()) continue;
            inputs_[b] = {t, t};
            wrong = outcomeOf(function_, inputs_).violations;
            break;
          }
          if (wrong.size() < before) break;
        }
        if (wrong.size() < before) break;
      }
      if (wrong.size() >= before) break;
    }
    return wrong;
  }

  // Both ends outwards, one input after the other by twice as much each time, so that sums share what there is; then by
  // halves.
  void grow(const Inputs& reached, const Inputs& hopeless, std::size_t allowed) {
    struct End {
      const BufferNode* buffer;
      bool up;
      std::int64_t step = 1;
      bool open = true;
    };
    std::vector<End> ends;
    for (const BufferNode* b : reached) {
      if (hopeless.count(b)) continue;
      ends.push_back({b, true});
      ends.push_back({b, false});
    }
    auto tryStep = [&](const End& e, std::int64_t step) {
      Bound wider = inputs_[e.buffer];
      const auto [low, high] = limitsOf(e.buffer);
      if (step > cap_) return false;
      (e.up ? wider.max : wider.min) += e.up ? step : -step;
      if (wider.max > high || wider.min < low || wrongWith(e.buffer, wider) > allowed) return false;
      inputs_[e.buffer] = wider;
      return true;
    };
    for (bool any = true; any;) {
      any = false;
      for (End& e : ends) {
        if (!e.open) continue;
        e.open = tryStep(e, e.step);
        if (e.open) e.step *= 2;
        any = any || e.open;
      }
    }
    for (bool any = true; any;) {
      any = false;
      for (End& e : ends) {
        for (; e.step > 0 && !any; e.step /= 2) any = tryStep(e, e.step);
      }
    }
  }

  const Function& function_;
  std::map<const BufferNode*, Bound> inputs_;
  std::map<const BufferNode*, int> position_;
  std::int64_t cap_ = 0;
};

// Whether any index, divisor, shift or loop's extent reads memory at all: most programs' don't.
bool readsData(const Function& f) {
  bool found = false;
  forEachExpr(Stmt(f->body), [&](const Expr& e) {
    if (auto* l = asLoad(e)) {
      for (const Expr& i : l->indices) found = found || readsMemory(i);
    } else if (auto* b = asBinary(e)) {
      found = found || (e->dtype.isIntegral() && b->kind >= ExprKind::Div && readsMemory(b->b));
    } else if (auto* c = asCall(e)) {
      found = found || (c->op.starts_with("shift") && readsMemory(c->args.back()));
    }
  });
  forEachStmt(Stmt(f->body), [&](const Stmt& s) {
    if (s->kind == StmtKind::Let) found = true;
    if (auto* loop = asFor(s)) found = found || readsMemory(loop->extent) || readsMemory(loop->min);
    if (s->kind == StmtKind::Store) {
      for (const Expr& i : as<StoreNode>(s)->indices) found = found || readsMemory(i);
    }
    if (auto* r = asRealize(s)) {
      for (const Expr& v : r->values) found = found || readsMemory(v);
    }
    return !found;
  });
  return found;
}

}  // namespace

InputRanges inputRanges(const Function& function) {
  if (!readsData(function)) return {};
  return Search(function).run();
}

}  // namespace loom::exec
