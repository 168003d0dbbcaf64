// Few panels, as they look: with Dear ImGui's own face, recorded times and no motion, so that every machine draws the
// same.
#include <imgui_internal.h>

#include <chrono>
#include <thread>

#include "app/window/panel_capture.h"
#include "tests/gui/script.h"
#include "tests/pictures/likeness.h"

namespace loom::window::picture_test {
namespace {

class Pictures : public Bench {
 protected:
  void prepare(WorkbenchOptions& options) override { options.systemFaces = false; }

  // What the panel shows once nothing is under way any more; of Thread binding the part that `target` names.
  Image pictureOf(const std::string& panel, const std::string& target = "") {
    if (target.empty()) {
      workbench().showPanel(panel.c_str());
    } else {
      workbench().showPlace({panel, target});
    }
    settle();
    workbench().endOutline();
    settle();
    workbench().pace().touch();
    ImGui::GetIO().AddMousePosEvent(-FLT_MAX, -FLT_MAX);
    Image frame;
    workbench().frame(&frame);
    const auto rect = panelRect(("###" + panel).c_str());
    if (!rect) return {};
    return cropped(frame, *rect, {1, 1});
  }

 private:
  void settle() {
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(60);
    for (int still = 0; still < 30 && std::chrono::steady_clock::now() < end;) {
      host().waitForEvents(0);
      workbench().frame();
      still = workbench().drawn() || workbench().model().activity().busy ? 0 : still + 1;
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
  }
};

// The lesson at the end of a chapter, everything that panels need of it there.
template <int kChapter>
void goTo(ImGuiTestContext* ctx) {
  workbenchOf(ctx).settings().reducedMotion = true;
  IM_CHECK(startIsShown(ctx));
  auto& model = modelOf(ctx);
  model.navigation().goToChapter(kChapter);
  const int node = model.navigation().current(), parent = model.navigation().node().parent;
  IM_CHECK(yieldUntil(ctx, [&] { return model.models().of(node) && model.models().of(parent); }));
  IM_CHECK(yieldUntil(ctx, [&] { return model.results().timed(node) != nullptr; }));
}

TEST_F(Pictures, LoopNestOfTheFinalKernel) {
  drive(goTo<14>);
  EXPECT_EQ(whyUnlike(pictureOf("loopnest"), "loop_nest"), "");
}

// Eight ways in red, and the same request with padded rows below it on the same clock.
TEST_F(Pictures, BanksOfAConflictAboveThoseOfPaddedRows) {
  drive(goTo<13>);
  EXPECT_EQ(whyUnlike(pictureOf("threads", "read/X_shared/banks"), "banks"), "");
}

TEST_F(Pictures, MemoryHierarchyOfTheLastChapter) {
  drive(goTo<16>);
  EXPECT_EQ(whyUnlike(pictureOf("memory"), "memory_hierarchy"), "");
}

TEST_F(Pictures, PlaybackOfTheFinalKernel) {
  drive(goTo<14>);
  EXPECT_EQ(whyUnlike(pictureOf("playback"), "playback"), "");
}

Image filled(int width, int height, std::uint8_t value) {
  return {width, height, std::vector<std::uint8_t>(std::size_t(width) * std::size_t(height) * 3, value)};
}

TEST(Likeness, SeesALabelThatIsGoneAndNoNoise) {
  const Image plain = filled(800, 600, 40);
  Image noisy = plain, labelled = plain;
  for (std::size_t i = 0; i < noisy.rgb.size(); ++i) noisy.rgb[i] = std::uint8_t(40 + int(i * 7 % 5) - 2);
  for (int y = 100; y < 116; ++y) {
    for (int x = 200; x < 260; ++x) labelled.rgb[(std::size_t(y) * 800 + std::size_t(x)) * 3] = 220;
  }
  const Difference noise = differenceOf(quartered(plain), quartered(noisy));
  EXPECT_LT(noise.mean, 1.5);
  EXPECT_LT(noise.worst, 3);
  const Difference label = differenceOf(quartered(plain), quartered(labelled));
  EXPECT_LT(label.mean, 1.5);
  EXPECT_GT(label.worst, 20);
  EXPECT_NE(whyUnlike(plain, "no_such_reference"), "");
}

}  // namespace
}  // namespace loom::window::picture_test
