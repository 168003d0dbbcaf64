// The operands of a product that are copied tile by tile: one or many on each of its sides.
#include <fmt/format.h>

#include <algorithm>

#include "core/tune/rules/applications.h"

namespace loom::tune {

std::vector<std::string> decisionPrefixes(const Contraction& product) {
  std::vector<std::string> names;
  int rows = 1, columns = 1;
  for (const FurtherOperand& o : product.further)
    names.push_back(!o.isOnSide() ? "" : o.ofRows ? fmt::format("a{}", ++rows) : fmt::format("b{}", ++columns));
  return names;
}

std::vector<OperandTiles> operandTilesOf(const SketchDraft& d) {
  const Contraction& c = *d.product;
  const bool batch = !c.batch.empty();
  std::vector<OperandTiles> all = {{c.a, true, batch, "a", "A", "xs", "xf", d.inlinedA},
                                   {c.b, false, batch, "b", "B", "ys", "yf", d.inlinedB}};
  const std::vector<std::string> names = decisionPrefixes(c);
  for (std::size_t n = 0; n < names.size(); ++n) {
    if (names[n].empty()) continue;
    const FurtherOperand& o = c.further[n];
    all.push_back({o, o.ofRows, o.ofBatch, names[n], o.buffer, fmt::format("ws{}", n), fmt::format("wf{}", n),
                   n < d.inlinedFurther.size() ? d.inlinedFurther[n] : std::vector<std::string>()});
  }
  return all;
}

std::int64_t operandsOn(const Contraction& product, bool rows) {
  return 1 + std::ranges::count_if(product.further,
                                   [&](const FurtherOperand& o) { return o.isOnSide() && o.ofRows == rows; });
}

std::string ownOfOperands(const Contraction& product, const std::string& factor, const std::string& rows,
                          const std::string& columns) {
  std::string sum;
  for (const auto& [ofRows, own] : {std::pair(true, &rows), std::pair(false, &columns)})
    for (std::int64_t n = operandsOn(product, ofRows); n > 0; --n)
      sum += fmt::format(" + {}{}{}", factor, factor.empty() ? "" : "*", *own);
  return sum;
}

std::string registersOfFurther(const Contraction& product, const std::string& results) {
  std::string sum;
  for (const FurtherOperand& o : product.further)
    if (o.ofRows && o.ofColumns && !o.ofSums) sum += " + " + results;
  return sum;
}

void inlineFurther(SketchDraft& d) {
  for (std::size_t n = 0; n < d.inlinedFurther.size(); ++n) {
    if (d.product->further[n].isOnSide()) continue;
    for (const std::string& block : d.inlinedFurther[n]) d.line(fmt::format("sch.compute_inline({})", block));
  }
}

}  // namespace loom::tune
