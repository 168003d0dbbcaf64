// A copy past registers, as every room of the device program sees it before a program can have one.
#include <gmock/gmock.h>

#include "core/device/effects.h"
#include "core/device/requirement.h"
#include "core/device/verify.h"
#include "tests/device/planted_rows.h"

namespace loom::device::async_copy_test {
namespace {

using planted::Reversal;
using testing::HasSubstr;

constexpr unsigned kGiven = form::kFlat | form::kOrdered | form::kGuarded | form::kPlanned | form::kSound;

TEST(Spans, AreReadAndWrittenByTheirElements) {
  const Reversal r;
  const Effects effects = effectsOf(r.copies);
  EXPECT_EQ(effects.group, Group::Thread);
  EXPECT_EQ(effects.signals, std::vector{Token::AsyncCopies});
  ASSERT_EQ(effects.memory.size(), 2U);
  for (const MemoryEffect& e : effects.memory) {
    EXPECT_FALSE(e.tile);
    EXPECT_EQ(e.place.lanes, 4) << "16 bytes of float32";
    EXPECT_EQ(e.agent, Agent::AsyncCopy);
    EXPECT_EQ(e.completes, Token::AsyncCopies);
  }
  EXPECT_EQ(effects.memory[0].memory, Memory::Global);
  EXPECT_TRUE(effects.memory[1].writes());
  EXPECT_EQ(effects.memory[1].memory, Memory::Shared);
  EXPECT_TRUE(effectsOf(Reversal(planted::kCopy).copies).signals.empty());
}

TEST(Spans, AreOfAsManyBytesAndInTheMemoryThatTheRowSays) {
  Reversal r;
  auto fine = verify(r.kernel(), kGiven);
  EXPECT_TRUE(fine) << fine.error().message.english();
  auto broken = [&](const Stmt& copies) {
    r.body({copies, r.wait, r.meet, r.stores});
    return verify(r.kernel(), kGiven).error().message.english();
  };
  EXPECT_THAT(broken(planted::copy(planted::kAsyncCopy, r.b, r.thread * 4, r.a, r.thread * 4)),
              HasSubstr("to of cp.async.16 lies in global memory"));
  EXPECT_THAT(broken(planted::copy(planted::kAsyncCopy, r.s, r.thread * 4, r.s, r.thread * 4)),
              HasSubstr("from of cp.async.16 lies in shared memory"));
  auto longer = std::make_shared<OperationNode>(*as<OperationNode>(r.copies));
  longer->places[1] = {r.a, {planted::ramp(r.thread * 8, 8)}, 8, false};
  EXPECT_THAT(broken(longer), HasSubstr("from of cp.async.16 are 32 bytes of A, not 16"));
}

TEST(Spans, ArePrintedWithTheirWait) {
  const std::string text = print(Reversal().program);
  EXPECT_THAT(text, HasSubstr("  cp.async S[ramp(threadIdx.x * 4, 1, 4)] = A[ramp(threadIdx.x * 4, 1, 4)]\n"
                              "  commit copies\n"
                              "  wait for copies, all but the latest 0 groups\n"
                              "  barrier\n"));
  EXPECT_EQ(requirementOf(Reversal().program).since, 80);
}

TEST(Tokens, OneThatAThreadWaitsForAloneIsNoBarrier) {
  const Effects wait = effectsOf(planted::await(Token::AsyncCopies));
  EXPECT_EQ(wait.group, Group::Thread);
  EXPECT_FALSE(meetsBlock(wait));
}

}  // namespace
}  // namespace loom::device::async_copy_test
