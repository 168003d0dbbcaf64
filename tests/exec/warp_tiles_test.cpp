// Products on CUDA cores as their ladder has them: tiles of warps, fragments in registers, parts of k in the warps of a
// block. Each computes what it did, keeps its arrays in registers, and what is wrong is found.
#include <gmock/gmock.h>

#include "core/codegen/cuda.h"
#include "core/compile/compile.h"
#include "core/compile/toolkit.h"
#include "core/device/build.h"
#include "core/device/effects.h"
#include "core/exec/execute.h"
#include "core/ir/build.h"
#include "core/lower/lower.h"
#include "tests/exec/execution.h"
#include "tests/exec/scheduled.h"
#include "tests/schedules/schedule_text.h"

namespace loom::exec::warp_tiles_test {
namespace {

namespace dev = loom::device;

constexpr int kSize = 64;
const std::string kTiles = tests::scheduleText("warp_tiles");
const std::string kRows = "sch.annotate(b, \"tileloom.order\", \"serpentine\")\n";

dev::Program lowered(const std::string& lines) {
  auto program = lower::lower(scheduled(matmul(kSize, kSize, kSize), lines));
  if (!program) throw std::runtime_error(program.error().message.english());
  return *program;
}

// `exactly`: the sums are made in the original's order, so that every bit is the same.
Execution run(const dev::Program& program, bool exactly = true) {
  auto reference = Reference::create(parse(matmul(kSize, kSize, kSize)), 1).value();
  return executionOf(program, reference, exactly ? 0 : 1e-5 * kSize);
}

TEST(WarpTiles, RowsForthAndBackHaveTheSameBits) {
  for (const std::string& pipeline : {std::string(), tests::scheduleText("warp_tiles_ahead")}) {
    const dev::Program program = lowered(kTiles + kRows + pipeline);
    const Execution o = run(program);
    EXPECT_THAT(o.faults, testing::IsEmpty());
    EXPECT_EQ(o.wrong, 0);
  }
}

// A way back that takes its own column with the other's operand.
TEST(WarpTiles, AWayBackWithTheWrongOperandIsFound) {
  const dev::Program program = lowered(kTiles + kRows);
  int turned = 0;
  const dev::Program wrong = changed(program, [&](const dev::Stmt& s) -> dev::Stmt {
    if (s->kind != dev::StmtKind::Store) return s;
    const auto& store = *dev::as<dev::StoreNode>(s);
    if (store.to.buffer->name != "C_reindex_local" || store.value->kind != ir::ExprKind::Add) return s;
    const bool back = store.to.at.back()->kind == ir::ExprKind::Sub;
    if (!back) return s;
    ++turned;
    return dev::edit<dev::StoreNode>(s, [](dev::StoreNode& n) { n.to.at.back() = n.to.at.back() - 1; });
  });
  ASSERT_EQ(turned, 1);
  const Execution o = run(wrong);
  EXPECT_TRUE(o.wrong > kSize * kSize / 4 || !o.faults.empty());
}

// The inner pipeline's last product reads one version while its first copy for the next tile fills the other: two are
// enough, and no version is chosen by a number that only the running kernel knows.
TEST(WarpTiles, FragmentsAheadOfTheBarrierHaveTwoVersions) {
  for (const std::string& lines :
       {kTiles + tests::scheduleText("warp_tiles_ahead"), tests::scheduleText("warp_tiles_by_registers")}) {
    const dev::Program program = lowered(lines);
    int fragments = 0;
    for (const dev::Allocation& a : program.kernels[0].allocations) {
      if (!a.buffer->name.ends_with("_reindex_local") || a.buffer->name.starts_with("C")) continue;
      ++fragments;
      EXPECT_EQ(a.versions, std::vector<std::int64_t>{2}) << a.buffer->name;
    }
    EXPECT_EQ(fragments, 2);
    const Execution o = run(program);
    EXPECT_THAT(o.faults, testing::IsEmpty());
    EXPECT_EQ(o.wrong, 0);
  }
}

// Where a slot's last reader comes before its next copy in a turn, one slot less than TVM counts is enough; the barrier
// that publishes the next one stands between them.
TEST(WarpTiles, ARingOfTwoSlotsHasTwoTilesOnTheirWay) {
  const std::string ahead = kTiles + tests::scheduleText("warp_tiles_ahead");
  const std::string two = "sch.annotate(xs, \"tileloom.slots\", 2)\nsch.annotate(ys, \"tileloom.slots\", 2)\n";
  const dev::Program program = lowered(ahead + two + "sch.annotate(k0, \"tileloom.unroll_stages\", 2)\n");
  EXPECT_THAT(program.remarks, testing::IsEmpty()) << "they have an effect";
  for (const dev::Allocation& a : program.kernels[0].allocations) {
    if (a.memory == dev::Memory::Shared) {
      EXPECT_EQ(a.versions, std::vector<std::int64_t>{2}) << a.buffer->name;
    }
  }
  const Execution o = run(program);
  EXPECT_THAT(o.faults, testing::IsEmpty());
  EXPECT_EQ(o.wrong, 0);
  int barriers = 0;
  changed(program, [&](const dev::Stmt& s) { return barriers += isBarrier(s), s; });
  int plain = 0;
  changed(lowered(ahead + "sch.annotate(k0, \"tileloom.unroll_stages\", 3)\n"),
          [&](const dev::Stmt& s) { return plain += isBarrier(s), s; });
  EXPECT_LE(barriers, plain);
  for (int missing = 0; missing < barriers; ++missing) {
    int seen = 0;
    const dev::Program less =
        changed(program, [&](const dev::Stmt& s) { return isBarrier(s) && seen++ == missing ? nullptr : s; });
    EXPECT_THAT(run(less).faults, testing::Not(testing::IsEmpty())) << "barrier " << missing;
  }
}

TEST(WarpTiles, TooFewSlotsAreRefusedWithTheNumber) {
  const std::string ahead = kTiles + tests::scheduleText("warp_tiles_ahead");
  const auto refusal = [&](const std::string& lines) {
    const auto program = lower::lower(scheduled(matmul(kSize, kSize, kSize), lines));
    return program ? std::string() : program.error().message.english();
  };
  const auto slots = [](const std::string& n) { return "sch.annotate(xs, \"tileloom.slots\", " + n + ")\n"; };
  EXPECT_THAT(refusal(ahead + slots("1")), testing::HasSubstr("1 slots of A_shared are too few: loop ax7 with its "
                                                              "stages and orders needs 2"));
  EXPECT_THAT(refusal(ahead + slots("0")), testing::HasSubstr("is a number from 1 to 64"));
  EXPECT_EQ(refusal(ahead + slots("5")), "");
  const dev::Program none = lowered(kTiles + slots("2"));
  ASSERT_EQ(none.remarks.size(), 1U) << "no loop is a pipeline";
  EXPECT_THAT(none.remarks[0].text.english(), testing::HasSubstr("has no effect on the kernel"));
}

// What one thread has on its way from global to shared memory is an array of its own part alone.
TEST(WarpTiles, CopiesThroughRegistersKeepAThreadsPart) {
  const dev::Program program = lowered(tests::scheduleText("warp_tiles_by_registers"));
  int found = 0;
  for (const dev::Allocation& a : program.kernels[0].allocations) {
    if (a.buffer->name != "A_local" && a.buffer->name != "B_local") continue;
    ++found;
    EXPECT_EQ(a.elements, 32 * 8 / 64) << a.buffer->name;
  }
  EXPECT_EQ(found, 2);
}

TEST(WarpTiles, PartsOfKInTheWarpsOfABlockAreSummedThroughSharedMemory) {
  const dev::Program program = lowered(tests::scheduleText("sliced_warp_tiles"));
  const Execution o = run(program, false);
  EXPECT_THAT(o.faults, testing::IsEmpty());
  EXPECT_EQ(o.wrong, 0);
  // The partial tiles are published by a barrier; without it, the sum is of what isn't there yet.
  int barriers = 0;
  changed(program, [&](const dev::Stmt& s) { return barriers += isBarrier(s), s; });
  int seen = 0;
  const dev::Program less =
      changed(program, [&](const dev::Stmt& s) { return isBarrier(s) && ++seen == barriers ? nullptr : s; });
  EXPECT_THAT(run(less, false).faults, testing::Not(testing::IsEmpty()));
}

TEST(WarpTiles, KeepTheirArraysInRegisters) {
  auto toolkit = compile::findToolkit(compile::defaultSearchPath());
  auto compiler = toolkit ? compile::Compiler::load(*toolkit) : Failure(toolkit.error());
  if (!compiler) GTEST_SKIP() << compiler.error().message.english();
  const std::string resident = "sch.annotate(b, \"tileloom.min_blocks\", 4)\n";
  for (const std::string& lines : {kTiles, kTiles + kRows + resident, tests::scheduleText("sliced_warp_tiles")}) {
    const std::string text = codegen::generate(lowered(lines)).text;
    const auto binary = (*compiler)->compile({text, "sm_90", false, {}});
    ASSERT_TRUE(binary) << binary.error().message.english() << "\n" << text;
    EXPECT_THAT(binary->log, testing::Not(testing::HasSubstr("warning"))) << text;
    for (const compile::KernelResources& kernel : binary->kernels) {
      EXPECT_EQ(kernel.stack, 0) << text;
      EXPECT_EQ(kernel.spillStores, 0) << text;
    }
  }
}

}  // namespace
}  // namespace loom::exec::warp_tiles_test
