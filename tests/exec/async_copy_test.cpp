// Copies past registers on the CPU: what they give when they land at once and when they land at the wait, and each way
// to get them wrong.
#include <gmock/gmock.h>

#include "core/codegen/cuda.h"
#include "core/compile/compile.h"
#include "core/exec/execute.h"
#include "core/exec/footprint.h"
#include "tests/device/planted_rows.h"

namespace loom::exec::async_copy_test {
namespace {

namespace dev = loom::device;
namespace planted = loom::device::planted;
using planted::Reversal;
using testing::HasSubstr;
using testing::IsEmpty;
using Kind = Finding::Kind;

InputValues input() { return inputValues(1, 0, ir::DType::Float(32), false); }

struct Outcome {
  std::vector<Finding> findings;
  std::vector<double> b;  // as far as it is written
  bool right() const {
    bool same = b.size() == 256;
    for (std::size_t e = 0; same && e < 256; ++e) same = b[e] == input().at((63 - e / 4) * 4 + e % 4).f;
    return same;
  }
};

Outcome run(const Reversal& r, Landing landing) {
  const auto executable = prepare(r.program);
  EXPECT_TRUE(executable) << executable.error().message.english();
  GlobalMemory memory(*executable, {{0, input()}}, {});
  Outcome o;
  o.findings = execute(*executable, {}, memory, {}, landing).value();
  const Area& area = memory.at(r.b->data.get());
  for (std::int64_t e = 0; e < area.elements; ++e)
    if ((area.states[e] & (kWritten | kUnknown)) == kWritten) o.b.push_back(area.values[e].f);
  return o;
}

const Finding* find(const Outcome& o, Kind kind) {
  const auto found = std::ranges::find(o.findings, kind, &Finding::kind);
  return found == o.findings.end() ? nullptr : &*found;
}

TEST(AsyncCopies, GiveTheSameWheneverTheyLand) {
  const Reversal r;
  EXPECT_EQ(prepare(r.program)->landings(), (std::vector{Landing::Early, Landing::Late}));
  for (Landing landing : {Landing::Early, Landing::Late}) {
    const Outcome o = run(r, landing);
    EXPECT_THAT(o.findings, IsEmpty()) << describe(o.findings.front());
    EXPECT_TRUE(o.right());
  }
}

TEST(AsyncCopies, ThatAreNotWaitedForAreNamed) {
  Reversal r;
  r.body({r.started, r.meet, r.stores});
  for (Landing landing : {Landing::Early, Landing::Late}) {
    const Outcome o = run(r, landing);
    const Finding* f = find(o, Kind::BeforeWait);
    ASSERT_TRUE(f);
    EXPECT_EQ(f->buffer, "S");
    EXPECT_FALSE(f->write);
    EXPECT_EQ(f->threads[0], (std::array<std::int64_t, 3>{0, 0, 0}));
    EXPECT_EQ(f->threads[1], (std::array<std::int64_t, 3>{63, 0, 0}));
    EXPECT_THAT(describe(*f).english(),
                HasSubstr("read before wait: thread (0, 0, 0) reads S[252], which thread (63, 0, 0) had "
                          "copied and not waited for"));
    EXPECT_EQ(o.right(), landing == Landing::Early) << "the one that shows nothing but the finding";
  }
  // The wait comes too late.
  r.body({r.started, r.meet, r.stores, r.wait});
  EXPECT_TRUE(find(run(r, Landing::Early), Kind::BeforeWait));
}

TEST(AsyncCopies, AreSeenByOthersBehindABarrierAfterTheWait) {
  Reversal r;
  r.body({r.started, r.wait, r.stores});
  EXPECT_TRUE(find(run(r, Landing::Late), Kind::RaceInBlock));
  // Met before all have waited: some read what they should, but nothing says so.
  r.body({r.started, r.meet, r.wait, r.stores});
  for (Landing landing : {Landing::Early, Landing::Late}) {
    const Outcome o = run(r, landing);
    EXPECT_TRUE(find(o, Kind::RaceInBlock) || find(o, Kind::BeforeWait));
  }
}

TEST(AsyncCopies, KeepWhatTheyWriteToThemselves) {
  Reversal r;
  auto store = std::make_shared<dev::StoreNode>();
  store->to = {r.s, {r.thread * 4}};
  store->value = ir::floatImm(1, ir::DType::Float(32));
  r.body({r.started, store, r.wait, r.meet, r.stores});
  for (Landing landing : {Landing::Early, Landing::Late}) {
    const Outcome o = run(r, landing);
    const Finding* f = find(o, Kind::BeforeWait);
    ASSERT_TRUE(f);
    EXPECT_TRUE(f->write);
    EXPECT_THAT(describe(*f).english(), HasSubstr("write before wait: "));
  }
}

// The source is read when the copy lands: of a thread that overwrites it, the two runs differ.
TEST(AsyncCopies, ReadTheirSourceUntilTheyLand) {
  Reversal r;
  auto fill = [&](double value) {
    auto store = std::make_shared<dev::StoreNode>();
    store->to = {r.b, {planted::ramp(r.thread * 4, 4)}, 4, false};
    store->value = std::make_shared<ir::BroadcastNode>(ir::floatImm(value, ir::DType::Float(32)), 4);
    return store;
  };
  const dev::Stmt copies = dev::seq({planted::copy(planted::kAsyncCopy, r.s, r.thread * 4, r.b, r.thread * 4),
                                     planted::commit(dev::Token::AsyncCopies)});
  r.body({fill(1), copies, fill(2), r.wait, r.meet, r.stores});
  const Outcome early = run(r, Landing::Early), late = run(r, Landing::Late);
  EXPECT_EQ(early.b, std::vector<double>(256, 1));
  EXPECT_EQ(late.b, std::vector<double>(256, 2));
}

TEST(AsyncCopies, LieWithinTheirBuffersAndAtTheirBytes) {
  Reversal r;
  r.body({planted::copy(planted::kAsyncCopy, r.s, r.thread * 4, r.a, r.thread * 4 + 1), r.wait, r.meet, r.stores});
  const Outcome o = run(r, Landing::Early);
  const Finding *misaligned = find(o, Kind::Misaligned), *outside = find(o, Kind::OutOfBounds);
  ASSERT_TRUE(misaligned && outside);
  EXPECT_EQ(misaligned->buffer, "A");
  EXPECT_EQ(misaligned->element, 1);
  EXPECT_EQ(outside->element, 256);
  EXPECT_EQ(outside->threads[0], (std::array<std::int64_t, 3>{63, 0, 0}));
}

TEST(CopiesAtOnce, NeedNoWait) {
  Reversal r(planted::kCopy);
  r.body({r.started, r.meet, r.stores});
  EXPECT_EQ(prepare(r.program)->landings(), std::vector{Landing::Early});
  const Outcome o = run(r, Landing::Early);
  EXPECT_THAT(o.findings, IsEmpty()) << describe(o.findings.front());
  EXPECT_TRUE(o.right());
}

TEST(CopiesAtOnce, AreOfAPartOfAWarpToo) {
  Reversal r(planted::kCopy);
  auto some = std::make_shared<dev::IfNode>();
  some->condition = ir::lt(r.thread, ir::intImm(3));
  some->yes = r.started;
  r.body({some, r.meet, r.stores});
  const Outcome o = run(r, Landing::Early);
  EXPECT_TRUE(find(o, Kind::Uninitialised));
  EXPECT_EQ(o.b.size(), 12U) << "what three threads copied";
}

// Of all blocks' copies to the same elements of global memory, where no row could have them.
TEST(CopiesAtOnce, AreFollowedFromBlockToBlock) {
  dev::OperationRow row = planted::kCopy;
  std::array<dev::OperandRow, 2> operands = planted::kCopied;
  operands[0].where = dev::OperandRow::Where::Global;
  row.operands = operands;
  Reversal r(row);
  r.kernel().grid = {4, 1, 1};
  r.body({planted::copy(row, r.b, r.thread * 4, r.a, r.thread * 4)});
  const Footprint all = footprintOf(r.program, 0, {{0, input()}}, 1);
  EXPECT_TRUE(all.complete);
  EXPECT_EQ(all.meeting.size(), 2U) << "the first pair that a statement shows";
  r.body({planted::copy(row, r.b, r.thread * 4, r.b, r.thread * 4)});
  EXPECT_FALSE(footprintOf(r.program, 0, {{0, input()}}, 1).complete) << "reads of what is written aren't followed";
}

// The row's year is the assembler's own.
TEST(AsyncCopies, AreCompiledForTheArchitecturesThatHaveThem) {
  auto toolkit = compile::findToolkit(compile::defaultSearchPath());
  if (!toolkit) GTEST_SKIP() << toolkit.error().message.english();
  auto compiler = compile::Compiler::load(*toolkit);
  if (!compiler) GTEST_SKIP() << compiler.error().message.english();
  const codegen::Source source = codegen::generate(Reversal().program);
  EXPECT_THAT(source.text, HasSubstr("__cvta_generic_to_shared(&S[tx * 4])), \"l\"(&A[tx * 4]) : \"memory\");\n"
                                     "  cp_async_commit();\n"
                                     "  cp_async_wait<0>();\n"
                                     "  __syncthreads();\n"));
  EXPECT_EQ(source.needs.since, 80);
  auto binary = (*compiler)->compile({source.text, "sm_80", false, {}});
  EXPECT_TRUE(binary) << binary.error().message.english();
  EXPECT_FALSE((*compiler)->compile({source.text, "sm_75", false, {}}));
}

}  // namespace
}  // namespace loom::exec::async_copy_test
