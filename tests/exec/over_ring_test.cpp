// Sums that lie in the bytes of the ring buffers whose tiles they are the sums of.
#include <gmock/gmock.h>

#include "core/device/verify.h"
#include "tests/exec/changed_programs.h"
#include "tests/exec/warpgroup_programs.h"

namespace loom::exec::over_ring_test {
namespace {

namespace dev = loom::device;
using testing::AnyOf;
using testing::HasSubstr;
using testing::IsEmpty;
using Kind = Finding::Kind;

constexpr unsigned kForm = dev::form::kOrdered | dev::form::kFlat | dev::form::kPlanned;

WarpgroupProduct productOf(int groups, int slab, int clusterX = 1) {
  return {.m = 64 * groups,
          .n = 64 * clusterX,
          .k = 512,
          .groups = groups,
          .loaders = true,
          .slab = slab,
          .slots = 1,
          .blocks = clusterX,
          .overRing = true,
          .clusterX = clusterX};
}

TEST(OverRing, SumsTakeNoBytesOfTheirOwn) {
  for (const WarpgroupProduct& p : {productOf(1, 32), productOf(2, 32), productOf(2, 16), productOf(1, 32, 2)}) {
    SCOPED_TRACE(p.lines());
    WarpgroupProduct apart = p;
    apart.overRing = false;
    const dev::Kernel kernel = p.program().kernels[0], other = apart.program().kernels[0];
    const std::int64_t slot = std::int64_t(64) * p.groups * p.slab * 4;
    EXPECT_EQ(kernel.sharedBytes(), other.sharedBytes() - slot);
    EXPECT_TRUE(dev::verify(kernel, kForm));
    expectRight(p);
  }
}

bool isLastWait(const dev::Stmt& s) {
  if (s->kind != dev::StmtKind::Sync) return false;
  const auto& n = *dev::as<dev::SyncNode>(s);
  return n.does == dev::SyncDoes::Wait && n.token == dev::Token::Transfers && n.phase;
}

// Without the wait before the sums a warpgroup would store its own where another one still reads factors: those of the
// second lie behind 4 KiB of the first one's, where the first has 8 KiB of factors.
TEST(OverRing, EveryWarpgroupHasReadTheLastTileBefore) {
  const WarpgroupProduct p = productOf(2, 16);
  const dev::Program program = p.program(), without = changed(program, isLastWait, nothing);
  const auto verified = dev::verify(without.kernels[0], kForm);
  ASSERT_FALSE(verified);
  EXPECT_THAT(verified.error().message.english(), HasSubstr("in bytes of another buffer"));
  Reference reference = Reference::create(p.function(), 1).value();
  EXPECT_THAT(foundIn(program, reference).all(), IsEmpty());
  const Found found = foundIn(without, reference);
  EXPECT_THAT(found.text(Kind::StillRead) + found.text(Kind::RaceInBlock), HasSubstr("C_shared.dyn[")) << found.texts();
}

// A phase too early: of the tile before in the same slot.
TEST(OverRing, AWaitForAnEarlierTileIsNotEnough) {
  const WarpgroupProduct p = productOf(2, 32);
  const dev::Program early = changed(p.program(), isLastWait,
                                     sync([](dev::SyncNode& n) { n.phase = n.phase - ir::intImm(1, n.phase->dtype); }));
  Reference reference = Reference::create(p.function(), 1).value();
  const Found found = foundIn(early, reference);
  EXPECT_THAT(found.all(), testing::Not(IsEmpty()));
}

std::string refusalOf(const WarpgroupProduct& p, const std::string& more = "") {
  const auto lowered = lower::lower(scheduled(matmul(p.m, p.n, p.k, "float16"), p.lines() + more));
  return lowered ? "none" : lowered.error().message.english();
}

TEST(OverRing, IsRefusedWhereTheRingIsNotFree) {
  WarpgroupProduct several = productOf(1, 32);
  several.n = 128;
  EXPECT_THAT(refusalOf(several), HasSubstr("a block computes several tiles"));
  EXPECT_THAT(refusalOf(several, "sch.unroll(turn)\n"), HasSubstr("a block computes several tiles"));
  EXPECT_THAT(refusalOf(productOf(1, 32), "sch.annotate(x, \"tileloom.over_ring\", 1)\n"),
              HasSubstr("is of one block of a kernel"));
  WarpgroupProduct alone = productOf(1, 32);
  alone.loaders = false;
  EXPECT_THAT(refusalOf(alone), HasSubstr("needs warps that load tiles into ring buffers"));
  WarpgroupProduct p = productOf(1, 32);
  p.overRing = false;
  EXPECT_THAT(refusalOf(p, "sch.annotate(slab, \"tileloom.over_ring\", 2)\n"), HasSubstr("is 1"));
  EXPECT_THAT(refusalOf(p, "sch.annotate(x, \"tileloom.over_ring\", 1)\n"), HasSubstr("is in use before the end"));
  EXPECT_THAT(refusalOf(p, "sch.annotate(t, \"tileloom.over_ring\", 1)\n"),
              AnyOf(HasSubstr("no shared memory"), HasSubstr("is in use before the end")));
}

}  // namespace
}  // namespace loom::exec::over_ring_test
