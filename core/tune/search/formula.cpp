#include "core/tune/search/formula.h"

#include <algorithm>

namespace loom::tune {

namespace {

constexpr const char* kFormulaReads[] = {"tile.m", "tile.n", "tile.k", "own.m", "own.n", "threads", "stages"};
constexpr const char* kReadsIfThere[] = {"share.a", "share.b"};  // else 1

// These in their order.
ProductTile tileOf(const std::vector<std::int64_t>& v) {
  return {double(v[0]), double(v[1]), double(v[2]), double(v[3]), double(v[4]),
          double(v[5]), double(v[6]), double(v[7]), double(v[8])};
}

// A formula of a sketch that is one product of numbers and decisions; nothing if it is another one.
std::optional<Product> productOf(const std::string& formula, const Space& space) {
  Product product;
  std::size_t at = 0;
  while (at <= formula.size()) {
    const std::size_t end = std::min(formula.find('*', at), formula.size());
    const std::string word = formula.substr(at, end - at);
    if (word.empty()) return std::nullopt;
    if (word.find_first_not_of("0123456789") == std::string::npos) {
      product.coefficient *= std::stoll(word);
    } else if (const int d = decisionNamed(space, word); d >= 0) {
      product.decisions.push_back(d);
    } else {
      return std::nullopt;
    }
    at = end + 1;
  }
  std::ranges::sort(product.decisions);
  return product;
}

}  // namespace

std::optional<FormulaTier> FormulaTier::of(const Sketch& sketch, const Diagram& diagram, const model::Device& device) {
  std::vector<Product> products;
  for (const char* name : kFormulaReads) {
    const auto quantity = std::ranges::find(sketch.quantities, name, &Quantity::name);
    if (quantity == sketch.quantities.end()) return std::nullopt;
    auto product = productOf(quantity->formula, sketch.space);
    if (!product) return std::nullopt;
    products.push_back(std::move(*product));
  }
  for (const char* name : kReadsIfThere) {
    const auto quantity = std::ranges::find(sketch.quantities, name, &Quantity::name);
    auto product = productOf(quantity == sketch.quantities.end() ? "1" : quantity->formula, sketch.space);
    if (!product) return std::nullopt;
    products.push_back(std::move(*product));
  }
  auto families = Families::of(diagram, Pins(diagram.space()), products);
  if (!families || families->all().empty()) return std::nullopt;
  FormulaTier tier(std::move(*families), std::move(products), ProductFormula(sketch, device));
  const auto& all = tier.families_.all();
  for (std::size_t f = 0; f < all.size(); ++f) tier.ranked_.push_back({tier.ofFamily(all[f].values), f});
  std::ranges::stable_sort(tier.ranked_, {}, &Ranked::microseconds);
  return tier;
}

double FormulaTier::microsecondsOf(const Assignment& assignment) const {
  std::vector<std::int64_t> values;
  for (const Product& product : products_) {
    std::int64_t value = product.coefficient;
    for (int d : product.decisions) value *= assignment[std::size_t(d)];
    values.push_back(value);
  }
  return ofFamily(values);
}

double FormulaTier::ofFamily(const std::vector<std::int64_t>& quantities) const {
  return formula_.microseconds(tileOf(quantities)) + formula_.ofOtherParts();
}

}  // namespace loom::tune
