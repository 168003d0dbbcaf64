// Barriers between the tiles that warps store: none where each warp has tiles of its own.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/device/build.h"
#include "core/device/effects.h"
#include "core/device/operation.h"
#include "core/ir/build.h"
#include "core/lower/addressing.h"
#include "core/lower/device_passes.h"

namespace loom::lower::tile_barriers_test {
namespace {

using namespace device;
using ir::floordiv;
using ir::floormod;
using ir::intImm;

constexpr int kRows = 64, kPitch = 64;

// Four warps along threadIdx.y that store 2 × 2 tiles each, in loops over i and j, into 64 × 64 elements.
struct Stores {
  Kernel kernel;
  Var i = ir::makeVar("i"), j = ir::makeVar("j");
  Buffer sum, memory;

  Stores() {
    kernel.block = {32, 4, 1};
    for (int axis = 0; axis < 3; ++axis) {
      kernel.threadIdx[axis] = ir::makeVar("threadIdx");
      kernel.blockIdx[axis] = ir::makeVar("blockIdx");
    }
    memory = ir::makeBuffer({1, 1}, "S", DType::Float(32), {intImm(kRows), intImm(kPitch)}, "shared");
    sum = ir::makeBuffer({1, 2}, "sum", DType::Float(32), {intImm(4)}, "wmma.accumulator");
    Allocation shared;
    shared.buffer = memory;
    shared.memory = Memory::Shared;
    shared.elements = kRows * kPitch;
    shared.layout = rowsOf({kRows, kPitch}, {kPitch, 1});
    kernel.allocations.push_back(shared);
    Allocation fragments;
    fragments.buffer = sum;
    fragments.elements = 4;
    fragments.layout = rowsOf({4}, {1});
    fragments.fragment = FragmentShape{Operand::Accumulator, {16, 16, 16}, true};
    kernel.allocations.push_back(fragments);
  }
  Expr warp() const { return kernel.threadIdx[1]; }

