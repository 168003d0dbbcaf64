#pragma once

#include <optional>
#include <vector>

#include "core/model/device.h"
#include "core/tune/rules/product_formula.h"
#include "core/tune/space/families.h"

namespace loom::tune {

/// The first tier of a search: a time for every schedule of a space by a formula that reads few products of decisions
/// (`ProductFormula`), evaluated once for each family of schedules that have these products alike.
class FormulaTier {
 public:
  /// Makes the tier for a sketch of a product. Returns nothing for other sketches, and if there are too many families
  /// to find within a second. `diagram` is of the sketch's space and must outlive this object.
  static std::optional<FormulaTier> of(const Sketch& sketch, const Diagram& diagram, const model::Device& device);

  struct Ranked {
    double microseconds = 0;
    std::size_t family = 0;  ///< index in Families::all()
  };
  /// Returns all families, the fastest first.
  const std::vector<Ranked>& ranked() const { return ranked_; }
  /// Returns the number of schedules of a family, and its schedule of that number (Families::at).
  Count schedulesOf(std::size_t family) const { return families_.all()[family].schedules; }
  Assignment at(std::size_t family, Count index) const { return families_.at(family, index); }
  /// Returns a schedule of a family, each alike.
  Assignment draw(std::size_t family, Random& random) const { return families_.draw(family, random); }
  /// Returns the microseconds of a schedule of the space.
  double microsecondsOf(const Assignment& assignment) const;

 private:
  FormulaTier(Families families, std::vector<Product> products, ProductFormula formula)
      : families_(std::move(families)), products_(std::move(products)), formula_(formula) {}
  double ofFamily(const std::vector<std::int64_t>& quantities) const;

  Families families_;
  std::vector<Product> products_;
  ProductFormula formula_;
  std::vector<Ranked> ranked_;
};

}  // namespace loom::tune
