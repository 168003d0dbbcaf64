#include "core/lower/joined_digits.h"

#include <algorithm>
#include <vector>

#include "core/arith/constraints.h"
#include "core/arith/deep_equal.h"
#include "core/ir/build.h"

namespace loom::lower {

using namespace ir;

namespace {

// A term of a sum: scale · value.
struct Term {
  Expr value;
  std::int64_t scale;
};

std::vector<Term> termsOf(const Expr& sum) {
  std::vector<Term> terms;
  arith::forEachTerm(sum, [&](const Expr& term, int sign) {
    const auto* product = asBinary(term, ExprKind::Mul);
    const auto* scale = product ? asInt(product->b) : nullptr;
    terms.push_back({scale ? product->a : term, sign * (scale ? scale->value : 1)});
  });
  return terms;
}

Expr sumOf(const std::vector<Term>& terms, DType t) {
  Expr sum;
  for (const Term& term : terms) {
    const Expr each = term.scale == 1 ? term.value : term.value * intImm(term.scale, t);
    sum = sum ? sum + each : each;
  }
  return sum;
}

// number // divisor · unit · divisor, the highest digit, and the terms below it, which are number % divisor · unit.
struct Digits {
  Expr number;
  std::int64_t unit = 1;
  std::vector<std::size_t> terms;  // all of them, the highest first
};

// The digits whose highest is the term; no terms: the others aren't there.
Digits digitsBelow(const std::vector<Term>& terms, std::size_t highest, arith::Analyzer& analyzer) {
  const auto* quotient = asBinary(terms[highest].value, ExprKind::FloorDiv);
  const auto* divisor = quotient ? asInt(quotient->b) : nullptr;
  if (!divisor || divisor->value < 2 || terms[highest].scale % divisor->value != 0 || terms[highest].scale < 0)
    return {};
  Digits found{quotient->a, terms[highest].scale / divisor->value, {highest}};
  const DType t = found.number->dtype;
  // From the top down: each digit's scale is where the next one ends.
  std::int64_t end = divisor->value;
  while (end > 1) {
    const auto next = std::ranges::find_if(terms, [&](const Term& term) {
      const std::int64_t begin = term.scale / found.unit;
      if (term.scale <= 0 || term.scale % found.unit != 0 || begin >= end || end % begin != 0) return false;
      const Expr digit = floormod(floordiv(found.number, intImm(begin, t)), intImm(end / begin, t));
      return arith::deepEqual(analyzer.simplifyOwn(digit), term.value);
    });
    if (next == terms.end()) return {};
    found.terms.push_back(std::size_t(next - terms.begin()));
    end = next->scale / found.unit;
  }
  return found;
}

}  // namespace

Expr withJoinedDigits(const Expr& sum, arith::Analyzer& analyzer) {
  std::vector<Term> terms = termsOf(sum);
  for (std::size_t n = 0; n < terms.size(); ++n) {
    const Digits found = digitsBelow(terms, n, analyzer);
    if (found.terms.empty()) continue;
    std::vector<Term> left{{found.number, found.unit}};
    for (std::size_t other = 0; other < terms.size(); ++other)
      if (std::ranges::find(found.terms, other) == found.terms.end()) left.push_back(terms[other]);
    return withJoinedDigits(analyzer.simplifyOwn(sumOf(left, sum->dtype)), analyzer);
  }
  return sum;
}

}  // namespace loom::lower
