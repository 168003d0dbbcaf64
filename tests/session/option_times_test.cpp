#include "app/session/option_times.h"

#include <gtest/gtest.h>

#include <chrono>

#include "tests/session/with_workbench.h"

namespace loom::session::option_times_test {
namespace {

const std::string kUnroll = "sch.unroll(sch.get_loops(sch.get_block(\"Z\"))[2])";

class TimesOfOptions : public WithWorkbench {
 protected:
  TimesOfOptions() : WithWorkbench({64, 48, 32}, 20000) {}
  bool isKnown(const std::string& lines) {
    return wait([&] { return times_.of(bench_, lines).has_value(); });
  }
  OptionTimes times_;
};

TEST_F(TimesOfOptions, AreThoseOfTheProgramsThatTheyWouldGive) {
  EXPECT_FALSE(times_.of(bench_, kBound)) << "asked for, not waited for";
  ASSERT_TRUE(isKnown(kBound));
  const double option = *times_.of(bench_, kBound);
  bench_.preview().show(kBound);
  ASSERT_TRUE(wait([&] { return bench_.preview().step()->effect.has_value(); }));
  EXPECT_DOUBLE_EQ(option, bench_.preview().step()->effect->after);
  ASSERT_TRUE(isKnown(kUnroll));
  EXPECT_GT(*times_.of(bench_, kUnroll), 10 * option) << "one thread does all";
}

TEST_F(TimesOfOptions, AreNoneOfWhatIsRefusedOrNoStep) {
  const std::string refused = "sch.vectorize(sch.get_loops(sch.get_block(\"Z\"))[2])";
  EXPECT_FALSE(times_.of(bench_, refused));
  EXPECT_FALSE(times_.of(bench_, "sch.split("));
  ASSERT_TRUE(isKnown(kBound)) << "which was asked for after them";
  EXPECT_FALSE(times_.of(bench_, refused));
  EXPECT_FALSE(times_.of(bench_, "sch.split("));
}

TEST_F(TimesOfOptions, SayWhatMakesNoKernelAndWhy) {
  const std::string tooMany = "sch.bind(sch.fuse(*sch.get_loops(sch.get_block(\"Z\"))[:2]), \"threadIdx.x\")";
  EXPECT_FALSE(times_.noKernel(tooMany)) << "nobody has asked";
  ASSERT_TRUE(wait([&] { return !times_.of(bench_, tooMany) && times_.noKernel(tooMany).has_value(); }));
  EXPECT_NE(times_.noKernel(tooMany)->message.english().find("the hardware allows 1024"), std::string::npos)
      << times_.noKernel(tooMany)->message.english();
  ASSERT_TRUE(isKnown(kBound));
  EXPECT_FALSE(times_.noKernel(kBound));
  EXPECT_FALSE(times_.noKernel("")) << "the state itself is one";
}

TEST_F(TimesOfOptions, BelongToTheirStateAndAreKept) {
  ASSERT_TRUE(isKnown(kUnroll));
  const double before = *times_.of(bench_, kUnroll);
  bench_.edits().apply(kBound);
  EXPECT_FALSE(times_.of(bench_, kUnroll)) << "of another state nothing is known yet";
  ASSERT_TRUE(isKnown(kUnroll));
  EXPECT_LT(*times_.of(bench_, kUnroll), before / 10);
  bench_.navigation().select(0);
  ASSERT_TRUE(times_.of(bench_, kUnroll)) << "at once";
  EXPECT_DOUBLE_EQ(*times_.of(bench_, kUnroll), before);
}

TEST_F(TimesOfOptions, ThatNobodyWaitsForAreDroppedAndAskedForAnew) {
  for (int i = 1; i <= 64; ++i)
    times_.of(bench_, "sch.split(sch.get_loops(sch.get_block(\"Z\"))[2], [None, " + std::to_string(i) + "])");
  times_.stop();
  const auto start = std::chrono::steady_clock::now();
  ASSERT_TRUE(isKnown(kBound));
  const auto one = std::chrono::steady_clock::now() - start;
  EXPECT_LT(one, std::chrono::seconds(3)) << "not behind the others";
  EXPECT_TRUE(isKnown("sch.split(sch.get_loops(sch.get_block(\"Z\"))[2], [None, 32])"));
}

}  // namespace
}  // namespace loom::session::option_times_test
