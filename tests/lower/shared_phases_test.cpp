// Buffers of shared memory that are in use one after the other lie in the same bytes, where more blocks fit so.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/device/build.h"
#include "core/device/operation.h"
#include "core/device/verify.h"
#include "core/ir/build.h"
#include "core/lower/addressing.h"
#include "core/lower/device_passes.h"

namespace loom::lower::shared_phases_test {
namespace {

using namespace device;
using ir::intImm;

constexpr std::int64_t kKilobyte = 1024;

// A kernel of 1024 threads with dynamic buffers of so many kilobytes.
struct Example {
  Kernel kernel;
  std::vector<Buffer> buffers;

  explicit Example(const std::vector<std::int64_t>& kilobytes, const std::string& scope = "shared.dyn") {
    kernel.block = {1024, 1, 1};
    for (int axis = 0; axis < 3; ++axis) {
      kernel.threadIdx[axis] = ir::makeVar("threadIdx");
      kernel.blockIdx[axis] = ir::makeVar("blockIdx");
    }
    for (const std::int64_t size : kilobytes) {
      const std::int64_t elements = size * kKilobyte / 4;
      Allocation a;
      a.buffer = ir::makeBuffer({1, std::uint32_t(buffers.size())}, "S" + std::to_string(buffers.size()),
                                DType::Float(32), {intImm(elements)}, scope);
      a.memory = *memoryOf(scope);
      a.elements = elements;
      a.layout = rowsOf({elements}, {1});
      buffers.push_back(a.buffer);
      kernel.allocations.push_back(a);
    }
  }
  // Each thread writes an element of the buffer.
  Stmt use(std::size_t buffer) const {
    auto s = std::make_shared<StoreNode>();
    s->to = {buffers[buffer], {Expr(kernel.threadIdx[0])}, 1, false};
    s->value = ir::floatImm(0, DType::Float(32));
    return s;
  }
  // A copy of 16 bytes that is started only.
  Stmt start(std::size_t buffer) const {
    const Buffer from = ir::makeBuffer({2, 1}, "G", DType::Float(32), {intImm(4096)}, "global");
    auto s = std::make_shared<OperationNode>();
    s->row = findOperation("cp.async.16");
    const Expr at = Expr(kernel.threadIdx[0]) * 4;
    s->places = {{buffers[buffer], {at}, 4, false}, {from, {at}, 4, false}};
    return s;
  }
  static Stmt again(Stmt body) {
    auto loop = std::make_shared<LoopNode>();
    loop->var = ir::makeVar("k");
    loop->extent = intImm(4);
    loop->body = std::move(body);
    return loop;
  }
  std::vector<int> phases(std::vector<Stmt> body) {
    kernel.body = seq(std::move(body));
    findPhases(kernel);
    std::vector<int> all;
    for (const Allocation& a : kernel.allocations) all.push_back(a.phase);
    return all;
  }
};

using Phases = std::vector<int>;

TEST(SharedPhases, AreWhereLifetimesEnd) {
  Example two({64, 64});
  EXPECT_EQ(two.phases({two.use(0), two.use(1)}), (Phases{1, 2}));
  Example turned({64, 64});
  EXPECT_EQ(turned.phases({turned.use(1), turned.use(0)}), (Phases{2, 1})) << "not as they are declared";
  Example three({40, 40, 80});
  EXPECT_EQ(three.phases({Example::again(seq({three.use(0), three.use(1)})), three.use(2)}), (Phases{1, 1, 2}));
  Example bridged({64, 64, 64});
  EXPECT_EQ(bridged.phases({bridged.use(0), seq({bridged.use(0), bridged.use(1)}), bridged.use(1), bridged.use(2)}),
            (Phases{1, 2, 3}));
}

TEST(SharedPhases, OverlapWhereLifetimesDo) {
  Example loop({64, 64});
  EXPECT_EQ(loop.phases({Example::again(seq({loop.use(0), loop.use(1)}))}), (Phases{0, 0})) << "in each iteration";
  Example back({64, 64});
  EXPECT_EQ(back.phases({back.use(0), back.use(1), back.use(0)}), (Phases{0, 0}));
}

TEST(SharedPhases, AreWorthABarrierWhereMoreBlocksFit) {
  Example few({10, 10});
  EXPECT_EQ(few.phases({few.use(0), few.use(1)}), (Phases{0, 0})) << "threads allow two blocks, which fit anyway";
  Example none({150, 150});
  EXPECT_EQ(none.phases({none.use(0), none.use(1)}), (Phases{1, 2})) << "without, not even one";
  Example fixed({20, 20}, "shared");
  EXPECT_EQ(fixed.phases({fixed.use(0), fixed.use(1)}), (Phases{0, 0})) << "arrays that the compiler lays out fit so";
}

TEST(SharedPhases, ArraysOfTheCompilerBecomeTheLaunchsThen) {
  Example e({64, 64, 4}, "shared");
  EXPECT_EQ(e.phases({e.use(2), e.use(0), e.use(1), e.use(2)}), (Phases{0, 0, 0})) << "one is in use all the time";
  Example two({64, 64}, "shared");
  EXPECT_EQ(two.phases({two.use(0), two.use(1)}), (Phases{1, 2}));
  planSharedMemory(two.kernel);
  for (const Allocation& a : two.kernel.allocations) {
    EXPECT_TRUE(a.dynamic);
    EXPECT_EQ(a.offset, 0);
  }
  EXPECT_EQ(two.kernel.sharedBytes(), 64 * kKilobyte);
}

TEST(SharedPhases, EndWhenCopiesHaveLanded) {
  const auto waits = [](int allow) { return makeSync(Token::AsyncCopies, SyncDoes::Wait, allow); };
  Example waited({64, 64});
  EXPECT_EQ(waited.phases({waited.start(0), waits(0), waited.use(0), waited.use(1)}), (Phases{1, 2}));
  Example late({64, 64});
  EXPECT_EQ(late.phases({late.start(0), late.use(1), waits(0)}), (Phases{0, 0})) << "it lands while the other is used";
  Example never({64, 64});
  EXPECT_EQ(never.phases({never.start(0), waits(1), never.use(1)}), (Phases{0, 0}));
}

TEST(SharedPhases, ShareBytesBehindABarrier) {
  Example e({64, 48, 80});
  e.phases({Example::again(seq({e.use(0), e.use(1)})), e.use(2)});
  e.kernel.body = *placeBarriers(e.kernel, {});
  planSharedMemory(e.kernel);
  EXPECT_EQ(e.kernel.allocations[0].offset, 0);
  EXPECT_EQ(e.kernel.allocations[1].offset, 64 * kKilobyte);
  EXPECT_EQ(e.kernel.allocations[2].offset, 0);
  EXPECT_EQ(e.kernel.sharedBytes(), 112 * kKilobyte);
  EXPECT_TRUE(verify(e.kernel, form::kOrdered | form::kPlanned));
  e.kernel.body = seq({Example::again(seq({e.use(0), e.use(1)})), e.use(2)});
  const auto refused = verify(e.kernel, form::kOrdered | form::kPlanned);
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.error().message.english(), testing::HasSubstr("S2 is used, in bytes of another buffer"));
  e.kernel.allocations[2].phase = 1;
  const auto overlapping = verify(e.kernel, form::kPlanned);
  ASSERT_FALSE(overlapping);
  EXPECT_THAT(overlapping.error().message.english(), testing::HasSubstr("within another buffer"));
}

}  // namespace
}  // namespace loom::lower::shared_phases_test
