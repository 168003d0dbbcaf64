#include "core/tune/space/reduction.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

namespace loom::tune {
namespace {

using Verdict = Reduced::Verdict;

// Products of numbers below 2^62 fit in 128 bits. What is larger stays at kHuge: as a bound it is good enough, as an
// exact number it is an overflow.
using Wide = __int128;
constexpr Wide kHuge = Wide{1} << 62;
constexpr Wide kInfinite = Wide{1} << 100;

Wide clampedProduct(Wide a, Wide b) { return std::clamp(a * b, -kHuge, kHuge); }
Wide powerOf(Wide base, int exponent) {
  Wide result = 1;
  for (; exponent > 0; --exponent) result = clampedProduct(result, base);
  return result;
}
bool isHuge(Wide number) { return number >= kHuge || number <= -kHuge; }
Wide commonDivisor(Wide a, Wide b) {
  while (b != 0) a = std::exchange(b, a % b);
  return a < 0 ? -a : a;
}
Reduced openForm(std::initializer_list<Wide> numbers) {
  Reduced result;
  for (const Wide number : numbers) {
    if (isHuge(number)) return {Verdict::Overflow, {}};
    result.form.push_back(static_cast<std::int64_t>(number));
  }
  return result;
}

// The own decisions of a constraint, with their values; the exponent of each in a product.
struct OwnDecisions {
  OwnDecisions(const Space& space, const Constraint& constraint) : indices(decisionsOf(constraint)) {
    for (const int d : indices) values.push_back(space.decisions[static_cast<std::size_t>(d)].values);
  }
  std::vector<int> exponentsOf(const Product& product) const {
    std::vector<int> exponents;
    for (const int d : indices) {
      exponents.push_back(static_cast<int>(std::count(product.decisions.begin(), product.decisions.end(), d)));
    }
    return exponents;
  }
  std::size_t size() const { return indices.size(); }

  std::vector<int> indices;
  std::vector<std::vector<std::int64_t>> values;
};

// c·∏ = N. Form: {what the product of the open decisions must be}.
class EqualReduction : public Reduction {
 public:
  EqualReduction(const Space& space, const Constraint& constraint)
      : own_(space, constraint),
        exponents_(own_.exponentsOf(constraint.terms[0])),
        coefficient_(constraint.terms[0].coefficient),
        limit_(constraint.limit) {
    // From the last decision back: the products that the open ones can have, of those that divide the limit.
    const Wide target = coefficient_ != 0 && limit_ % coefficient_ == 0 ? Wide{limit_} / coefficient_ : 0;
    products_.assign(own_.size() + 1, {});
    products_[own_.size()].insert(1);
    for (std::size_t s = own_.size(); s-- > 0;) {
      for (const std::int64_t value : own_.values[s]) {
        const Wide factor = powerOf(value, exponents_[s]);
        for (const std::int64_t rest : products_[s + 1]) {
          const Wide product = factor * rest;
          const bool fits = target == 0 ? product == 0 || product == 1 : product != 0 && target % product == 0;
          if (fits) products_[s].insert(static_cast<std::int64_t>(product));
          if (target == 0 && !fits) products_[s].insert(1);  // of products that must be 0 only that they are not
        }
      }
    }
  }

  Reduced start() const override {
    if (coefficient_ == 0) return {limit_ == 0 ? Verdict::Holds : Verdict::Broken, {}};
    if (limit_ % coefficient_ != 0) return {Verdict::Broken, {}};
    return reduced(0, Wide{limit_} / coefficient_);
  }
  Reduced next(int step, const Form& form, std::int64_t value) const override {
    const Wide factor = powerOf(value, exponents_[static_cast<std::size_t>(step)]);
    if (form[0] == 0) return factor == 0 ? Reduced{Verdict::Holds, {}} : reduced(step + 1, 0);
    if (factor == 0 || form[0] % factor != 0) return {Verdict::Broken, {}};
    return reduced(step + 1, form[0] / factor);
  }

