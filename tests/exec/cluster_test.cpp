// Blocks of a cluster that bring each other parts of their tiles: right as lowered, and each fault in it named.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include "tests/exec/changed_programs.h"
#include "tests/exec/warpgroup_programs.h"

namespace loom::exec::cluster_test {
namespace {

namespace dev = loom::device;
using dev::SyncDoes;
using dev::Token;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using Kind = Finding::Kind;

struct Clusters {
  int x = 1, y = 1;
};
WarpgroupProduct productOf(Clusters clusters, bool transposed = false) {
  WarpgroupProduct p{.m = 256, .n = 256, .k = 512, .transposed = transposed, .stage = "[0, 0, 2]", .loaders = true};
  p.clusterX = clusters.x;
  p.clusterY = clusters.y;
  return p;
}

TEST(Clusters, BringEachOtherTiles) {
  for (bool transposed : {false, true})
    for (const Clusters& c : {Clusters{2, 1}, {1, 2}, {2, 4}}) {
      WarpgroupProduct p = productOf(c, transposed);
      p.k = 256;
      SCOPED_TRACE(p.lines());
      expectRight(p);
      const dev::Program program = p.program();
      const dev::Kernel& kernel = program.kernels[0];
      EXPECT_EQ(kernel.cluster, (std::array<std::int64_t, 3>{c.x, c.y, 1}));
      // A slot is free when the readers of all blocks have read it that get a part from this one.
      EXPECT_EQ(kernel.mbarriers.at(1).arrivals, c.x + c.y - 1);
    }
}

// Each block copies its part alone: as many boxes as before, of fewer rows.
TEST(Clusters, CopyPartsOfRows) {
  const dev::Program alone = productOf({}).program(), together = productOf({2, 2}).program();
  const auto rows = [](const dev::Program& p) {
    std::vector<std::int64_t> all;
    for (const dev::TensorMap& m : p.kernels[0].maps)
      if (!m.stores) all.push_back(m.box[0]);
    return all;
  };
  EXPECT_EQ(rows(alone), (std::vector<std::int64_t>{64, 64}));
  EXPECT_EQ(rows(together), (std::vector<std::int64_t>{32, 32}));
  const std::string text = dev::print(together);
  EXPECT_THAT(text, HasSubstr("clusters of 2 x 2 x 1 blocks"));
  EXPECT_THAT(text, HasSubstr("tma.load.multicast"));
}

// Neighbours' tiles lie beneath each other, in each of several rounds.
TEST(Clusters, GoThroughTilesInTurns) {
  for (int turns : {1, 2}) {
    WarpgroupProduct p{.m = 512, .n = 128, .k = 256, .stage = "[0, 0, 2]", .loaders = true};
    p.slab = 32;
    p.blocks = 4;
    p.turns = turns;
    p.clusterX = 2;
    SCOPED_TRACE(p.lines());
    expectRight(p);
  }
}

struct Refusal {
  std::string message, remedy;
};
// What is said of the product where `more` lines follow; nothing where it is a kernel.
Refusal refusalOf(const WarpgroupProduct& p, const std::string& more) {
  const std::string function = matmul(p.m, p.n, p.k, "float16");
  const auto program = lower::lower(scheduled(function, p.lines() + more));
  if (program) return {};
  return {program.error().message.english(), program.error().remedy.english()};
}

TEST(Clusters, AreRefusedWithTheirRules) {
  const WarpgroupProduct p = productOf({});
  const std::string two = "sch.annotate(t, \"tileloom.cluster_x\", 2)\n",
                    shared = "sch.annotate(x, \"tileloom.multicast\", \"x\")\n";
  EXPECT_EQ(refusalOf(p, two + shared).message, "");
  EXPECT_EQ(refusalOf(p, two).message, "") << "neighbours alone";
  const auto expect = [&](const WarpgroupProduct& of, const std::string& more, const std::string& rule,
                          const std::string& remedy = "") {
    const Refusal refusal = refusalOf(of, more);
    EXPECT_THAT(refusal.message, HasSubstr(rule)) << more;
    EXPECT_THAT(refusal.remedy, HasSubstr(remedy)) << more;
  };
  expect(p, "sch.annotate(t, \"tileloom.cluster_x\", 9)\n", "is a whole number from 1 to 8");
  expect(p, "sch.annotate(t, \"tileloom.cluster_x\", 3)\n",
         "4 blocks along blockIdx.x aren't a multiple of the 3 that \"tileloom.cluster_x\" of block", "another extent");
  expect(p, "sch.annotate(t, \"tileloom.cluster_x\", 4)\nsch.annotate(t, \"tileloom.cluster_y\", 4)\n",
         "a cluster of 4 × 4 blocks is more than the 8 that GPUs allow");
  expect(p, shared, "needs clusters of several blocks along blockIdx.x", "tileloom.cluster_x");
  expect(p, two + "sch.annotate(x, \"tileloom.multicast\", \"z\")\n", "is \"x\" or \"y\"");
  expect(p, two + "sch.annotate(y, \"tileloom.multicast\", \"x\")\n",
         "2 blocks that are neighbours along blockIdx.x don't copy the same part of B");
  WarpgroupProduct alone = p;
  alone.loaders = false;
  expect(alone, two + shared, "needs warps that load", "\"tileloom.role\", \"load\"");
  WarpgroupProduct early = p;
  early.early = 1;
  expect(early, two + shared, "no copy of a cluster's blocks can be early", "tileloom.early");
  for (const char* value : {"-1", "\"soon\"", "[1]"})
    expect(p, fmt::format("sch.annotate(x, \"tileloom.early\", {})\n", value), "is a whole number from 0 on");
}

class ClusterFaults : public testing::Test {
 protected:
  Found run(const dev::Program& program) { return foundIn(program, reference_); }
  static std::function<bool(const dev::Stmt&)> reaching() {
    return [](const dev::Stmt& s) { return s->kind == dev::StmtKind::Sync && dev::as<dev::SyncNode>(s)->target; };
  }
  const WarpgroupProduct product_ = productOf({2, 1});
  const dev::Program program_ = product_.program();
  Reference reference_ = Reference::create(product_.function(), 1).value();
};

TEST_F(ClusterFaults, NoneInTheProgramItself) {
  const Found found = run(program_);
  EXPECT_THAT(found.all(), IsEmpty()) << found.texts();
}

TEST_F(ClusterFaults, SlotsThatOtherBlocksStillRead) {
  dev::Program own = changed(program_, reaching(), nothing);
  own.kernels[0].mbarriers.at(1).arrivals = 1;
  const Found found = run(own);
  for (bool late : {false, true})
    EXPECT_THAT(found.text(Kind::WrongPhase, late) + found.text(Kind::StillRead, late),
                testing::AnyOf(HasSubstr("wrong phase: thread (0, 1, 0) arrives for phase"),
                               HasSubstr("overwritten too early: thread (0, 1, 0)")))
        << found.texts();
}

TEST_F(ClusterFaults, ArrivalsThatNeverComeFromOthers) {
  const Found found = run(changed(program_, reaching(), nothing));
  EXPECT_THAT(found.text(Kind::Deadlock), HasSubstr("of empty[")) << found.texts();
  EXPECT_THAT(found.text(Kind::Deadlock), HasSubstr("misses 1 arrivals and 0 bytes")) << found.texts();
}

TEST_F(ClusterFaults, PartsThatOthersDoNotBring) {
  // Each block keeps its part for itself: the bytes of the other part never come.
  const Found found = run(changed(
      program_,
      [](const dev::Stmt& s) {
        return s->kind == dev::StmtKind::Operation && dev::blocksThatGet(*dev::as<dev::OperationNode>(s)) > 1;
      },
      [](const dev::Stmt& s) {
        return dev::edit<dev::OperationNode>(s, [](dev::OperationNode& n) { n.values.back() = ir::intImm(1); });
      }));
  EXPECT_THAT(found.all(), Not(IsEmpty()));
  EXPECT_THAT(found.text(Kind::Deadlock, true) + found.text(Kind::Unannounced), Not(IsEmpty())) << found.texts();
}

TEST_F(ClusterFaults, MbarriersThatOthersMayNotHaveMade) {
  const auto ofCluster = syncs(SyncDoes::Wait, Token::ClusterBarrier);
  const Found found = run(changed(program_, nth(0, ofCluster), [](const dev::Stmt&) { return dev::barrier(); }));
  EXPECT_THAT(found.text(Kind::Unready), HasSubstr("mbarrier that isn't ready: thread (")) << found.texts();
}

// At the end, loading warps wait until the slots are free to which others give leave. A barrier of the cluster does as
// well if it orders what was done to mbarriers.
TEST_F(ClusterFaults, BlocksThatMayHaveEnded) {
  const auto atEnd = [](const dev::Stmt& s) {
    if (s->kind != dev::StmtKind::Loop) return false;
    const dev::Stmt& body = dev::as<dev::LoopNode>(s)->body;
    return body->kind == dev::StmtKind::Sync && dev::as<dev::SyncNode>(body)->token == Token::Transfers;
  };
  const dev::Program without = changed(program_, atEnd, nothing);
  const auto endingWith = [&](Token token) {
    dev::Program program = without;
    dev::Stmt& body = program.kernels[0].body;
    body = dev::seq({body, dev::makeSync(token)});
    return program;
  };
  for (const dev::Program& faulty : {without, endingWith(Token::ClusterBarrier)}) {
    const Found found = run(faulty);
    for (bool late : {false, true})
      EXPECT_THAT(found.text(Kind::MaybeEnded, late), HasSubstr("uses empty[")) << found.texts();
    EXPECT_THAT(found.text(Kind::MaybeEnded),
                HasSubstr("of another block of its cluster, which doesn't wait for it, and no barrier of the cluster"));
  }
  // The one slot that nobody waits for is named.
  const int slots = program_.kernels[0].mbarriers.at(1).slots;
  const Found last = run(changed(program_, atEnd, [&](const dev::Stmt& s) {
    return dev::edit<dev::LoopNode>(s, [&](dev::LoopNode& n) { n.extent = ir::intImm(slots - 1); });
  }));
  EXPECT_THAT(last.text(Kind::MaybeEnded), HasSubstr(fmt::format("uses empty[{}]", slots - 1))) << last.texts();
  const Found right = run(endingWith(Token::ClusterExchange));
  EXPECT_THAT(right.all(), IsEmpty()) << right.texts();
}

}  // namespace
}  // namespace loom::exec::cluster_test
