// Tiles that the copy engine stores from shared memory, which threads write again: none before it has been read.
#include <gmock/gmock.h>

#include "core/exec/check.h"
#include "core/ir/visit.h"
#include "core/lower/lower.h"
#include "tests/exec/execution.h"
#include "tests/exec/scheduled.h"

namespace loom::exec::bulk_stores_test {
namespace {

namespace dev = loom::device;

dev::Program lowered(const std::string& function) {
  auto program = lower::lower(parse(function));
  if (!program) throw std::runtime_error(program.error().message.english());
  return *program;
}

void expectRight(const std::string& function) {
  const dev::Program program = lowered(function);
  auto reference = Reference::create(parse(function), 1).value();
  const Execution made = executionOf(program, reference);
  EXPECT_THAT(made.faults, testing::IsEmpty()) << dev::print(program);
  EXPECT_EQ(made.wrong, 0) << dev::print(program);
}

// Of all that the function writes, which may be less than its outputs have.
void expectVerified(const std::string& function) {
  Options whole;
  whole.sample = false;
  whole.compareAtMost = 1 << 20;
  const auto report = check(parse(function), parse(function), whole);
  ASSERT_TRUE(report) << report.error().message.english();
  EXPECT_EQ(report->status, Report::Status::Verified) << describe(*report).english() << "\n"
                                                      << dev::print(lowered(function));
  EXPECT_FALSE(report->inOrder);
}

int waitsIn(const dev::Stmt& body) {
  int waits = 0;
  dev::forEach(body, [&](const dev::Stmt& s) {
    waits += s->kind == dev::StmtKind::Sync && dev::as<dev::SyncNode>(s)->token == dev::Token::BulkStores &&
             dev::as<dev::SyncNode>(s)->does == dev::SyncDoes::Wait;
    return true;
  });
  return waits;
}

TEST(BulkStores, ATileIsReadBeforeItIsWrittenAgainWithoutALoop) {
  const std::string function = tests::programText("tiles_stored_one_after_the_other");
  expectRight(function);
  EXPECT_EQ(waitsIn(lowered(function).kernels[0].body), 2) << "before the second tile, and at the end";
}

// The loop's iterations alone would use slots in turn: what stands behind it would write one that is being read.
TEST(BulkStores, SlotsAreForWhatOneLoopAloneWritesAndStores) {
  for (const int slots : {1, 2, 3}) {
    const std::string function = tests::programText("tiles_stored_in_a_loop_and_behind_it", {{"SLOTS", slots}});
    expectRight(function);
    const dev::Program program = lowered(function);
    EXPECT_EQ(waitsIn(program.kernels[0].body), 3);
    EXPECT_EQ(program.remarks.empty(), slots == 1) << "more have no effect";
    EXPECT_EQ(program.kernels[0].sharedBytes(), 16 * 64 * 4);
  }
}

// A block that leaves the branch out has stored before it, and ends once that has been read, too.
TEST(BulkStores, AreReadBeforeBlocksEndThatLeaveTheLastOneOut) {
  const std::string function = tests::programText("last_tile_stored_by_some_blocks");
  expectRight(function);
  const dev::Kernel kernel = lowered(function).kernels[0];
  EXPECT_EQ(waitsIn(kernel.body), 3);
  int branches = 0;
  dev::forEach(kernel.body, [&](const dev::Stmt& s) {
    const auto isOfBlocks = [&](const ir::VarNode* v) { return v == kernel.blockIdx[0].get(); };
    if (s->kind != dev::StmtKind::If || !ir::usesVar(dev::as<dev::IfNode>(s)->condition, isOfBlocks)) return true;
    ++branches;
    EXPECT_EQ(waitsIn(s), 1) << "before the tile is written, and none at the end\n" << dev::print(lowered(function));
    return true;
  });
  EXPECT_EQ(branches, 1);
}

// One thread stores a tile, and each thread a row of its own of another tile, or of the same one: all wait.
TEST(BulkStores, AreAwaitedByAllWhoStore) {
  for (const int tiles : {1, 4}) {
    for (const std::string from : {"S", "R"}) {
      for (const std::string byOne : {"bulk", "tma"}) {
        for (const int slots : {1, 2}) {
          SCOPED_TRACE(testing::Message() << tiles << from << byOne << slots);
          expectVerified(tests::programText("stored_by_one_and_by_each",
                                            {{"TILES", tiles}, {"FROM", from}, {"BY_ONE", byOne}, {"SLOTS", slots}}));
        }
      }
    }
  }
}

// Waits count what was stored, slots the iterations: a buffer has several where the numbers go together.
TEST(BulkStores, SlotsAreForIterationsThatStore) {
  constexpr std::int64_t kTile = 32 * 64 * 4;
  struct Case {
    std::string outer, where;
    int inner, slots;
  };
  for (const Case& c :
       {Case{"t >= 0", "c >= 0", 3, 2}, Case{"t < 3", "c >= 0", 3, 2}, Case{"t % 2 == 0", "c >= 0", 4, 2},
        Case{"t % 2 == 0", "c >= 0", 3, 1}, Case{"t >= 0", "c % 2 == 0", 4, 1}, Case{"t >= 0", "c < 3", 4, 1},
        Case{"t >= 0", "t * 2 + c < 5", 4, 1}, Case{"t >= 0", "A[t, c, 0, 0] < T.float32(0)", 4, 1}}) {
    for (const std::string how : {"bulk", "tma"}) {
      SCOPED_TRACE(testing::Message() << c.outer << ", " << c.where << ", " << c.inner << ", " << how);
      const std::string function =
          tests::programText("tiles_stored_in_some_iterations",
                             {{"OUTER", c.outer}, {"WHERE", c.where}, {"INNER", c.inner}, {"HOW", how}});
      expectVerified(function);
      EXPECT_EQ(lowered(function).kernels[0].sharedBytes(), c.slots * kTile);
    }
  }
}

// The tiles of a ring lie one after the other: each begins where the copy engine can take it from.
TEST(BulkStores, SlotsBeginAtWhatTheCopyEngineTakes) {
  for (const int columns : {64, 65, 66, 72}) {
    for (const int slots : {1, 2, 3}) {
      for (const std::string how : {"bulk", "tma"}) {
        SCOPED_TRACE(testing::Message() << columns << " columns, " << slots << " slots, " << how);
        expectRight(tests::programText("rows_stored_from_tiles_of_odd_size",
                                       {{"COLUMNS", columns}, {"SLOTS", slots}, {"HOW", how}}));
      }
    }
  }
}

// No wait of a kernel lasts until what was stored is there.
TEST(BulkStores, OfWhatTheKernelUsesAgainAreRefused) {
  const auto function = [](const std::string& how, const std::string& again) {
    return tests::programText("stored_tile_used_again", {{"HOW", how}, {"AGAIN", again}});
  };
  for (const std::string how : {"bulk", "tma"}) {
    for (const std::string again :
         {"C[vi, vj] = B[vi, 63 - vj] + T.float32(1)", "B[vi, vj] = A[vi, vj]", "B[vi + 15, vj] = A[vi, vj]",
          "C[vi, vj] = T.if_then_else(A[vi, vj] < B[vi, vj], T.float32(1), T.float32(0))"}) {
      const auto made = lower::lower(parse(function(how, again)));
      ASSERT_FALSE(made) << how << ": " << again;
      EXPECT_THAT(
          made.error().message.english(),
          testing::HasSubstr("the copy engine stores B for block O, and the same kernel also uses it elsewhere"));
    }
    expectVerified(function(how, "B[vi + 16, vj] = A[vi, vj]"));
    EXPECT_TRUE(lower::lower(parse(function(how, "C[vi, vj] = B[vi + 16, 63 - vj] + T.float32(1)"))));
  }
}

// What is read before the store begins is none of that.
TEST(BulkStores, OfWhatTheKernelHasReadBefore) {
  const auto function = [](const std::string& how, int tiles, const std::string& read) {
    return tests::programText("tile_read_before_it_is_stored", {{"HOW", how}, {"TILES", tiles}, {"READ", read}});
  };
  for (const std::string how : {"bulk", "tma"}) {
    for (const std::string read : {"vi, vj", "15 - vi, 63 - vj", "0, 63 - vj"}) expectVerified(function(how, 1, read));
    for (const std::string read : {"vc * 16 + vi, vj", "vc * 16 + 15 - vi, 0"}) expectVerified(function(how, 2, read));
    const auto made = lower::lower(parse(function(how, 2, "0, vj")));
    ASSERT_FALSE(made) << "the second tile would be read after the first has been stored";
    EXPECT_THAT(made.error().message.english(), testing::HasSubstr("the same kernel also uses it elsewhere"));
  }
}

// Which of a loop's stores to one place is the last one, nobody knows.
TEST(BulkStores, OfOneTileInEachIterationAreRefused) {
  const auto function = [](const std::string& how, const std::string& row, const std::string& where,
                           const std::string& value) {
    return tests::programText("tile_stored_again_and_again",
                              {{"HOW", how}, {"ROW", row}, {"WHERE", where}, {"VALUE", value}});
  };
  const std::string own = "A[vc, vi, vj]";
  for (const std::string how : {"bulk", "tma"}) {
    const auto made = lower::lower(parse(function(how, "vi", "c >= 0", own)));
    ASSERT_FALSE(made) << how;
    EXPECT_THAT(made.error().message.english(),
                testing::HasSubstr("the copy engine stores B for block O in each iteration of loop c, and nothing "
                                   "waits until the one before has been written"));
    expectVerified(function(how, "vc * 16 + vi", "c >= 0", own));
  }
  expectVerified(function("bulk", "vi", "c == 2", own));
  // Where it isn't known, the executor tells.
  const std::string twice = function("bulk", "vc // 2 * 16 + vi", "c >= 0", own);
  const auto report = check(parse(twice), parse(twice));
  ASSERT_TRUE(report) << report.error().message.english();
  EXPECT_THAT(describe(*report).english(),
              testing::HasSubstr("write before wait: thread (0, 0, 0) writes B[0], which"));
  expectVerified(function("bulk", "vc // 2 * 16 + vi", "c >= 0", "A[0, vi, vj]"));
}

}  // namespace
}  // namespace loom::exec::bulk_stores_test
