#include "core/exec/guard_classes.h"

#include <algorithm>
#include <map>
#include <set>
#include <unordered_map>

#include "core/device/lane_values.h"
#include "core/ir/build.h"
#include "core/ir/visit.h"

namespace loom::exec {

using namespace ir;

namespace {

constexpr std::int64_t kMostPlaces = 1 << 16;  // blocks or iterations that are looked at
constexpr std::int64_t kFar = std::int64_t(1) << 60;

// Whole numbers from low to high, both included.
struct Span {
  std::int64_t low = -kFar, high = kFar;
};
using Spans = std::unordered_map<const VarNode*, Span>;

std::int64_t limited(__int128 x) { return std::int64_t(std::clamp<__int128>(x, -kFar, kFar)); }

std::int64_t floorOf(std::int64_t x, std::int64_t y) {
  const std::int64_t q = x / y;
  return q - ((x % y != 0) && ((x < 0) != (y < 0)));
}

Span spanOf(const Expr& e, const Spans& known);

// 1: always true, 0: never, -1: it depends.
int guardOutcome(const Expr& e, const Spans& known) {
  if (auto* b = asBinary(e)) {
    const Span x = spanOf(b->a, known), y = spanOf(b->b, known);
    switch (b->kind) {
      case ExprKind::LT: return x.high < y.low ? 1 : x.low >= y.high ? 0 : -1;
      case ExprKind::LE: return x.high <= y.low ? 1 : x.low > y.high ? 0 : -1;
      case ExprKind::GT: return x.low > y.high ? 1 : x.high <= y.low ? 0 : -1;
      case ExprKind::GE: return x.low >= y.high ? 1 : x.high < y.low ? 0 : -1;
      case ExprKind::EQ:
      case ExprKind::NE: {
        const bool same = x.low == x.high && y.low == y.high && x.low == y.low;
        const bool apart = x.high < y.low || y.high < x.low;
        return !same && !apart ? -1 : same == (b->kind == ExprKind::EQ);
      }
      case ExprKind::Min:
      case ExprKind::Max: return x.high <= y.low ? 1 : x.low >= y.high ? 0 : -1;
      default: break;
    }
  }
  return -1;
}

Span spanOf(const Expr& e, const Spans& known) {
  if (auto* constant = asInt(e)) return {constant->value, constant->value};
  if (auto* v = asVar(e)) {
    auto found = known.find(v);
    return found == known.end() ? Span{} : found->second;
  }
  if (e->kind == ExprKind::Cast && e->dtype.isIntegral()) return spanOf(as<CastNode>(e)->value, known);
  auto* b = asBinary(e);
  if (!b || !e->dtype.isIntegral()) return {};
  const Span x = spanOf(b->a, known), y = spanOf(b->b, known);
  switch (b->kind) {
    case ExprKind::Add: return {limited(__int128(x.low) + y.low), limited(__int128(x.high) + y.high)};
    case ExprKind::Sub: return {limited(__int128(x.low) - y.high), limited(__int128(x.high) - y.low)};
    case ExprKind::Mul: {
      const __int128 all[] = {__int128(x.low) * y.low, __int128(x.low) * y.high, __int128(x.high) * y.low,
                              __int128(x.high) * y.high};
      return {limited(*std::min_element(all, all + 4)), limited(*std::max_element(all, all + 4))};
    }
    case ExprKind::Div:
    case ExprKind::FloorDiv:
      if (y.low != y.high || y.low <= 0) return {};
      if (b->kind == ExprKind::Div && x.low < 0) return {};
      return {floorOf(x.low, y.low), floorOf(x.high, y.low)};
    case ExprKind::Mod:
    case ExprKind::FloorMod:
      if (y.low != y.high || y.low <= 0) return {};
      if (b->kind == ExprKind::Mod && x.low < 0) return {};
      if (floorOf(x.low, y.low) == floorOf(x.high, y.low)) {
        return {x.low - floorOf(x.low, y.low) * y.low, x.high - floorOf(x.high, y.low) * y.low};
      }
      return {0, y.low - 1};
    case ExprKind::Min: return {std::min(x.low, y.low), std::min(x.high, y.high)};
    case ExprKind::Max: return {std::max(x.low, y.low), std::max(x.high, y.high)};
    default: return {};
  }
}

// The kernel's comparisons, minima and maxima of whole numbers, and what its variables may be.
struct Conditions {
  std::vector<Expr> all;
  std::vector<const device::LoopNode*> loops;
  Spans known;

