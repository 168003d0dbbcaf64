#pragma once

#include <optional>
#include <vector>

#include "core/model/device.h"
#include "core/tune/rules/sketch.h"
#include "core/tune/space/families.h"

namespace loom::tune {

/// The first tier of a search: a time for every schedule of a space by a formula that reads few products of decisions,
/// evaluated once for each family of schedules that have these products alike. A block's tile is multiplied by the
/// matrix or FMA pipe, read from the L2 cache, read again from shared memory by warps or threads, and stored: the
/// longest of the four, as often as a multiprocessor gets a block, and what nothing hides. A lower bound rather than a
/// prediction: it ranks.
class FormulaTier {
 public:
  /// Of a sketch of a product. Nothing for other sketches, and where there are too many families to find within a
  /// second. `diagram` is of the sketch's space and must outlive this.
  static std::optional<FormulaTier> of(const Sketch& sketch, const Diagram& diagram, const model::Device& device);

  struct Ranked {
    double microseconds = 0;
    std::size_t family = 0;  ///< index in Families::all()
  };
  /// Returns all families, the fastest first.
  const std::vector<Ranked>& ranked() const { return ranked_; }
  /// Returns a schedule of a family, each alike.
  Assignment draw(std::size_t family, Random& random) const { return families_.draw(family, random); }
  /// Returns the microseconds of a schedule of the space.
  double microsecondsOf(const Assignment& assignment) const;

 private:
  struct Rates {
    double multiprocessors = 1, clockMhz = 1000;
    double flops = 1, sharedBytes = 1, l2Bytes = 1, memoryBytes = 1;  // in a microsecond, of a multiprocessor
    double sharedOfAll = 49152, threadsOfAll = 1024;                  // that the blocks of a multiprocessor share
  };
  // What a schedule's products are, in the order of kFormulaReads of formula.cpp.
  double formula(const std::vector<std::int64_t>& values) const;
  static Rates ratesOf(const model::Device& device, bool tensor, double elementBytes);

  FormulaTier(Families families, std::vector<Product> products)
      : families_(std::move(families)), products_(std::move(products)) {}

  Families families_;
  std::vector<Product> products_;
  Rates rates_;
  double m_ = 1, n_ = 1, k_ = 1, batch_ = 1, elementBytes_ = 4, resultBytes_ = 4;
  std::vector<Ranked> ranked_;
};

}  // namespace loom::tune
