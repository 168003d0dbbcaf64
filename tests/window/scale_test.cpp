#include <GLFW/glfw3.h>
#include <imgui_internal.h>

#include <cstdlib>
#include <string_view>

#include "tests/gui/script.h"

namespace loom::window::scale_test {
namespace {

ImGuiID placeOf(const char* panel) {
  const ImGuiWindow* window = ImGui::FindWindowByName(panel);
  return window != nullptr ? window->DockId : 0;
}

void scaleTo(ImGuiTestContext* ctx, int percent) {
  workbenchOf(ctx).settings().scalePercent = percent;
  ctx->SleepNoSkip(0.3F, 0.02F);
  ctx->Yield(8);
}

TEST_F(Bench, AnotherScaleLaysPanelsOutAnewUnlessTheyWereMoved) {
  drive([](ImGuiTestContext* ctx) {
    IM_CHECK(startIsShown(ctx));
    ctx->Yield(8);
    IM_CHECK_NE(placeOf("###tvmscript"), placeOf("###cuda"));
    scaleTo(ctx, 200);  // there is room for one of both now
    IM_CHECK_EQ(placeOf("###tvmscript"), placeOf("###cuda"));
    scaleTo(ctx, 100);
    IM_CHECK_NE(placeOf("###tvmscript"), placeOf("###cuda"));
    ImGui::DockBuilderDockWindow("###console", placeOf("###history"));
    ctx->Yield(4);
    scaleTo(ctx, 200);  // what the user made stays
    IM_CHECK_EQ(placeOf("###console"), placeOf("###history"));
    IM_CHECK_NE(placeOf("###tvmscript"), placeOf("###cuda"));
  });
}

// However a layout comes to be built, panels have the same heights: at the first start, chosen anew, and back from
// another scale, whose bars are higher.
TEST_F(Bench, ALayoutHasTheSameHeightsHoweverItWasBuilt) {
  drive([](ImGuiTestContext* ctx) {
    IM_CHECK(startIsShown(ctx));
    ctx->Yield(8);
    const auto height = [] { return ImGui::FindWindowByName("###performance")->DockNode->Size.y; };
    const float first = height();
    workbenchOf(ctx).layouts().reset();
    ctx->Yield(8);
    IM_CHECK_EQ(height(), first);
    scaleTo(ctx, 200);
    scaleTo(ctx, 100);
    IM_CHECK_EQ(height(), first);
  });
}

// The number of the first line in sight.
int firstLine(const char* panel) {
  for (const TextRun& text : drawnText(panel)) {
    const int line = std::atoi(text.text.c_str());
    if (line > 0 && text.text.find_first_not_of(" 0123456789") == std::string::npos) return line;
  }
  return 0;
}

TEST_F(Bench, CodeStaysWhereItIsAtAnotherScaleAndWidth) {
  drive([](ImGuiTestContext* ctx) {
    IM_CHECK(startIsShown(ctx));
    auto& model = modelOf(ctx);
    model.navigation().select(48);
    IM_CHECK(yieldUntil(ctx, [&] { return model.programs().of(48) != nullptr && firstLine("###tvmscript") > 1; }));
    ctx->SleepNoSkip(0.2F, 0.02F);
    const ImGuiTestItemInfo code = ctx->WindowInfo("//###tvmscript/###code");
    IM_CHECK(code.Window != nullptr);
    ctx->ScrollToY(code.Window->ID, code.Window->ScrollMax.y * 0.3F);
    ctx->Yield(3);
    const int line = firstLine("###tvmscript");
    IM_CHECK_GT(line, 10);
    scaleTo(ctx, 125);
    IM_CHECK_LE(std::abs(firstLine("###tvmscript") - line), 1);
    scaleTo(ctx, 100);
    IM_CHECK_LE(std::abs(firstLine("###tvmscript") - line), 1);
    scaleTo(ctx, 200);  // another layout, in which the panel is wider
    IM_CHECK_LE(std::abs(firstLine("###tvmscript") - line), 1);
  });
}

TEST_F(Bench, ANarrowWindowHasItsCodeInOnePlaceUnlessPanelsWereMoved) {
  drive([](ImGuiTestContext* ctx) {
    auto resize = [&](int width, int height) {
      glfwSetWindowSize(static_cast<GLFWwindow*>(ImGui::GetMainViewport()->PlatformHandle), width, height);
      ctx->SleepNoSkip(0.3F, 0.02F);
      ctx->Yield(10);
    };
    IM_CHECK(startIsShown(ctx));
    ctx->Yield(8);
    resize(1000, 900);
    IM_CHECK_EQ(placeOf("###tvmscript"), placeOf("###cuda"));
    resize(1600, 1000);
    IM_CHECK_NE(placeOf("###tvmscript"), placeOf("###cuda"));
    ImGui::DockBuilderDockWindow("###console", placeOf("###history"));
    ctx->Yield(4);
    resize(1000, 900);
    IM_CHECK_NE(placeOf("###tvmscript"), placeOf("###cuda"));
    IM_CHECK_EQ(placeOf("###console"), placeOf("###history"));
  });
}

TEST_F(Bench, AWindowThatWasTinyComesBackWithItsPanels) {
  drive([](ImGuiTestContext* ctx) {
    auto resize = [&](int width, int height) {
      glfwSetWindowSize(static_cast<GLFWwindow*>(ImGui::GetMainViewport()->PlatformHandle), width, height);
      ctx->SleepNoSkip(0.3F, 0.02F);
      ctx->Yield(10);
    };
    auto widths = [] {
      std::vector<float> all;
      for (const char* panel : {"###history", "###loopnest", "###tvmscript", "###memory", "###step"})
        all.push_back(ImGui::FindWindowByName(panel)->Size.x);
      return all;
    };
    auto tinyAndBack = [&] {
      const auto before = widths();
      resize(200, 120);
      resize(40, 30);
      resize(700, 400);
      resize(1600, 1000);
      const auto after = widths();
      for (std::size_t i = 0; i < before.size(); ++i) IM_CHECK_LE(std::abs(after[i] - before[i]), 4.0F);
    };
    IM_CHECK(startIsShown(ctx));
    ctx->Yield(8);
    tinyAndBack();
    // Panels that were moved come back too.
    ImGui::DockBuilderDockWindow("###console", placeOf("###history"));
    ctx->Yield(4);
    tinyAndBack();
    IM_CHECK_EQ(placeOf("###console"), placeOf("###history"));
  });
}

TEST_F(Bench, PanelsShareTheRoomAlikeWhateverTheWindowsSize) {
  drive([](ImGuiTestContext* ctx) {
    auto resize = [&](int width, int height) {
      glfwSetWindowSize(static_cast<GLFWwindow*>(ImGui::GetMainViewport()->PlatformHandle), width, height);
      ctx->SleepNoSkip(0.3F, 0.02F);
      ctx->Yield(10);
    };
    auto sizes = [] {
      std::vector<ImVec2> all;
      for (const char* panel : {"###lesson", "###loopnest", "###tvmscript", "###memory", "###performance"})
        all.push_back(ImGui::FindWindowByName(panel)->Size);
      return all;
    };
    auto thereAndBack = [&] {
      const auto before = sizes();
      resize(900, 600);
      resize(2600, 1600);
      resize(1600, 1000);
      const auto after = sizes();
      for (std::size_t i = 0; i < before.size(); ++i) {
        IM_CHECK_LE(std::abs(after[i].x - before[i].x), 16.0F);
        IM_CHECK_LE(std::abs(after[i].y - before[i].y), 16.0F);
      }
    };
    IM_CHECK(startIsShown(ctx));
    ctx->Yield(12);
    thereAndBack();
    // Where panels were moved, nothing is built anew.
    ImGui::DockBuilderDockWindow("###console", placeOf("###history"));
    ctx->Yield(12);
    thereAndBack();
    IM_CHECK_EQ(placeOf("###console"), placeOf("###history"));
  });
}

TEST_F(Bench, PerformanceAtTwiceTheSize) {
  drive([](ImGuiTestContext* ctx) {
    IM_CHECK(startIsShown(ctx));
    auto& model = modelOf(ctx);
    model.navigation().goToChapter(14);
    scaleTo(ctx, 200);
    IM_CHECK(yieldUntil(ctx, [&] { return model.models().of(model.navigation().current()) != nullptr; }));
    ctx->WindowFocus("//###performance");
    auto rectOf = [&](const std::string& tab) {
      return ctx->ItemInfo(("//###performance/###views/###" + tab).c_str()).RectFull;
    };
    const ImRect last = rectOf("sizes");
    for (const char* tab : {"steps", "roofline", "occupancy", "instructions", "stalls", "advice", "compare", "sizes"}) {
      ctx->ItemClick((std::string("//###performance/###views/###") + tab).c_str());
      ctx->SleepNoSkip(0.2F, 0.02F);
      IM_CHECK_EQ(rectOf("sizes").Min.x, last.Min.x);  // also beside a scroll bar
    }
    ctx->ItemClick("//###performance/###views/###steps");
    ctx->Yield(5);
    bool seen = false;
    for (const ImGuiWindow* window : ImGui::GetCurrentContext()->Windows) {
      if (!window->WasActive || std::string_view(window->Name).find("speedups") == std::string_view::npos) continue;
      seen = true;
      IM_CHECK_EQ(window->ScrollMax.x, 0);  // nothing of the table is to the side
    }
    IM_CHECK(seen);
    IM_CHECK(ctx->ItemExists("//###performance/###views/###roofline"));
  });
}

}  // namespace
}  // namespace loom::window::scale_test
