// Sums of tensor cores that go through shared memory: warps store tiles of their own, and meet once all have.
#include <gmock/gmock.h>

#include "core/codegen/cuda.h"
#include "core/device/build.h"
#include "core/device/effects.h"
#include "core/device/verify.h"
#include "core/exec/execute.h"
#include "core/ir/build.h"
#include "core/lower/lower.h"
#include "tests/exec/execution.h"
#include "tests/exec/scheduled.h"

namespace loom::exec::tile_stores_test {
namespace {

namespace dev = loom::device;

constexpr int kSize = 64;
const std::string kFunction = matmul(kSize, kSize, kSize, "float16");

// Four warps of a block, 2 × 2, each with `kSize / 32 / blocks` × 2 tiles; the rows of the shared sum lie `apart`
// elements further from each other. `bind`: what becomes of the loop over blocks; `dynamic`: whether the launch says
// how much shared memory there is.
const std::string kBound = "sch.bind(bx, \"blockIdx.x\")";
dev::Program lowered(int blocks, int apart, const std::string& bind = kBound, bool dynamic = false) {
  const std::string lines =
      tests::scheduleText("tensor_core_product_through_shared", {{"BLOCKS", blocks},
                                                                 {"APART", apart},
                                                                 {"BIND", bind},
                                                                 {"SCOPE", dynamic ? "shared.dyn" : "shared"},
                                                                 {"KIND", dynamic ? "_dyn" : ""}});
  auto program = lower::lower(scheduled(kFunction, lines));
  if (!program) throw std::runtime_error(program.error().message.english());
  return *program;
}

Execution run(const dev::Program& program) {
  auto reference = Reference::create(parse(kFunction), 1).value();
  return executionOf(program, reference, 1e-4);
}

bool isStore(const dev::Stmt& s) {
  return s->kind == dev::StmtKind::Operation && dev::as<dev::OperationNode>(s)->row->name == "wmma.store.row";
}

int barriersOf(const dev::Program& program) {
  int barriers = 0;
  changed(program, [&](const dev::Stmt& s) { return barriers += isBarrier(s), s; });
  return barriers;
}

// Two barriers of the copies, one behind which the sums lie where the factors did, and one where all read what the
// warps have stored.
TEST(TileStores, WarpsMeetOnceTheirTilesAreStored) {
  for (const int blocks : {1, 2}) {
    for (const int apart : {0, 4, 8}) {
      const dev::Program program = lowered(blocks, apart);
      EXPECT_EQ(barriersOf(program), 4) << dev::print(program);
      const Execution o = run(program);
      EXPECT_THAT(o.faults, testing::IsEmpty());
      EXPECT_EQ(o.wrong, 0);
    }
  }
}

// A block that computes one tile after the other: the next is stored once all have read the one before.
TEST(TileStores, TilesOneAfterTheOtherMeetBetween) {
  const dev::Program program = lowered(2, 4, "");
  EXPECT_EQ(barriersOf(program), 3) << dev::print(program);
  const Execution o = run(program);
  EXPECT_THAT(o.faults, testing::IsEmpty());
  EXPECT_EQ(o.wrong, 0);
}

TEST(TileStores, EachBarrierThatIsMissingIsFound) {
  const dev::Program program = lowered(2, 8, "");
  const int barriers = barriersOf(program);
  for (int missing = 0; missing < barriers; ++missing) {
    int seen = 0;
    const dev::Program less =
        changed(program, [&](const dev::Stmt& s) { return isBarrier(s) && seen++ == missing ? nullptr : s; });
    EXPECT_THAT(run(less).faults, testing::Not(testing::IsEmpty())) << "barrier " << missing;
  }
}

// What lowering relies on when it leaves barriers out: a warp that stores into another's tile is found.
TEST(TileStores, AWarpInAnothersTileIsFound) {
  const dev::Program program = lowered(1, 0);
  for (const int off : {8, kSize, 8 * kSize}) {
    int moved = 0;
    const dev::Program wrong = changed(program, [&](const dev::Stmt& s) -> dev::Stmt {
      if (!isStore(s)) return s;
      ++moved;
      return dev::edit<dev::OperationNode>(
          s, [&](dev::OperationNode& n) { n.places[0].at.back() = n.places[0].at.back() + ir::intImm(off); });
    });
    ASSERT_EQ(moved, 1);
    EXPECT_THAT(run(wrong).faults, testing::Not(testing::IsEmpty())) << off;
  }
}

const dev::Allocation& allocation(const dev::Program& program, const std::string& name) {
  return *std::ranges::find_if(program.kernels[0].allocations,
                               [&](const dev::Allocation& a) { return a.buffer->name == name; });
}

// The sum lies where the factors did: more blocks fit, and all have read the last factors before the sum is stored.
TEST(TileStores, LieWhereFactorsWereBefore) {
  for (const bool dynamic : {false, true}) {
    for (const int blocks : {1, 2}) {
      const dev::Program program = lowered(blocks, 4, kBound, dynamic);
      const std::string scope = dynamic ? "_shared.dyn" : "_shared";
      const dev::Allocation &a = allocation(program, "A" + scope), &b = allocation(program, "B" + scope),
                            &c = allocation(program, "C" + scope);
      EXPECT_EQ(a.phase, 1);
      EXPECT_EQ(b.phase, 1);
      EXPECT_EQ(c.phase, 2);
      EXPECT_EQ(c.offset, std::min(a.offset, b.offset));
      EXPECT_EQ(program.kernels[0].sharedBytes(), std::max({a.offset + a.bytes(), b.offset + b.bytes(), c.bytes()}));
      EXPECT_EQ(barriersOf(program), 4) << dev::print(program);
      const Execution o = run(program);
      EXPECT_THAT(o.faults, testing::IsEmpty());
      EXPECT_EQ(o.wrong, 0);
      const codegen::Source source = codegen::generate(program);
      EXPECT_EQ(source.launches[0].dynamicSharedBytes, program.kernels[0].sharedBytes());
      EXPECT_THAT(source.text, testing::HasSubstr("// in bytes that are free by then"));
    }
  }
}

// Each barrier counts: either a race is found, or that bytes are used while they are another buffer's.
TEST(TileStores, BarriersBetweenBuffersInTheSameBytesAreAskedFor) {
  const dev::Program program = lowered(2, 8, kBound, true);
  const auto formed = [](const dev::Program& p) { return dev::verify(p.kernels[0], dev::form::kOrdered); };
  ASSERT_TRUE(formed(program));
  const int barriers = barriersOf(program);
  int unmet = 0;
  for (int missing = 0; missing < barriers; ++missing) {
    int seen = 0;
    const dev::Program less =
        changed(program, [&](const dev::Stmt& s) { return isBarrier(s) && seen++ == missing ? nullptr : s; });
    const auto verified = formed(less);
    unmet += !verified && verified.error().message.english().find("in bytes of another buffer") != std::string::npos;
    EXPECT_TRUE(!verified || !run(less).faults.empty()) << "barrier " << missing;
  }
  EXPECT_EQ(unmet, 1) << "the one between";
}

TEST(TileStores, HaveBytesOfTheirOwnWhereFactorsAreStillNeeded) {
  for (const dev::Program& program : {lowered(2, 4, "", true), lowered(2, 4, "")})
    for (const dev::Allocation& a : program.kernels[0].allocations) EXPECT_EQ(a.phase, 0) << a.buffer->name;
}

}  // namespace
}  // namespace loom::exec::tile_stores_test
