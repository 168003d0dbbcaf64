// Each kind of fault, planted, and the same program without it, on which nothing may be said.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/exec/device_programs.h"

namespace loom::exec::fault_test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;
using Triple = std::array<std::int64_t, 3>;
using Kind = Finding::Kind;

// Thread t stores its own element of shared memory, then reads its neighbour's.
Bench::Outcome neighbours(bool barrier, std::int64_t threads = 64) {
  Bench b(threads, threads, 1, {threads, 1, 1});
  ir::Buffer s = b.allocate("S", dev::Memory::Shared, threads);
  ir::Expr next = ir::floormod(b.thread() + 1, intImm(threads));
  return b.run({block("fill", store(s, b.thread(), b.load(b.in, b.thread()))), barrier ? dev::barrier() : nullptr,
                block("use", store(b.out, b.thread(), b.load(s, next)))});
}

TEST(Race, MissingBarrierNamesBothThreadsAndBothBlocks) {
  auto o = neighbours(false);
  ASSERT_FALSE(o.findings.empty());
  // Between lanes of one warp: lane 31 reads what a later warp has not written yet, so that is named too.
  const Finding* race = nullptr;
  for (const Finding& f : o.findings) race = f.kind == Kind::RaceInBlock ? &f : race;
  ASSERT_NE(race, nullptr);
  EXPECT_EQ(race->buffer, "S");
  EXPECT_THAT(race->threads, SizeIs(2));
  EXPECT_NE(race->threads[0], race->threads[1]);
  EXPECT_THAT(describe(*race).english(), HasSubstr("since the last barrier"));
}

TEST(Race, LanesOfOneWarpRaceToo) {
  auto o = neighbours(false, 32);
  ASSERT_THAT(o.findings, SizeIs(1));
  const Finding& f = o.findings[0];
  EXPECT_EQ(f.kind, Kind::RaceInBlock);
  EXPECT_EQ(f.element, 1);
  EXPECT_THAT(f.threads, ElementsAre(Triple{0, 0, 0}, Triple{1, 0, 0}));
  EXPECT_EQ(f.blockName, "use");
  EXPECT_EQ(f.otherBlockName, "fill");
  EXPECT_EQ(f.count, 32);
}

TEST(Race, BarrierEndsIt) {
  auto o = neighbours(true);
  EXPECT_THAT(o.findings, IsEmpty());
  for (int t = 0; t < 64; ++t) EXPECT_EQ(o.out[t], Bench::input().at((t + 1) % 64).f);
}

// for k: S[t] = in; barrier; use S[t + 1]; (barrier)
Bench::Outcome loopCarried(bool second) {
  Bench b(256, 64, 1, {64, 1, 1});
  ir::Buffer s = b.allocate("S", dev::Memory::Shared, 64);
  ir::Var k = ir::makeVar("k");
  ir::Expr next = ir::floormod(b.thread() + 1, intImm(64));
  return b.run(
      {loop(k, 4,
            dev::seq({block("fill", store(s, b.thread(), b.load(b.in, ir::Expr(k) * 64 + b.thread()))), dev::barrier(),
                      block("use", store(b.out, b.thread(), b.load(s, next))), second ? dev::barrier() : nullptr}))});
}

TEST(Race, BetweenIterationsOfALoopNamesTheIteration) {
  auto o = loopCarried(false);
  ASSERT_FALSE(o.findings.empty());
  EXPECT_EQ(o.findings[0].kind, Kind::RaceInBlock);
  EXPECT_EQ(o.findings[0].blockName, "fill");
  EXPECT_EQ(o.findings[0].otherBlockName, "use");
  EXPECT_THAT(o.findings[0].loops, ElementsAre(std::pair<std::string, std::int64_t>("k", 1)));
  EXPECT_THAT(loopCarried(true).findings, IsEmpty());
}

TEST(Race, TwoThreadsWriteOneElement) {
  Bench b(1, 1, 1, {32, 1, 1});
  auto o = b.run({block("sum", store(b.out, intImm(0), ir::cast(ir::DType::Float(32), b.thread())))});
  ASSERT_THAT(o.findings, SizeIs(1));
  EXPECT_EQ(o.findings[0].kind, Kind::RaceInBlock);
  EXPECT_TRUE(o.findings[0].write);
  EXPECT_THAT(o.findings[0].threads, ElementsAre(Triple{1, 0, 0}, Triple{0, 0, 0}));
}

TEST(Race, SameValueFromAllThreadsIsWasteNotAFault) {
  Bench b(1, 1, 1, {32, 1, 1});
  auto o = b.run({block("copy", store(b.out, intImm(0), b.load(b.in, intImm(0))))});
  ASSERT_THAT(o.findings, SizeIs(1));
  EXPECT_EQ(o.findings[0].kind, Kind::RepeatedStore);
  EXPECT_FALSE(isFault(o.findings[0].kind));
  EXPECT_GE(o.findings[0].count, 1);
}

