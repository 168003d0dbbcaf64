#include <gtest/gtest.h>
#include <imgui.h>

#include <numeric>

#include "app/ui/short_step.h"
#include "tests/gui/kept_window.h"

namespace loom::panels::short_step_test {
namespace {

// With Dear ImGui's own face, whose characters are all as wide.
TEST(NameLines, AreAsManyAsAllowedAndNoWiderThanTheirRoomAtAnyWidth) {
  auto host = window::openHost({"Names", 640, 480, false});
  ASSERT_TRUE(host) << host.error().message.english();
  (*host)->beginFrame();
  for (const char* name :
       {"X", "X_shared", "X_shared_wmma.matrix_a", "__", "a_very_long_name_of_many_parts_reindexed"}) {
    for (int most = 1; most <= 4; ++most) {
      for (float width = 0; width < 320; width += 3.5F) {
        const auto lines = nameLines(name, width, most);
        ASSERT_FALSE(lines.empty());
        EXPECT_LE(int(lines.size()), most) << name << " " << width;
        const std::string whole = std::accumulate(lines.begin(), lines.end(), std::string());
        const bool shortened = whole != name;
        EXPECT_TRUE(!shortened || whole.find("…") != std::string::npos) << whole;
        if (shortened) continue;
        for (const std::string& line : lines) EXPECT_LE(ImGui::CalcTextSize(line.c_str()).x, width) << line;
      }
    }
  }
  (*host)->endFrame(0);
}

TEST(NameLines, AreOfEvenLength) {
  auto host = window::openHost({"Names", 640, 480, false});
  ASSERT_TRUE(host) << host.error().message.english();
  (*host)->beginFrame();
  const float width = ImGui::CalcTextSize("X_shared_").x;
  EXPECT_EQ(nameLines("X_shared_b", width, 2), (std::vector<std::string>{"X_", "shared_b"}));
  (*host)->endFrame(0);
}

TEST(NameLines, ThatAreCutBreakAtTheirPartsAllTheSame) {
  auto host = window::openHost({"Names", 640, 480, false});
  ASSERT_TRUE(host) << host.error().message.english();
  (*host)->beginFrame();
  const float width = ImGui::CalcTextSize("shared.").x;
  const auto lines = nameLines("Z.rf_shared.cluster", width, 2);
  ASSERT_EQ(lines.size(), 2U);
  EXPECT_EQ(lines[0], "Z.rf_");
  EXPECT_TRUE(lines[1].starts_with("share")) << lines[1];
  // A part that is longer than a line begins one all the same.
  EXPECT_EQ(nameLines("Z.rf_shared.cluster", ImGui::CalcTextSize("Z.rf_s").x, 2).front(), "Z.rf_");
  (*host)->endFrame(0);
}

TEST(FittedAround, KeepsTheEndOfAKeyBetweenOtherArguments) {
  auto host = window::openHost({"Names", 640, 480, false});
  ASSERT_TRUE(host) << host.error().message.english();
  (*host)->beginFrame();
  const std::string step = "annotate(k, \"software_pipeline_stage\", [0, 3])";
  EXPECT_EQ(fittedAround(step, ImGui::CalcTextSize(step.c_str()).x), step);
  const std::string some = "annotate(k, \"…pipeline_stage\", [0, 3])";
  EXPECT_EQ(fittedAround(step, ImGui::CalcTextSize(some.c_str()).x), some);
  // Some letters of it say nothing.
  const std::string none = "annotate(k, …, [0, 3])";
  EXPECT_EQ(fittedAround(step, ImGui::CalcTextSize(none.c_str()).x), none);
  (*host)->endFrame(0);
}

}  // namespace
}  // namespace loom::panels::short_step_test
