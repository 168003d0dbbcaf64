#include <algorithm>
#include <cassert>

#include "core/arith/analyzer.h"
#include "core/arith/canonical.h"
#include "core/arith/const_fold.h"
#include "core/arith/deep_equal.h"

namespace loom::arith {
namespace {

using ir::DType;

// The least value is never negated: its opposite does not exist.
bool isLeast(std::int64_t value, DType t) {
  return t.bits == 64 ? value == std::numeric_limits<std::int64_t>::min() : value == -(std::int64_t{1} << (t.bits - 1));
}

// Casting `value` to dtype changes nothing.
bool castIsSafe(DType dtype, const Expr& value, Analyzer& analyzer) {
  if (!isIndexType(dtype)) return false;
  if (value->dtype.bits <= dtype.bits) return true;
  std::int64_t top =
      dtype.bits == 64 ? std::numeric_limits<std::int64_t>::max() : (std::int64_t{1} << (dtype.bits - 1)) - 1;
  ConstIntBound b = analyzer.constIntBound(value);
  return b.max <= top && b.min >= -top - 1;
}

bool sameIndex(const SplitTerm& a, const SplitTerm& b) { return deepEqual(a.index, b.index); }

// Positive terms first, then the constant if positive, then what is subtracted. `check` sees every partial sum and may
// stop.
template <class Check>
Expr assemble(DType dtype, const std::vector<SplitTerm>& terms, std::int64_t base, const Check& check) {
  Expr sum;
  auto append = [&](ExprKind kind, const Expr& e) {
    if (sum && sum->dtype == e->dtype) {
      sum = make(kind, sum, e);
    } else {
      const bool first = !sum && kind == ExprKind::Add && !isConstInt(e);  // a constant is wrapped to the dtype
      sum = first ? e : ir::fold(kind, sum ? sum : constantOf(dtype, 0), e);
    }
    return check(sum);
  };
  for (const SplitTerm& t : terms)
    if (t.scale > 0 && !append(ExprKind::Add, t.normalize())) return nullptr;
  bool positive = base > 0 || isLeast(base, dtype);
  if (positive && !append(ExprKind::Add, constantOf(dtype, base))) return nullptr;
  for (const SplitTerm& t : terms)
    if (t.scale < 0 && !append(ExprKind::Sub, t.normalize(-1))) return nullptr;
  if (base < 0 && !positive && !append(ExprKind::Sub, constantOf(dtype, -base))) return nullptr;
  return sum ? sum : constantOf(dtype, 0);
}

// Joins (x // (c s)) * s + (x % (c s)) // c into x // c, and equal pieces into one; a joined-away term keeps scale 0.
// Relies on the order within neighbours of one index.
void joinPieces(std::vector<SplitTerm>& terms) {
  for (std::size_t i = 0; i < terms.size(); ++i) {
    if (terms[i].scale == 0) continue;
    for (std::size_t j = i + 1; j < terms.size(); ++j) {
      SplitTerm &l = terms[i], &r = terms[j];
      if (!sameIndex(l, r) || l.upper < r.lower) break;
      if (l.upper == r.upper && l.lower == r.lower && l.fits(r.rounding)) {
        r.scale += l.scale;
        l.scale = 0;
      } else if (l.lower == r.upper && r.scale != 0 && l.scale % r.scale == 0 &&
                 l.lower == l.scale / r.scale * r.lower && l.fits(r.rounding)) {
        r.upper = l.upper;
        l.scale = 0;
        break;
      }
    }
  }
}

bool comesBefore(const SplitTerm& a, const SplitTerm& b) {
  if (a.scale != b.scale) return a.scale > b.scale;
  if (a.lower != b.lower) return a.lower > b.lower;
  if (a.upper != b.upper) return a.upper > b.upper;
  return a.rounding > b.rounding;
}

}  // namespace

Expr SplitTerm::normalize(std::int64_t times) const {
  DType t = index->dtype;
  if (scale == 0) return constantOf(t, 0);
  Expr e = index;
  if (upper != kNoUpper) e = make(modKind(rounding), e, constantOf(t, upper));
  if (lower != 1) e = make(divKind(rounding), e, constantOf(t, lower));
  times *= scale;
  return times == 1 ? e : make(ExprKind::Mul, e, constantOf(t, times));
}

bool SplitTerm::canCastTo(DType dtype, Analyzer& analyzer) const {
  DType t = index->dtype;
  if (dtype.bits >= t.bits || scale == 0) return true;
  Expr e = index;
  if (!castIsSafe(dtype, e, analyzer)) return false;
  auto apply = [&](ExprKind kind, std::int64_t value) {
    e = make(kind, e, constantOf(t, value));
    return castIsSafe(dtype, e, analyzer);
  };
  return (upper == kNoUpper || apply(modKind(rounding), upper)) && (lower == 1 || apply(divKind(rounding), lower)) &&
         (scale == 1 || apply(ExprKind::Mul, scale));
}

Expr TermSum::normalize() const {
  if (terms.empty()) return constantOf(dtype, base);
  auto always = [](const Expr&) { return true; };
  if (terms.size() == 1) return assemble(dtype, terms, base, always);
  std::vector<SplitTerm> sorted = terms;
  joinPieces(sorted);
  // Most are in order, and sorting stably allocates.
  if (!std::is_sorted(sorted.begin(), sorted.end(), comesBefore))
    std::stable_sort(sorted.begin(), sorted.end(), comesBefore);
  return assemble(dtype, sorted, base, always);
}

void TermSum::scaleBy(std::int64_t factor) {
  base *= factor;
  for (SplitTerm& t : terms) t.scale *= factor;
}

void TermSum::divideBy(std::int64_t factor) {
  base /= factor;
  for (SplitTerm& t : terms) t.scale /= factor;
}

void TermSum::add(SplitTerm term, std::int64_t times) {
  if (term.scale == 0) return;
  term.scale *= times;
  auto at = std::find_if(terms.begin(), terms.end(), [&](const SplitTerm& t) { return sameIndex(t, term); });
  for (; at != terms.end(); ++at) {
    if (!sameIndex(*at, term) || term.lower > at->lower) break;
    if (term.lower == at->lower && term.upper == at->upper && term.fits(at->rounding)) {
      at->scale += term.scale;
      return;
    }
  }
  terms.insert(at, std::move(term));
}

void TermSum::add(const TermSum& other, std::int64_t times) {
  for (const SplitTerm& t : other.terms) add(t, times);
  base += other.base * times;
}

std::pair<TermSum, TermSum> TermSum::separate(std::int64_t factor) const {
  TermSum whole{dtype, {}, 0}, rest{dtype, {}, 0};
  (base % factor == 0 ? whole : rest).base = base;
  for (const SplitTerm& t : terms) (t.scale % factor == 0 ? whole : rest).terms.push_back(t);
  return {std::move(whole), std::move(rest)};
}

bool TermSum::canCastTo(DType to, Analyzer& analyzer) const {
  if (to.bits >= dtype.bits) return true;
  auto safe = [&](const Expr& sum) { return castIsSafe(to, sum, analyzer); };
  if (!assemble(to, terms, base, safe)) return false;
  return std::all_of(terms.begin(), terms.end(), [&](const SplitTerm& t) { return t.canCastTo(to, analyzer); });
}

}  // namespace loom::arith
