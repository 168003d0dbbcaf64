#include "core/lower/flat_buffer.h"

#include "core/ir/build.h"

namespace loom::lower {

using namespace ir;

std::vector<std::int64_t> flatStrides(const BufferNode& b, const std::vector<std::int64_t>& extents) {
  std::vector<std::int64_t> strides(extents.size());
  std::int64_t step = 1;
  for (std::size_t d = extents.size(); d-- > 0;) {
    strides[d] = b.strides.empty() ? step : constantOr(b.strides[d], step);
    step = strides[d] * extents[d];
  }
  return strides;
}

Buffer flatBuffer(const Buffer& b, std::int64_t elements) {
  return flatBuffer(b, intImm(elements, elements > 2147483647 ? DType::Int(64) : DType::Int(32)));
}

Expr elementsOf(const std::vector<Expr>& extents) {
  Expr product;
  for (const Expr& e : extents) {
    const Expr wide = cast(DType::Int(64), e);
    product = product ? product * wide : wide;
  }
  return product ? product : intImm(1);
}

Buffer flatBuffer(const Buffer& b, Expr elements) {
  BufferNode flat = *b;
  flat.shape = {std::move(elements)};
  flat.strides.clear();
  flat.elemOffset = intImm(0);
  return std::make_shared<const BufferNode>(std::move(flat));
}

}  // namespace loom::lower
