// Rows that the copy engine stores from shared memory: what they make, what they need, and what can't be stored so.
#include <gmock/gmock.h>

#include "core/codegen/cuda.h"
#include "core/compile/compile.h"
#include "core/ir/build.h"
#include "core/lower/lower.h"
#include "tests/exec/changed_programs.h"
#include "tests/exec/execution.h"
#include "tests/exec/scheduled.h"

namespace loom::exec::bulk_rows_test {
namespace {

namespace dev = loom::device;
using dev::SyncDoes;
using dev::Token;
using testing::HasSubstr;
using testing::IsEmpty;
using Kind = Finding::Kind;

// A function of tests/programs whose rows are stored in bulk, and what varies of it.
struct Rows {
  std::string rows = "range(16)", columns = "64", where = "c * 16 + i < 60", more, value = "S[vi, vj]";
  int padding = 4, width = 64, shift = 0, begin = 0;

  std::string function() const {
    return tests::programText("rows_stored_in_bulk", {{"ROWS", rows},
                                                      {"COLUMNS", columns},
                                                      {"WHERE", where},
                                                      {"MORE", more},
                                                      {"VALUE", value},
                                                      {"PADDING", padding},
                                                      {"WIDTH", width},
                                                      {"SHIFT", shift},
                                                      {"BEGIN", begin}});
  }
  dev::Program program() const { return lower::lower(parse(function())).value(); }
  std::string refusal() const {
    const auto made = lower::lower(parse(function()));
    return made ? "" : made.error().message.english();
  }
};
// One thread stores all rows, or each thread its own.
std::vector<Rows> ways() {
  Rows bound;
  bound.rows = "T.thread_binding(64, thread=\"threadIdx.x\")";
  bound.where = "i < 16 and c * 16 + i < 60";
  return {Rows(), bound};
}

Found found(const Rows& rows, const dev::Program& program) {
  return foundIn(program, Reference::create(parse(rows.function()), 1).value());
}

TEST(BulkRows, AreStoredAsTheFunctionSays) {
  for (const Rows& rows : ways()) {
    SCOPED_TRACE(rows.rows);
    const dev::Program program = rows.program();
    const std::string text = dev::print(program);
    EXPECT_THAT(text, HasSubstr("bulk.store B["));
    EXPECT_THAT(text, HasSubstr("commit stores"));
    EXPECT_THAT(text, HasSubstr("wait until stores have read, all but the latest 0 groups"));
    EXPECT_TRUE(program.remarks.empty());
    EXPECT_TRUE(program.kernels[0].maps.empty());
    Reference reference = Reference::create(parse(rows.function()), 1).value();
    const Execution made = executionOf(program, reference);
    EXPECT_THAT(made.faults, IsEmpty()) << text;
    EXPECT_EQ(made.wrong, 0) << text;
  }
}

TEST(BulkRows, WithoutAWaitABarrierOrAFenceAreFaults) {
  for (const Rows& rows : ways()) {
    SCOPED_TRACE(rows.rows);
    const dev::Program program = rows.program();
    EXPECT_THAT(found(rows, program).all(), IsEmpty());
    const Found unwaited = found(rows, changed(program, syncs(SyncDoes::Wait, Token::BulkStores), nothing));
    EXPECT_THAT(unwaited.text(Kind::StillRead, true), HasSubstr("overwritten too early")) << unwaited.texts();
    EXPECT_THAT(unwaited.text(Kind::StillRead, true), HasSubstr("S[")) << unwaited.texts();
    const Found unread = found(rows, changed(program, nth(1, syncs(SyncDoes::Wait, Token::BulkStores)), nothing));
    for (const bool late : {false, true})
      EXPECT_THAT(unread.text(Kind::EndedEarly, late), HasSubstr("ended too early: thread (0, 0, 0) ends, and what it "
                                                                 "stores from S["))
          << unread.texts();
    // The group that was committed last is the one that the next tile overwrites.
    const Found late = found(
        rows, changed(program, syncs(SyncDoes::Wait, Token::BulkStores), sync([](dev::SyncNode& n) { n.allow = 1; })));
    EXPECT_THAT(late.text(Kind::StillRead, true), HasSubstr("S[")) << late.texts();
    const Found unfenced = found(rows, changed(program, syncs(SyncDoes::Fence, Token::Transfers), nothing));
    EXPECT_THAT(unfenced.text(Kind::NotFenced), HasSubstr("S[")) << unfenced.texts();
    for (int n = 0; n < 2; ++n) {
      const Found unmet = found(rows, changed(program, nth(n, syncs(SyncDoes::Wait, Token::BlockBarrier)), nothing));
      EXPECT_FALSE(unmet.all().empty()) << "barrier " << n << "\n" << dev::print(program);
    }
  }
}

// Each of 16 threads stores a row, and the first alone waits: the others' rows may still be read.
TEST(BulkRows, OfThreadsThatDoNotWaitAreFaults) {
  const Rows rows = ways()[1];
  const dev::Program program = rows.program();
  const Found found = exec::bulk_rows_test::found(
      rows, changed(program, nth(0, syncs(SyncDoes::Wait, Token::BulkStores)), [&](const dev::Stmt& wait) {
        auto first = std::make_shared<dev::IfNode>();
        first->condition = ir::eq(program.kernels[0].threadIdx[0], ir::intImm(0));
        first->yes = wait;
        return first;
      }));
  for (const bool late : {false, true})
    EXPECT_THAT(found.text(Kind::StillRead, late), HasSubstr("overwritten too early")) << found.texts();
}

// What a lane has waited for, the others of its warp know once they have met: by the barrier that stands behind it.
TEST(BulkRows, ThatOneLaneHasWaitedForNeedABarrierOfTheWarp) {
  const std::string function = tests::programText("rows_stored_by_one_warp");
  const dev::Program program = lower::lower(parse(function)).value();
  const auto foundInChanged = [&](const dev::Program& changed) {
    return foundIn(changed, Reference::create(parse(function), 1).value());
  };
  EXPECT_THAT(foundInChanged(program).all(), IsEmpty());
  bool waited = false;
  const auto isBehindWait = [&](const dev::Stmt& s) {
    if (s->kind != dev::StmtKind::Sync) return false;
    const auto& n = *dev::as<dev::SyncNode>(s);
    const bool isWait = n.does == SyncDoes::Wait;
    if (isWait && n.token == Token::BulkStores) return waited = true, false;
    return isWait && std::exchange(waited, false);
  };
  const Found unmet = foundInChanged(changed(program, isBehindWait, nothing));
  for (const bool late : {false, true})
    EXPECT_THAT(unmet.text(Kind::StillRead, late), HasSubstr("overwritten too early")) << dev::print(program);
}

// Rows that don't begin at whole 16 bytes are found by the executor, too, in programs that no pass has made.
TEST(BulkRows, ThatAreNotAlignedAreFaults) {
  const Rows rows;
  const dev::Program crooked = changed(
      rows.program(),
      [](const dev::Stmt& s) {
        return s->kind == dev::StmtKind::Operation && dev::as<dev::OperationNode>(s)->row->name == "bulk.store";
      },
      [](const dev::Stmt& s) {
        return dev::edit<dev::OperationNode>(s, [](dev::OperationNode& n) {
          n.places[0].at.back() = n.places[0].at.back() + ir::intImm(1, n.places[0].at.back()->dtype);
        });
      });
  EXPECT_THAT(found(rows, crooked).text(Kind::Misaligned), HasSubstr("B[")) << found(rows, crooked).texts();
}

TEST(BulkRows, AreCompiledWithEachPolicyOfTheL2Cache) {
  auto toolkit = compile::findToolkit(compile::defaultSearchPath());
  if (!toolkit) GTEST_SKIP() << toolkit.error().message.english();
  auto compiler = compile::Compiler::load(*toolkit);
  if (!compiler) GTEST_SKIP() << compiler.error().message.english();
  for (Rows rows : ways()) {
    for (const std::string evict : {"", "first", "last"}) {
      rows.more = evict.empty() ? "" : ", \"tileloom.evict\": \"" + evict + "\"";
      const codegen::Source source = codegen::generate(rows.program());
      EXPECT_THAT(source.text, HasSubstr("cp.async.bulk.global.shared::cta.bulk_group"));
      EXPECT_THAT(source.text, HasSubstr("bulk_store" + (evict.empty() ? "" : "_" + evict) + "(&B["));
      EXPECT_EQ(source.needs.since, 90);
      for (const char* architecture : {"sm_80", "sm_90", "sm_90a"}) {
        auto binary = (*compiler)->compile({source.text, architecture, false, {}});
        EXPECT_EQ(binary.has_value(), std::string(architecture) != "sm_80")
            << (binary ? "" : binary.error().message.english()) << source.text;
      }
    }
  }
}

TEST(BulkRows, ThatTheCopyEngineDoesNotTakeAreRefusedWithTheRule) {
  const auto refusal = [](const auto& change) {
    Rows rows;
    change(rows);
    return rows.refusal();
  };
  EXPECT_THAT(
      refusal([](Rows& r) { r.padding = 2; }),
      HasSubstr("rows of block O have 64 elements, 256 bytes; the copy engine stores multiples of 16 bytes that "
                "begin at such in both S and B"));
  EXPECT_THAT(refusal([](Rows& r) { r.width = 80, r.shift = 2; }), HasSubstr("that begin at such in both S and B"));
  EXPECT_THAT(refusal([](Rows& r) { r.begin = 2; }), HasSubstr("that begin at such in both S and B"));
  EXPECT_EQ(refusal([](Rows& r) { r.begin = 4; }), "");
  EXPECT_THAT(refusal([](Rows& r) { r.width = 66; }), HasSubstr("that begin at such in both S and B"));
  EXPECT_THAT(refusal([](Rows& r) { r.columns = "62"; }), HasSubstr("rows of block O have 62 elements, 248 bytes"));
  EXPECT_THAT(refusal([](Rows& r) { r.where = "c * 16 + i < 60 and j < 32"; }),
              HasSubstr("a condition of block O parts its rows"));
  EXPECT_THAT(refusal([](Rows& r) { r.value = "S[vi, 63 - vj]"; }),
              HasSubstr("no loop of block O goes through rows of both S and B one element after the other"));
  EXPECT_THAT(refusal([](Rows& r) { r.value = "S[vi, vj] + T.float32(1)"; }),
              HasSubstr("block O doesn't copy from shared to global memory"));
  EXPECT_THAT(refusal([](Rows& r) { r.value = "A[vc * 16 + vi, vj]"; }),
              HasSubstr("block O doesn't copy from shared to global memory"));
  EXPECT_THAT(refusal([](Rows& r) { r.more = ", \"tileloom.evict\": \"never\""; }),
              HasSubstr("is \"first\" or \"last\""));
}

}  // namespace
}  // namespace loom::exec::bulk_rows_test
