#include "core/layout/fit.h"

#include <bit>

namespace loom::layout {
namespace {

Failure noFit(Message why) { return fail("LayoutError", std::move(why), Forbids::Input); }

// Neighbouring bits that go on where the last ended are one digit.
void append(std::vector<Digit>& digits, const Digit& bit) {
  if (!digits.empty()) {
    Digit& last = digits.back();
    const bool goesOn = last.source == bit.source && last.target == bit.target &&
                        last.divisor * last.extent == bit.divisor && last.stride * last.extent == bit.stride;
    if (goesOn) {
      last.extent *= bit.extent;
      return;
    }
  }
  digits.push_back(bit);
}

}  // namespace

Result<Layout> fitDigits(const std::vector<Dimension>& inputs, const std::vector<Dimension>& outputs,
                         const std::vector<Point>& table) {
  Layout identity(inputs);
  if (std::int64_t(table.size()) != identity.size()) {
    return noFit(message("{} points of {} in the table", table.size(), identity.size()));
  }
  for (const Point& p : table) {
    if (p.size() != outputs.size()) return noFit(message("a point of the table has another number of coordinates"));
  }
  // Before the table is looked at: with an extent of 0 it has no points.
  for (const Dimension& input : inputs)
    if (input.extent < 1 || !std::has_single_bit(std::uint64_t(input.extent)))
      return noFit(message("{} is no power of two", input.extent));
  DigitStage stage;
  stage.outputs = outputs;
  stage.base = table.front();
  std::int64_t weight = identity.size();
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    weight /= inputs[i].extent;
    for (std::size_t o = 0; o < outputs.size(); ++o) {
      for (std::int64_t bit = 1; bit < inputs[i].extent; bit *= 2) {
        const std::int64_t stride = table[std::size_t(bit * weight)][o] - table.front()[o];
        if (stride != 0) append(stage.digits, {int(i), bit, 2, int(o), stride});
      }
    }
  }
  auto fitted = identity.then(stage);
  if (!fitted) return fitted;
  for (std::size_t i = 0; i < table.size(); ++i) {
    auto point = fitted->apply(pointAt(inputs, std::int64_t(i)));
    if (!point) return Failure(point.error());
    if (*point != table[i]) return noFit(message("point {} is no sum of what its bits do", i));
  }
  return fitted;
}

}  // namespace loom::layout
