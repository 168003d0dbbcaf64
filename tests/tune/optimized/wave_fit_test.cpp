// How tiles fill waves of multiprocessors, and the hints that say so.
#include "core/tune/rules/wave_fit.h"

#include <gtest/gtest.h>

#include "core/tune/wave_hints.h"
#include "tests/tune/rules/products.h"

namespace loom::tune::wave_fit_test {
namespace {

// At 4096³ tiles of 128 rows were measured in this order on an H100: by waves · columns.
TEST(WaveFit, OrdersTilesAsTheyWereMeasured) {
  std::int64_t before = 0;
  for (const auto& [columns, fit] :
       {std::pair{112, 1008}, {128, 1024}, {104, 1040}, {176, 1056}, {120, 1080}, {144, 1152}, {168, 1176}}) {
    EXPECT_EQ(waveFit(4096, 4096, 1, 128, columns, 132).columns, fit) << columns;
    EXPECT_GT(fit, before);
    before = fit;
  }
  const WaveFit one = waveFit(1024, 1024, 1, 64, 128, 132);
  EXPECT_EQ(one.tiles, 128);
  EXPECT_EQ(one.waves, 1);
  EXPECT_NEAR(one.filled, 128.0 / 132, 1e-12);
}

// The hint in the form of `split`: of the loop over columns, with tiles of 64 rows that are cut already.
TEST(WaveHints, SayHowASplitFillsWaves) {
  auto target = document::openFunction(productText(1024, 1024, 1024, "[n, k]", "float16", "float32"), "f.py").value();
  const auto cut = target.history.apply(0, "sch.split(sch.get_loops(sch.get_block(\"C\"))[0], [None, 64])\n",
                                        document::environment());
  ASSERT_TRUE(cut && !cut->refusal);
  const schedule::State& state = target.history.node(cut->node).state;
  const std::vector<ir::Id> loops = state.tree().loopsAbove(state.tree().childBlocks(state.tree().nodes()[1].id)[0]);
  ASSERT_EQ(loops.size(), 4U);
  const auto hints = WaveHints::of(state, loops[2], deviceNamed("h200"));
  ASSERT_TRUE(hints);
  EXPECT_TRUE(hints->isOfColumns());
  EXPECT_EQ(hints->other(), 64);
  EXPECT_EQ(hints->fitOf(128).waves, 1);
  EXPECT_EQ(hints->fitOf(64).waves, 2);
  EXPECT_LE(hints->costOf(128), hints->costOf(64));
  EXPECT_LT(hints->costOf(128), hints->costOf(256));
  EXPECT_TRUE(hints->takes(8));
  EXPECT_FALSE(hints->takes(512));
  EXPECT_FALSE(WaveHints::of(state, loops[3], deviceNamed("h200"))) << "the loop over k";
  EXPECT_FALSE(WaveHints::of(state, loops[2], deviceNamed("a100_80")));
}

}  // namespace
}  // namespace loom::tune::wave_fit_test
