// Lowering of schedules: how much memory is kept, and what is refused.
#include <gmock/gmock.h>

#include "core/lower/lower.h"
#include "core/schedule/replay.h"
#include "core/script/parser.h"

namespace loom::lower {
namespace {

using testing::HasSubstr;

const char* const kMatmul = R"(
@T.prim_func
def main(A: T.Buffer((37, 13), "float32"), B: T.Buffer((13, 29), "float32"), C: T.Buffer((37, 29), "float32")):
    for i, j, k in T.grid(37, 29, 13):
        with T.block("C"):
            vi, vj, vk = T.axis.remap("SSR", [i, j, k])
            with T.init():
                C[vi, vj] = T.float32(0)
            C[vi, vj] = C[vi, vj] + A[vi, vk] * B[vk, vj]
)";

Result<device::Program> lowered(const std::string& lines) {
  auto state = schedule::State::create(script::parseModule(kMatmul, "test.py").value()).value();
  auto replay = schedule::replay(state, script::parseSchedule(lines, "test.sched.py").value(), {});
  if (replay.refusal) ADD_FAILURE() << replay.refusal->message.english();
  return lower(replay.last.module().functions.front());
}

TEST(Compaction, SplitBeyondTheTileKeepsOnlyTheTile) {
  // 8 × 4 elements copied by 64 threads: the predicate keeps half of them away.
  auto program = lowered(R"(
b = sch.get_block("C")
i, j, k = sch.get_loops(b)
bi, ti = sch.split(i, [None, 8])
bj, tj = sch.split(j, [None, 8])
ko, ki = sch.split(k, [None, 4])
sch.reorder(bi, bj, ti, tj, ko, ki)
sch.bind(bi, "blockIdx.y")
sch.bind(bj, "blockIdx.x")
sch.bind(ti, "threadIdx.y")
sch.bind(tj, "threadIdx.x")
s = sch.cache_read(b, 0, "shared")
sch.compute_at(s, ko)
f = sch.fuse(*sch.get_loops(s)[-2:])
f0, f1, f2 = sch.split(f, [None, 8, 8])
sch.bind(f1, "threadIdx.y")
sch.bind(f2, "threadIdx.x")
)");
  ASSERT_TRUE(program) << program.error().message.english();
  ASSERT_EQ(program->kernels[0].allocations.size(), 1U);
  EXPECT_EQ(program->kernels[0].allocations[0].extents(), (std::vector<std::int64_t>{8, 4}));
}

TEST(CrossThread, BoundReductionIsRefusedWithARemedy) {
  auto program = lowered("b = sch.get_block(\"C\")\ni, j, k = sch.get_loops(b)\nsch.bind(k, \"threadIdx.x\")\n");
  ASSERT_FALSE(program);
  EXPECT_EQ(program.error().code, "NotAKernel");
  EXPECT_THAT(program.error().message.english(), HasSubstr("bound to threadIdx.x"));
  EXPECT_THAT(program.error().remedy.english(), HasSubstr("sch.bind(j, \"threadIdx.x\") instead"));
  EXPECT_EQ(program.error().forbids, Forbids::Program);
  EXPECT_EQ(program.error().subjects.size(), 2U);
}

TEST(CrossThread, SpatialLoopsMayBeBound) {
  EXPECT_TRUE(lowered("b = sch.get_block(\"C\")\ni, j, k = sch.get_loops(b)\nsch.bind(j, \"threadIdx.x\")\n"));
}

}  // namespace
}  // namespace loom::lower