TEST(Race, BlocksThatWriteOneElementAreNamed) {
  Bench b(32, 32, 3, {32, 1, 1});
  auto o = b.run({block("id", store(b.out, b.thread(), ir::cast(ir::DType::Float(32), b.blockIdx())))});
  ASSERT_THAT(o.findings, SizeIs(1));
  EXPECT_EQ(o.findings[0].kind, Kind::RaceBetweenBlocks);
  EXPECT_EQ(o.findings[0].blockIdx, (Triple{1, 0, 0}));
  EXPECT_EQ(o.findings[0].otherBlockIdx, (Triple{0, 0, 0}));
}

TEST(Race, BlockThatReadsWhatAnotherWroteIsFound) {
  Bench b(1, 96, 2, {32, 1, 1});
  ir::Expr mine = b.blockIdx() * 32 + b.thread();
  // Block 1 reads block 0's elements.
  auto o = b.run({store(b.out, mine, b.load(b.in, intImm(0))),
                  onlyIf(ir::eq(b.blockIdx(), intImm(1)), store(b.out, b.thread() + 64, b.load(b.out, b.thread())))});
  ASSERT_THAT(o.findings, SizeIs(1));
  EXPECT_EQ(o.findings[0].kind, Kind::RaceBetweenBlocks);
  EXPECT_FALSE(o.findings[0].write);
}

TEST(Race, BlocksWithElementsOfTheirOwnAreSilent) {
  Bench b(96, 96, 3, {32, 1, 1});
  ir::Expr mine = b.blockIdx() * 32 + b.thread();
  EXPECT_THAT(b.run({store(b.out, mine, b.load(b.in, mine))}).findings, IsEmpty());
}

TEST(Bounds, MissingGuardNamesTheFirstThreadOutside) {
  Bench b(100, 100, 4, {32, 1, 1});
  ir::Expr mine = b.blockIdx() * 32 + b.thread();
  auto o = b.run({block("copy", store(b.out, mine, b.load(b.in, mine)))});
  ASSERT_THAT(o.findings, SizeIs(2));
  for (const Finding& f : o.findings) {
    EXPECT_EQ(f.kind, Kind::OutOfBounds);
    EXPECT_EQ(f.element, 100);
    EXPECT_EQ(f.elements, 100);
    EXPECT_EQ(f.blockIdx, (Triple{3, 0, 0}));
    EXPECT_THAT(f.threads, ElementsAre(Triple{4, 0, 0}));
    EXPECT_EQ(f.count, 28);
  }
}

TEST(Bounds, GuardMakesItSilentAndEveryElementIsWritten) {
  Bench b(100, 100, 4, {32, 1, 1});
  ir::Expr mine = b.blockIdx() * 32 + b.thread();
  auto o = b.run({onlyIf(ir::lt(mine, intImm(100)), store(b.out, mine, b.load(b.in, mine)))});
  EXPECT_THAT(o.findings, IsEmpty());
  for (int e = 0; e < 100; ++e) EXPECT_EQ(o.out[e], Bench::input().at(e).f);
}

TEST(Bounds, NegativeOffsetsAndLocalMemoryAreChecked) {
  Bench b(32, 32, 1, {32, 1, 1});
  ir::Buffer l = b.allocate("L", dev::Memory::Local, 4);
  auto o =
      b.run({store(b.out, b.thread(), b.load(b.in, b.thread() - 1)), store(l, intImm(4), b.load(b.in, intImm(0)))});
  ASSERT_THAT(o.findings, SizeIs(2));
  EXPECT_EQ(o.findings[0].element, -1);
  EXPECT_EQ(o.findings[1].buffer, "L");
}

TEST(Bounds, TheSideNotTakenReadsNothing) {
  Bench b(16, 32, 1, {32, 1, 1});
  ir::Expr padded =
      ir::ifThenElse(ir::lt(b.thread(), intImm(16)), b.load(b.in, b.thread()), ir::floatImm(0, ir::DType::Float(32)));
  auto o = b.run({store(b.out, b.thread(), padded)});
  EXPECT_THAT(o.findings, IsEmpty());
  EXPECT_EQ(o.out[3], Bench::input().at(3).f);
  EXPECT_EQ(o.out[20], 0);
}

TEST(Uninitialised, LocalMemoryNamesTheThread) {
  Bench b(32, 32, 1, {32, 2, 1});
  ir::Buffer l = b.allocate("L", dev::Memory::Local, 1);
  // Row 1 never fills its own.
  auto o =
      b.run({onlyIf(ir::eq(b.thread(1), intImm(0)), store(l, intImm(0), b.load(b.in, b.thread()))),
             block("use", onlyIf(ir::eq(b.thread(1), intImm(1)), store(b.out, b.thread(), b.load(l, intImm(0)))))});
  ASSERT_THAT(o.findings, SizeIs(1));
  EXPECT_EQ(o.findings[0].kind, Kind::Uninitialised);
  EXPECT_THAT(o.findings[0].threads, ElementsAre(Triple{0, 1, 0}));
}

