#include "core/lower/kernel_buffers.h"

#include <algorithm>

#include "core/device/operation.h"
#include "core/lower/addressing.h"
#include "core/lower/launch.h"

namespace loom::lower {

using namespace ir;
namespace dev = loom::device;

KernelBuffers::KernelBuffers(const GlobalBuffers& globals, const std::vector<Symbol>& symbols, bool byElements,
                             dev::FragmentForms forms, ConvertedKernel& kernel)
    : globals_(globals), symbols_(symbols), byElements_(byElements), forms_(std::move(forms)), kernel_(kernel) {}

Result<void> KernelBuffers::allocate(const Buffer& b) {
  if (b->scope == "global" && hasSymbolicSize(*b)) {
    addTemporary(b, flatBuffer(b, elementsOf(b->shape)), 0);
    return {};
  }
  std::vector<std::int64_t> extents;
  std::int64_t count = 1;
  for (std::size_t d = 0; d < b->shape.size(); ++d) {
    auto* extent = asInt(b->shape[d]);
    if (!extent) {
      return notAKernel(
          message("dimension {} of {} has no constant extent", d, b->name), {b->id},
          message("sch.compute_at(…) or sch.reverse_compute_at(…) moves it into a loop of a known tile, so that only "
                  "the tile is kept"));
    }
    if (extent->value < 0)  // transform_layout makes them of maps like `0 - i`, as TVM does
      return notAKernel(message("dimension {} of {} has the negative extent {}", d, b->name, extent->value), {b->id});
    if (__builtin_mul_overflow(count, std::max<std::int64_t>(extent->value, 1), &count))
      return notAKernel(message("{} has more elements than 64 bits count", b->name), {b->id});
    extents.push_back(extent->value);
  }
  const auto strides = flatStrides(*b, extents);
  const std::int64_t elements = extents.empty() ? 1 : strides[0] * extents[0];
  if (b->scope == "global") {
    addTemporary(b, flatBuffer(b, elements), elements);
    return {};
  }
  auto memory = dev::memoryOf(b->scope);
  if (!memory) {
    return notAKernel(message("{} has the scope \"{}\", which CUDA kernels don't have", b->name, b->scope), {b->id});
  }
  dev::Allocation a;
  a.buffer = b;
  a.memory = *memory;
  a.elements = elements;
  a.layout = rowsOf(extents, strides);
  if (a.memory == dev::Memory::Fragment) {
    // What lanes hold without a family has become theirs, but in a draft.
    if (const auto* family = dev::familyOf(b->scope)) {
      const auto form = forms_.find(b->data.get());
      auto shape = family->shapeOf(*b, extents, form == forms_.end() ? nullptr : &form->second);
      if (!shape && !byElements_) return Failure(shape.error());
      if (shape) {
        a.fragment = *shape;
        a.elements = std::max<std::int64_t>(1, elements / shape->tile.elements(shape->operand));
      }
    }
  }
  know(b);
  kernel_.kernel.allocations.push_back(std::move(a));
  return {};
}

Result<void> KernelBuffers::use(const Buffer& b) {
  for (const auto& [source, flat] : globals_) {
    if (source != b) continue;
    used_.insert(b.get());
    return {};
  }
  if (allocated_.count(b.get())) return {};
  return notAKernel(message("buffer {} is used where it isn't allocated", b->name), {b->id});
}

Result<Buffer> KernelBuffers::ofData(const VarNode* data) {
  auto found = allocatedByData_.find(data);
  if (found != allocatedByData_.end()) return found->second;
  for (const auto& [source, flat] : globals_) {
    if (source->data.get() != data) continue;
    used_.insert(source.get());
    return source;
  }
  return notAKernel(message("the memory {} isn't part of the kernel", data->name));
}

void KernelBuffers::takeParameters() {
  for (const auto& [source, flat] : globals_) {
    if (used_.count(source.get())) kernel_.flat.emplace_back(source, flat);
  }
  for (auto& both : temporaries_) kernel_.flat.push_back(std::move(both));
  for (const auto& [source, flat] : kernel_.flat) kernel_.kernel.params.push_back(source);
}

void KernelBuffers::addTemporary(const Buffer& b, const Buffer& flat, std::int64_t elements) {
  kernel_.temporaries.push_back({flat, elements});
  temporaries_.emplace_back(b, flat);
  know(b);
}

// Uses find it from now on, by itself or by its pointer.
void KernelBuffers::know(const Buffer& b) {
  allocated_.insert(b.get());
  allocatedByData_[b->data.get()] = b;
}

// Whether the buffer lies row by row and its size is known once the function's symbols are, but not before.
bool KernelBuffers::hasSymbolicSize(const BufferNode& b) const {
  bool constant = true, known = b.strides.empty();
  for (const Expr& extent : b.shape) {
    constant = constant && asInt(extent);
    known = known && isOver(extent, symbols_);
  }
  return known && !constant;
}

}  // namespace loom::lower