 private:
  Reduced reduced(int step, Wide rest) const {
    if (isHuge(rest)) return {Verdict::Overflow, {}};
    const auto& possible = products_[static_cast<std::size_t>(step)];
    if (possible.count(static_cast<std::int64_t>(rest)) == 0) return {Verdict::Broken, {}};
    if (isOnly(step, rest)) return {Verdict::Holds, {}};
    return openForm({rest});
  }
  // Every choice of the open decisions has this product: each has one value left, or none is open.
  bool isOnly(int step, Wide rest) const {
    Wide product = 1;
    for (auto s = static_cast<std::size_t>(step); s < own_.size(); ++s) {
      if (own_.values[s].size() > 1) return false;
      product = clampedProduct(product, powerOf(own_.values[s][0], exponents_[s]));
    }
    return product == rest;
  }

  OwnDecisions own_;
  std::vector<int> exponents_;
  std::int64_t coefficient_, limit_;
  std::vector<std::set<std::int64_t>> products_;  // by the number of decisions that have values
};

// Σ c·∏ ≤ L. Form: {L, a coefficient for each product of open decisions}. Which products these are depends on the step
// alone, so that a form needs no names.
class AtMostReduction : public Reduction {
 public:
  AtMostReduction(const Space& space, const Constraint& constraint)
      : own_(space, constraint), limit_(constraint.limit) {
    std::map<std::vector<int>, Wide> merged;
    for (const Product& term : constraint.terms) merged[own_.exponentsOf(term)] += term.coefficient;
    steps_.resize(own_.size() + 1);
    for (const auto& [exponents, coefficient] : merged) {
      steps_[0].products.push_back(exponents);
      start_.push_back(coefficient);
    }
    for (std::size_t s = 0; s < own_.size(); ++s) addStep(s);
    for (std::size_t s = 0; s <= own_.size(); ++s) addBounds(s);
  }

  Reduced start() const override {
    if (isHuge(limit_) || std::any_of(start_.begin(), start_.end(), isHuge)) return {Verdict::Overflow, {}};
    return reduced(0, limit_, start_);
  }
  Reduced next(int step, const Form& form, std::int64_t value) const override {
    const Step& before = steps_[static_cast<std::size_t>(step)];
    std::vector<Wide> coefficients(steps_[static_cast<std::size_t>(step) + 1].products.size(), 0);
    bool someHuge = false, someNegative = false;
    for (std::size_t t = 0; t < before.products.size(); ++t) {
      const Wide power = powerOf(value, before.products[t][static_cast<std::size_t>(step)]);
      const Wide part = clampedProduct(form[t + 1], power);
      someHuge |= isHuge(part);
      someNegative |= part < 0;
      coefficients[before.into[t]] += part;
    }
    // Where all are positive, a clamped one still breaks what the real one breaks.
    if (someHuge && someNegative) return {Verdict::Overflow, {}};
    return reduced(step + 1, form[0], std::move(coefficients));
  }

 private:
  struct Step {
    std::vector<std::vector<int>> products;       // exponents of all own decisions; those with values have 0
    std::vector<std::size_t> into;                // of each product: which one of the next step it becomes
    std::vector<std::pair<Wide, Wide>> extremes;  // its least and its largest value
  };

  // Products that differ in the decision of this step alone become like terms.
  void addStep(std::size_t step) {
    std::map<std::vector<int>, std::size_t> known;
    for (std::vector<int> exponents : steps_[step].products) {
      exponents[step] = 0;
      const auto [at, isNew] = known.emplace(exponents, known.size());
      if (isNew) steps_[step + 1].products.push_back(exponents);
      steps_[step].into.push_back(at->second);
    }
  }
  void addBounds(std::size_t step) {
    for (const std::vector<int>& exponents : steps_[step].products) {
      Wide least = 1, largest = 1;
      for (std::size_t d = 0; d < own_.size(); ++d) {
        least = clampedProduct(least, powerOf(own_.values[d].front(), exponents[d]));
        largest = clampedProduct(largest, powerOf(own_.values[d].back(), exponents[d]));
      }
      steps_[step].extremes.emplace_back(least, largest);
    }
  }

