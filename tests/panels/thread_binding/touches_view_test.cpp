#include "app/panels/thread_binding/view/touch_counts.h"

#include <gtest/gtest.h>

#include "app/panels/thread_binding/view/accesses.h"
#include "tests/model/programs.h"
#include "tests/schedules/schedule_text.h"

namespace loom::session::thread_binding_touches_view_test {
namespace {

using model::Scope;

TouchView viewOf(const device::Program& program, const std::string& buffer, bool write, Scope scope,
                 std::int64_t block = 0, std::int64_t thread = 0) {
  const ThreadBinding binding(std::make_shared<device::Program>(program));
  const int access = binding.find("", buffer, write);
  const model::Access& a = binding.accesses().accesses[std::size_t(access)];
  return touchView(binding.accesses(), binding.rowsOf(a), access, scope, block, thread);
}

// Z = X · Y of 64 × 64 × 64, f32; blocks of 16 × 16 threads, a thread an element.
device::Program tiled(const std::string& more = "") {
  return model::lowered(tests::programText("product_of_xy"),
                        tests::scheduleText("tiles_of_threads", {{"BLOCK", "Z"}}) + more);
}

TEST(TouchView, ABlockReadsItsRowsByAllThreadsOfARowTogether) {
  const TouchView v = viewOf(tiled(), "X", false, Scope::Block, 5);
  ASSERT_FALSE(v.unknown) << v.unknown->message.english();
  EXPECT_EQ(v.counts.distinct, 16 * 64);
  EXPECT_EQ(v.counts.total, 256 * 64);
  EXPECT_EQ(v.counts.most, 1u) << "one moment each";
  EXPECT_DOUBLE_EQ(v.together(), 16);
  EXPECT_TRUE(v.levels.empty());
  // Block 5 is row 1 of blocks: rows 16 … 31.
  EXPECT_EQ(v.heat.at(0, 0).touched, 0);
  const int row = int(16 / v.heat.cellRows);
  EXPECT_EQ(v.heat.at(row, 0).most, 1u);
}

TEST(TouchView, TheGridReadsEachElementByFourBlocks) {
  const TouchView v = viewOf(tiled(), "X", false, Scope::Grid);
  ASSERT_FALSE(v.unknown);
  EXPECT_TRUE(v.even());
  EXPECT_EQ(v.counts.most, 4u);
  EXPECT_EQ(v.times(), 4);
  EXPECT_EQ(v.counts.again(), 3 * 64 * 64);
  for (const TouchHeatmap::Cell& cell : v.heat.cells) EXPECT_EQ(cell.mean, 4);
  const TouchView z = viewOf(tiled(), "Z", true, Scope::Grid);
  EXPECT_TRUE(z.write);
  EXPECT_GT(z.counts.most, 1u) << "the sum is stored with every k";
}

TEST(TouchView, WithACopyInSharedMemoryGlobalIsReadOnce) {
  const device::Program program = tiled(tests::scheduleText("shared_tile"));
  const TouchView global = viewOf(program, "X", false, Scope::Block);
  ASSERT_FALSE(global.unknown) << global.unknown->message.english();
  EXPECT_EQ(global.counts.most, 1u);
  EXPECT_DOUBLE_EQ(global.together(), 1);
  const TouchView shared = viewOf(program, "X_shared", false, Scope::Lane, 0, 17);
  ASSERT_FALSE(shared.unknown);
  // The tile's row of sixteen, again with each of four steps of k0.
  EXPECT_EQ(shared.counts.distinct, 16);
  EXPECT_EQ(shared.counts.most, 4u);
  ASSERT_EQ(shared.levels.size(), 1U);
  EXPECT_EQ(shared.levels[0].loop.substr(0, 1), "k");
  EXPECT_EQ(shared.levels[0].again, 3 * 16);
}

TEST(TouchView, CellsOfLargeBuffersSayWhatTheyHold) {
  const TouchView v = viewOf(model::tensorCore(), "X", false, Scope::Grid);
  ASSERT_FALSE(v.unknown);
  EXPECT_LE(v.heat.rows, 64);
  EXPECT_LE(v.heat.columns, 64);
  EXPECT_EQ(v.heat.cellRows, 16);
  EXPECT_EQ(v.heat.at(0, 0).touched, 16 * 16);
  EXPECT_EQ(v.heat.at(0, 0).least, 8u);
  EXPECT_EQ(v.heat.at(0, 0).most, 8u);
  std::int64_t all = 0;
  for (const TouchHeatmap::Cell& cell : v.heat.cells) all += cell.touched;
  EXPECT_EQ(all, 1024 * 1024);
}

TEST(TouchView, PaddingIsNoElement) {
  const TouchView v =
      viewOf(model::tensorCore("sch.storage_align(block=\"X_shared\", buffer_index=0, axis=-2, factor=16, offset=8)\n"),
             "X_shared", true, Scope::Block);
  ASSERT_FALSE(v.unknown) << v.unknown->message.english();
  std::int64_t all = 0;
  for (const TouchHeatmap::Cell& cell : v.heat.cells) all += cell.touched;
  EXPECT_EQ(all, v.counts.distinct);
}

TEST(TouchView, WhatCannotBeToldSaysWhy) {
  const device::Program gather = model::lowered(tests::programText("gather", {{"N", 16}}), "");
  const TouchView v = viewOf(gather, "A", false, Scope::Block);
  ASSERT_TRUE(v.unknown);
  EXPECT_TRUE(v.heat.cells.empty());
}

}  // namespace
}  // namespace loom::session::thread_binding_touches_view_test
