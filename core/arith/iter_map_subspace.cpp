// Division of bindings in an outer and an inner part: binding = outer * (extent of inner) + inner.
//
//     sub iterators j, k;   i * 10 + j * 5 + k   →   outer i, inner j * 5 + k of extent 10
#include <algorithm>

#include "core/arith/iter_map_rewriter.h"

namespace loom::arith {
namespace {

// x = outer * innerExtent + inner. Inner and Outer say that the other part is absent; Mixed may have both.
struct Division {
  enum class Kind { Inner, Outer, Mixed } kind = Kind::Mixed;
  IterExpr outer, inner;
  Expr outerExtent, innerExtent;

  static Division allInner(const IterExpr& x, const Expr& extent) {
    auto type = dtypeOf(x);
    return {Kind::Inner, makeSum({}, ir::zero(type)), x, ir::one(type), extent};
  }
  static Division allOuter(const IterExpr& x, const Expr& extent) {
    auto type = dtypeOf(x);
    return {Kind::Outer, x, makeSum({}, ir::zero(type)), extent, ir::one(type)};
  }
};

// A part of a division as one split: itself, or all of a new mark.
IterSplit asSplit(const IterExpr& part, const Expr& extent) {
  if (auto* split = std::get_if<IterSplit>(&part)) return *split;
  return fullSplit(makeMark(part, extent));
}

// The mark of splits given from inner to outer, each scaled by the extents of those before it.
IterMark markOf(const std::vector<IterSplit>& parts, const Expr& base) {
  Expr extent = ir::one(base->dtype);
  std::vector<IterSplit> args;
  for (auto& part : parts) {
    args.push_back(makeSplit(part->source, part->lowerFactor, part->extent, extent));
    extent = extent * part->extent;
  }
  return makeMark(makeSum({args.rbegin(), args.rend()}, base), extent);
}

class SubspaceDivider {
 public:
  SubspaceDivider(const std::vector<IterSum>& bindings, const std::vector<Var>& subIters, Analyzer& analyzer)
      : splits_(bindings), subIters_(subIters), analyzer_(analyzer) {}

  // Nothing when it cannot be divided.
  std::optional<Division> divide(const IterSum& sum, const Expr& markExtent) {
    if (sum->args.empty()) {
      auto type = sum->base->dtype;
      auto none = makeSum({}, ir::zero(type));
      return Division{Division::Kind::Mixed, none, makeSum({}, sum->base), ir::one(type), ir::one(type)};
    }
    if (sum->args.size() > 1) return divideFusion(sum, markExtent);
    if (!ir::isConst(sum->args[0]->scale, 1)) return std::nullopt;
    auto division = divide(sum->args[0]);
    if (division && !ir::isConst(sum->base, 0)) {
      auto inner = toSum(division->inner);
      division->inner = makeSum(inner->args, inner->base + sum->base);
    }
    return division;
  }

  const Expr& outerPredicate() const { return outerPredicate_; }
  const Expr& innerPredicate() const { return innerPredicate_; }

 private:
  // From the smallest scale up there must be inner splits first, then outer ones. A constrained mark (shorter than the
  // product of its splits' extents) must be all inner or all outer, and the constraint becomes that side's predicate.
  std::optional<Division> divideFusion(const IterSum& sum, const Expr& markExtent) {
    std::vector<IterSplit> outer, inner;
    Expr extent = ir::one(sum->base->dtype);
    bool hasUnitScale = false;
    for (auto arg = sum->args.rbegin(); arg != sum->args.rend(); ++arg) {
      hasUnitScale = hasUnitScale || ir::isConst((*arg)->scale, 1);
      auto division = divide(*arg);
      if (!division || division->kind == Division::Kind::Mixed) return std::nullopt;
      bool isInner = division->kind == Division::Kind::Inner;
      if (isInner && !outer.empty()) return std::nullopt;
      auto part =
          isInner ? asSplit(division->inner, division->innerExtent) : asSplit(division->outer, division->outerExtent);
      (isInner ? inner : outer).push_back(part);
      extent = extent * part->extent;
    }
    if (!hasUnitScale) return std::nullopt;
    auto outerMark = markOf(outer, ir::zero(sum->base->dtype)), innerMark = markOf(inner, sum->base);
    if (analyzer_.canProveEqual(extent, markExtent))
      return Division{Division::Kind::Mixed, outerMark->source, innerMark->source, outerMark->extent,
                      innerMark->extent};
    auto require = [&](Expr& predicate, const IterMark& mark) {
      predicate = ir::andOf(predicate, ir::lt(normalizeIterMapToExpr(mark->source, analyzer_), markExtent));
    };
    if (inner.empty()) {
      require(outerPredicate_, outerMark);
      return Division::allOuter(outerMark->source, markExtent);
    }
    if (outer.empty()) {
      require(innerPredicate_, innerMark);
      return Division::allInner(innerMark->source, markExtent);
    }
    return std::nullopt;
  }

