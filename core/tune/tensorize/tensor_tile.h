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
  device::ProductTile shape;
  ir::DType element;  ///< of a and b
  int since = 0;      ///< compute capability, times ten, of the oldest GPUs that have it
};

/// A tile in memory begins at a multiple of so many bits. CUDA C++ Programming Guide, load_matrix_sync.
inline constexpr int kTileBits = 256;

/// Returns all tiles; of each type the square one first.
std::span<const TensorTile> tensorTiles();
/// Returns the compute capability, times ten, of the oldest GPUs whose tensor cores multiply operands of this type by
/// wmma; nothing if none do.
std::optional<int> wmmaSince(ir::DType element);
/// Returns whether tensor cores multiply operands of this type.
bool isTensorElement(ir::DType element);
/// Returns whether they multiply such operands only with fewer digits than these have: float32, as tf32.
bool isLessExact(ir::DType element);
/// Returns whether products of such operands can be added up in this type.
bool isAccumulatorOf(ir::DType element, ir::DType accumulator);

/// Returns a shape as "16x16x16" (m, n, k).
std::string textOf(const device::ProductTile& shape);
/// Reads such a text. Returns nothing for other texts, and for shapes that no row of the table has.
std::optional<device::ProductTile> readTile(std::string_view text);
/// Returns the texts that `readTile` reads, in the order of the table.
std::vector<std::string> tileShapes();

/// Names of the intrinsics of a tile.
struct TileIntrinsics {
  std::string loadA, loadB, fill, store, storeShared, multiply;
};
/// How the operands of a product are written, and how they lie in memory.
struct ProductForm {
  bool bByColumns = false;  ///< the second operand lies as [n, k]
  bool bFirst = false;      ///< written b · a
  bool sumFirst = false;    ///< written a · b + c
};
TileIntrinsics intrinsicsOf(const device::ProductTile& shape, ir::DType element, ir::DType accumulator,
                            const ProductForm& form);

/// Returns why the tile can't be used: DeviceLacksIt, or OperationMissing if device programs or the library don't have
/// it. Nothing if it can be used. `device` is null where none is known: then every device is thought to have it.
std::optional<PassOutcome> whyNot(const TensorTile& tile, ir::DType accumulator, const intrin::Library* library,
                                  const model::Device* device);

}  // namespace loom::tune
