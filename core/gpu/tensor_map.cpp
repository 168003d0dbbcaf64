#include "core/gpu/tensor_map.h"

#include <algorithm>
#include <optional>

namespace loom::gpu {
namespace {

// CUDA driver API, cuTensorMapEncodeTiled: the bounds of its arguments.
constexpr std::size_t kMostDimensions = 5;
constexpr std::int64_t kUnit = 16;  // bytes: of strides, of a line of the box, and of the matrix' address
constexpr std::int64_t kMostExtent = std::int64_t(1) << 32, kMostStride = std::int64_t(1) << 40, kMostBox = 256;

struct ElementRow {
  ir::DType::Code code;
  int bits;
  TensorMapConstant constant;
};
using Code = ir::DType::Code;
// The copy engine moves bits: what it has no name for goes as whole numbers of the same size.
constexpr ElementRow kElements[] = {
    {Code::Bool, 1, {0, "CU_TENSOR_MAP_DATA_TYPE_UINT8"}},
    {Code::Int, 8, {0, "CU_TENSOR_MAP_DATA_TYPE_UINT8"}},
    {Code::UInt, 8, {0, "CU_TENSOR_MAP_DATA_TYPE_UINT8"}},
    {Code::E4M3, 8, {0, "CU_TENSOR_MAP_DATA_TYPE_UINT8"}},
    {Code::E5M2, 8, {0, "CU_TENSOR_MAP_DATA_TYPE_UINT8"}},
    {Code::Int, 16, {1, "CU_TENSOR_MAP_DATA_TYPE_UINT16"}},
    {Code::UInt, 16, {1, "CU_TENSOR_MAP_DATA_TYPE_UINT16"}},
    {Code::UInt, 32, {2, "CU_TENSOR_MAP_DATA_TYPE_UINT32"}},
    {Code::Int, 32, {3, "CU_TENSOR_MAP_DATA_TYPE_INT32"}},
    {Code::UInt, 64, {4, "CU_TENSOR_MAP_DATA_TYPE_UINT64"}},
    {Code::Int, 64, {5, "CU_TENSOR_MAP_DATA_TYPE_INT64"}},
    {Code::Float, 16, {6, "CU_TENSOR_MAP_DATA_TYPE_FLOAT16"}},
    {Code::Float, 32, {7, "CU_TENSOR_MAP_DATA_TYPE_FLOAT32"}},
    {Code::Float, 64, {8, "CU_TENSOR_MAP_DATA_TYPE_FLOAT64"}},
    {Code::BFloat, 16, {9, "CU_TENSOR_MAP_DATA_TYPE_BFLOAT16"}},
};

struct SwizzleRow {
  int bytes;
  TensorMapConstant constant;
};
constexpr SwizzleRow kSwizzles[] = {{0, {0, "CU_TENSOR_MAP_SWIZZLE_NONE"}},
                                    {32, {1, "CU_TENSOR_MAP_SWIZZLE_32B"}},
                                    {64, {2, "CU_TENSOR_MAP_SWIZZLE_64B"}},
                                    {128, {3, "CU_TENSOR_MAP_SWIZZLE_128B"}}};

// Bytes that a read brings into L2 at once. With or without it products on an H100 took the same time, within 2 %.
constexpr TensorMapConstant kPromotion{2, "CU_TENSOR_MAP_L2_PROMOTION_L2_128B"};

// Of a map whose lists have the same length. Empty where no rule is broken.
Message brokenRule(const codegen::TensorMapArgument& map, const codegen::GlobalBuffer& buffer) {
  const std::string& name = map.name;
  const std::int64_t bytes = buffer.dtype.bytes();
  const std::size_t rank = map.extents.size();
  for (std::size_t d = 0; d < rank; ++d) {
    if (map.extents[d] < 1 || map.extents[d] > kMostExtent)
      return message("{} has an extent of {}; the copy engine takes 1 to {} elements along a dimension", name,
                     map.extents[d], kMostExtent);
    if (map.box[d] < 1 || map.box[d] > kMostBox)
      return message("{} has boxes of {} elements along a dimension; the copy engine takes 1 to {}", name, map.box[d],
                     kMostBox);
    if (d + 1 == rank) break;
    if (map.strides[d] < 1 || map.strides[d] >= kMostStride / bytes || map.strides[d] * bytes % kUnit != 0)
      return message("{} has a stride of {} elements of {} bytes; the copy engine takes multiples of {} bytes", name,
                     map.strides[d], bytes, kUnit);
  }
  if (map.strides.back() != 1)
    return message("{} has elements {} apart; the copy engine takes rows of elements side by side", name,
                   map.strides.back());
  const std::int64_t line = map.box.back() * bytes;
  if (line % kUnit != 0)
    return message("{} has boxes whose lines are {} bytes long; the copy engine takes multiples of {} bytes", name,
                   line, kUnit);
  if (map.swizzle != 0 && line > map.swizzle)
    return message("{} has boxes whose lines are {} bytes long; with a swizzle of {} bytes they are at most as long",
                   name, line, map.swizzle);
  if (buffer.start * bytes % kUnit != 0)
    return message("{} begins {} bytes behind its memory's start; the copy engine takes multiples of {} bytes", name,
                   buffer.start * bytes, kUnit);
  return {};
}

}  // namespace

Result<TensorMapCall> tensorMapCall(const codegen::TensorMapArgument& map, const codegen::GlobalBuffer& buffer) {
  auto refuse = [](Message why) { return fail("LaunchError", std::move(why), Forbids::Hardware); };
  const std::size_t rank = map.extents.size();
  if (rank < 1 || rank > kMostDimensions || map.strides.size() != rank || map.box.size() != rank)
    return refuse(
        message("{} has {} extents, {} strides and a box of {}; the copy engine takes matrices of 1 to {} "
                "dimensions",
                map.name, rank, map.strides.size(), map.box.size(), kMostDimensions));
  const auto element = std::ranges::find_if(
      kElements, [&](const ElementRow& r) { return r.code == buffer.dtype.code && r.bits == buffer.dtype.bits; });
  if (element == std::end(kElements) || !buffer.dtype.isScalar())
    return refuse(message("{} has elements of {}, which the copy engine doesn't take", map.name, buffer.dtype.str()));
  const auto swizzle = std::ranges::find(kSwizzles, map.swizzle, &SwizzleRow::bytes);
  if (swizzle == std::end(kSwizzles))
    return refuse(message("{} has a swizzle of {} bytes; the copy engine has 32, 64 and 128", map.name, map.swizzle));
  if (Message why = brokenRule(map, buffer); !why.empty()) return refuse(std::move(why));
  TensorMapCall call{element->constant, swizzle->constant, kPromotion, {}, {}, {}, {}, 0};
  const std::int64_t bytes = buffer.dtype.bytes();
  for (std::size_t d = rank; d-- > 0;) {
    call.extents.push_back(std::uint64_t(map.extents[d]));
    if (d + 1 < rank) call.strides.push_back(std::uint64_t(map.strides[d] * bytes));
    call.box.push_back(std::uint32_t(map.box[d]));
    call.steps.push_back(1);
  }
  call.start = buffer.start * bytes;
  return call;
}

Result<void> checkTensorMaps(const codegen::Source& source) {
  for (const codegen::KernelLaunch& l : source.launches)
    for (const codegen::TensorMapArgument& m : l.maps)
      if (auto call = tensorMapCall(m, source.buffers.at(std::size_t(m.buffer))); !call) return Failure(call.error());
  return {};
}

}  // namespace loom::gpu