  Reduced reduced(int step, Wide limit, std::vector<Wide> coefficients) const {
    const Step& at = steps_[static_cast<std::size_t>(step)];
    for (Wide& c : coefficients) c = std::clamp(c, -kHuge, kHuge);
    Wide lowest = 0, highest = 0, divisor = 0;
    for (std::size_t t = 0; t < coefficients.size(); ++t) {
      Wide& c = coefficients[t];
      const auto& exponents = at.products[t];
      if (std::all_of(exponents.begin(), exponents.end(), [](int e) { return e == 0; })) {
        limit -= std::exchange(c, 0);  // a constant moves to the right
        continue;
      }
      const auto [least, largest] = at.extremes[t];
      const Wide low = clampedProduct(c, c > 0 ? least : largest), high = clampedProduct(c, c > 0 ? largest : least);
      // A clamped bound is only good on the side where the real one lies beyond it.
      lowest += low <= -kHuge ? -kInfinite : low;
      highest += high >= kHuge ? kInfinite : high;
      divisor = commonDivisor(divisor, c);
    }
    if (lowest > limit) return {Verdict::Broken, {}};
    if (highest <= limit) return {Verdict::Holds, {}};
    Reduced result;
    if (isHuge(limit)) return {Verdict::Overflow, {}};
    // Whole multiples of the divisor are at most L where they are at most the multiple below it.
    result.form.push_back(
        static_cast<std::int64_t>(limit >= 0 ? limit / divisor : -((-limit + divisor - 1) / divisor)));
    for (const Wide c : coefficients) {
      if (isHuge(c)) return {Verdict::Overflow, {}};
      result.form.push_back(static_cast<std::int64_t>(c / divisor));
    }
    return result;
  }

  OwnDecisions own_;
  std::int64_t limit_;
  std::vector<Wide> start_;  // coefficients before any decision
  std::vector<Step> steps_;  // by the number of decisions that have values
};

// x·∏ | y·∏. Form: {x, y}, which have no common divisor.
class DividesReduction : public Reduction {
 public:
  DividesReduction(const Space& space, const Constraint& constraint) : own_(space, constraint) {
    for (const std::size_t side : {0U, 1U}) {
      exponents_[side] = own_.exponentsOf(constraint.terms[side]);
      coefficients_[side] = constraint.terms[side].coefficient;
      multiples_[side].assign(own_.size() + 1, 1);
      for (std::size_t s = own_.size(); s-- > 0;) {
        Wide multiple = 1;
        for (const std::int64_t value : own_.values[s]) {
          if (value > 0) multiple = clampedProduct(multiple, value / commonDivisor(multiple, value));
        }
        multiples_[side][s] = clampedProduct(multiples_[side][s + 1], powerOf(multiple, exponents_[side][s]));
      }
    }
  }

  Reduced start() const override {
    if (coefficients_[0] <= 0 || coefficients_[1] <= 0) return {Verdict::Broken, {}};
    return reduced(0, coefficients_[0], coefficients_[1]);
  }
  Reduced next(int step, const Form& form, std::int64_t value) const override {
    if (value == 0) return {Verdict::Broken, {}};  // both sides are positive
    const auto s = static_cast<std::size_t>(step);
    const Wide left = powerOf(value, exponents_[0][s]), right = powerOf(value, exponents_[1][s]);
    if (isHuge(left) || isHuge(right)) return {Verdict::Overflow, {}};
    return reduced(step + 1, form[0] * left, form[1] * right);
  }

 private:
  Reduced reduced(int step, Wide left, Wide right) const {
    const auto s = static_cast<std::size_t>(step);
    const Wide divisor = commonDivisor(left, right);
    left /= divisor;
    right /= divisor;
    // The least common multiple of all that an open side can become; a huge one is not known exactly.
    const Wide ofLeft = multiples_[0][s], ofRight = multiples_[1][s];
    if (!isHuge(ofRight) && ofRight % left != 0) return {Verdict::Broken, {}};
    if (!isHuge(ofLeft)) {
      right = commonDivisor(right, ofLeft);
      if (left == 1 && right == ofLeft && !mayBeZero(s)) return {Verdict::Holds, {}};
    }
    return openForm({left, right});
  }
  bool mayBeZero(std::size_t step) const {
    return std::any_of(own_.values.begin() + static_cast<std::ptrdiff_t>(step), own_.values.end(),
                       [](const auto& values) { return values.front() == 0; });
  }

