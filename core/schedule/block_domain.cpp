#include "core/schedule/block_domain.h"

#include <array>
#include <unordered_map>

#include "core/arith/iter_map.h"
#include "core/ir/build.h"
#include "core/ir/substitute.h"
#include "core/schedule/buffers.h"
#include "core/schedule/refuse.h"

namespace loom::schedule {

using namespace ir;
using arith::Analyzer;
using arith::IntSet;

namespace {

using DomainOf = std::unordered_map<const VarNode*, IterDomain>;

Failure internal(Message message) { return refuse("InternalError", std::move(message), {}, Forbids::Tvm); }

void unite(IterDomain& domain, const IterDomain& other) {
  domain.domain = arith::unionOf(std::array{domain.domain, other.domain});
  domain.bound = arith::unionOf(std::array{domain.bound, other.bound});
}

IntSet simplified(const IntSet& set, Analyzer& analyzer) {
  Expr min = set.hasLowerBound() ? analyzer.simplify(set.min()) : set.min();
  Expr max = set.hasUpperBound() ? analyzer.simplify(set.max()) : set.max();
  return IntSet::interval(min, max);
}

// Drops the bound where the domain says it all.
void simplify(IterDomain& d, Analyzer& analyzer) {
  if (d.domain.isNothing()) {
    if (d.bound.hasLowerBound() && d.bound.hasUpperBound()) {
      d.bound = simplified(d.bound, analyzer);
      std::swap(d.domain, d.bound);
    }
    return;
  }
  d.domain = simplified(d.domain, analyzer);
  d.bound = simplified(d.bound, analyzer);
  const IntSet both = simplified(arith::intersect(std::array{d.domain, d.bound}), analyzer);
  auto sameEnd = [&](const Expr& a, const Expr& b) { return a && b ? analyzer.canProveEqual(a, b) : a == b; };
  auto same = [&](const IntSet& a) { return sameEnd(a.min(), both.min()) && sameEnd(a.max(), both.max()); };
  if (same(d.domain)) {
    d.bound = IntSet::nothing();
  } else if (same(d.bound)) {
    d.domain = d.bound;
    d.bound = IntSet::nothing();
  } else if (asInt(both.min()) && asInt(both.max())) {
    d.domain = both;
    d.bound = IntSet::nothing();
  }
}

struct SolvedVar {
  Var var;
  IterDomain domain;
};

Failure noPattern() { return internal(message("the provided region matches none of TVM's patterns")); }

// Which values of one variable make `provided` cover `required` in one dimension. `last` is the dimension's last index.
Result<SolvedVar> solveDimension(const IntSet& provided, const IntSet& required, const Expr& last, Analyzer& analyzer) {
  auto end = [&](const Expr& e) { return e ? analyzer.simplify(e) : e; };  // null: infinite
  const Expr providedMin = end(provided.min()), providedMax = end(provided.max());
  const Expr requiredMin = end(required.min()), requiredMax = end(required.max());
  if (!providedMin || !providedMax) return noPattern();
  const bool isBounded = requiredMin && requiredMax;
  const Expr first = zero(last->dtype);
  if (auto* product = asBinary(providedMin, ExprKind::Mul); product && (asVar(product->a) || asVar(product->b))) {
    const bool left = asVar(product->a);
    const Expr& factor = left ? product->b : product->a;
    if (!isBounded) return noPattern();
    return SolvedVar{varOf(left ? product->a : product->b),
                     {IntSet::interval(floordiv(requiredMin, factor), floordiv(requiredMax, factor)),
                      IntSet::interval(first, floordiv(last, factor))}};
  }
  if (!analyzer.canProveEqual(providedMin, providedMax)) return noPattern();
  if (asVar(providedMin)) {
    return SolvedVar{varOf(providedMin), {IntSet::interval(requiredMin, requiredMax), IntSet::interval(first, last)}};
  }
  if (auto* quotient = asBinary(providedMin, ExprKind::FloorDiv)) {
    const Expr &dividend = quotient->a, &factor = quotient->b;
    if (!isBounded || !analyzer.canProveGreaterEqual(factor, 1)) return noPattern();
    // a <= x // f <= b  ⇔  a * f <= x <= b * f + f - 1
    const IntSet wider = IntSet::interval(requiredMin * factor, analyzer.simplify(requiredMax * factor + factor - 1));
    if (!asVar(dividend)) return solveDimension(IntSet::point(dividend), wider, last, analyzer);
    return SolvedVar{varOf(dividend), {wider, IntSet::interval(first, analyzer.simplify(last * factor + factor - 1))}};
  }
  if (auto* remainder = asBinary(providedMin, ExprKind::FloorMod)) {
    // The range of x % f says nothing about x.
    if (asVar(remainder->a)) return SolvedVar{varOf(remainder->a), {}};
    if (analyzer.canProveGreaterEqual(remainder->a, 1) && analyzer.canProveGreaterEqual(remainder->b, 1) &&
        requiredMin && analyzer.canProveGreaterEqual(requiredMin, 0)) {
      const IntSet wider = IntSet::interval(requiredMin, nullptr);
      return solveDimension(IntSet::point(remainder->a), wider, last, analyzer);
    }
  }
  return noPattern();
}

Checked updateByDimension(const Buffer& buffer, const Intervals& provided, const Intervals& required,
                          Analyzer& analyzer, DomainOf& domains) {
  for (std::size_t i = 0; i < buffer->shape.size(); ++i) {
    const Expr last = maxOf(buffer->shape[i] - 1, zero(buffer->shape[i]->dtype));
    if (provided[i].canProvePoint(analyzer) && asInt(provided[i].min())) {
      if (!required[i].canProvePoint(analyzer) || !analyzer.canProveEqual(provided[i].min(), required[i].min())) {
        return internal(message("a constant index of {} is provided, others are required", buffer->name));
      }
      continue;
    }
    auto solved = solveDimension(provided[i], required[i], last, analyzer);
    if (!solved) return Failure(solved.error());
    if (auto it = domains.find(solved->var.get()); it != domains.end()) {
      unite(it->second, solved->domain);
    } else if (!analyzer.canProveEqual(provided[i].min(), required[i].min()) ||
               !analyzer.canProveEqual(provided[i].max(), required[i].max())) {
      return internal(message("a region of {} depends on a variable that is no iterator of the block", buffer->name));
    }
  }
  return {};
}

// The two corners of a box, mapped back to the iterators.
Result<arith::VarTable<IntSet>> invert(const std::vector<arith::IterSum>& map, const Intervals& box,
                                       Analyzer& analyzer) {
  std::vector<Expr> low, high;
  for (const auto& set : box) {
    if (!set.hasLowerBound() || !set.hasUpperBound()) return internal(message("a required region is unbounded"));
    low.push_back(set.min());
    high.push_back(set.max());
  }
  const auto atLow = arith::inverseAffineIterMap(map, low), atHigh = arith::inverseAffineIterMap(map, high);
  if (!atLow) return Failure(atLow.error());
  if (!atHigh) return Failure(atHigh.error());
  arith::VarTable<IntSet> sets;
  for (const auto& [var, a] : *atLow) {
    const Expr* b = atHigh->find(var);
    if (!b) return internal(message("an iterator map has no stable inverse"));
    sets.set(var, IntSet::interval(analyzer.simplify(minOf(a, *b)), analyzer.simplify(maxOf(a, *b))));
  }
  return sets;
}

// False when the map from iterators to the provided point is not affine and bijective.
Result<bool> updateByInverse(const Buffer& buffer, const std::vector<IterVar>& iters, const Intervals& provided,
                             const Intervals& required, Analyzer& analyzer, DomainOf& domains) {
  for (const auto& set : provided) {
    if (!set.canProvePoint(analyzer)) return false;
  }
  arith::VarRanges iterDomains;
  for (const auto& iter : iters) iterDomains.set(iter.var, iter.domain);
  std::vector<Expr> indices;
  for (const auto& set : provided) indices.push_back(set.min());
  const auto map =
      arith::detectIterMap(indices, iterDomains, boolImm(true), arith::IterMapLevel::Bijective, analyzer, false);
  if (!map) return false;
  Intervals whole;
  for (const auto& extent : buffer->shape) {
    whole.push_back(IntSet::interval(zero(extent->dtype), maxOf(extent - 1, zero(extent->dtype))));
  }
  auto needed = invert(map.indices, required, analyzer);
  if (!needed) return Failure(needed.error());
  auto bounds = invert(map.indices, whole, analyzer);
  if (!bounds) return Failure(bounds.error());
  for (const auto& [var, set] : *needed) {
    const IntSet* bound = bounds->find(var);
    if (!bound) return internal(message("an iterator map has no stable inverse"));
    unite(domains[var.get()], IterDomain{set, *bound});
  }
  return true;
}

Intervals unionOfAll(const std::vector<Intervals>& regions) {
  return regions.size() == 1 ? regions[0] : arith::unionRegion(regions);
}

}  // namespace

std::vector<Intervals>& RegionsByBuffer::of(const Buffer& buffer) {
  if (auto* found = find(buffer)) return *found;
  return entries.emplace_back(buffer, std::vector<Intervals>{}).second;
}

std::vector<Intervals>* RegionsByBuffer::find(const Buffer& buffer) {
  for (auto& [known, regions] : entries) {
    if (known == buffer) return &regions;
  }
  return nullptr;
}

Result<std::vector<IterDomain>> solveDomains(const std::vector<IterVar>& iters, RegionsByBuffer& provided,
                                             RegionsByBuffer& required, Analyzer& analyzer) {
  DomainOf domains;
  for (const auto& iter : iters) domains[iter.var.get()];
  // TVM walks a hash map, which gives the buffers last come first.
  for (auto it = provided.entries.rbegin(); it != provided.entries.rend(); ++it) {
    const Buffer& buffer = it->first;
    const auto* needs = required.find(buffer);
    if (!needs || needs->empty()) continue;
    const Intervals need = unionOfAll(*needs), give = unionOfAll(it->second);
    if (need.size() != buffer->shape.size() || give.size() != buffer->shape.size()) {
      return internal(message("a region of {} has not the buffer's number of dimensions", buffer->name));
    }
    auto inverted = updateByInverse(buffer, iters, give, need, analyzer, domains);
    if (!inverted) return Failure(inverted.error());
    if (*inverted) continue;
    if (auto updated = updateByDimension(buffer, give, need, analyzer, domains); !updated) {
      return Failure(updated.error());
    }
  }
  std::vector<IterDomain> result;
  for (const auto& iter : iters) {
    IterDomain& domain = domains[iter.var.get()];
    const IntSet declared = IntSet::fromRange(iter.domain);
    domain.bound = domain.bound.isNothing() ? declared : arith::intersect(std::array{domain.bound, declared});
    simplify(domain, analyzer);
    if (domain.domain.isNothing()) return internal(message("no domain found for {}", iter.var->name));
    result.push_back(domain);
  }
  return result;
}

void relaxRegions(const Program& p, const BlockRealizeNode& realize, const std::vector<BufferRegion>& regions, Id low,
                  Id high, bool relaxThreads, RegionsByBuffer& relaxed) {
  const auto binding = bindings(realize);
  for (const auto& region : regions) {
    auto* into = relaxed.find(region.buffer);
    if (!into) continue;
    arith::IntSetMap domains;
    for (const auto& [var, range] : loopDomain(p, low, high, relaxThreads ? region.buffer->scope : "global")) {
      domains.insert_or_assign(var.get(), IntSet::fromRange(range));
    }
    into->push_back(arith::evalSet(substitute(region.region, binding), domains));
  }
}

}  // namespace loom::schedule