  // The tile that begins at an element, stored by the operation of this name.
  Stmt tile(Expr first, Expr leading = intImm(kPitch), const char* operation = "wmma.store.row",
            Axes uncovered = {}) const {
    auto s = std::make_shared<OperationNode>();
    s->row = findOperation(operation);
    s->places = {{memory, {std::move(first)}, 1, true}, {sum, {Expr(i) * 2 + Expr(j)}, 1, true}};
    s->values = {std::move(leading)};
    s->uncovered = uncovered;
    return s;
  }
  Stmt element(Expr row, Expr column) const {
    auto s = std::make_shared<StoreNode>();
    s->to = {memory, {std::move(row), std::move(column)}, 1, false};
    s->value = ir::floatImm(0, DType::Float(32));
    return s;
  }
  Stmt overTiles(Stmt body) const {
    for (const Var& v : {j, i}) {
      auto loop = std::make_shared<LoopNode>();
      loop->var = v;
      loop->extent = intImm(2);
      loop->body = std::move(body);
      body = loop;
    }
    return body;
  }
  int barriers(Stmt body) {
    kernel.body = std::move(body);
    const auto placed = placeBarriers(kernel, {});
    if (!placed) throw std::runtime_error(placed.error().message.english());
    int found = 0;
    forEach(*placed, [&](const Stmt& s) { return found += meetsBlock(effectsOf(s)), true; });
    return found;
  }
  // Warps side by side: 2 × 2 of them, of which each has 32 × 32 elements.
  Expr ofSquares() const {
    return floordiv(warp(), intImm(2)) * (32 * kPitch) + Expr(i) * (16 * kPitch) + floormod(warp(), intImm(2)) * 32 +
           Expr(j) * 16;
  }
};

TEST(TileBarriers, WarpsWithTilesOfTheirOwnDoNotMeet) {
  Stores s;
  EXPECT_EQ(s.barriers(s.overTiles(s.tile(s.ofSquares()))), 0) << "2 × 2 warps";
  EXPECT_EQ(s.barriers(s.overTiles(s.tile(s.warp() * (16 * kPitch) + Expr(s.j) * 16))), 0) << "rows, i times";
  EXPECT_EQ(s.barriers(s.overTiles(s.tile(s.warp() * 16 + Expr(s.i) * (16 * kPitch)))), 0) << "columns";
  EXPECT_EQ(s.barriers(s.overTiles(s.tile(s.ofSquares(), intImm(kPitch), "wmma.store.column"))), 0) << "by columns";
  EXPECT_EQ(s.barriers(seq({s.overTiles(s.tile(s.ofSquares())), s.overTiles(s.tile(s.ofSquares()))})), 0) << "twice";
}

TEST(TileBarriers, WarpsAlongTwoAxesHaveTheirOwn) {
  Stores s;
  s.kernel.block = {32, 2, 2};
  const Expr y = s.kernel.threadIdx[1], z = s.kernel.threadIdx[2], i = s.i, j = s.j;
  EXPECT_EQ(s.barriers(s.overTiles(s.tile(z * (32 * kPitch) + i * (16 * kPitch) + y * 32 + j * 16))), 0);
  EXPECT_GT(s.barriers(s.overTiles(s.tile(i * (16 * kPitch) + y * 32 + j * 16))), 0) << "those along z share";
}

// A single warp along threadIdx.x does what others beside it don't.
TEST(TileBarriers, FurtherWarpsAlongXMustNotRepeatIt) {
  Stores s;
  s.kernel.block = {64, 4, 1};
  const auto axes = [](std::uint8_t bits) { return Axes{bits}; };
  const auto stored = [&](std::uint8_t bits) {
    return s.barriers(s.overTiles(s.tile(s.ofSquares(), intImm(kPitch), "wmma.store.row", axes(bits))));
  };
  EXPECT_EQ(stored(Axes::kFurtherWarps), 0);
  EXPECT_GT(stored(0), 0);
  EXPECT_GT(stored(Axes::kFurtherWarps | Axes::kFurtherLanes), 0);
}

TEST(TileBarriers, TilesThatOverlapMeet) {
  Stores s;
  const Expr i = s.i, j = s.j, w = s.warp();
  EXPECT_GT(s.barriers(s.overTiles(s.tile(w * 16 + i * (16 * kPitch) + j * 16))), 0) << "with the next warp's";
  EXPECT_GT(s.barriers(s.overTiles(s.tile(i * (16 * kPitch) + j * 16))), 0) << "all warps the same";
  EXPECT_GT(s.barriers(s.overTiles(s.tile(w * (8 * kPitch) + j * 16))), 0) << "half of their rows";
  EXPECT_GT(s.barriers(s.overTiles(s.tile(w * (16 * kPitch) + i * 8 + j * 16))), 0) << "a warp's own, half of it";
  EXPECT_GT(s.barriers(s.overTiles(s.tile(w * 256, intImm(8)))), 0) << "lines shorter than the tile";
  EXPECT_GT(s.barriers(s.overTiles(s.tile(floormod(w, intImm(2)) * 32 + i * (16 * kPitch) + j * 16))), 0)
      << "every second warp";
}

// Another operation may give an element to another lane, and what threads do by themselves they do anywhere.
TEST(TileBarriers, OtherAccessesMeetThem) {
  Stores s;
  const Stmt rows = s.overTiles(s.tile(s.ofSquares()));
  EXPECT_EQ(s.barriers(seq({rows, s.overTiles(s.tile(s.ofSquares(), intImm(kPitch), "wmma.store.column"))})), 1);
  const Expr x = s.kernel.threadIdx[0], y = s.kernel.threadIdx[1];
  EXPECT_EQ(s.barriers(seq({rows, s.element(y, x)})), 1);
  EXPECT_EQ(s.barriers(seq({s.element(y, x), rows})), 1);
  EXPECT_EQ(s.barriers(s.overTiles(seq({s.tile(s.ofSquares()), s.element(y, x)}))), 2) << "in each iteration";
}

// What says how far lines lie apart, or which lane stores, is known before anything is proven.
TEST(TileBarriers, WhatIsNotKnownMeets) {
  Stores s;
  EXPECT_GT(s.barriers(s.overTiles(s.tile(s.ofSquares(), Expr(s.kernel.blockIdx[0]) + intImm(64)))), 0);
  EXPECT_GT(s.barriers(s.overTiles(s.tile(s.ofSquares() + Expr(s.kernel.threadIdx[0])))), 0);
}

}  // namespace
}  // namespace loom::lower::tile_barriers_test
