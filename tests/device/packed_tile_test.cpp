// Tiles of elements that share bytes: since when devices have them, and what single bits count.
#include "core/device/packed_tile.h"

#include <gtest/gtest.h>

#include <array>
#include <vector>

#include "core/device/operation.h"
#include "core/ir/build.h"
#include "core/ir/packed.h"

namespace loom::device::packed_tile_test {
namespace {

TEST(PackedTiles, AreThereSinceTuringAndAndsSinceAmpere) {
  EXPECT_EQ(findOperation("wmma.8x8x32.mma")->since, 75);
  EXPECT_EQ(findOperation("wmma.8x8x128.xor")->since, 75);
  EXPECT_EQ(findOperation("wmma.8x8x128.mma")->since, 80);
  EXPECT_EQ(findProduct({8, 8, 128}, ir::DType::UInt(1), ir::DType::Int(32)), findOperation("wmma.8x8x128.mma"))
      << "a product of bits is one where both are set";
  EXPECT_FALSE(findProduct({16, 16, 16}, ir::DType::Int(4), ir::DType::Int(32)));
}

// d = 1 + what the row makes of a row of the first factor and a column of the second.
double resultOf(const char* name, const std::vector<double>& row, const std::vector<double>& column) {
  std::vector<double> d(64), c(64, 1.0), a(8 * 128), b(128 * 8);
  for (std::size_t k = 0; k < row.size(); ++k) a[k] = row[k], b[k * 8] = column[k];
  const std::array<TileView, 4> tiles{{{d.data(), 8, 8}, {a.data(), 8, 128}, {b.data(), 128, 8}, {c.data(), 8, 8}}};
  findOperation(name)->run(tiles, {});
  return d[0];
}

TEST(PackedTiles, OfBitsCountThoseSetInBothOrInOne) {
  EXPECT_EQ(resultOf("wmma.8x8x128.mma", {1, 1, 0, 0, 1}, {1, 0, 1, 0, 1}), 1 + 2);
  EXPECT_EQ(resultOf("wmma.8x8x128.xor", {1, 1, 0, 0, 1}, {1, 0, 1, 0, 1}), 1 + 2);
  EXPECT_EQ(resultOf("wmma.8x8x128.xor", {1, 1, 1, 0, 0}, {0, 0, 0, 0, 1}), 1 + 4);
  EXPECT_EQ(resultOf("wmma.8x8x128.mma", {-1, -1, 0}, {-1, 0, -1}), 1 + 1) << "int1 has 0 and -1";
}

TEST(PackedTiles, AreOfBytesInMemory) {
  const ir::DType nibble = ir::DType::Int(4);
  EXPECT_EQ(ir::bytesOf(nibble, 5), 3);
  EXPECT_EQ(ir::bytesEach(nibble), 0.5);
  EXPECT_EQ(ir::bytesOf(ir::DType::UInt(1), 128), 16);
  EXPECT_EQ(ir::bytesOf(ir::DType::Bool(), 8), 8) << "a bool has a byte";
  OperationNode load;
  load.row = findOperation("wmma.8x8x32.load.a.row");
  const auto place = [](ir::DType type, const char* scope) {
    return BufferPlace{ir::makeBuffer(Id{9, 1}, "x", type, {ir::intImm(8)}, scope), {ir::intImm(0)}, 1, true};
  };
  load.places = {place(nibble, "wmma.matrix_a"), place(ir::DType::UInt(8), "shared")};
  EXPECT_EQ(packedIn(load, load.places[1]), nibble);
  load.places[1] = place(nibble, "shared");
  EXPECT_FALSE(packedIn(load, load.places[1])) << "before lower::packBytes";
  load.row = findOperation("wmma.load.a.row");
  load.places = {place(ir::DType::UInt(8), "wmma.matrix_a"), place(ir::DType::UInt(8), "shared")};
  EXPECT_FALSE(packedIn(load, load.places[1])) << "bytes of their own";
}

}  // namespace
}  // namespace loom::device::packed_tile_test
