// Sums of splits seen as one iterator, and predicates that bound such sums.
#include <algorithm>
#include <stdexcept>

#include "core/arith/deep_equal.h"
#include "core/arith/iter_map_rewriter.h"

namespace loom::arith {
namespace {

IterSplit withExtent(const IterSplitNode& split, Expr extent) {
  return makeSplit(split.source, split.lowerFactor, std::move(extent), split.scale);
}

bool sameSum(const IterSumNode& a, const IterSumNode& b) {
  return std::equal(a.args.begin(), a.args.end(), b.args.begin(), b.args.end(),
                    [](auto& x, auto& y) { return sameSplit(*x, *y); });
}

// Where a split of extent 1 may first stand; behind it a search for a scale need not go on. Most sums have none.
int firstUnitExtent(const IterSumNode& sum) {
  auto it = std::find_if(sum.args.begin(), sum.args.end(), [](auto& arg) { return ir::isConst(arg->extent, 1); });
  return static_cast<int>(it - sum.args.begin());
}

int lastOf(const IterSumNode& sum) { return static_cast<int>(sum.args.size()) - 1; }

}  // namespace

// --- searches: from right to left, as the smallest scale usually stands last ---

// The split of the smallest scale: the smallest constant (of equal ones the rightmost, but one of extent 1 before one
// that is longer); without constants the scale of the fewest factors. -1 if all are used. `source`, if given, restricts
// the search to the parts of one mark.
int IterMapRewriter::findBase(const IterSumNode& sum, const std::vector<bool>& used, const IterMark& source, int last) {
  auto candidate = [&](int i) { return !used[i] && (!source || sum.args[i]->source == source); };
  int base = -1;
  std::int64_t smallest = 0;
  for (int i = last; i >= 0; --i) {
    auto* scale = candidate(i) ? ir::asInt(sum.args[i]->scale) : nullptr;
    if (!scale) continue;
    bool better = base == -1 || scale->value < smallest;
    if (!better && scale->value == smallest)
      better = ir::isConst(sum.args[i]->extent, 1) && !ir::isConst(sum.args[base]->extent, 1);
    if (!better) continue;
    smallest = scale->value;
    base = i;
  }
  if (base != -1) return base;
  std::size_t fewest = 0;
  for (int i = last; i >= 0; --i) {
    if (!candidate(i)) continue;
    auto factors = factorsOf(sum.args[i]->scale).size();
    if (base != -1 && factors >= fewest) continue;
    fewest = factors;
    base = i;
  }
  return base;
}

// The split of exactly this scale, or -1. A split of extent 1 goes first: it leaves the expected scale as it is.
int IterMapRewriter::findScale(const IterSumNode& sum, const std::vector<bool>& used, const Expr& scale,
                               const IterMark& source, int last, int firstUnit) {
  int found = -1;
  for (int i = last; i >= 0; --i) {
    if (used[i] || (source && sum.args[i]->source != source)) continue;
    if (!analyzer_.canProveEqual(sum.args[i]->scale, scale)) continue;
    if (ir::isConst(sum.args[i]->extent, 1)) return i;
    if (found == -1) found = i;
    if (i <= firstUnit) return found;
  }
  return found;
}

// The split of the largest scale that is not above this one, or -1.
int IterMapRewriter::findClosestBelow(const IterSumNode& sum, const std::vector<bool>& used, const Expr& scale) {
  int found = -1;
  for (int i = lastOf(sum); i >= 0; --i) {
    if (used[i]) continue;
    auto& candidate = sum.args[i]->scale;
    if (!analyzer_.canProveGreaterEqual(scale - candidate, 0) || !analyzer_.canProveGreaterEqual(candidate, 0))
      continue;
    if (found == -1 || analyzer_.canProveLess(sum.args[found]->scale - candidate, 0)) found = i;
  }
  return found;
}

// The longest constrained group whose smallest part is this split.
IterSum IterMapRewriter::constraintFrom(const IterSplitNode& split) const {
  IterSum longest;
  for (auto& group : constrained_)
    if (sameSplit(split, *group->args.back(), CompareScale::No))
      if (!longest || longest->args.size() < group->args.size()) longest = group;
  return longest;
}

// --- parts of one mark put together again ---

// Adjacent parts of one mark become one:
//     i // 8 * 8 + i % 8                      →   i
//     (y // (c * s)) % m * (s * t) + (y // c) % s * t   →   (y // c) % (m * s) * t
// Starting from the part of the smallest scale, the next must begin where it ends, in the mark (lower factor) and in
// the sum (scale). The order of what is left is kept.
IterSum IterMapRewriter::combineSplits(const IterSum& sum) {
  auto& args = sum->args;
  auto partsOf = [&](const IterMark& mark) {
    return std::count_if(args.begin(), args.end(), [&](auto& arg) { return arg->source == mark; });
  };
  if (std::none_of(args.begin(), args.end(), [&](auto& arg) { return partsOf(arg->source) > 1; })) return sum;

  std::vector<bool> used(args.size(), false);
  std::vector<IterSplit> reversed;
  int firstUnit = firstUnitExtent(*sum);
  for (int last = lastOf(*sum); last >= 0;) {
    if (used[last]) {
      --last;
      continue;
    }
    auto& mark = args[last]->source;
    if (partsOf(mark) == 1) {
      reversed.push_back(args[last]);
      used[last--] = true;
      continue;
    }
    int base = findBase(*sum, used, mark, last);
    used[base] = true;
    auto part = args[base];
    for (;;) {
      int next = findScale(*sum, used, normalizedProduct(part->extent, part->scale), mark, last, firstUnit);
      if (next == -1) break;
      auto end = normalizedProduct(part->lowerFactor, part->extent);
      if (!analyzer_.canProveEqual(args[next]->lowerFactor, end)) break;
      used[next] = true;
      part = withExtent(*part, normalizedProduct(args[next]->extent, part->extent));
    }
    reversed.push_back(part);
  }
  return makeSum({reversed.rbegin(), reversed.rend()}, sum->base);
}

// --- sums fused to one iterator ---

IterMapRewriter::Fusion* IterMapRewriter::fusionOf(const IterSum& flattened) {
  for (auto& fusion : fusions_)
    if (sameSum(*fusion.flattened, *flattened)) return &fusion;
  return nullptr;
}

// i * 32 + j * 4 + 5 with j in [0, 8)   →   (i * 8 + j) * 4 + 5: one split of scale 4 of a new mark.
//
// Walks from the smallest scale up. What is expected next is the scale at which the iterators so far end (extent *
// scale). Below the bijective level a smaller one will do (i * 7 + j overlaps itself); the mark then gets a longer
// extent by the difference. A constrained group is taken as a whole, with its constrained extent:
//     i * 9 + j * 2 + k where j * 2 + k < 9   →   {i, scale 9} + {[j * 2 + k] in [0, 9), scale 1}
IterSum IterMapRewriter::fuse(IterSum sum, Skip skip) {
  auto combined = combineSplits(sum);
  if (combined != sum && combined->args.size() <= 1 && skip == Skip::SingleSplit) return combined;
  sum = combined;

  auto& args = sum->args;
  auto type = sum->base->dtype;
  std::vector<bool> used(args.size(), false);
  int base = findBase(*sum, used, nullptr, lastOf(*sum));
  if (base == -1) return nullptr;
  const Expr baseScale = args[base]->scale;
  std::vector<IterSplit> flattened, grouped;  // from small to large
  Expr offset = ir::zero(type), tail = ir::zero(type), expected = baseScale;
  int firstUnit = firstUnitExtent(*sum);

  for (std::size_t done = 0; done < args.size();) {
    int next = done == 0 ? base : findScale(*sum, used, expected, nullptr, lastOf(*sum), firstUnit);
    bool exact = next != -1;
    if (!exact && level_ != IterMapLevel::Bijective && ir::isConst(baseScale, 1))
      next = findClosestBelow(*sum, used, expected);
    if (next == -1) return nullptr;
    Expr scale = exact ? expected : args[next]->scale;
    Expr extent = args[next]->extent;
    if (auto group = constraintFrom(*args[next])) {
      for (auto it = group->args.rbegin(); it != group->args.rend(); ++it) {
        std::size_t part = 0;
        for (; part < args.size(); ++part)
          if (!used[part] && sameSplit(*args[part], **it, CompareScale::No) &&
              analyzer_.canProveEqual((*it)->scale * scale, args[part]->scale))
            break;
        if (part == args.size()) return nullptr;
        used[part] = true;
        flattened.push_back(args[part]);
      }
      auto* known = fusionOf(group);
      if (!known) throw std::logic_error("a constrained group of iterators is not fused");
      extent = known->mark->extent;
      grouped.push_back(withScale(*fullSplit(known->mark), ir::floordiv(scale, baseScale)));
      offset = offset + known->offset * scale;
      done += group->args.size();
    } else {
      used[next] = true;
      auto arg = withScale(*args[next], analyzer_.simplify(ir::floordiv(args[next]->scale, baseScale)));
      flattened.push_back(arg);
      grouped.push_back(arg);
      ++done;
    }
    if (!exact) tail = tail + (expected - scale);
    expected = normalizedProduct(extent, scale);
  }

  auto flat = makeSum({flattened.rbegin(), flattened.rend()}, ir::zero(type));
  auto mark = [&] {
    auto source = makeSum({grouped.rbegin(), grouped.rend()}, ir::zero(type));
    return makeMark(source, ir::truncdiv(expected, baseScale) + tail);
  };
  auto* fusion = fusionOf(flat);
  if (!fusion)
    fusion = &fusions_.emplace_back(Fusion{flat, mark(), offset});
  else if (!analyzer_.canProveEqual(offset, fusion->offset * baseScale))
    return nullptr;
  return makeSum({withScale(*fullSplit(fusion->mark), baseScale)}, sum->base + offset);
}

IterSum IterMapRewriter::fuseOrFail(const IterSum& sum) {
  if (sum->args.empty()) return sum;
  if (auto fused = fuse(sum, Skip::SingleSplit)) return fused;
  fail("the index is not a fusion of its iterators");
  return sum;
}

// --- predicates ---

// j * 2 + k < 9, j in [0, 5), k in [0, 2)   →   the mark of j * 2 + k gets extent 9, not 10.
// 1 <= j * 2 + k                            →   it becomes the mark of j * 2 + k - 1, with offset 1.
void IterMapRewriter::constrain(const Expr& iter, Expr lower, Expr upper) {
  auto sum = toSum(read(iter));
  if (!ir::isConst(sum->base, 0)) {
    if (lower) lower = lower - sum->base;
    if (upper) upper = upper - sum->base;
    sum = makeSum(sum->args, ir::zero(sum->base->dtype));
  }
  auto fused = fuse(sum, Skip::Never);
  if (!fused || !ir::isConst(fused->args[0]->scale, 1))
    return fail("a constraint's iterators are not a fusion of scale 1");
  auto fusion =
      std::find_if(fusions_.begin(), fusions_.end(), [&](auto& f) { return f.mark == fused->args[0]->source; });

  Expr first = fusion->offset, end = first + fusion->mark->extent;
  Expr shift = ir::zero(first->dtype);
  if (lower) {
    auto start = ir::maxOf(lower, first);
    shift = start - first;
    first = start;
  }
  // Proven explicitly: most predicates do constrain, and for symbolic extents a minimum would stay unresolved.
  if (upper) end = analyzer_.canProve(ir::le(upper, end)) ? upper : ir::minOf(upper, end);
  auto source = std::get<IterSum>(fusion->mark->source);
  if (!ir::isConst(shift, 0)) source = makeSum(source->args, source->base - shift);
  fusion->mark = makeMark(source, end - first);
  fusion->offset = first;
  constrained_.push_back(fusion->flattened);
}

bool IterMapRewriter::constraintsFit() const {
  auto holds = [](const IterSumNode& group, const IterSplit& part) {
    return std::any_of(group.args.begin(), group.args.end(), [&](auto& arg) { return sameSplit(*part, *arg); });
  };
  for (std::size_t i = 0; i < constrained_.size(); ++i) {
    for (std::size_t j = i + 1; j < constrained_.size(); ++j) {
      auto& parts = constrained_[i]->args;
      auto shared = std::count_if(parts.begin(), parts.end(), [&](auto& p) { return holds(*constrained_[j], p); });
      if (shared != 0 && shared != static_cast<std::ptrdiff_t>(parts.size())) return false;
    }
  }
  return true;
}

// --- sums that are only put in order ---

IterSum IterMapRewriter::rewriteToSum(const Expr& index) {
  auto sum = toSum(read(index));
  if (sum->args.empty()) return sum;
  sum = combineSplits(sum);
  struct Item {
    std::int64_t constant = 1;
    int symbols = 0;
    IterSplit split;
  };
  std::vector<Item> items;
  for (auto& arg : sum->args) {
    Item item;
    for (auto& factor : factorsOf(arg->scale)) {
      if (auto* value = ir::asInt(factor))
        item.constant *= value->value;
      else
        ++item.symbols;
    }
    item.split = withScale(*arg, normalizedProduct(ir::one(dtypeOf(arg)), arg->scale));
    items.push_back(std::move(item));
  }
  std::stable_sort(items.begin(), items.end(), [](const Item& a, const Item& b) {
    return a.constant != b.constant ? a.constant > b.constant : a.symbols > b.symbols;
  });
  std::vector<IterSplit> args;
  for (auto& item : items) args.push_back(item.split);
  return makeSum(std::move(args), sum->base);
}

}  // namespace loom::arith
