// Barriers behind waits for stores by the copy engine: of a warp where each warp writes what it alone has stored, else
// of the block.
#include <gtest/gtest.h>

#include "core/device/build.h"
#include "core/device/effects.h"
#include "core/device/operation.h"
#include "core/ir/build.h"
#include "core/lower/addressing.h"
#include "core/lower/device_passes.h"

namespace loom::lower::awaited_stores_test {
namespace {

using namespace device;
using ir::floordiv;
using ir::floormod;
using ir::intImm;

constexpr int kRows = 64, kColumns = 64, kRowsOfWarp = 16;

// Four warps along threadIdx.x, of which each overwrites 16 rows of shared memory once what was stored has been read.
struct Stored {
  Kernel kernel;
  Buffer from, to;

  Stored() {
    kernel.block = {128, 1, 1};
    for (int axis = 0; axis < 3; ++axis) {
      kernel.threadIdx[axis] = ir::makeVar("threadIdx");
      kernel.blockIdx[axis] = ir::makeVar("blockIdx");
    }
    from = ir::makeBuffer({1, 1}, "S", DType::Float(32), {intImm(kRows), intImm(kColumns)}, "shared.dyn");
    to = ir::makeBuffer({1, 2}, "B", DType::Float(32), {intImm(kRows), intImm(kColumns)}, "global");
    kernel.params.push_back(to);
    Allocation shared;
    shared.buffer = from;
    shared.memory = Memory::Shared;
    shared.elements = kRows * kColumns;
    shared.layout = rowsOf({kRows, kColumns}, {kColumns, 1});
    kernel.allocations.push_back(shared);
    TensorMap map;
    map.buffer = to;
    map.stores = true;
    kernel.maps.push_back(map);
  }
  Expr thread() const { return kernel.threadIdx[0]; }
  Expr ofWarp() const { return floordiv(thread(), intImm(32)) * kRowsOfWarp; }

  // The first lane of each warp stores 16 rows from `row` on.
  Stmt box(const Expr& row) const {
    auto s = std::make_shared<OperationNode>();
    s->row = findOperation("tma.store");
    s->map = 0;
    s->places = {{to, {row, intImm(0)}}, {from, {row, intImm(0)}}};
    for (BufferPlace& place : s->places) place.box = {kRowsOfWarp, kColumns};
    s->values = {intImm(kColumns), intImm(kColumns), intImm(0), row, intImm(0), intImm(0)};
    s->uncovered = Axes{Axes::kFurtherLanes};
    return s;
  }
  // The stores, a wait until they have been read, and the rows that the threads of each warp then write.
  bool meetsBlock(std::vector<Stmt> stmts) {
    auto commit = makeSync(Token::BulkStores, SyncDoes::Commit);
    auto wait = makeSync(Token::BulkStores, SyncDoes::Wait);
    commit->uncovered = wait->uncovered = Axes{Axes::kFurtherLanes};
    wait->landed = {{from, {}, {}}};
    auto write = std::make_shared<StoreNode>();
    write->to = {from, {ofWarp(), floormod(thread(), intImm(32))}};
    write->value = ir::floatImm(0, DType::Float(32));
    stmts.insert(stmts.end(), {commit, wait, write});
    kernel.body = seq(std::move(stmts));
    const auto placed = placeBarriers(kernel, {});
    if (!placed) throw std::runtime_error(placed.error().message.english());
    bool found = false;
    forEach(*placed, [&](const Stmt& s) { return found |= device::meetsBlock(effectsOf(s)), true; });
    return found;
  }
};

TEST(AwaitedStores, OfOwnWarpsNeedNoBarrierOfTheBlock) {
  Stored s;
  EXPECT_FALSE(s.meetsBlock({s.box(s.ofWarp())}));
  EXPECT_FALSE(s.meetsBlock({s.box(s.ofWarp()), s.box(s.ofWarp())}));
}

// Whichever of the stores comes first.
TEST(AwaitedStores, OfAnotherWarpsRowsNeedOne) {
  Stored s;
  const Expr other = floormod(s.ofWarp() + intImm(kRowsOfWarp), intImm(kRows));
  EXPECT_TRUE(s.meetsBlock({s.box(other)}));
  EXPECT_TRUE(s.meetsBlock({s.box(other), s.box(s.ofWarp())}));
  EXPECT_TRUE(s.meetsBlock({s.box(s.ofWarp()), s.box(other)}));
}

}  // namespace
}  // namespace loom::lower::awaited_stores_test
