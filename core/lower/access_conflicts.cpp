#include "core/lower/access_conflicts.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "core/ir/build.h"
#include "core/ir/equal.h"
#include "core/ir/substitute.h"
#include "core/ir/visit.h"
#include "core/lower/execution_group.h"
#include "core/lower/products.h"
#include "core/lower/same_width.h"

namespace loom::lower {

using namespace device;
using ir::ExprKind;

namespace {

constexpr std::size_t kElement = 63;  // the variable that stands for an element of a tile, beyond those of loops

// Parts of variables, as pairs of lower factor and extent: `v // lower % extent`.
using Parts = std::map<const ir::VarNode*, std::vector<std::array<std::int64_t, 2>>>;

// The parts of variables that an index in mixed radix gives back; false when it isn't in mixed radix.
bool readParts(const Expr& index, const Expr& guard, const arith::VarRanges& ranges, arith::Analyzer& analyzer,
               Parts& parts) {
  arith::IterSum sum = arith::normalizeToIterSum(analyzer.simplify(index), ranges, analyzer);
  if (!sum) return false;
  struct Term {
    std::int64_t scale, extent;
    arith::IterSplit split;
  };
  std::vector<Term> terms;
  for (const arith::IterSplit& split : sum->args) {
    auto *scale = ir::asInt(split->scale), *extent = ir::asInt(split->extent), *lower = ir::asInt(split->lowerFactor);
    auto* source = std::get_if<Expr>(&split->source->source);
    if (!scale || !extent || !lower || scale->value <= 0) return false;
    terms.push_back({scale->value, extent->value, split});
    if (source && ir::asVar(*source)) parts[ir::asVar(*source)].push_back({lower->value, extent->value});
  }
  std::sort(terms.begin(), terms.end(), [](const Term& a, const Term& b) { return a.scale < b.scale; });
  std::int64_t reach = 0;
  std::vector<arith::IterSplit> smaller;
  for (const Term& t : terms) {
    if (t.scale <= reach && guard) {
      // A guard may keep the smaller terms below the scale: `j_0 * 3 + j_1 < 4`.
      std::vector<arith::IterSplit> descending(smaller.rbegin(), smaller.rend());
      Expr below = arith::normalizeIterMapToExpr(arith::makeSum(descending, ir::intImm(0)), analyzer);
      auto known = analyzer.enter(guard);
      reach = std::min(reach, analyzer.constIntBound(below).max);
    }
    if (t.scale <= reach) return false;
    reach += t.scale * (t.extent - 1);
    smaller.push_back(t.split);
  }
  return true;
}

}  // namespace

SharedAccess ofIterationBefore(SharedAccess access, const Var& var) {
  const ir::VarMap before{{var.get(), Expr(var) - ir::intImm(1, var->dtype)}};
  for (Expr& version : access.versions) version = ir::substitute(version, before);
  return access;
}

AccessConflicts::AccessConflicts(const Kernel& kernel)
    : kernel_(kernel), staysInFlight_(inFlight(kernel.body).value_or(0) > 0) {
  for (int axis = 0; axis < 3; ++axis) {
    analyzer_.bind(kernel.threadIdx[axis], ir::Range{ir::intImm(0), ir::intImm(kernel.block[axis])}, true);
    analyzer_.bind(kernel.blockIdx[axis], ir::Range{ir::intImm(0), kernel.gridExtent(axis)}, true);
  }
  analyzer_.bind(warpNumber(), ir::Range{ir::intImm(0), ir::intImm(kWarpsOfWarpgroup)}, true);
}

arith::ConstIntBound AccessConflicts::bound(const std::shared_ptr<const AccessSite>& site) {
  std::optional<arith::ConstIntBound>& known = known_[site].bound;
  if (known) return *known;
  for (const auto& [var, extent] : site->loops) {
    analyzer_.bind(var, ir::Range{ir::intImm(0, var->dtype), extent}, true);
  }
  known = analyzer_.constIntBound(site->index);
  if (known->max != arith::kPosInf) known->max += site->lanes - 1;
  return *known;
}

// Numbers the serial loops of an access by first use, so that equal patterns over different loops compare equal.
const AccessConflicts::Pattern& AccessConflicts::patternOf(const std::shared_ptr<const AccessSite>& site) {
  std::optional<Pattern>& known = known_[site].pattern;
  if (known) return *known;
  Pattern& p = known.emplace();
  ir::VarMap map;
  auto number = [&](const Expr& e) {
    ir::forEachExpr(e, [&](const Expr& x) {
      auto* v = ir::asVar(x);
      if (!v || map.count(v)) return;
      for (const auto& [var, extent] : site->loops) {
        if (var.get() != v) continue;
        p.loops.push_back(slot(p.loops.size(), var->dtype));
        map[v] = p.loops.back();
        p.extents.push_back(extent);
      }
    });
    return ir::substitute(e, map);
  };
  p.index = number(site->index);
  p.ofIndex = p.loops.size();
  for (const Expr& c : site->coordinates) p.coordinates.push_back(number(c));
  if (site->guard) p.guard = number(site->guard);
  return p;
}

Var AccessConflicts::slot(std::size_t n, ir::DType dtype) {
  std::vector<Var>& slots = slots_[dtype.bits];
  while (slots.size() <= n) slots.push_back(ir::makeVar(fmt::format("loop{}", slots.size()), dtype));
  return slots[n];
}

// Slots of a ring, `i % n` and `(i + 2) % n`: they differ where what lies between isn't a multiple of n. One of them
// may be without its modulus, where it is less than n anyway.
bool AccessConflicts::otherVersions(const SharedAccess& a, const SharedAccess& b) {
  if (a.versions.size() != b.versions.size()) return false;
  auto ringOf = [](const Expr& e) -> const ir::BinaryNode* {
    const auto* n = ir::asBinary(e);
    return n && n->kind == ExprKind::FloorMod ? n : nullptr;
  };
  for (std::size_t v = 0; v < a.versions.size(); ++v) {
    const Expr &x = a.versions[v], &y = b.versions[v];
    if (x == y) continue;
    const auto *p = ringOf(x), *q = ringOf(y);
    const bool ring = (p || q) && (!p || !q || ir::structuralEqual(p->b, q->b));
    const Expr difference = ignorant_.simplify(ring ? (p ? p->a : x) - (q ? q->a : y) : x - y);
    const auto* apart = ir::asInt(difference);
    if (apart && (ring ? apart->value % ir::constantOr((p ? p : q)->b, 1) : apart->value) != 0) return true;
  }
  return false;
}

// Each thread of the block, or each warp, touches elements of its own, and the same ones in both accesses. An operation
// of a warp gives an element of a tile to the same lane each time, so that lanes don't meet either.
bool AccessConflicts::ownElements(const SharedAccess& a, const SharedAccess& b) {
  const AccessSite &x = *a.site, &y = *b.site;
  if (!x.index || !y.index || x.lanes != y.lanes || x.ofTile != y.ofTile || !(x.uncovered == y.uncovered)) return false;
  const Pattern &p = patternOf(a.site), &q = patternOf(b.site);
  if (p.ofIndex != q.ofIndex || !ir::structuralEqual(p.index, q.index)) return false;
  for (std::size_t i = 0; i < p.ofIndex; ++i) {
    if (!ir::structuralEqual(p.extents[i], q.extents[i])) return false;
  }
  return identifiesThreads(a.site) && (p.guard == q.guard || identifiesThreads(b.site));
}

bool AccessConflicts::identifiesThreads(const std::shared_ptr<const AccessSite>& site) {
  std::optional<bool>& known = known_[site].ofOneThread;
  if (known) return *known;
  // Blocks are fixed here.
  arith::VarRanges threads;
  for (int axis = 0; axis < 3; ++axis) {
    if (kernel_.block[axis] > 1 && !(site->uncovered.bits >> axis & 1)) {
      threads.set(kernel_.threadIdx[axis], ir::Range{ir::intImm(0), ir::intImm(kernel_.block[axis])});
    }
  }
  // With none, one thread does all of it.
  known = threads.empty() || identifiesThreadsCached(patternOf(site), site->lanes, site->uncovered.bits, threads);
  return *known;
}

// `identifiesThreads`, which the same patterns are asked again and again, pair by pair.
bool AccessConflicts::identifiesThreadsCached(const Pattern& p, std::int64_t lanes, unsigned uncovered,
                                              const arith::VarRanges& threads) {
  auto equal = [](const Expr& a, const Expr& b) { return a == b || (a && b && ir::structuralEqual(a, b)); };
  auto same = [&](const CachedAnswer& t) {
    return t.lanes == lanes && t.uncovered == uncovered && equal(t.pattern.index, p.index) &&
           equal(t.pattern.guard, p.guard) &&
           std::equal(t.pattern.coordinates.begin(), t.pattern.coordinates.end(), p.coordinates.begin(),
                      p.coordinates.end(), equal) &&
           std::equal(t.pattern.extents.begin(), t.pattern.extents.end(), p.extents.begin(), p.extents.end(), equal);
  };
  auto known = std::find_if(cached_.begin(), cached_.end(), same);
  if (known != cached_.end()) return known->answer;
  const bool answer = identifiesThreads(p, lanes, threads);
  cached_.push_back({p, lanes, uncovered, answer});
  return answer;
}

// Does the element say which thread it is of? Each index, flat or by dimension, is written as a sum of
// `part * scale` of the variables in mixed radix: a scale beyond the reach of all smaller terms together gives back
// every part. The parts of a thread's index must make up all of it.
bool AccessConflicts::identifiesThreads(const Pattern& p, std::int64_t lanes, const arith::VarRanges& threads) {
  ir::VarMap firstBlock;
  for (const Var& v : kernel_.blockIdx) firstBlock[v.get()] = ir::intImm(0);
  arith::VarRanges ranges = threads;
  for (std::size_t i = 0; i < p.extents.size(); ++i) {
    ranges.set(p.loops[i], ir::Range{ir::intImm(0, p.loops[i]->dtype), p.extents[i]});
  }
  Expr flat = ir::substitute(p.index, firstBlock);
  if (lanes > 1) {
    Var lane = slot(p.extents.size(), flat->dtype);
    ranges.set(lane, ir::Range{ir::intImm(0, lane->dtype), ir::intImm(lanes, lane->dtype)});
    flat = flat + lane;
  }
  if (identifiesThreads({flat}, {}, ranges, threads)) return true;
  if (p.coordinates.empty()) return false;
  std::vector<Expr> coordinates;
  for (const Expr& c : p.coordinates) coordinates.push_back(ir::substitute(c, firstBlock));
  return identifiesThreads(coordinates, p.guard ? ir::substitute(p.guard, firstBlock) : Expr(), ranges, threads);
}

bool AccessConflicts::identifiesThreads(const std::vector<Expr>& given, const Expr& givenGuard,
                                        const arith::VarRanges& givenRanges, const arith::VarRanges& threads) const {
  SameWidth same(given);
  std::vector<Expr> indices;
  for (const Expr& index : given) indices.push_back(same.rewrite(index));
  const Expr guard = same.rewrite(givenGuard);
  arith::Analyzer analyzer;
  arith::VarRanges ranges;
  for (const auto& [var, range] : givenRanges) {
    ranges.set(ir::varOf(same.rewrite(var)), ir::Range{same.rewrite(range.min), same.rewrite(range.extent)});
  }
  for (const auto& [var, range] : ranges) analyzer.bind(var, range, true);
  Parts parts;
  for (const Expr& index : indices) {
    if (!readParts(index, guard, ranges, analyzer, parts)) return false;
  }
  for (int axis = 0; axis < 3; ++axis) {
    if (!threads.contains(kernel_.threadIdx[axis].get())) continue;
    auto& own = parts[ir::asVar(same.rewrite(kernel_.threadIdx[axis]))];
    std::sort(own.begin(), own.end());
    std::int64_t next = 1;
    for (auto [lower, extent] : own) {
      if (lower > next) return false;
      next = std::max(next, lower * extent);
    }
    if (next < kernel_.block[axis]) return false;
  }
  return true;
}

bool meetInMemory(const SharedAccess& a, const SharedAccess& b) {
  return a.buffer == b.buffer || (a.allocation && b.allocation && a.allocation->needsMeeting(*b.allocation));
}

bool AccessConflicts::conflict(const SharedAccess& a, const SharedAccess& b) {
  if (!meetInMemory(a, b) || (!a.write && !b.write)) return false;
  if (b.landed) return false;  // ordered when the copy was started
  if (a.buffer != b.buffer) return true;
  // What has come is waited for by whoever reads it, and what has been read is, before the next is asked for.
  if (a.byCopyEngine) return false;
  const bool handed = std::ranges::any_of(kernel_.mbarriers, &Mbarrier::open);
  if (a.byTensorCores && b.byCopyEngine && (handed || kernel_.threads() <= kWarpgroupThreads)) return false;
  if (a.repeatable && b.repeatable && a.site->stmt == b.site->stmt) return false;
  // Another warpgroup's products may read slots of iterations before, past barriers, until it has waited.
  const bool late = staysInFlight_ && a.byTensorCores && b.write && kernel_.threads() > kWarpgroupThreads;
  if (!late && otherVersions(a, b)) return false;
  if (a.ofOthers || b.ofOthers) return true;
  if (a.site->index && b.site->index) {
    const arith::ConstIntBound x = bound(a.site), y = bound(b.site);
    if (x.max < y.min || y.max < x.min) return false;
  }
  return !ownElements(a, b);
}

bool AccessConflicts::acrossBlocks(const SharedAccess& a, const SharedAccess& b) {
  return (a.ofOthers || b.ofOthers) && conflict(a, b);
}

Meeting AccessConflicts::between(const std::vector<SharedAccess>& before, const std::vector<SharedAccess>& after) {
  Meeting meeting = Meeting::None;
  for (const SharedAccess& a : before) {
    for (const SharedAccess& b : after) {
      const bool met = a.metAfter || b.metBefore;
      if (met && ofOwnWarps(a, b)) continue;
      if (!conflict(a, b)) continue;
      if (met || !ofOwnWarps(a, b)) return Meeting::Block;
      meeting = Meeting::Warp;
    }
  }
  return meeting;
}

// Whether no warp uses an element that another one uses in the other access: each of their elements tells the warp.
bool AccessConflicts::ofOwnWarps(const SharedAccess& a, const SharedAccess& b) {
  if (a.buffer != b.buffer || !a.site->ofWarp || !b.site->ofWarp) return false;
  // What lanes alone exchange meets as TVM has it, at a barrier of the block.
  if (a.site->ofLanes && b.site->ofLanes) return false;
  const auto at = [&](const AccessSite& x, int group, int warp) {
    const Var &y = kernel_.threadIdx[1], &w = warpNumber();
    return ir::substitute(x.ofWarp, {{y.get(), ir::intImm(group, y->dtype)}, {w.get(), ir::intImm(warp, w->dtype)}});
  };
  const auto step = [&](const AccessSite& x, int group, int warp) {
    return ir::constantOr(analyzer_.simplify(at(x, group, warp) - at(x, 0, 0)), 0);
  };
  const std::int64_t ofWarp = step(*b.site, 0, 1), ofGroup = step(*b.site, 1, 0);
  if (ofWarp <= 0 || ofWarp != step(*a.site, 0, 1) || ofGroup != step(*a.site, 1, 0)) return false;
  for (const AccessSite* x : {a.site.get(), b.site.get()}) {
    // Warps that load stand beside those that multiply: the conditions around tell how many these are.
    std::optional<decltype(analyzer_.enter(x->guard))> known;
    if (x->guard) known.emplace(analyzer_.enter(x->guard));
    const bool groups = kernel_.block[1] > 1 && !(a.site->ofGroup && b.site->ofGroup) &&
                        analyzer_.constIntBound(kernel_.threadIdx[1]).max > 0;
    if (groups && ofGroup <= 0) return false;
    for (const auto& [var, extent] : x->loops) analyzer_.bind(var, ir::Range{ir::intImm(0, var->dtype), extent}, true);
    const Var element = slot(kElement, x->ofWarp->dtype);
    analyzer_.bind(element, ir::Range{ir::intImm(0, element->dtype), ir::intImm(x->reach, element->dtype)}, true);
    const Expr e = x->ofWarp + Expr(element);
    const auto number = [&](std::int64_t n) { return ir::intImm(n, e->dtype); };
    const Expr warp = ir::floormod(ir::floordiv(e, number(ofWarp)), number(kWarpsOfWarpgroup));
    if (!ir::isConst(analyzer_.simplify(warp - ir::cast(e->dtype, warpNumber())), 0)) return false;
    if (!groups) continue;
    const Expr group = ir::floordiv(e, number(ofGroup));
    if (!ir::isConst(analyzer_.simplify(group - ir::cast(e->dtype, kernel_.threadIdx[1])), 0)) return false;
  }
  return true;
}

const Var& warpNumber() {
  static const Var warp = ir::makeVar("warp");
  return warp;
}

}  // namespace loom::lower
