#pragma once

#include <optional>
#include <vector>

#include "core/model/device.h"
#include "core/tune/rules/product_formula.h"
#include "core/tune/space/families.h"

namespace loom::tune {

/// The first, fastest model of a search for a fast schedule: a formula (`ProductFormula`) that predicts the time of
/// every schedule of a sketch, which leaves decisions open, from a few products of these decisions, such as the rows of
/// a tile. It is evaluated once for each family: the schedules for which these products have the same values.
class FormulaTier {
 public:
  /// Ranks the families of a sketch of a matrix product. Returns nothing for other sketches, for a space (the
  /// decisions' values and constraints) without schedules, and if there are too many families to find within a second.
  /// `diagram` holds all schedules of the sketch's space and must outlive this object.
  static std::optional<FormulaTier> of(const Sketch& sketch, const Diagram& diagram, const model::Device& device);

  /// A family and its predicted time.
  struct Ranked {
    /// Predicted by the formula, with the time of the program's parts that have no open decisions (plan_of_parts.h).
    double microseconds = 0;
    std::size_t family = 0;  ///< number of the family, from 0
  };
  /// Returns all families with their predicted times, the fastest first.
  const std::vector<Ranked>& ranked() const { return ranked_; }
  /// Returns how many schedules the family with number `family` has.
  Count schedulesOf(std::size_t family) const { return families_.all()[family].schedules; }
  /// Returns the schedule with number `index`, less than `schedulesOf(family)`, of a family.
  Assignment at(std::size_t family, Count index) const { return families_.at(family, index); }
  /// Returns a random schedule of a family; all are equally likely.
  Assignment draw(std::size_t family, Random& random) const { return families_.draw(family, random); }
  /// Returns the time, in µs, that the formula predicts for a schedule of the space, with the time of the program's
  /// parts that have no open decisions (ProductFormula::ofOtherParts).
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
