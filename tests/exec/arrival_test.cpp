// What an arrival at an mbarrier tells those that wait for its phase: what the thread that arrives has done, and what
// was done before that by threads with which it met.
#include <gmock/gmock.h>

#include "tests/exec/device_programs.h"

namespace loom::exec::arrival_test {
namespace {

using dev::SyncDoes;
using dev::Token;
using testing::HasSubstr;

constexpr int kWarp = 32;

// Two warps, of which the first hands a row of numbers over to the second.
struct Handover : Bench {
  ir::Buffer row = allocate("row", dev::Memory::Shared, kWarp);
  explicit Handover(int arrivals = 1) : Bench(kWarp, kWarp, 1, {2 * kWarp, 1, 1}) {
    dev::Mbarrier barrier;
    barrier.buffer = flat("full", 1, "shared", ir::DType::UInt(64));
    barrier.arrivals = arrivals;
    dev::Allocation a;
    a.buffer = barrier.buffer;
    a.memory = dev::Memory::Shared;
    a.elements = 1;
    kernel().allocations.push_back(a);
    kernel().mbarriers = {barrier};
  }
  dev::Stmt sync(SyncDoes does) {
    auto s = std::make_shared<dev::SyncNode>();
    s->does = does;
    s->token = Token::Transfers;
    s->barrier = 0;
    if (does != SyncDoes::Initialise) s->slot = intImm(0);
    return s;
  }
  dev::Stmt lane(int n, dev::Stmt s) { return onlyIf(ir::eq(thread(), intImm(n)), std::move(s)); }
  dev::Stmt arrival() { return sync(SyncDoes::Arrive); }
  dev::Stmt write() { return store(row, thread(), ir::cast(ir::DType::Float(32), thread())); }
  // The first finding; empty where there is none.
  std::string found(dev::Stmt first, dev::Stmt second) {
    const Outcome o = run({lane(0, sync(SyncDoes::Initialise)), dev::barrier(),
                           onlyIf(ir::lt(thread(), intImm(kWarp)), std::move(first),
                                  dev::seq({sync(SyncDoes::Wait), std::move(second)}))});
    return o.findings.empty() ? "" : describe(o.findings.front()).english();
  }
  // The second warp's threads have the numbers 32 … 63, and `out` has 32 elements.
  dev::Stmt taken(const ir::Expr& place) { return store(out, thread() - kWarp, load(row, place)); }
};

TEST(Arrival, OfOneLaneTellsNothingOfTheOthers) {
  Handover h;
  const std::string found = h.found(dev::seq({h.write(), h.lane(0, h.arrival())}), h.taken(h.thread() - kWarp));
  EXPECT_THAT(found, HasSubstr("race inside a block: thread (33, 0, 0) reads row[1]")) << found;
  EXPECT_THAT(found, HasSubstr("thread (1, 0, 0)"));
}

TEST(Arrival, OfOneLaneTellsWhatItHasDoneItself) {
  for (int n : {0, 5}) {
    Handover h;
    EXPECT_EQ(h.found(dev::seq({h.write(), h.lane(n, h.arrival())}), h.taken(intImm(n))), "");
  }
}

TEST(Arrival, OfOneLaneTellsWhatItsWarpHadDoneWhenTheyMet) {
  Handover h;
  EXPECT_EQ(h.found(dev::seq({h.write(), dev::warpBarrier(), h.lane(0, h.arrival())}), h.taken(h.thread() - kWarp)),
            "");
  const std::string later =
      h.found(dev::seq({dev::warpBarrier(), h.write(), h.lane(0, h.arrival())}), h.taken(h.thread() - kWarp));
  EXPECT_THAT(later, HasSubstr("reads row[1]")) << later;
}

TEST(Arrival, OfAllLanesTellsOfAll) {
  Handover h(kWarp);
  EXPECT_EQ(h.found(dev::seq({h.write(), h.arrival()}), h.taken(h.thread() - kWarp)), "");
}

// What lanes still read is overwritten, as slots of a ring that one lane gives back.
TEST(Arrival, OfOneLaneLeavesOthersReading) {
  const auto handsBack = [](bool meets) {
    Handover h;
    const dev::Stmt zero = store(h.row, h.thread() - kWarp, ir::floatImm(0, ir::DType::Float(32)));
    return h.found(
        dev::seq({h.write(), dev::warpBarrier(), store(h.out, h.thread(), h.load(h.row, intImm(31) - h.thread())),
                  meets ? dev::warpBarrier() : nullptr, h.lane(0, h.arrival())}),
        zero);
  };
  EXPECT_EQ(handsBack(true), "");
  EXPECT_THAT(handsBack(false), HasSubstr("race inside a block"));
}

}  // namespace
}  // namespace loom::exec::arrival_test
