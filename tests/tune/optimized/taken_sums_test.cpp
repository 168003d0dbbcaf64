// Products by warpgroups whose sums elementwise blocks take on: bias, activation, residual, another type.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/tune/rules/state_reading.h"
#include "tests/tune/optimized/on_hopper.h"

namespace loom::tune::taken_sums_test {
namespace {

using testing::HasSubstr;
using testing::Not;

constexpr const char* kPrograms[] = {"warpgroups_bias_relu", "warpgroups_residual_half", "warpgroups_scaled_batch"};

TEST(TakenSums, OfEverySpaceAreKernelsAndRight) {
  for (const char* program : kPrograms) {
    SCOPED_TRACE(program);
    const OnHopper on(tests::programText(program));
    expectKernels(on, program, 5, 2, [&](const Assignment& drawn, const std::string& lines, const MadeByLines& made) {
      const auto read = decisionsOf(on.sketch(), on.state, made.state);
      expectMember(on, read, lines);
      for (const char* name : {"slots", "slab", "c.vector"})
        EXPECT_EQ(read.at(name), drawn[std::size_t(decisionNamed(on.sketch().space, name))]) << name << "\n" << lines;
    });
  }
}

// A warp takes what its own lanes have written: nobody waits for another warp, and warps that load go on alone.
TEST(TakenSums, ArePassedOnWithinAWarp) {
  const OnHopper on(tests::programText("warpgroups_bias_relu"));
  const auto built = buildAll(on.plan, on.state, deviceNamed("h200"), document::environment());
  ASSERT_TRUE(built) << built.error().message;
  EXPECT_EQ(built->front().construction.sketch, on.index()) << "what is built first";
  const std::string text = built->front().kernel.source.text;
  const std::size_t stored = text.rfind("wgmma_store");
  ASSERT_NE(stored, std::string::npos);
  EXPECT_THAT(text.substr(stored), HasSubstr("__syncwarp();"));
  EXPECT_THAT(text.substr(stored), Not(HasSubstr("__syncthreads();")));
  EXPECT_THAT(text.substr(stored), HasSubstr("fmaxf("));
  EXPECT_EQ(built->front().kernel.program->kernels.size(), 1U);
}

// Rows that several warps write are met for by the block, which warps that load would miss.
TEST(TakenSums, OfOtherWarpsAreRefusedBesideWarpsThatLoad) {
  const OnHopper on(tests::programText("warpgroups_bias_relu"));
  const auto lines = [&](std::int64_t loaders) {
    Pins pins(on.sketch().space);
    pins.limitTo(decisionNamed(on.sketch().space, "loaders"), {loaders});
    const auto made = construct(on.plan, on.index(), deviceNamed("h200"), &pins);
    EXPECT_TRUE(made);
    std::string all = linesOf(on.sketch(), made->assignment).value();
    // Of 4 rows one after another each warp takes one.
    const auto replaced = [&](const std::string& a, const std::string& b) {
      const std::size_t at = all.find(a);
      ASSERT_NE(at, std::string::npos) << a;
      all.replace(at, a.size(), b);
    };
    replaced("ow, op = sch.split(op, [4, None])", "op, ow = sch.split(op, [None, 4])\nsch.reorder(ow, op, oq)");
    return all;
  };
  const auto refused = madeByLines(on.state, lines(1), document::environment());
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.error().message.english(), HasSubstr("only some threads of the block take"));
  const auto alone = madeByLines(on.state, lines(0), document::environment());
  ASSERT_TRUE(alone) << alone.error().message;
  EXPECT_THAT(alone->kernel.source.text, HasSubstr("__syncthreads();"));
  expectRight(on.state, alone->state, "of other warps");
}

}  // namespace
}  // namespace loom::tune::taken_sums_test