  std::optional<Division> divide(const IterSplit& split) {
    if (auto known = divisions_.find(split.get()); known != divisions_.end()) return known->second;
    auto& siblings = splits_.of(split->source);
    auto& source = split->source->source;
    if (auto* plain = std::get_if<Expr>(&source)) {
      if (!ir::asVar(*plain)) return std::nullopt;
      bool isInner = std::any_of(subIters_.begin(), subIters_.end(), [&](auto& var) { return var == *plain; });
      for (auto& part : siblings)
        divisions_.emplace(part.get(),
                           isInner ? Division::allInner(part, part->extent) : Division::allOuter(part, part->extent));
    } else if (auto* sum = std::get_if<IterSum>(&source)) {
      auto whole = divide(*sum, split->source->extent);
      if (!whole || siblings.size() == 1) return whole;
      if (!divideParts(*whole, siblings)) return std::nullopt;
    } else {
      return std::nullopt;
    }
    return divisions_.at(split.get());
  }

  // Several splits of one mark y = outer * e + inner: one of their boundaries must fall on e.
  //     y in [0, 12), e = 3:   y // 6, y // 3 % 2, y % 3   →   outer // 2, outer % 2, inner
  //                            y // 4, y // 2 % 2, y % 2   cannot be divided
  // A whole that is one split of another mark is refused (TVM fails with a TypeError).
  bool divideParts(const Division& whole, const std::vector<IterSplit>& parts) {
    if (!std::holds_alternative<IterSum>(whole.outer) || !std::holds_alternative<IterSum>(whole.inner)) return false;
    auto outerMark = makeMark(whole.outer, whole.outerExtent), innerMark = makeMark(whole.inner, whole.innerExtent);
    bool pastBoundary = whole.kind == Division::Kind::Outer;
    std::vector<bool> used(parts.size(), false);
    std::vector<IterSplit> inner, outer;
    Expr expected = ir::one(dtypeOf(parts[0]));
    for (std::size_t done = 0; done < parts.size(); ++done) {
      std::size_t next = 0;
      while (next < parts.size() && (used[next] || !analyzer_.canProveEqual(parts[next]->lowerFactor, expected)))
        ++next;
      if (next == parts.size()) return false;
      used[next] = true;
      (pastBoundary ? outer : inner).push_back(parts[next]);
      expected = expected * parts[next]->extent;
      if (analyzer_.canProveEqual(expected, whole.innerExtent)) pastBoundary = true;
    }
    if (!pastBoundary) return false;
    for (auto& part : inner) {
      auto moved = makeSplit(innerMark, part->lowerFactor, part->extent, part->scale);
      divisions_.emplace(part.get(), Division::allInner(moved, part->extent));
    }
    for (auto& part : outer) {
      auto lower = ir::floordiv(part->lowerFactor, outer[0]->lowerFactor);
      auto moved = makeSplit(outerMark, lower, part->extent, part->scale);
      divisions_.emplace(part.get(), Division::allOuter(moved, part->extent));
    }
    return true;
  }

  SplitsByMark splits_;
  const std::vector<Var>& subIters_;
  Analyzer& analyzer_;
  std::unordered_map<const IterSplitNode*, Division> divisions_;
  Expr outerPredicate_ = ir::boolImm(true), innerPredicate_ = ir::boolImm(true);
};

}  // namespace

std::optional<SubspaceDivision> subspaceDivide(const std::vector<Expr>& bindings, const VarRanges& iters,
                                               const std::vector<Var>& subIters, const Expr& predicate,
                                               IterMapLevel level, Analyzer& analyzer, bool simplifyTrivial) {
  auto map = detectIterMap(bindings, iters, predicate, level, analyzer, simplifyTrivial);
  if (!map) return std::nullopt;
  SubspaceDivider divider(map.indices, subIters, analyzer);
  SubspaceDivision result;
  for (auto& sum : map.indices) {
    auto division = divider.divide(sum, ir::intImm(0));
    if (!division) return std::nullopt;
    result.bindings.push_back(
        {makeMark(division->outer, division->outerExtent), makeMark(division->inner, division->innerExtent)});
  }
  result.outerPredicate = divider.outerPredicate();
  result.innerPredicate = divider.innerPredicate();
  return result;
}

}  // namespace loom::arith
