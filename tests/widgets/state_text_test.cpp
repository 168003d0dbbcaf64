#include "app/widgets/state_text.h"

#include "tests/gui/script.h"

namespace loom::window::state_text_test {
namespace {

TEST(OriginText, HasWordsForEachOrigin) {
  const Look look;
  EXPECT_EQ(panels::originText(look, gpu::ResultOrigin::Measured, "NVIDIA H200", "2026-11-21"),
            "measured here: NVIDIA H200, 2026-11-21");
  EXPECT_EQ(panels::originText(look, gpu::ResultOrigin::Recorded, "NVIDIA H200", "2026-11-21"),
            "recorded: NVIDIA H200, 2026-11-21");
  EXPECT_EQ(panels::originText(look, gpu::ResultOrigin::Executed, "8 cores", "2026-11-21"),
            "executed on the CPU here: 8 cores, 2026-11-21");
}

TEST(FigureText, HasNoMoreDigitsForBeingRoundedUp) {
  EXPECT_EQ(panels::figureText(0.18), "0.180");
  EXPECT_EQ(panels::figureText(26), "26.00");
  EXPECT_EQ(panels::figureText(99.994), "99.99");
  EXPECT_EQ(panels::figureText(99.996), "100.0");
  EXPECT_EQ(panels::figureText(999.94), "999.9");
  EXPECT_EQ(panels::figureText(999.96), "1000");
  EXPECT_EQ(panels::percentText(0.009994), "0.999");
  EXPECT_EQ(panels::percentText(0.009996), "1.00");
  EXPECT_EQ(panels::percentText(0.000001), "<0.001");
}

}  // namespace
}  // namespace loom::window::state_text_test
