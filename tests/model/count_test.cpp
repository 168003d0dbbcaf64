#include "core/model/count.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <set>

#include "tests/model/lesson_lines.h"
#include "tests/model/programs.h"
#include "tests/schedules/schedule_text.h"

namespace loom::model::count_test {
namespace {

AccessCost costOf(const device::Program& p, const std::string& buffer, bool write) {
  KernelAccesses k = accessesOf(p.kernels.front());
  const Access* a = find(k, buffer, write);
  EXPECT_NE(a, nullptr) << buffer;
  return a ? countAccess(k, *a) : AccessCost{};
}

TEST(Sectors, OfCoalescedCopies) {
  AccessCost c = costOf(copy(1, 1, "float32"), "A", false);
  EXPECT_TRUE(c.exact);
  EXPECT_EQ(c.requests, 128);
  EXPECT_EQ(c.sectors, 512) << "16 KiB";
  EXPECT_EQ(c.most, 4);
  c = costOf(copy(1, 4, "float32"), "A", false);
  EXPECT_EQ(c.requests, 32) << "float4";
  EXPECT_EQ(c.most, 16);
  EXPECT_EQ(c.sectors, 512);
  c = costOf(copy(1, 2, "float16"), "B", true);
  EXPECT_EQ(c.requests, 64) << "half2";
  EXPECT_EQ(c.most, 4);
  EXPECT_EQ(c.sectors, 256) << "8 KiB";
}

TEST(Sectors, OfStridedCopies) {
  for (int stride : {2, 4, 8, 16}) {
    AccessCost c = costOf(copy(stride, 1, "float32"), "A", false);
    EXPECT_EQ(c.most, std::min(32, 4 * stride)) << stride;
    EXPECT_EQ(c.least, c.most);
  }
}

TEST(BankConflicts, OfLdmatrixAreThoseOfTheRowsThatItsLanesGive) {
  const std::string path = "tests/oracle/cases/tensorize/mma_written_f16f16f32_trans_b";
  auto cost = [&](const std::string& more) {
    return costOf(lowered(readText(path + ".func.py"), readText(path + ".sched.py") + more), "A_shared", false);
  };
  // 4 blocks, 2 steps, 2 × 2 tiles; eight rows of 16 bytes, 64 bytes apart, meet in two groups of banks. ncu on an H200
  // has 1,024 wavefronts and 768 conflicts for A and B together.
  AccessCost c = cost("");
  EXPECT_TRUE(c.exact);
  EXPECT_EQ(c.requests, 32);
  EXPECT_EQ(c.most, 4);
  EXPECT_EQ(c.wavefronts, 32 * 16);
  for (const char* better : {"sch.storage_align(sch.get_block(\"A_shared\"), 0, axis=-2, factor=32, offset=8)\n",
                             "sch.annotate(sch.get_block(\"A_shared\"), \"tileloom.swizzle\", 64)\n"}) {
    c = cost(better);
    EXPECT_TRUE(c.exact) << better;
    EXPECT_EQ(c.wavefronts, 32 * 4) << better;
    EXPECT_EQ(c.conflicts, 0) << better;
  }
}

TEST(BankConflicts, TheLessonsTilesHaveEightWaysAndPaddingNone) {
  AccessCost c = costOf(tensorCore(), "X_shared", false);
  EXPECT_TRUE(c.exact);
  EXPECT_EQ(c.most, 8);
  EXPECT_EQ(c.requests, 131072) << "one ldmatrix.x4 for each 16×16 tile";
  EXPECT_EQ(c.wavefronts, 131072 * 32.0);
  EXPECT_EQ(c.conflicts, 131072 * 28.0);
  for (const char* offset : {"8", "24", "40"}) {
    std::string pad =
        std::string("sch.storage_align(block=b22, buffer_index=0, axis=-2, factor=64, offset=") + offset + ")\n";
    c = costOf(tensorCore(pad), "X_shared", false);
    EXPECT_EQ(c.most, 1) << "a pitch of 64 + " << offset << " halves";
    EXPECT_EQ(c.conflicts, 0);
  }
  // Half a period: rows meet in fours.
  c = costOf(tensorCore("sch.storage_align(block=b22, buffer_index=0, axis=-2, factor=64, offset=32)\n"), "X_shared",
             false);
  EXPECT_EQ(c.most, 4);
}

// A tile of 32 × 16 that lies by columns: 16 lines of 32 elements, 64 bytes apart.
TEST(TileRequests, OfTilesByColumnsStayInTheirLines) {
  const device::Program program = lowered(tests::programText("tall_fragment"), "");
  const KernelAccesses k = accessesOf(program.kernels.front());
  const Access* read = find(k, "A_shared", false);
  ASSERT_NE(read, nullptr);
  device::WarpState state;
  state.place(program.kernels.front(), 0, 0);
  const auto requests = requestsOf(*read, state, 0xffffffff);
  ASSERT_TRUE(requests);
  ASSERT_EQ(requests->size(), 2U) << "four matrices of 8 × 8 at a time";
  std::set<std::int64_t> starts;
  for (const WarpRequest& r : *requests) starts.insert(r.request.address.begin(), r.request.address.end());
  EXPECT_EQ(starts.size(), 16U * 4) << "each line has four pieces of 16 bytes";
  EXPECT_EQ(*starts.rbegin() - *starts.begin(), 15 * 64 + 48);
}

// Lines of 128 bytes: eight rows of a warp would meet in half of the banks, but odd ones store other columns meanwhile.
TEST(BankConflicts, OfAStagedSumAreNone) {
  const std::string lesson = "assets/lessons/hopper_1024/";
  const std::string steps = readText(lesson + "steps/07_staged.sched.py");
  const AccessCost c = costOf(lowered(readText(lesson + "function.py"), steps), "Z_shared.dyn", true);
  EXPECT_TRUE(c.exact);
  EXPECT_EQ(c.requests, 128.0 * 4 * 4 * 8) << "128 blocks, 4 warps, 4 slabs of 32 columns, 8 rows of 8 bytes a lane";
  EXPECT_EQ(c.wavefronts, 2 * c.requests) << "256 bytes each";
  EXPECT_EQ(c.conflicts, 0);
}

// Lines of 64 bytes: odd pairs of rows store their other sixteen bytes meanwhile.
TEST(BankConflicts, OfASumThatIsStagedInNarrowLinesAreNone) {
  const AccessCost c = costOf(lowered(readText("assets/lessons/hopper/function.py"), linesTo("hopper", "waves")),
                              "Z_pad_shared.dyn", true);
  EXPECT_TRUE(c.exact);
  EXPECT_EQ(c.wavefronts, 2 * c.requests) << "256 bytes each";
  EXPECT_EQ(c.conflicts, 0);
}

TEST(Totals, OfTheLessonsLastState) {
  device::Program p = tensorCore();
  KernelCount c = countKernel(accessesOf(p.kernels.front()));
  EXPECT_TRUE(c.exact);
  EXPECT_EQ(c.tensorFlops, 2.0 * 1024 * 1024 * 1024);
  EXPECT_EQ(c.globalLoadRequests, 65536);
  EXPECT_EQ(c.globalLoadSectors, 2 * 8 * 1024 * 1024 * 2 / 32.0) << "each of X and Y eight times";
  EXPECT_EQ(c.globalStoreSectors, 1024 * 1024 * 4 / 32.0);
  EXPECT_EQ(c.sharedStoreConflicts, 0);
}

// One thread that stores all rows by the copy engine moves as much as threads that store one each.
TEST(Totals, OfRowsStoredInBulkAreThoseOfAllWhoAsk) {
  for (const auto& [rows, where] : {std::pair{"range(16)", "c * 16 + i < 60"},
                                    {"T.thread_binding(64, thread=\"threadIdx.x\")", "i < 16 and c * 16 + i < 60"}}) {
    SCOPED_TRACE(rows);
    const device::Program p = lowered(tests::programText("rows_stored_in_bulk", {{"ROWS", rows},
                                                                                 {"COLUMNS", "64"},
                                                                                 {"WHERE", where},
                                                                                 {"MORE", ""},
                                                                                 {"VALUE", "S[vi, vj]"},
                                                                                 {"PADDING", 4},
                                                                                 {"WIDTH", 64},
                                                                                 {"SHIFT", 0},
                                                                                 {"BEGIN", 0}}),
                                      "");
    const KernelAccesses accesses = accessesOf(p.kernels.front());
    const Access* stored = find(accesses, "B", true);
    ASSERT_NE(stored, nullptr);
    EXPECT_TRUE(movesByItself(*stored));
    const AccessCost cost = countAccess(accesses, *stored);
    EXPECT_TRUE(cost.exact);
    EXPECT_EQ(cost.bytes, 60 * 64 * 4);
    EXPECT_EQ(cost.sectors, 60 * 8);
  }
}

TEST(Guards, CountOnlyWhoTakesPart) {
  // 100 iterations over 64 threads: the second block of threads is partly idle.
  device::Program p = lowered(tests::programText("vector_copy", {{"N", 100}, {"TYPE", "float32"}}),
                              tests::scheduleText("blocks_of_threads", {{"THREADS", 64}}));
  AccessCost c = costOf(p, "A", false);
  EXPECT_EQ(c.lanes, 100);
  EXPECT_EQ(c.requests, 4) << "36 threads of the second block: one warp whole, four lanes of the next";
  EXPECT_EQ(c.sectors, 13) << "400 bytes";
  EXPECT_EQ(c.bytes, 400);
}

TEST(Samples, SayThatTheyAreSamples) {
  device::Program p = tensorCore();
  KernelAccesses k = accessesOf(p.kernels.front());
  CountOptions few;
  few.patternsAtMost = 16;
  AccessCost c = countAccess(k, *find(k, "X_shared", false), few);
  EXPECT_FALSE(c.exact);
  EXPECT_NE(c.how.english().find("sample"), std::string::npos);
  EXPECT_NEAR(c.wavefronts, 131072 * 32.0, 131072 * 3.2) << "scaled to the whole";
}

// Of blocks that stay, 1024 tiles are no whole number of turns: statements under the same condition, whichever sample
// of turns is evaluated, are executed equally often.
TEST(Samples, OfStatementsUnderOneConditionAgree) {
  const std::string folder = "assets/lessons/hopper";
  const device::Program p =
      lowered(readText(folder + "/function.py"),
              readText(folder + "/steps/10_turns.sched.py") + readText(folder + "/steps/11_in_flight.sched.py"));
  const double tiles = 1024, steps = 64;
  for (const char* buffer : {"X_shared.dyn", "Y_shared.dyn"}) {
    const AccessCost in = costOf(p, buffer, true), out = costOf(p, buffer, false);
    EXPECT_FALSE(in.exact && out.exact) << "all patterns are evaluated: no sample";
    EXPECT_NEAR(in.bytes, tiles * steps * 128 * 64 * 2, 1) << buffer;
    const double times = buffer[0] == 'Y' ? 2 : 1;  // each of a tile's two products reads the whole of it
    EXPECT_NEAR(out.bytes, times * in.bytes, 1e-9 * out.bytes) << buffer;
  }
}

TEST(CountRefuses, AddressesThatMemoryDecides) {
  device::Program p =
      lowered(tests::programText("gather", {{"N", 64}}), tests::scheduleText("threads_of_one_axis", {{"BLOCK", "B"}}));
  AccessCost c = costOf(p, "A", false);
  EXPECT_FALSE(c.counted);
  EXPECT_FALSE(c.exact);
  EXPECT_EQ(c.sectors, 0);
  EXPECT_NE(c.how.english().find("memory"), std::string::npos) << c.how;
  EXPECT_FALSE(countKernel(accessesOf(p.kernels.front())).exact);
}

// Threads of a warp read four neighbours each of 32 rows of a tile: its parts meet in the same banks, unless a swizzle
// turns the rows' 16-byte pieces. Wavefronts and conflicts of loads as ncu 2025.3.1 counted them on an H100 (driver
// 580.159.04), of the kernels' CUDA by nvcc 13.0: all equal to ours.
TEST(Conflicts, OfRowsReadSideBySideAreThoseOfTheHardwareWithASwizzleAndWithout) {
  struct Measured {
    const char* type;
    int span;  // 0: no swizzle
    double wavefronts, conflicts;
  };
  for (const Measured& m : {Measured{"float32", 0, 1048576, 917504}, Measured{"float32", 128, 131072, 0},
                            Measured{"float16", 0, 524288, 458752}, Measured{"float16", 64, 131072, 65536},
                            Measured{"int8", 0, 262144, 229376}, Measured{"int8", 32, 131072, 98304}}) {
    SCOPED_TRACE(fmt::format("{}, {}", m.type, m.span));
    const std::string function =
        tests::programText("product_of_type", {{"M", 256}, {"N", 256}, {"K", 256}, {"TYPE", m.type}});
    const std::string swizzle = fmt::format("sch.annotate(a, \"tileloom.swizzle\", {})\n", m.span);
    const auto program = lowered(function, tests::scheduleText("row_reads") + (m.span ? swizzle : ""));
    const AccessCost reads = costOf(program, "A_shared", false);
    EXPECT_EQ(reads.wavefronts, m.wavefronts);
    EXPECT_EQ(reads.conflicts, m.conflicts);
    EXPECT_EQ(costOf(program, "A_shared", true).conflicts, 0) << "rows are stored whole";
    EXPECT_TRUE(reads.exact);
  }
}

// The chapters of *Pipelines and mma.sync* in which rows of shared memory meet in the same banks, are padded, and are
// swizzled, as ncu counted them on an H200 (2026-11-27, driver 580.159.04). Its wavefronts are 6,144 more in each,
// which are no conflicts.
TEST(Conflicts, OfTheLessonsPaddingAndSwizzleAreThoseOfTheHardware) {
  struct Measured {
    const char* chapter;
    double wavefronts, conflicts;
  };
  for (const Measured& m :
       {Measured{"unroll", 6690816, 5505024}, Measured{"padding", 1185792, 0}, Measured{"swizzle", 1185792, 0}}) {
    SCOPED_TRACE(m.chapter);
    const auto program = lowered(readText("assets/lessons/pipelines/function.py"), linesTo("pipelines", m.chapter));
    const KernelAccesses k = accessesOf(program.kernels.front());
    double wavefronts = 0, conflicts = 0;
    for (const Access& access : k.accesses) {
      const AccessCost cost = countAccess(k, access);
      wavefronts += cost.wavefronts;
      conflicts += cost.conflicts;
    }
    EXPECT_EQ(wavefronts, m.wavefronts - 6144);
    EXPECT_EQ(conflicts, m.conflicts);
  }
}

}  // namespace
}  // namespace loom::model::count_test
