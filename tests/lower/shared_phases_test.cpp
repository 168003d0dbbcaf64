// Buffers of shared memory that are in use one after the other lie in the same bytes: those of shared.dyn as TVM lays
// them, others where more blocks fit so.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <random>

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

  explicit Example(const std::vector<std::int64_t>& kilobytes, const std::string& scope = "shared.dyn")
      : Example(kilobytes, std::vector<DType>(kilobytes.size(), DType::Float(32)), scope) {}
  Example(const std::vector<std::int64_t>& kilobytes, const std::vector<DType>& types,
          const std::string& scope = "shared.dyn") {
    kernel.block = {1024, 1, 1};
    for (int axis = 0; axis < 3; ++axis) {
      kernel.threadIdx[axis] = ir::makeVar("threadIdx");
      kernel.blockIdx[axis] = ir::makeVar("blockIdx");
    }
    for (std::size_t n = 0; n < kilobytes.size(); ++n) {
      const std::int64_t elements = kilobytes[n] * kKilobyte / types[n].bytes();
      Allocation a;
      a.buffer = ir::makeBuffer({1, std::uint32_t(buffers.size())}, "S" + std::to_string(buffers.size()), types[n],
                                {intImm(elements)}, scope);
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
  // The phase of each buffer, in the order in which they were declared.
  std::vector<int> phases(std::vector<Stmt> body) {
    kernel.body = seq(std::move(body));
    findPhases(kernel, true);
    std::vector<int> all;
    for (const Buffer& b : buffers) all.push_back(allocationOf(b).phase);
    return all;
  }
  const Allocation& allocationOf(const Buffer& b) const {
    return *std::ranges::find(kernel.allocations, b, &Allocation::buffer);
  }
  std::int64_t offset(std::size_t buffer) const { return allocationOf(buffers[buffer]).offset; }
};

using Phases = std::vector<int>;
const DType kHalf = DType::Float(16), kFloat = DType::Float(32);

TEST(SharedPhases, AreWhereLifetimesEnd) {
  Example two({64, 64}, "shared");
  EXPECT_EQ(two.phases({two.use(0), two.use(1)}), (Phases{1, 2}));
  Example turned({64, 64}, "shared");
  EXPECT_EQ(turned.phases({turned.use(1), turned.use(0)}), (Phases{2, 1})) << "not as they are declared";
  Example three({40, 40, 80}, "shared");
  EXPECT_EQ(three.phases({Example::again(seq({three.use(0), three.use(1)})), three.use(2)}), (Phases{1, 1, 2}));
  Example bridged({64, 64, 64}, "shared");
  EXPECT_EQ(bridged.phases({bridged.use(0), seq({bridged.use(0), bridged.use(1)}), bridged.use(1), bridged.use(2)}),
            (Phases{1, 2, 3}));
}

TEST(SharedPhases, OverlapWhereLifetimesDo) {
  for (const char* scope : {"shared", "shared.dyn"}) {
    Example loop({64, 64}, scope);
    EXPECT_EQ(loop.phases({Example::again(seq({loop.use(0), loop.use(1)}))}), (Phases{0, 0})) << "in each iteration";
    Example back({64, 64}, scope);
    EXPECT_EQ(back.phases({back.use(0), back.use(1), back.use(0)}), (Phases{0, 0}));
  }
}

TEST(SharedPhases, AreWorthABarrierWhereMoreBlocksFit) {
  Example few({10, 10}, "shared");
  EXPECT_EQ(few.phases({few.use(0), few.use(1)}), (Phases{0, 0})) << "threads allow two blocks, which fit anyway";
  Example none({150, 150}, "shared");
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

// Buffers that share bytes are of one region, and what all regions take is what the kernel does.
TEST(SharedPhases, MakeRegionsOfTheirBytes) {
  Example e({60, 40, 80, 8}, "shared");
  e.phases({Example::again(seq({e.use(0), e.use(1), e.use(3)})), e.use(2)});
  EXPECT_EQ(e.kernel.sharedRegions().size(), 4U) << "nothing is known of where they lie";
  planSharedMemory(e.kernel);
  Example own({4, 8});
  own.phases({Example::again(seq({own.use(0), own.use(1)}))});
  planSharedMemory(own.kernel);
  for (const Example* of : {&e, &own}) {
    std::int64_t bytes = 0;
    std::size_t buffers = 0;
    for (const SharedRegion& r : of->kernel.sharedRegions()) {
      bytes += r.bytes;
      buffers += r.allocations.size();
    }
    EXPECT_EQ(bytes, of->kernel.sharedBytes());
    EXPECT_EQ(buffers, of->buffers.size());
  }
  EXPECT_EQ(own.kernel.sharedRegions().size(), 2U);
  const auto regions = e.kernel.sharedRegions();
  ASSERT_EQ(regions.size(), 2U);
  EXPECT_EQ(regions[0].bytes, 100 * kKilobyte);
  EXPECT_EQ(regions[0].allocations.size(), 3U) << "the later one lies over both earlier ones";
  EXPECT_EQ(regions[1].allocations.front()->buffer, e.buffers[3]) << "it begins behind it";
  EXPECT_TRUE(e.allocationOf(e.buffers[0]).meets(e.allocationOf(e.buffers[2])));
  EXPECT_FALSE(e.allocationOf(e.buffers[0]).meets(e.allocationOf(e.buffers[1])));
}

// TVM 0.22 lays them so: what it said for kernels of these sizes (tests/oracle has no golden output of offsets).
TEST(SharedPhases, OfSharedDynLieAsTvmLaysThem) {
  const auto laid = [](Example e, std::vector<Stmt> body) {
    e.phases(std::move(body));
    planSharedMemory(e.kernel);
    std::vector<std::int64_t> all;
    for (std::size_t n = 0; n < e.buffers.size(); ++n) all.push_back(e.offset(n) / kKilobyte);
    return all;
  };
  using Offsets = std::vector<std::int64_t>;
  const auto inLoop = [](Example& e) { return Example::again(seq({e.use(0), e.use(1)})); };
  Example large({20, 10, 128}, {kHalf, kHalf, kFloat});
  EXPECT_EQ(laid(large, {inLoop(large), large.use(2)}), (Offsets{0, 20, 0})) << "the larger one first";
  Example equal({34, 34, 64}, {kHalf, kHalf, kFloat});
  EXPECT_EQ(laid(equal, {inLoop(equal), equal.use(2)}), (Offsets{34, 0, 0}))
      << "of equal ones, that which was left last";
  Example small({34, 34, 32}, {kHalf, kHalf, kFloat});
  EXPECT_EQ(laid(small, {inLoop(small), small.use(2)}), (Offsets{34, 0, 34})) << "in the first that holds it";
  Example alone({20, 10}, {kHalf, kHalf});
  EXPECT_EQ(laid(alone, {inLoop(alone)}), (Offsets{10, 0})) << "by size";
  Example same({10, 20, 64}, {kHalf, kHalf, kHalf});
  EXPECT_EQ(laid(same, {inLoop(same), same.use(2)}), (Offsets{0, 10, 10})) << "one buffer of its type makes room";
}

// Whatever is in use at a time has bytes of its own.
TEST(SharedPhases, OfSharedDynNeverMeetWhileTheyAreInUse) {
  std::mt19937 random(20261129);
  const auto below = [&](int n) { return int(random() % unsigned(n)); };
  const std::array types{kHalf, kFloat, DType::Int(8), DType::Float(64)};
  int shared = 0;
  for (int round = 0; round < 3000; ++round) {
    const std::size_t count = 2 + std::size_t(below(6));
    std::vector<std::int64_t> sizes;
    std::vector<DType> of;
    for (std::size_t n = 0; n < count; ++n) {
      sizes.push_back(1 + below(40));
      of.push_back(types[std::size_t(below(4))]);
    }
    Example e(sizes, of);
    // From which statement to which each is in use; all statements in between use it.
    std::vector<std::pair<int, int>> lives;
    std::vector<Stmt> body;
    for (std::size_t n = 0; n < count; ++n) {
      const int from = below(8);
      lives.emplace_back(from, from + below(3));
    }
    for (int at = 0; at < 10; ++at) {
      std::vector<Stmt> used;
      for (std::size_t n = 0; n < count; ++n)
        if (lives[n].first <= at && at <= lives[n].second) used.push_back(e.use(n));
      if (!used.empty()) body.push_back(Example::again(seq(std::move(used))));
    }
    e.phases(std::move(body));
    auto placed = placeBarriers(e.kernel, {});
    ASSERT_TRUE(placed);
    e.kernel.body = *placed;
    planSharedMemory(e.kernel);
    EXPECT_TRUE(verify(e.kernel, form::kOrdered | form::kPlanned));
    const auto end = [&](std::size_t n) { return e.offset(n) + sizes[n] * kKilobyte; };
    for (std::size_t a = 0; a < count; ++a) {
      for (std::size_t b = 0; b < a; ++b) {
        const bool together = lives[a].first <= lives[b].second && lives[b].first <= lives[a].second;
        const bool meet = e.offset(a) < end(b) && e.offset(b) < end(a);
        ASSERT_FALSE(together && meet) << "round " << round << ", buffers " << a << " and " << b;
        shared += meet;
      }
    }
  }
  EXPECT_GT(shared, 3000) << "many do share bytes";
}

TEST(SharedPhases, EndWhenCopiesHaveLanded) {
  const auto waits = [](int allow) { return makeSync(Token::AsyncCopies, SyncDoes::Wait, allow); };
  for (const char* scope : {"shared", "shared.dyn"}) {
    Example waited({64, 64}, scope);
    EXPECT_EQ(waited.phases({waited.start(0), waits(0), waited.use(0), waited.use(1)}), (Phases{1, 2}));
    Example late({64, 64}, scope);
    EXPECT_EQ(late.phases({late.start(0), late.use(1), waits(0)}), (Phases{0, 0}))
        << "it lands while the other is used";
    Example never({64, 64}, scope);
    EXPECT_EQ(never.phases({never.start(0), waits(1), never.use(1)}), (Phases{0, 0}));
  }
}

TEST(SharedPhases, ShareBytesBehindABarrier) {
  Example e({64, 48, 80}, "shared");
  e.phases({Example::again(seq({e.use(0), e.use(1)})), e.use(2)});
  e.kernel.body = *placeBarriers(e.kernel, {});
  planSharedMemory(e.kernel);
  EXPECT_EQ(e.offset(0), 0);
  EXPECT_EQ(e.offset(1), 64 * kKilobyte);
  EXPECT_EQ(e.offset(2), 0);
  EXPECT_EQ(e.kernel.sharedBytes(), 112 * kKilobyte);
  EXPECT_TRUE(verify(e.kernel, form::kOrdered | form::kPlanned));
  e.kernel.body = seq({Example::again(seq({e.use(0), e.use(1)})), e.use(2)});
  const auto refused = verify(e.kernel, form::kOrdered | form::kPlanned);
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.error().message.english(), testing::HasSubstr("S2 is used, in bytes of another buffer"));
  e.kernel.body = seq({Example::again(seq({e.use(0), e.use(1)})), e.use(2), e.use(0)});
  const auto returned = verify(e.kernel, form::kPlanned);
  ASSERT_FALSE(returned);
  EXPECT_THAT(returned.error().message.english(), testing::HasSubstr("in the same bytes and are in use at a time"));
  e.kernel.allocations[2].phase = 1;
  const auto overlapping = verify(e.kernel, form::kPlanned);
  ASSERT_FALSE(overlapping);
  EXPECT_THAT(overlapping.error().message.english(), testing::HasSubstr("within another buffer"));
}

}  // namespace
}  // namespace loom::lower::shared_phases_test
