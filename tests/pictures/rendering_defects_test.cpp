#include "app/pictures/rendering_defects.h"
#include "app/notation/palette.h"

#include <gtest/gtest.h>
#include <imgui_internal.h>

#include <functional>

#include "app/pictures/tooltips.h"
#include "tests/gui/kept_window.h"

namespace loom::window::rendering_defects_test {
namespace {

constexpr const char* kPage = "page";
constexpr unsigned kGround = 0x202020;
constexpr ImU32 kWhite = IM_COL32_WHITE, kHardly = IM_COL32(0x38, 0x38, 0x38, 255);

// A window of 300 × 200 in which each test draws.
class Faults : public testing::Test {
 protected:
  void SetUp() override {
    auto host = openHost({"Faults", 640, 480, false});
    ASSERT_TRUE(host) << host.error().message.english();
    host_ = std::move(*host);
  }

  std::vector<RenderingDefect> of(const std::function<void()>& draw) {
    Image picture;
    for (int i = 0; i < 3; ++i) {  // windows find their size, faces are baked
      host_->waitForEvents(0);
      host_->beginFrame();
      ImGui::SetNextWindowPos({20, 30});
      ImGui::SetNextWindowSize({300, 200});
      ImGui::PushStyleColor(ImGuiCol_WindowBg, IM_COL32(0x20, 0x20, 0x20, 255));
      ImGui::Begin(kPage, nullptr, ImGuiWindowFlags_NoDecoration);
      draw();
      ImGui::End();
      ImGui::PopStyleColor();
      host_->endFrame(kGround, &picture);
    }
    return faultsOf(kPage, picture, ImGui::GetIO().DisplayFramebufferScale, 3);
  }

  std::unique_ptr<Host> host_;
};

using Kind = RenderingDefect::Kind;

void text(float x, float y, const char* words, ImU32 colour = kWhite) {
  ImGui::GetWindowDrawList()->AddText({x, y}, colour, words);
}

TEST_F(Faults, WholeWordsApartFromOneAnotherAreNone) {
  EXPECT_TRUE(of([] {
                ImGui::TextUnformatted("first line");
                ImGui::TextUnformatted("second line");
                ImGui::Button("a button");
              }).empty());
}

TEST_F(Faults, TextThatReachesOverTheWindowsEdgeIsCut) {
  const auto faults = of([] { text(267, 60, "beyond the edge"); });
  ASSERT_EQ(faults.size(), 1U);
  EXPECT_EQ(faults[0].kind, Kind::kCut);
  EXPECT_NEAR(faults[0].at.x, 247, 2);
  EXPECT_NEAR(faults[0].at.y, 32, 3);
}

TEST_F(Faults, TextThatDearImGuiTrimsIsCut) {
  // Where the edge of a clip of Dear ImGui's own falls between two characters, nothing is left to see it by.
  int found = 0;
  for (int width = 58; width < 72; ++width) {
    const auto faults = of([&] { ImGui::Button("a label too long", {float(width), 0}); });
    found += faults.size() == 1 && faults[0].kind == Kind::kCut;
  }
  EXPECT_GE(found, 6) << "of 14 widths";
}

TEST_F(Faults, TextThatIsShortenedIsNot) {
  EXPECT_TRUE(of([] {
                const ImVec2 from = ImGui::GetCursorScreenPos(), to = {from.x + 60, from.y + 20};
                ImGui::RenderTextEllipsis(ImGui::GetWindowDrawList(), from, to, to.x, "a label too long", nullptr,
                                          nullptr);
              }).empty());
}

TEST_F(Faults, AShortenedTextWhoseRestNoHoverTellsIsOne) {
  constexpr const char *kTold = "a sentence that is told in its hover", *kLost = "words of which nobody sees the rest";
  std::vector<panels::EllipsizedText> shortened;
  panels::noteShortened(&shortened);
  auto page = [&] {
    panels::fittedText(kTold, 90);
    ImGui::TextUnformatted(panels::ellipsized(kLost, 90).c_str());
    ImGui::TextUnformatted("by itself…");
  };
  EXPECT_TRUE(of(page).empty());
  panels::noteShortened(nullptr);
  ASSERT_EQ(shortened.size(), 2U);
  const auto faults = truncatedWithoutTooltip([&] { (void)of(page); }, kPage, shortened);
  ASSERT_EQ(faults.size(), 1U);
  EXPECT_EQ(faults[0].kind, Kind::kShortened);
  EXPECT_EQ(faults[0].other, kLost);
  EXPECT_TRUE(isCertain(faults[0].kind));
}

TEST_F(Faults, TextOfAHalfRowIsCutUnlessItScrolls) {
  EXPECT_EQ(of([] { text(40, 224, "low"); }).size(), 1U);
  EXPECT_TRUE(of([] {
                for (int i = 0; i < 40; ++i) ImGui::Text("row %d", i);
              }).empty());
}

TEST_F(Faults, TextThatScrollingSidewaysWouldShowIsSaidApart) {
  const auto faults = of([] {
    ImGui::BeginChild("wide", {0, 60}, 0, ImGuiWindowFlags_HorizontalScrollbar);
    ImGui::TextUnformatted("a line that is so long that it can't be seen as a whole in a window of this width");
    ImGui::EndChild();
  });
  ASSERT_EQ(faults.size(), 1U);
  EXPECT_EQ(faults[0].kind, Kind::kSideways);
}

TEST_F(Faults, TextsOnOneAnother) {
  const auto faults = of([] {
    text(40, 60, "upper");
    text(50, 66, "lower");
  });
  ASSERT_EQ(faults.size(), 1U);
  EXPECT_EQ(faults[0].kind, Kind::kOver);
  EXPECT_EQ(faults[0].text, "upper");
  EXPECT_EQ(faults[0].other, "lower");
}

TEST_F(Faults, TextUnderAnOpaqueAreaIsNotSeen) {
  EXPECT_TRUE(of([] {
                text(40, 60, "under");
                ImGui::GetWindowDrawList()->AddRectFilled({30, 50}, {120, 90}, IM_COL32(0x20, 0x20, 0x20, 255));
                text(42, 62, "over it");
              }).empty());
}

TEST_F(Faults, TextThatHardlyDiffersFromItsGroundIsFaint) {
  const auto faults = of([] { text(40, 60, "hardly there", kHardly); });
  ASSERT_EQ(faults.size(), 1U);
  EXPECT_EQ(faults[0].kind, Kind::kFaint);
  EXPECT_LT(faults[0].contrast, 1.5);
}

TEST_F(Faults, TheGroundIsThatUnderTheText) {
  const auto faults = of([] {
    ImGui::GetWindowDrawList()->AddRectFilled({30, 50}, {220, 90}, kWhite);
    text(40, 60, "white on white");
  });
  ASSERT_EQ(faults.size(), 1U);
  EXPECT_NEAR(faults[0].contrast, 1, 1e-9);
}

TEST(ContrastRatio, IsThatOfWcag) {
  EXPECT_NEAR(notation::contrastRatio(0x000000, 0xffffff), 21, 1e-9);
  EXPECT_NEAR(notation::contrastRatio(0x777777, 0xffffff), 4.48,
              0.01);  // WCAG's own example of a grey that just fails 4.5
  EXPECT_DOUBLE_EQ(notation::contrastRatio(0x123456, 0x123456), 1);
}

}  // namespace
}  // namespace loom::window::rendering_defects_test
