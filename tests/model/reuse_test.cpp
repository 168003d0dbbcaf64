#include "core/model/reuse.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "core/model/count.h"
#include "tests/model/programs.h"
#include "tests/schedules/schedule_text.h"

namespace loom::model::reuse_test {
namespace {

// Every touch by walking all lanes and iterations: what the sums must equal.
struct Walked {
  std::map<std::int64_t, std::uint32_t> touches, moments;
};

Walked walked(const KernelAccesses& k, const std::vector<int>& statements, Scope scope, std::int64_t block,
              std::int64_t thread) {
  Walked all;
  const device::Kernel& kernel = *k.kernel;
  const std::int64_t warps = (kernel.threads() + 31) / 32;
  for (int s : statements) {
    const Access& a = k.accesses[std::size_t(s)];
    std::vector<std::int64_t> span{0};
    if (a.tile) {
      span.clear();
      for (int r = 0; r < a.tile->rows; ++r)
        for (int c = 0; c < a.tile->columns; ++c) span.push_back(r * ir::constantOr(a.tile->leading, 0) + c);
    } else {
      for (int i = 1; i < a.elements; ++i) span.push_back(i);
    }
    std::int64_t iterations = 1;
    for (int l : a.loops) iterations *= k.loops[std::size_t(l)].extent;
    for (std::int64_t b = 0; b < kernel.blocks(); ++b) {
      if (scope != Scope::Grid && b != block) continue;
      for (std::int64_t i = 0; i < iterations; ++i) {
        std::map<std::int64_t, std::uint32_t> now;
        for (std::int64_t w = 0; w < warps; ++w) {
          if ((scope == Scope::Lane || scope == Scope::Warp) && w != thread / 32) continue;
          device::WarpState state;
          state.place(kernel, b, int(w));
          std::int64_t rest = i;
          for (int l : a.loops) {
            const std::int64_t extent = k.loops[std::size_t(l)].extent;
            state.set(k.loops[std::size_t(l)].var.get(), rest % extent);
            rest /= extent;
          }
          bool known = true;
          const std::uint32_t active = activeLanes(a.guards, state, known) & state.threads();
          const auto index = state.evaluate(a.index);
          bool first = true;
          for (int lane = 0; lane < 32; ++lane) {
            if ((active >> lane & 1) == 0 || (scope == Scope::Lane && !a.tile && lane != thread % 32)) continue;
            if (a.tile && !first) continue;
            first = false;
            for (std::int64_t offset : span) ++now[(*index)[lane] + offset];
          }
        }
        for (const auto& [element, n] : now) {
          all.touches[element] += n;
          ++all.moments[element];
        }
      }
    }
  }
  return all;
}

std::map<std::int64_t, std::uint32_t> mapOf(const Counts& counts) {
  std::map<std::int64_t, std::uint32_t> map;
  for (std::size_t i = 0; i < counts.of.size(); ++i)
    if (counts.of[i] != 0) map[counts.low + std::int64_t(i)] = counts.of[i];
  return map;
}

// C = A · B, 8 × 12 × 16, f32.
const std::string kProduct = tests::programText("product", {{"M", 8}, {"N", 12}, {"K", 16}});

int access(const KernelAccesses& k, const std::string& buffer, bool write = false) {
  for (std::size_t i = 0; i < k.accesses.size(); ++i)
    if (k.accesses[i].buffer->name == buffer && k.accesses[i].write == write) return int(i);
  throw std::runtime_error("no access of " + buffer);
}

// Blocks of 4 rows and 12 columns; a thread an element.
class OneElementAThread : public testing::Test {
 protected:
  device::Program program = lowered(kProduct, tests::scheduleText("thread_an_element"));
  KernelAccesses k = accessesOf(program.kernels.front());
};

TEST_F(OneElementAThread, CountsAreThoseOfTheProgram) {
  const std::vector<int> a = statementsLike(k, access(k, "A"));
  const auto lane = touchesOf(k, a, Scope::Lane, 0, 5);
  ASSERT_TRUE(lane) << lane.error().message.english();
  EXPECT_EQ(lane->distinct, 16) << "a row of A";
  EXPECT_EQ(lane->total, 16);
  EXPECT_EQ(lane->again(), 0);
  const auto block = touchesOf(k, a, Scope::Block, 1, 0);
  EXPECT_EQ(block->distinct, 4 * 16);
  EXPECT_EQ(block->total, 48 * 16) << "each thread its row";
  EXPECT_EQ(block->moments, 4 * 16) << "the twelve threads of a row load it together";
  EXPECT_EQ(block->times.low, 4 * 16) << "the second block begins at row 4";
  const auto grid = touchesOf(k, a, Scope::Grid, 0, 0);
  EXPECT_EQ(grid->distinct, 8 * 16);
  EXPECT_EQ(grid->most, 1u);
  const auto both = touchesOf(k, statementsLike(k, access(k, "B")), Scope::Grid, 0, 0);
  EXPECT_EQ(both->least, 2u) << "every element of B by each of two blocks";
  EXPECT_EQ(both->most, 2u);
  EXPECT_EQ(both->again(), 16 * 12);
  EXPECT_EQ(both->total, 8 * 12 * 16);
}

// One thread does all: each element of A is read for each column.
TEST(OneThread, ReadsAnElementOfAForEveryColumn) {
  const device::Program program = lowered(kProduct, "");
  const KernelAccesses k = accessesOf(program.kernels.front());
  const int a = access(k, "A");
  const auto touches = touchesOf(k, {a}, Scope::Lane, 0, 0);
  ASSERT_TRUE(touches) << touches.error().message.english();
  EXPECT_EQ(touches->least, 12u);
  EXPECT_EQ(touches->most, 12u);
  EXPECT_EQ(touches->again(), 8 * 16 * 11);
  const auto reuse = reuseOf(k, a, Scope::Lane, 0, 0);
  ASSERT_TRUE(reuse);
  ASSERT_EQ(reuse->size(), 1U);
  EXPECT_EQ(k.loops[std::size_t((*reuse)[0].loop)].var->name, "j");
  EXPECT_EQ((*reuse)[0].again, 8 * 16 * 11);
  // For a column: 16 of A, 16 of B, 1 of C, of 4 bytes each, less the element.
  ASSERT_TRUE((*reuse)[0].between);
  EXPECT_EQ(*(*reuse)[0].between, (16 + 16 + 1) * 4 - 4);
  // B comes back with the next row: 16 of A, all of B, a row of C.
  const auto ofB = reuseOf(k, access(k, "B"), Scope::Lane, 0, 0);
  ASSERT_EQ(ofB->size(), 1U);
  EXPECT_EQ((*ofB)[0].again, 16 * 12 * 7);
  EXPECT_EQ(*(*ofB)[0].between, (16 + 16 * 12 + 12) * 4 - 4);
  // The sum is loaded and stored again with every k: one of A, one of B between.
  const auto ofC = reuseOf(k, access(k, "C", true), Scope::Lane, 0, 0);
  bool found = false;
  for (const Reuse& level : *ofC) {
    if (k.loops[std::size_t(level.loop)].var->name != "k") continue;
    found = true;
    EXPECT_EQ(*level.between, 3 * 4 - 4);
  }
  const auto again = touchesOf(k, statementsLike(k, access(k, "C", true)), Scope::Lane, 0, 0);
  EXPECT_TRUE(found || again->again() == 0);
}

// A sliding window: three of four elements come back with the next iteration.
TEST(Windows, OverlapIsTouchedAgain) {
  const std::string function = tests::programText("sliding_window");
  const device::Program program = lowered(function, "");
  const KernelAccesses k = accessesOf(program.kernels.front());
  const int a = access(k, "A");
  const auto touches = touchesOf(k, {a}, Scope::Lane, 0, 0);
  ASSERT_TRUE(touches) << touches.error().message.english();
  EXPECT_EQ(touches->distinct, 19);
  EXPECT_EQ(touches->moments, 64);
  EXPECT_EQ(touches->least, 1u);
  EXPECT_EQ(touches->most, 4u);
  const auto reuse = reuseOf(k, a, Scope::Lane, 0, 0);
  ASSERT_EQ(reuse->size(), 1U);
  EXPECT_EQ((*reuse)[0].again, 64 - 19);
  EXPECT_EQ(*(*reuse)[0].between, (4 + 1) * 4 - 4);
}

TEST(Guards, TouchesAreCountedWhereTheyHold) {
  // 3 blocks of 4 rows for 10; 8 × 2 columns for 12: conditions on the block, the thread and a loop.
  const std::string function = tests::programText("product", {{"M", 10}, {"N", 12}, {"K", 16}});
  const device::Program program = lowered(function, tests::scheduleText("guarded_rows_and_columns"));
  const KernelAccesses k = accessesOf(program.kernels.front());
  ASSERT_FALSE(k.accesses[std::size_t(access(k, "B"))].guards.empty());
  for (const char* buffer : {"A", "B", "C"}) {
    const std::vector<int> all = statementsLike(k, access(k, buffer));
    for (Scope scope : {Scope::Lane, Scope::Warp, Scope::Block, Scope::Grid}) {
      for (auto [block, thread] : {std::pair<std::int64_t, std::int64_t>{0, 3}, {2, 20}}) {
        const auto made = touchesOf(k, all, scope, block, thread);
        ASSERT_TRUE(made) << made.error().message.english();
        const Walked wanted = walked(k, all, scope, block, thread);
        EXPECT_EQ(mapOf(made->touches), wanted.touches) << buffer << int(scope) << " " << block;
        EXPECT_EQ(mapOf(made->times), wanted.moments) << buffer << int(scope) << " " << block;
        EXPECT_FALSE(made->upperBound);
      }
    }
  }
}

TEST(ReuseOfTheLesson, CountsEqualAWalkOverAllLanes) {
  const device::Program program = tensorCore();
  const KernelAccesses k = accessesOf(program.kernels.front());
  for (const char* buffer : {"X", "X_shared"}) {
    const std::vector<int> all = statementsLike(k, access(k, buffer));
    for (Scope scope : {Scope::Lane, Scope::Warp, Scope::Block}) {
      const auto made = touchesOf(k, all, scope, 9, 70);
      ASSERT_TRUE(made) << made.error().message.english();
      const Walked wanted = walked(k, all, scope, 9, 70);
      EXPECT_EQ(mapOf(made->touches), wanted.touches) << buffer << int(scope);
      EXPECT_EQ(mapOf(made->times), wanted.moments) << buffer << int(scope);
    }
  }
}

TEST(ReuseOfTheLesson, AnOperandIsLoadedOnceByABlockAndByEightOfThem) {
  const device::Program program = tensorCore();
  const KernelAccesses k = accessesOf(program.kernels.front());
  const std::vector<int> x = statementsLike(k, access(k, "X"));
  const auto block = touchesOf(k, x, Scope::Block, 0, 0);
  EXPECT_EQ(block->distinct, 128 * 1024);
  EXPECT_EQ(block->again(), 0);
  const auto grid = touchesOf(k, x, Scope::Grid, 0, 0);
  EXPECT_EQ(grid->distinct, 1024 * 1024);
  EXPECT_EQ(grid->least, 8u);
  EXPECT_EQ(grid->most, 8u);
}

// Reuse by loop adds up to what is touched again.
TEST(Reuse, LevelsAddUp) {
  const device::Program program = tensorCore();
  const KernelAccesses k = accessesOf(program.kernels.front());
  for (const char* buffer : {"X", "Y", "X_shared", "Y_shared"}) {
    const int a = access(k, buffer);
    for (Scope scope : {Scope::Lane, Scope::Warp, Scope::Block}) {
      const auto touches = touchesOf(k, {a}, scope, 3, 40);
      const auto levels = reuseOf(k, a, scope, 3, 40);
      ASSERT_TRUE(touches && levels);
      double sum = 0;
      for (const Reuse& level : *levels) sum += level.again;
      EXPECT_DOUBLE_EQ(sum, touches->again()) << buffer << int(scope);
    }
  }
}

TEST(Reuse, WhatCannotBeToldIsAnError) {
  const std::string gather = tests::programText("gather", {{"N", 16}});
  const device::Program program = lowered(gather, "");
  const KernelAccesses k = accessesOf(program.kernels.front());
  const auto touches = touchesOf(k, {access(k, "A")}, Scope::Lane, 0, 0);
  ASSERT_FALSE(touches);
  EXPECT_EQ(touches.error().code, "NotSeparable");
  const device::Program large = tensorCore();
  const KernelAccesses all = accessesOf(large.kernels.front());
  EXPECT_EQ(touchesOf(all, {access(all, "X")}, Scope::Grid, 0, 0, 1 << 16).error().code, "TooMany");
}

}  // namespace
}  // namespace loom::model::reuse_test
