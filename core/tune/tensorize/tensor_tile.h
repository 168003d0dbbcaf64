#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/device/program.h"
#include "core/intrin/intrinsic.h"
#include "core/model/device.h"
#include "core/tune/tensorize/outcome.h"

namespace loom::tune {

/// A tile that the 32 threads of a warp multiply together (wmma), for operands of one type. PTX ISA, wmma.mma.
struct TensorTile {
  device::ProductTile shape;  ///< rows m and columns n of the result, and elements k that are summed
  ir::DType element;          ///< element type of a and b
  int since = 0;              ///< compute capability, times ten, of the oldest GPUs that have the operation
};

/// The alignment, in bits, of the address of a tile in memory. CUDA C++ Programming Guide, load_matrix_sync.
inline constexpr int kTileBits = 256;

/// Returns the table of all tiles that wmma has, but for those of float64; among the tiles of a type the square one
/// (m = n) comes first.
std::span<const TensorTile> tensorTiles();
/// Returns the compute capability, times ten, of the oldest GPUs whose tensor cores multiply operands of this type by
/// wmma; nothing if none do.
std::optional<int> wmmaSince(ir::DType element);
/// Returns whether tensor cores multiply operands of this type by wmma.
bool isTensorElement(ir::DType element);
/// Returns whether tensor cores multiply operands of this type only with reduced precision: float32, as tf32.
bool isLessExact(ir::DType element);
/// Returns whether tensor cores can accumulate products of operands of type `element` in type `accumulator`. `element`
/// is a type that isTensorElement accepts.
bool isAccumulatorOf(ir::DType element, ir::DType accumulator);

/// Returns a shape as "16x16x16" (m, n, k).
std::string textOf(const device::ProductTile& shape);
/// Reads a shape written as `textOf` writes it. Returns nothing for other texts, and for shapes that no tile of
/// `tensorTiles` has.
std::optional<device::ProductTile> readTile(std::string_view text);
/// Returns the texts that `readTile` reads, each once, in the order of `tensorTiles`.
std::vector<std::string> tileShapes();

/// Names of the wmma intrinsics of a tile in the intrinsic library, such as "wmma_load_16x16x16_f16_a_shared". `store`
/// stores to global memory, `storeShared` to shared memory.
struct TileIntrinsics {
  std::string loadA, loadB, fill, store, storeShared, multiply;
};
/// The form in which a program writes c + a · b, and how b lies in shared memory.
struct ProductForm {
  bool bByColumns = false;  ///< whether b lies as [n, k] in shared memory; else as [k, n]
  bool bFirst = false;      ///< whether the program writes b · a
  bool sumFirst = false;    ///< whether the program writes a · b + c
};
/// Returns the names of the intrinsics for a tile of this shape; `element` is the type of a and b. The library need not
/// have intrinsics of these names.
TileIntrinsics intrinsicsOf(const device::ProductTile& shape, ir::DType element, ir::DType accumulator,
                            const ProductForm& form);

/// Returns why a tile can't be used: DeviceLacksIt, or OperationMissing if device programs or `library` lack the
/// operation, or `library` is null. Returns nothing if the tile can be used. `device` is null if it isn't known; then
/// it is assumed to have the operation.
std::optional<PassOutcome> whyNot(const TensorTile& tile, ir::DType accumulator, const intrin::Library* library,
                                  const model::Device* device);

}  // namespace loom::tune
