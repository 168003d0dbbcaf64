// Lowered products of warpgroups with one thing changed: the executor must name each fault.
#include <gmock/gmock.h>

#include <functional>
#include <set>

#include "core/ir/build.h"
#include "core/ir/substitute.h"
#include "tests/exec/changed_programs.h"
#include "tests/exec/warpgroup_programs.h"

namespace loom::exec::warpgroup_fault_test {
namespace {

namespace dev = loom::device;
using dev::SyncDoes;
using dev::Token;
using testing::Contains;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using Kind = Finding::Kind;

class WarpgroupFaults : public testing::Test {
 protected:
  Found run(const dev::Program& program) { return foundIn(program, reference_); }
  const WarpgroupProduct product_{.k = 512, .order = "[1, 2, 0]"};
  const dev::Program program_ = product_.program();
  Reference reference_ = Reference::create(product_.function(), 1).value();
};

TEST_F(WarpgroupFaults, NoneInTheProgramItself) {
  const Found found = run(program_);
  EXPECT_THAT(found.all(), IsEmpty()) << found.texts();
}

TEST_F(WarpgroupFaults, FactorsThatAreNotWaitedFor) {
  const Found found = run(changed(program_, nth(0, syncs(SyncDoes::Wait, Token::Transfers)), nothing));
  for (bool late : {false, true})
    EXPECT_THAT(
        found.text(Kind::BeforeWait, late),
        HasSubstr("read before wait: the warp of thread (0, 0, 0) reads A_shared.dyn[0], which thread (0, 0, 0) "
                  "had copied and not waited for"))
        << found.texts();
}

// The wait leaves one group too many on its way, so that copies meet its products.
TEST_F(WarpgroupFaults, SlotsThatProductsStillRead) {
  const Found found = run(changed(program_, syncs(SyncDoes::Wait, Token::Products),
                                  sync([](dev::SyncNode& n) { n.allow += n.allow > 0; })));
  for (bool late : {false, true})
    EXPECT_THAT(found.text(Kind::StillRead, late),
                HasSubstr("overwritten too early: thread (0, 0, 0) writes A_shared.dyn["))
        << found.texts();
}

TEST_F(WarpgroupFaults, BytesThatNeverCome) {
  const Found found =
      run(changed(program_, syncs(SyncDoes::Expect, Token::Transfers), sync([](dev::SyncNode& n) { n.bytes += 512; })));
  for (bool late : {false, true}) {
    const std::string text = found.text(Kind::Deadlock, late);
    EXPECT_THAT(text, HasSubstr("deadlock: all wait, and nothing is on its way: the warp of thread (0, 0, 0) waits for "
                                "phase 1 of full[0], which has completed 0 and misses 0 arrivals and 512 bytes; the "
                                "warp of thread (32, 0, 0) waits"))
        << found.texts();
  }
}

TEST_F(WarpgroupFaults, BytesThatNobodyAnnounced) {
  const Found found =
      run(changed(program_, syncs(SyncDoes::Expect, Token::Transfers), sync([](dev::SyncNode& n) { n.bytes /= 2; })));
  for (bool late : {false, true})
    EXPECT_THAT(found.text(Kind::Unannounced, late),
                HasSubstr("bytes that nobody announced: a copy of thread (0, 0, 0) brings 8192 bytes to full[0], more "
                          "than its phase expects"))
        << found.texts();
  EXPECT_THAT(found.text(Kind::BeforeWait), HasSubstr("B_shared.dyn[")) << found.texts();
}

TEST_F(WarpgroupFaults, ArrivalsThatNeverCome) {
  const Found found = run(changed(program_, syncs(SyncDoes::Expect, Token::Transfers), nothing));
  EXPECT_THAT(found.text(Kind::Deadlock, true),
              HasSubstr("phase 1 of full[0], which has completed 0 and misses 1 arrivals"))
      << found.texts();
}

// Waits count phases wrongly: the one before the first counts as over.
TEST_F(WarpgroupFaults, PhasesThatAreOneBehind) {
  dev::Program open = program_;
  open.kernels[0].mbarriers[0].open = true;
  const Found found = run(open);
  EXPECT_THAT(found.text(Kind::BeforeWait, true), HasSubstr("A_shared.dyn[0]")) << found.texts();
  EXPECT_THAT(found.text(Kind::WrongPhase), HasSubstr("of full[")) << found.texts();
}

// Behind the wrap the slots that are waited for aren't those that are read.
TEST_F(WarpgroupFaults, SlotsThatAreOthersBehindTheWrap) {
  const Found found = run(changed(program_, syncs(SyncDoes::Wait, Token::Transfers), sync([](dev::SyncNode& n) {
                                    if (!ir::asInt(n.slot)) n.slot = ir::minOf(n.slot, ir::intImm(1, n.slot->dtype));
                                  })));
  EXPECT_THAT(found.text(Kind::BeforeWait, true) + found.text(Kind::Deadlock, true), Not(IsEmpty())) << found.texts();
}

TEST_F(WarpgroupFaults, SumsThatAreUsedTooEarly) {
  int waits = 0;
  dev::forEach(program_.kernels[0].body,
               [&](const dev::Stmt& s) { return waits += syncs(SyncDoes::Wait, Token::Products)(s), true; });
  const Found found = run(changed(program_, nth(waits - 1, syncs(SyncDoes::Wait, Token::Products)), nothing));
  for (bool late : {false, true})
    EXPECT_THAT(found.text(Kind::BeforeWait, late),
                HasSubstr("sums before wait: the warp of thread (0, 0, 0) uses C_local.wgmma[0], to which products on "
                          "their way add"))
        << found.texts();
}

TEST_F(WarpgroupFaults, SumsThatAreNotFenced) {
  const Found found = run(changed(program_, syncs(SyncDoes::Fence, Token::Products), nothing));
  EXPECT_THAT(found.text(Kind::NotFenced), HasSubstr("missing fence: products of the warp of thread (0, 0, 0) add to "
                                                     "C_local.wgmma[0]"))
      << found.texts();
}

TEST_F(WarpgroupFaults, MbarriersThatAreNotMadeYet) {
  const Found found = run(changed(program_, nth(0, syncs(SyncDoes::Wait, Token::BlockBarrier)), nothing));
  EXPECT_THAT(found.text(Kind::Unready), HasSubstr("mbarrier that isn't ready: thread (32, 0, 0) uses full[0]"))
      << found.texts();
}

// Programs in which warps of their own load.
class WarpgroupFaultsOfRoles : public WarpgroupFaults {
 protected:
  // Whether a statement is about the mbarriers of free slots.
  static std::function<bool(const dev::Stmt&)> ofFree(SyncDoes does) {
    return
        [=](const dev::Stmt& s) { return syncs(does, Token::Transfers)(s) && dev::as<dev::SyncNode>(s)->barrier == 1; };
  }
  const WarpgroupProduct roles_{.k = 512, .groups = 2, .loaders = true};
  const dev::Program divided_ = roles_.program();
};

TEST_F(WarpgroupFaultsOfRoles, SlotsThatNobodyFrees) {
  reference_ = Reference::create(roles_.function(), 1).value();
  ASSERT_TRUE(divided_.kernels[0].mbarriers.at(1).open) << dev::print(divided_);
  const Found found = run(changed(divided_, ofFree(SyncDoes::Arrive), nothing));
  EXPECT_THAT(found.text(Kind::Deadlock), HasSubstr("of empty[")) << found.texts();
  EXPECT_THAT(found.text(Kind::Deadlock), HasSubstr("misses 2 arrivals and 0 bytes")) << found.texts();
  EXPECT_THAT(found.text(Kind::Deadlock), HasSubstr("of full[")) << found.texts();
}

TEST_F(WarpgroupFaultsOfRoles, SlotsThatAreFilledWithoutAWait) {
  reference_ = Reference::create(roles_.function(), 1).value();
  const Found found = run(changed(divided_, ofFree(SyncDoes::Wait), nothing));
  for (bool late : {false, true}) {
    EXPECT_THAT(found.text(Kind::WrongPhase, late),
                HasSubstr("wrong phase: thread (0, 2, 0) arrives for phase 2 of full[0], and doesn't know that the one "
                          "before is over"))
        << found.texts();
  }
}

// Slots are free before the products are waited for that read them.
TEST_F(WarpgroupFaultsOfRoles, SlotsThatAreFreedTooEarly) {
  reference_ = Reference::create(roles_.function(), 1).value();
  const Found found = run(changed(divided_, syncs(SyncDoes::Wait, Token::Products),
                                  sync([](dev::SyncNode& n) { n.allow += n.allow > 0; })));
  for (bool late : {false, true})
    EXPECT_THAT(found.text(Kind::StillRead, late),
                HasSubstr("overwritten too early: thread (0, 2, 0) writes A_shared.dyn[0]"))
        << found.texts();
}

TEST_F(WarpgroupFaultsOfRoles, ArrivalsOfOneWarpgroupAlone) {
  reference_ = Reference::create(roles_.function(), 1).value();
  dev::Program one = divided_;
  one.kernels[0].mbarriers[1].arrivals = 1;
  const Found found = run(one);
  for (bool late : {false, true}) EXPECT_THAT(found.text(Kind::StillRead, late), Not(IsEmpty())) << found.texts();
}

class WarpgroupFaultsOfCopies : public WarpgroupFaults {
 protected:
  const WarpgroupProduct copies_{.copiedByThreads = true};
  const dev::Program copied_ = copies_.program();
};

TEST_F(WarpgroupFaultsOfCopies, WithoutAFence) {
  reference_ = Reference::create(copies_.function(), 1).value();
  EXPECT_THAT(run(copied_).all(), IsEmpty());
  const Found found = run(changed(copied_, syncs(SyncDoes::Fence, Token::Transfers), nothing));
  EXPECT_THAT(
      found.text(Kind::NotFenced),
      HasSubstr("missing fence: an asynchronous operation of the warp of thread (0, 0, 0) reads A_shared.dyn[0], "
                "which thread (0, 0, 0) wrote with no fence since"))
      << found.texts();
}

TEST_F(WarpgroupFaultsOfCopies, WithoutABarrier) {
  reference_ = Reference::create(copies_.function(), 1).value();
  int barriers = 0;
  dev::forEach(copied_.kernels[0].body,
               [&](const dev::Stmt& s) { return barriers += syncs(SyncDoes::Wait, Token::BlockBarrier)(s), true; });
  ASSERT_GE(barriers, 2) << dev::print(copied_);
  for (int n = 1; n < barriers; ++n) {
    const Found found = run(changed(copied_, nth(n, syncs(SyncDoes::Wait, Token::BlockBarrier)), nothing));
    EXPECT_THAT(found.text(Kind::RaceInBlock), HasSubstr("A_shared.dyn[")) << "barrier " << n << "\n"
                                                                           << dev::print(copied_);
  }
}

class WarpgroupFaultsOfStores : public WarpgroupFaults {
 protected:
  static WarpgroupProduct stored() {
    WarpgroupProduct p{.k = 128, .stage = "[0, 0, 0]", .inFlight = 0};
    p.columns = 128;
    p.slab = 32;
    return p;
  }
  const dev::Program stored_ = stored().program();
  void SetUp() override { reference_ = Reference::create(stored().function(), 1).value(); }
};

// The copy engine has yet to read what the next columns overwrite.
TEST_F(WarpgroupFaultsOfStores, SlabsThatAreStillRead) {
  const Found right = run(stored_);
  EXPECT_THAT(right.all(), IsEmpty()) << right.texts();
  const Found found = run(changed(stored_, syncs(SyncDoes::Wait, Token::BulkStores), nothing));
  EXPECT_THAT(found.text(Kind::StillRead, true), HasSubstr("C_shared.dyn[")) << found.texts();
  const Found late = run(changed(stored_, syncs(SyncDoes::Wait, Token::BulkStores),
                                 sync([](dev::SyncNode& n) { n.allow += n.allow > 0; })));
  EXPECT_THAT(late.text(Kind::StillRead, true), HasSubstr("C_shared.dyn[")) << late.texts();
}

TEST_F(WarpgroupFaultsOfStores, SumsThatAreNotFenced) {
  const Found found = run(changed(stored_, syncs(SyncDoes::Fence, Token::Transfers), nothing));
  EXPECT_THAT(found.text(Kind::NotFenced), HasSubstr("C_shared.dyn[")) << found.texts();
}

class WarpgroupFaultsOfTurns : public WarpgroupFaults {
 protected:
  static WarpgroupProduct turning() {
    WarpgroupProduct p{.m = 128, .n = 128, .k = 512, .stage = "[0, 0, 2]", .loaders = true};
    p.slab = 32;
    p.turns = 2;
    return p;
  }
  const dev::Program turning_ = turning().program();
  void SetUp() override { reference_ = Reference::create(turning().function(), 1).value(); }
};

// A parity tells of one phase more or less, not of all that another warpgroup's tile takes.
TEST_F(WarpgroupFaultsOfTurns, WithoutOrder) {
  const Found right = run(turning_);
  EXPECT_THAT(right.all(), IsEmpty()) << right.texts();
  const auto waitsForTurn = [&](const dev::Stmt& s) {
    if (!syncs(SyncDoes::Wait, Token::Transfers)(s)) return false;
    const auto& n = *dev::as<dev::SyncNode>(s);
    return turning_.kernels[0].mbarriers[std::size_t(n.barrier)].buffer->name == "turn";
  };
  const Found found = run(changed(turning_, waitsForTurn, nothing));
  for (bool late : {false, true})
    EXPECT_THAT(found.text(Kind::WrongPhase, late), HasSubstr("the parity takes an earlier one for it"))
        << found.texts();
}

}  // namespace
}  // namespace loom::exec::warpgroup_fault_test