  OwnDecisions own_;
  std::vector<int> exponents_[2];
  Wide coefficients_[2];
  std::vector<Wide> multiples_[2];  // by the number of decisions that have values
};

// … ∈ rows. Form: the open columns of the rows that fit, sorted, each once, one behind the other.
class TableReduction : public Reduction {
 public:
  TableReduction(const Space& space, const Constraint& constraint) : own_(space, constraint) {
    for (const auto& row : constraint.rows) {
      std::map<int, std::int64_t> byDecision;
      bool fits = true;
      for (std::size_t c = 0; c < constraint.columns.size(); ++c) {
        const auto [at, isNew] = byDecision.emplace(constraint.columns[c], row[c]);
        fits &= isNew || at->second == row[c];
      }
      Form sorted;
      for (std::size_t d = 0; d < own_.size(); ++d) {
        sorted.push_back(byDecision.at(own_.indices[d]));
        fits &= std::binary_search(own_.values[d].begin(), own_.values[d].end(), sorted.back());
      }
      if (fits) rows_.insert(std::move(sorted));
    }
  }

  Reduced start() const override { return reduced(0, rows_); }
  Reduced next(int step, const Form& form, std::int64_t value) const override {
    const std::size_t width = own_.size() - static_cast<std::size_t>(step);
    std::set<Form> rest;
    for (auto row = form.begin(); row != form.end(); row += static_cast<std::ptrdiff_t>(width)) {
      if (*row == value) rest.emplace(row + 1, row + static_cast<std::ptrdiff_t>(width));
    }
    return reduced(step + 1, rest);
  }

 private:
  Reduced reduced(int step, const std::set<Form>& rows) const {
    if (rows.empty()) return {Verdict::Broken, {}};
    Wide all = 1;
    for (auto s = static_cast<std::size_t>(step); s < own_.size(); ++s) {
      all = clampedProduct(all, static_cast<Wide>(own_.values[s].size()));
    }
    if (static_cast<Wide>(rows.size()) == all) return {Verdict::Holds, {}};
    Reduced result;
    for (const Form& row : rows) result.form.insert(result.form.end(), row.begin(), row.end());
    return result;
  }

  OwnDecisions own_;
  std::set<Form> rows_;  // a value for each own decision
};

}  // namespace

bool isPlainlyBroken(const Space& space) {
  Assignment least;
  for (const Decision& decision : space.decisions) least.push_back(decision.values.front());
  const auto hasOneValue = [&](int d) { return space.decisions[static_cast<std::size_t>(d)].values.size() == 1; };
  return std::any_of(space.constraints.begin(), space.constraints.end(), [&](const Constraint& constraint) {
    bool isDecided = std::all_of(constraint.columns.begin(), constraint.columns.end(), hasOneValue);
    Wide sum = 0;
    for (const Product& term : constraint.terms) {
      Wide product = term.coefficient;
      for (const int d : term.decisions) {
        const auto& values = space.decisions[static_cast<std::size_t>(d)].values;
        isDecided &= values.size() == 1;
        product = clampedProduct(product, term.coefficient > 0 ? values.front() : values.back());
      }
      sum += product <= -kHuge ? -kInfinite : product;
    }
    if (constraint.kind == Constraint::Kind::AtMost) return sum > constraint.limit;
    return isDecided && !holds(constraint, least);
  });
}

std::vector<int> decisionsOf(const Constraint& constraint) {
  std::set<int> all(constraint.columns.begin(), constraint.columns.end());
  for (const Product& term : constraint.terms) all.insert(term.decisions.begin(), term.decisions.end());
  return {all.begin(), all.end()};
}

std::unique_ptr<Reduction> reductionOf(const Space& space, const Constraint& constraint) {
  switch (constraint.kind) {
    case Constraint::Kind::Equal: return std::make_unique<EqualReduction>(space, constraint);
    case Constraint::Kind::AtMost: return std::make_unique<AtMostReduction>(space, constraint);
    case Constraint::Kind::Divides: return std::make_unique<DividesReduction>(space, constraint);
    case Constraint::Kind::Table: break;
  }
  return std::make_unique<TableReduction>(space, constraint);
}

}  // namespace loom::tune
