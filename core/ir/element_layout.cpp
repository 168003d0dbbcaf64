#include "core/ir/element_layout.h"

#include <algorithm>
#include <numeric>

namespace loom::ir {
namespace {

// Dimensions of more than one element, the smallest stride first.
std::vector<std::size_t> byStride(const ElementLayout& layout) {
  std::vector<std::size_t> order;
  for (std::size_t d = 0; d < layout.extents.size(); ++d)
    if (layout.extents[d] > 1) order.push_back(d);
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return layout.strides[a] < layout.strides[b]; });
  return order;
}

}  // namespace

std::int64_t ElementLayout::elements() const {
  return std::accumulate(extents.begin(), extents.end(), std::int64_t{1}, std::multiplies<>());
}

std::int64_t ElementLayout::footprint() const {
  if (elements() == 0) return 0;
  std::int64_t last = start;
  for (std::size_t d = 0; d < extents.size(); ++d) last += std::max<std::int64_t>(0, strides[d] * (extents[d] - 1));
  return last + 1;
}

std::int64_t ElementLayout::lowest() const {
  if (elements() == 0) return 0;
  std::int64_t first = start;
  for (std::size_t d = 0; d < extents.size(); ++d) first += std::min<std::int64_t>(0, strides[d] * (extents[d] - 1));
  return first;
}

std::int64_t ElementLayout::offsetOf(const std::vector<std::int64_t>& indices) const {
  return std::inner_product(indices.begin(), indices.end(), strides.begin(), start);
}

bool ElementLayout::nested() const {
  std::int64_t covered = 1;  // elements from the first to the last of the dimensions so far
  for (std::size_t d : byStride(*this)) {
    if (strides[d] < covered) return false;
    covered += strides[d] * (extents[d] - 1);
  }
  return true;
}

std::optional<std::vector<std::int64_t>> ElementLayout::indicesOf(std::int64_t offset) const {
  std::int64_t rest = offset - start;
  if (rest < 0 || elements() == 0) return std::nullopt;
  std::vector<std::int64_t> indices(extents.size(), 0);
  const auto order = byStride(*this);
  for (auto d = order.rbegin(); d != order.rend(); ++d) {
    indices[*d] = rest / strides[*d];
    if (indices[*d] >= extents[*d]) return std::nullopt;
    rest %= strides[*d];
  }
  if (rest != 0) return std::nullopt;
  return indices;
}

bool ElementLayout::compact() const {
  if (start != 0) return false;
  std::int64_t step = 1;
  for (std::size_t d = extents.size(); d-- > 0;) {
    if (extents[d] != 1 && strides[d] != step) return false;
    step *= extents[d];
  }
  return true;
}

std::optional<ElementLayout> elementLayout(const BufferNode& buffer) {
  ElementLayout layout;
  auto number = [](const Expr& e) { return asInt(e) ? std::optional(asInt(e)->value) : std::nullopt; };
  const auto start = buffer.elemOffset ? number(buffer.elemOffset) : std::optional<std::int64_t>(0);
  if (!start) return std::nullopt;
  layout.start = *start;
  std::int64_t count = 1;
  for (const Expr& e : buffer.shape) {
    const auto extent = number(e);
    if (!extent || *extent < 0 || __builtin_mul_overflow(count, std::max<std::int64_t>(1, *extent), &count))
      return std::nullopt;
    layout.extents.push_back(*extent);
  }
  layout.strides.resize(layout.extents.size());
  std::int64_t step = 1, last = std::max<std::int64_t>(0, layout.start);
  for (std::size_t d = layout.extents.size(); d-- > 0;) {
    const auto stride = buffer.strides.empty() ? std::optional(step) : number(buffer.strides[d]);
    std::int64_t reach = 0;
    if (!stride || __builtin_mul_overflow(*stride, std::max<std::int64_t>(0, layout.extents[d] - 1), &reach) ||
        __builtin_add_overflow(last, std::abs(reach), &last))
      return std::nullopt;
    layout.strides[d] = *stride;
    step *= std::max<std::int64_t>(1, layout.extents[d]);
  }
  return layout;
}

}  // namespace loom::ir
