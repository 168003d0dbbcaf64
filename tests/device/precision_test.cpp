#include "core/device/precision.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <vector>

#include "core/device/operation.h"
#include "core/ir/build.h"

namespace loom::device::precision_test {
namespace {

TEST(Precision, Tf32KeepsTenDigitsAndCutsTheRestOff) {
  EXPECT_EQ(tf32Of(1 + 0x1p-10), 1 + 0x1p-10);
  EXPECT_EQ(tf32Of(1 + 0x1p-11), 1);
  EXPECT_EQ(tf32Of(1 + 0x1.ffcp-11), 1) << "not to the nearest";
  EXPECT_EQ(tf32Of(-1 - 0x1.ffcp-11), -1) << "toward zero";
  EXPECT_EQ(tf32Of(3e38f), 0x1.c34p127);
  EXPECT_EQ(tf32Of(0x1p-149), 0) << "subnormal numbers have fewer digits";
}

// What a row's product of 1 × 1 blocks makes of a factor: the first factors times one.
double productOf(const OperationRow& row, double factor) {
  const int m = row.group == Group::Warpgroup ? 16 : row.tile.m;
  std::vector<double> d(std::size_t(m * row.tile.n)), a(std::size_t(m * row.tile.k)),
      b(std::size_t(row.tile.k * row.tile.n), 0.0);
  a[0] = factor;
  b[0] = 1;
  const std::array<TileView, 4> tiles{{{d.data(), m, row.tile.n},
                                       {a.data(), m, row.tile.k},
                                       {b.data(), row.tile.k, row.tile.n},
                                       {d.data(), m, row.tile.n}}};
  row.run(tiles, {});
  return d[0];
}

TEST(Precision, LoadsOfWmmaRoundToTheNearestTf32) {
  EXPECT_EQ(tf32Nearest(1 + 0x1p-12), 1);
  EXPECT_EQ(tf32Nearest(1 + 0x1p-11), 1 + 0x1p-10) << "of two equally near ones the further from zero";
  EXPECT_EQ(tf32Nearest(-1 - 0x1p-11), -1 - 0x1p-10);
  EXPECT_EQ(tf32Nearest(2 - 0x1p-13), 2);
  EXPECT_EQ(tf32Nearest(INFINITY), INFINITY);
  EXPECT_TRUE(std::isnan(tf32Nearest(std::nan(""))));
  std::array<double, 128> fragment{}, memory{};
  memory[3] = 1 + 0x1p-11;
  const std::array<TileView, 2> tiles{{{fragment.data(), 16, 8}, {memory.data(), 16, 8}}};
  const OperationRow* load = findOperation("wmma.16x16x8.load.a.row");
  ASSERT_TRUE(load);
  load->run(tiles, {});
  EXPECT_EQ(fragment[3], 1 + 0x1p-10);
}

TEST(Precision, ProductsOfFloat32MultiplyAsTheirRowsSay) {
  constexpr double kFine = 1 + 0x1p-12;
  for (const char* name : {"mma.m16n8k8.f32_tf32", "wgmma.m64n128k8.f32_tf32", "wmma.16x16x8.mma"}) {
    const OperationRow* row = findOperation(name);
    ASSERT_TRUE(row) << name;
    EXPECT_EQ(row->products.front().digits, kTf32Digits) << name;
    EXPECT_EQ(productOf(*row, kFine), 1) << name;
  }
  const OperationRow* half = findOperation("wgmma.m64n128k16.f32_f16.column");
  EXPECT_EQ(half->products.front().digits, 0);
  EXPECT_EQ(productOf(*half, kFine), kFine) << "whatever float16 holds is kept";
}

// A program of one product, of registers alone: who asks what it keeps of its factors looks at the buffers' types.
Program programOf(const char* name) {
  auto n = std::make_shared<OperationNode>();
  n->row = findOperation(name);
  const ProductTypes& types = n->row->products.front();
  const auto place = [](const char* buffer, DType element) {
    return BufferPlace{ir::makeBuffer(Id{9, 1}, buffer, element, {ir::intImm(8)}, "local"), {ir::intImm(0)}, 1, true};
  };
  n->places = {place("d", types.result), place("a", types.factors), place("b", types.factors),
               place("c", types.summand)};
  Program program;
  program.kernels.emplace_back().body = n;
  return program;
}

TEST(Precision, AProgramKeepsWhatItsLeastExactProductKeeps) {
  Program both = programOf("mma.m16n8k16.f32_f16");
  EXPECT_EQ(factorDigitsOf(both), 0);
  both.kernels.push_back(programOf("mma.m16n8k8.f32_tf32").kernels.front());
  EXPECT_EQ(factorDigitsOf(both), kTf32Digits);
}

}  // namespace
}  // namespace loom::device::precision_test
