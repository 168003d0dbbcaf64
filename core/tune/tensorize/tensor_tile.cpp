#include "core/tune/tensorize/tensor_tile.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "core/device/operation.h"
#include "core/ir/packed.h"

namespace loom::tune {
namespace {

using ir::DType;

// PTX ISA 9.0, wmma.mma, "Target ISA notes".
constexpr DType kHalf = DType::Float(16), kBrain = DType::BFloat(16), kSigned = DType::Int(8),
                kUnsigned = DType::UInt(8), kNibble = DType::Int(4), kUnsignedNibble = DType::UInt(4),
                kBit = DType::UInt(1), kSignedBit = DType::Int(1), kAsTf32 = DType::Float(32);
constexpr std::array<TensorTile, 17> kTiles{{
    {{16, 16, 16}, kHalf, 70},
    {{32, 8, 16}, kHalf, 70},
    {{8, 32, 16}, kHalf, 70},
    {{16, 16, 16}, kBrain, 80},
    {{32, 8, 16}, kBrain, 80},
    {{8, 32, 16}, kBrain, 80},
    {{16, 16, 16}, kSigned, 72},
    {{32, 8, 16}, kSigned, 72},
    {{8, 32, 16}, kSigned, 72},
    {{16, 16, 16}, kUnsigned, 72},
    {{32, 8, 16}, kUnsigned, 72},
    {{8, 32, 16}, kUnsigned, 72},
    {{16, 16, 8}, kAsTf32, 80},
    {{8, 8, 32}, kNibble, 75},
    {{8, 8, 32}, kUnsignedNibble, 75},
    // Since 7.5 tensor cores count the bits that differ, and since 8.0 those that both have, which is a product.
    {{8, 8, 128}, kBit, 80},
    {{8, 8, 128}, kSignedBit, 80},
}};

// As TVM's intrinsics call a type, and PTX ISA single bits.
std::string shortName(DType t) {
  if (t == kBit) return "b1";
  return t.isFloat() ? (t.code == DType::Code::BFloat ? "bf" : "f") + std::to_string(t.bits)
                     : (t.isUInt() ? "u" : "s") + std::to_string(t.bits);
}

}  // namespace

std::span<const TensorTile> tensorTiles() { return kTiles; }

std::optional<int> wmmaSince(DType element) {
  const auto found = std::ranges::find(kTiles, element, &TensorTile::element);
  return found == kTiles.end() ? std::nullopt : std::optional(found->since);
}

bool isTensorElement(DType element) { return wmmaSince(element).has_value(); }

bool isLessExact(DType element) { return element == kAsTf32; }

bool isAccumulatorOf(DType element, DType accumulator) {
  if (element == kHalf) return accumulator == kHalf || accumulator == DType::Float(32);
  if (element == kBrain || element == kAsTf32) return accumulator == DType::Float(32);
  return accumulator == DType::Int(32);
}

std::string textOf(const device::ProductTile& shape) { return fmt::format("{}x{}x{}", shape.m, shape.n, shape.k); }

std::optional<device::ProductTile> readTile(std::string_view text) {
  for (const TensorTile& tile : kTiles)
    if (textOf(tile.shape) == text) return tile.shape;
  return std::nullopt;
}

std::vector<std::string> tileShapes() {
  std::vector<std::string> shapes;
  for (const TensorTile& tile : kTiles)
    if (std::string text = textOf(tile.shape); !std::ranges::count(shapes, text)) shapes.push_back(std::move(text));
  return shapes;
}

TileIntrinsics intrinsicsOf(const device::ProductTile& shape, DType element, DType accumulator,
                            const ProductForm& form) {
  const std::string tile = textOf(shape), in = isLessExact(element) ? "tf32" : shortName(element),
                    sum = shortName(accumulator);
  std::string multiply = fmt::format("wmma_sync_{}_{}{}{}", tile, in, in, sum);
  if (form.bByColumns) multiply += "_trans";
  if (form.sumFirst) multiply += "_sum_first";
  if (form.bFirst) multiply += "_commuted";
  return {fmt::format("wmma_load_{}_{}_a_shared", tile, in),
          fmt::format("wmma_load_{}_{}_b_{}shared", tile, in, form.bByColumns ? "trans_" : ""),
          fmt::format("wmma_fill_{}_{}", tile, sum),
          fmt::format("wmma_store_{}_{}_global", tile, sum),
          fmt::format("wmma_store_{}_{}_shared", tile, sum),
          std::move(multiply)};
}

std::optional<PassOutcome> whyNot(const TensorTile& tile, DType accumulator, const intrin::Library* library,
                                  const model::Device* device) {
  if (device && device->major * 10 + device->minor < tile.since) return PassOutcome::DeviceLacksIt;
  // Of less than a byte tensor cores take the second operand by columns alone; the others are copied so.
  const TileIntrinsics names =
      intrinsicsOf(tile.shape, tile.element, accumulator, {.bByColumns = ir::isPacked(tile.element)});
  if (!device::findProduct(tile.shape, tile.element, accumulator) || !library || !library->find(names.multiply))
    return PassOutcome::OperationMissing;
  return std::nullopt;
}

}  // namespace loom::tune
