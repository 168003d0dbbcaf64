// Whether the splits of each mark, over all indices, fit together.
//
//     x in [0, 24):   x // 12, x // 4 % 3, x % 4     fit: lower factors 12, 4, 1 and extents 2, 3, 4 follow one another
//                     x // 12, x % 4                 have a gap: not bijective, but surjective
//                     x // 8, x % 12                 overlap
#include "core/arith/iter_map_rewriter.h"

namespace loom::arith {

SplitsByMark::SplitsByMark(const std::vector<IterSum>& sums) {
  for (auto& sum : sums)
    for (auto& split : sum->args) add(split);
}

void SplitsByMark::add(const IterSplit& split) {
  auto& mark = split->source;
  if (splits.try_emplace(mark.get()).second) {
    marks.push_back(mark);
    if (auto* sum = std::get_if<IterSum>(&mark->source))
      for (auto& inner : (*sum)->args) add(inner);
  }
  splits.at(mark.get()).push_back(split);
}

bool IterMapRewriter::indicesFit(const std::vector<IterSum>& indices) {
  SplitsByMark used(indices);
  for (auto& mark : used.marks)
    if (!splitsFit(mark, used.of(mark))) return false;
  if (level_ != IterMapLevel::Bijective) return true;
  for (auto& input : inputs_)
    if (!used.splits.count(input.get()) && !ir::isConst(input->extent, 1)) return false;
  return true;
}

// Puts the splits in order of their lower factors; each must begin where the one before ended.
bool IterMapRewriter::splitsFit(const IterMark& mark, const std::vector<IterSplit>& splits) {
  std::vector<bool> used(splits.size(), false);
  Expr expected = ir::one(dtypeOf(mark->source));
  for (std::size_t done = 0; done < splits.size(); ++done) {
    std::size_t next = 0;
    while (next < splits.size() && (used[next] || !analyzer_.canProveEqual(splits[next]->lowerFactor, expected)))
      ++next;
    if (next == splits.size()) {
      if (level_ == IterMapLevel::Bijective) return false;
      next = findNextLower(splits, used, expected);
      if (next == splits.size()) return false;
    }
    used[next] = true;
    expected = splits[next]->lowerFactor * splits[next]->extent;
  }
  return extentsFit(mark, splits, expected);
}

// The unused split of the smallest lower factor, all of which must be multiples of the expected one; else none (the
// number of splits). "Smaller" means "divides".
std::size_t IterMapRewriter::findNextLower(const std::vector<IterSplit>& splits, const std::vector<bool>& used,
                                           const Expr& expected) {
  auto found = splits.size();
  for (std::size_t i = 0; i < splits.size(); ++i) {
    if (used[i]) continue;
    if (!canProveDivisible(splits[i]->lowerFactor, expected)) return splits.size();
    if (found == splits.size() || canProveDivisible(splits[found]->lowerFactor, splits[i]->lowerFactor)) found = i;
  }
  return found;
}

// `covered` is where the last split ends, in units of the mark.
//     bijective              all of the mark, which is not padded
//     below, not padded      a divisor of the extent: x % 6 of [0, 24), but not of [0, 25)
//     surjective, padded     all of it, by one split that the unpadded part reaches the end of;
//                            or a divisor that the unpadded part covers: extent 14 padded to 24, x % 12
bool IterMapRewriter::extentsFit(const IterMark& mark, const std::vector<IterSplit>& splits, const Expr& covered) {
  const Padding* padding = nullptr;
  for (auto& candidate : paddings_)
    if (candidate.padded == mark) padding = &candidate;
  bool all = analyzer_.canProveEqual(covered, mark->extent);
  bool divides = all || canProveDivisible(mark->extent, covered);
  auto refuse = [&](const char* reason) {
    fail(reason);
    return false;
  };
  if (level_ == IterMapLevel::Bijective) {
    if (padding) return refuse("a bijective map cannot pad an iterator");
    return all || refuse("the parts taken of an iterator do not cover it");
  }
  if (padding && level_ == IterMapLevel::NoCheck) return true;
  if (!divides) return refuse("what is covered of an iterator does not divide its extent");
  if (!padding) return true;
  bool unpaddedCovers = analyzer_.canProve(ir::ge(padding->mark->extent, covered));
  if (!all) return unpaddedCovers || refuse("what is covered of an iterator is more than its extent without padding");
  if (splits.size() != 1) return refuse("several parts of a padded iterator depend on each other");
  if (analyzer_.canProveEqual(splits[0]->extent, covered) && !unpaddedCovers)
    return refuse("a part as long as the padded iterator is not reached by the unpadded one");
  return true;
}

}  // namespace loom::arith