  explicit Conditions(const device::Kernel& kernel) {
    for (int axis = 0; axis < 3; ++axis) {
      known[kernel.threadIdx[axis].get()] = {0, kernel.block[axis] - 1};
      known[kernel.blockIdx[axis].get()] = {0, kernel.grid[axis] - 1};
    }
    device::forEach(kernel.body, [&](const device::Stmt& s) {
      if (s->kind == device::StmtKind::Loop) {
        const auto* loop = device::as<device::LoopNode>(s);
        loops.push_back(loop);
        const Span extent = spanOf(loop->extent, known);
        known[loop->var.get()] = {0, std::max<std::int64_t>(0, extent.high - 1)};
      }
      if (s->kind == device::StmtKind::Operation) boxes(kernel, *device::as<device::OperationNode>(s));
      for (const Expr& e : device::expressionsOf(s)) {
        forEachExpr(e, [&](const Expr& x) {
          auto* b = asBinary(x);
          if (!b || b->a->dtype.lanes != 1 || !b->a->dtype.isIntegral()) return;
          if (isComparison(b->kind) || b->kind == ExprKind::Min || b->kind == ExprKind::Max) all.push_back(x);
        });
      }
      return true;
    });
  }
  // A box of the copy engine lies within its matrix, or reaches beyond.
  void boxes(const device::Kernel& kernel, const device::OperationNode& n) {
    if (n.map < 0) return;
    const device::TensorMap& map = kernel.maps[std::size_t(n.map)];
    for (std::size_t d = 0; d < 2; ++d) {
      const auto value = std::ranges::find(n.row->values, d == 0 ? "row" : "column");
      const Expr& first = n.values[std::size_t(value - n.row->values.begin())];
      all.push_back(le(first + intImm(map.box[d], first->dtype), intImm(map.extents[d], first->dtype)));
    }
  }
  std::vector<Expr> on(const std::set<const VarNode*>& variables) const {
    std::vector<Expr> found;
    for (const Expr& e : all) {
      if (usesVar(e, [&](const VarNode* v) { return variables.count(v) > 0; })) found.push_back(e);
    }
    return found;
  }
};

// The first and the last place of each kind, rare kinds first.
class Kinds {
 public:
  void add(std::string signature, std::int64_t place) {
    Kind& k = kinds_[std::move(signature)];
    if (k.count++ == 0) k.first = place;
    k.last = place;
  }
  std::vector<std::int64_t> places(std::size_t most) const {
    if (kinds_.size() < 2) return {};
    std::vector<Kind> all;
    for (const auto& [signature, kind] : kinds_) all.push_back(kind);
    std::ranges::stable_sort(all, {}, &Kind::count);
    std::set<std::int64_t> chosen;
    for (const Kind& k : all) {
      if (chosen.size() < most) chosen.insert(k.first);
      if (chosen.size() < most) chosen.insert(k.last);
    }
    return {chosen.begin(), chosen.end()};
  }

 private:
  struct Kind {
    std::int64_t first = 0, last = 0, count = 0;
  };
  std::map<std::string, Kind> kinds_;
};

std::string signatureOf(const std::vector<Expr>& conditions, const Spans& known) {
  std::string signature;
  for (const Expr& e : conditions) signature += char('b' + guardOutcome(e, known));
  return signature;
}

}  // namespace

std::vector<std::int64_t> distinctBlocks(const device::Kernel& kernel, std::size_t most) {
  if (kernel.blocks() > kMostPlaces) return {};
  Conditions conditions(kernel);
  std::set<const VarNode*> axes;
  for (const Var& v : kernel.blockIdx) axes.insert(v.get());
  const std::vector<Expr> on = conditions.on(axes);
  if (on.empty()) return {};
  Kinds kinds;
  for (std::int64_t n = 0; n < kernel.blocks(); ++n) {
    const auto place = device::blockAt(kernel, n);
    for (std::size_t axis = 0; axis < place.size(); ++axis)
      conditions.known[kernel.blockIdx[axis].get()] = {place[axis], place[axis]};
    kinds.add(signatureOf(on, conditions.known), n);
  }
  return kinds.places(most);
}

std::vector<std::vector<std::int64_t>> distinctIterations(const device::Kernel& kernel, std::size_t most) {
  Conditions conditions(kernel);
  std::vector<std::vector<std::int64_t>> all;
  for (const device::LoopNode* loop : conditions.loops) {
    auto& places = all.emplace_back();
    const std::int64_t extent = constantOr(loop->extent, -1);
    const std::vector<Expr> on = conditions.on({loop->var.get()});
    if (extent < 1 || extent > kMostPlaces || on.empty()) continue;
    const Span whole = conditions.known[loop->var.get()];
    Kinds kinds;
    for (std::int64_t i = 0; i < extent; ++i) {
      conditions.known[loop->var.get()] = {i, i};
      kinds.add(signatureOf(on, conditions.known), i);
    }
    conditions.known[loop->var.get()] = whole;
    places = kinds.places(most);
  }
  return all;
}

}  // namespace loom::exec