TEST(Uninitialised, SharedMemoryDoesNotOutliveItsBlock) {
  Bench b(32, 64, 2, {32, 1, 1});
  ir::Buffer s = b.allocate("S", dev::Memory::Shared, 32);
  auto o = b.run({onlyIf(ir::eq(b.blockIdx(), intImm(0)), store(s, b.thread(), b.load(b.in, b.thread()))),
                  store(b.out, b.blockIdx() * 32 + b.thread(), b.load(s, b.thread()))});
  ASSERT_THAT(o.findings, SizeIs(1));
  EXPECT_EQ(o.findings[0].kind, Kind::Uninitialised);
  EXPECT_EQ(o.findings[0].blockIdx, (Triple{1, 0, 0}));
}

TEST(Deadlock, BarrierInABranchOfSomeLanes) {
  Bench b(32, 32, 1, {32, 1, 1});
  auto o = b.run(
      {onlyIf(ir::lt(b.thread(), intImm(16)), dev::barrier()), store(b.out, b.thread(), b.load(b.in, b.thread()))});
  ASSERT_THAT(o.findings, SizeIs(1));
  EXPECT_EQ(o.findings[0].kind, Kind::Deadlock);
  EXPECT_THAT(o.findings[0].threads, ElementsAre(Triple{0, 0, 0}, Triple{16, 0, 0}));
}

TEST(Deadlock, BarrierThatOneWarpNeverReaches) {
  Bench b(32, 32, 1, {32, 4, 1});
  auto o = b.run({onlyIf(ir::lt(b.thread(1), intImm(3)), dev::barrier())});
  ASSERT_THAT(o.findings, SizeIs(1));
  EXPECT_EQ(o.findings[0].kind, Kind::Deadlock);
  EXPECT_THAT(o.findings[0].threads, ElementsAre(Triple{0, 0, 0}, Triple{0, 3, 0}));
}

TEST(Deadlock, BarrierOfAllInAUniformBranchIsSilent) {
  Bench b(32, 32, 2, {32, 4, 1});
  EXPECT_THAT(b.run({onlyIf(ir::eq(b.blockIdx(), intImm(1)), dev::barrier())}).findings, IsEmpty());
}

TEST(Vectors, LanesAreReadAndWrittenInOrder) {
  Bench b(128, 128, 1, {32, 1, 1});
  ir::Expr base = b.thread() * 4;
  auto o = b.run({store(b.out, ramp(base, 4), vectorLoad(b.in, base, 4))});
  EXPECT_THAT(o.findings, IsEmpty());
  for (int e = 0; e < 128; ++e) EXPECT_EQ(o.out[e], Bench::input().at(e).f);
}

TEST(Vectors, MisalignedStartIsReported) {
  Bench b(256, 256, 1, {32, 1, 1});
  ir::Expr base = b.thread() * 4 + 2;
  auto o = b.run({store(b.out, ramp(base, 4), vectorLoad(b.in, base, 4))});
  ASSERT_THAT(o.findings, SizeIs(2));
  EXPECT_EQ(o.findings[0].kind, Kind::Misaligned);
  EXPECT_EQ(o.findings[0].element, 2);
}

TEST(Loops, ExtentsThatDifferByThread) {
  Bench b(32, 32, 1, {32, 1, 1});
  ir::Buffer l = b.allocate("L", dev::Memory::Local, 1);
  ir::Var k = ir::makeVar("k");
  auto triangle = std::make_shared<dev::LoopNode>();
  triangle->var = k;
  triangle->extent = b.thread();
  triangle->body = store(l, intImm(0), b.load(l, intImm(0)) + ir::floatImm(1, ir::DType::Float(32)));
  auto o = b.run({store(l, intImm(0), ir::floatImm(0, ir::DType::Float(32))), triangle,
                  store(b.out, b.thread(), b.load(l, intImm(0)))});
  EXPECT_THAT(o.findings, IsEmpty());
  for (int t = 0; t < 32; ++t) EXPECT_EQ(o.out[t], t);
}

TEST(Prepare, UnknownOperationsAreRefused) {
  Bench b(32, 32, 1, {32, 1, 1});
  b.kernel().body = store(b.out, b.thread(), ir::call(ir::DType::Float(32), "tvm_warp_shuffle", {b.thread()}));
  auto executable = prepare(b.program);
  ASSERT_FALSE(executable);
  EXPECT_EQ(executable.error().code, "NotExecutable");
}

TEST(Prepare, BuffersOfNoKernelAreRefused) {
  Bench b(32, 32, 1, {32, 1, 1});
  b.kernel().body = store(flat("elsewhere", 4), intImm(0), ir::floatImm(0, ir::DType::Float(32)));
  EXPECT_FALSE(prepare(b.program));
}

TEST(Execute, StopsWhenAsked) {
  Bench b(32, 32, 1, {32, 1, 1});
  b.kernel().body = store(b.out, b.thread(), b.load(b.in, b.thread()));
  auto executable = prepare(b.program).value();
  GlobalMemory memory(executable, {{0, Bench::input()}}, {});
  std::stop_source source;
  source.request_stop();
  auto findings = execute(executable, {}, memory, source.get_token());
  ASSERT_FALSE(findings);
  EXPECT_EQ(findings.error().code, "Cancelled");
}

}  // namespace
}  // namespace loom::exec::fault_test
