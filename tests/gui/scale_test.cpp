#include <GLFW/glfw3.h>
#include <imgui_internal.h>

#include "tests/gui/script.h"

namespace loom::window {
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

TEST_F(Bench, PerformanceAtTwiceTheSize) {
  drive([](ImGuiTestContext* ctx) {
    IM_CHECK(startIsShown(ctx));
    auto& model = modelOf(ctx);
    model.goToChapter(14);
    scaleTo(ctx, 200);
    IM_CHECK(yieldUntil(ctx, [&] { return model.stateModel(model.current()) != nullptr; }));
    ctx->WindowFocus("//###performance");
    for (const char* tab : {"steps", "roofline", "occupancy", "advice"}) {
      ctx->ItemClick((std::string("//###performance/###views/###") + tab).c_str());
      ctx->SleepNoSkip(0.2F, 0.02F);
      snap(ctx, std::string("twice_") + tab);
    }
    IM_CHECK(ctx->ItemExists("//###performance/###views/###roofline"));
  });
}

}  // namespace
}  // namespace loom::window
