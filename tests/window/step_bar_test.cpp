// The bar of steps beside the menus, and the layouts that the program brings along.
#include <imgui_internal.h>

#include "app/notation/time_text.h"
#include "tests/gui/script.h"

namespace loom::window::step_bar_test {
namespace {

constexpr const char* kSlider = "//##MainMenuBar/##MenuBar/###steps";

bool barShows(ImGuiTestContext* ctx, const std::string& words) { return shows(ctx, "##MainMenuBar", words); }

TEST_F(Bench, StepBarSaysWhereOneIs) {
  drive([](ImGuiTestContext* ctx) {
    IM_CHECK(startIsShown(ctx));
    IM_CHECK(barShows(ctx, "0 of 50"));
    IM_CHECK(yieldUntil(ctx, [&] { return modelOf(ctx).results().timed(0) != nullptr; }));
    const double start = modelOf(ctx).results().timed(0)->measured()->timing.median;
    IM_CHECK(start > 1e7);  // many seconds, of one thread
    IM_CHECK(barShows(ctx, notation::timeText(start) + " ✓"));
    modelOf(ctx).navigation().goToChapter(5);
    IM_CHECK(barShows(ctx, "27 of 50"));
    IM_CHECK(barShows(ctx, "vectorize(l43)"));
    modelOf(ctx).navigation().stepForward();
    IM_CHECK(
        yieldUntil(ctx, [&] { return modelOf(ctx).programs().of(modelOf(ctx).navigation().current()) != nullptr; }));
    IM_CHECK(barShows(ctx, "no kernel"));
  });
}

TEST_F(Bench, StepBarsButtonsStepAndTakeBack) {
  drive([](ImGuiTestContext* ctx) {
    IM_CHECK(startIsShown(ctx));
    session::Session& model = modelOf(ctx);
    ctx->SetRef("//##MainMenuBar/##MenuBar");
    ctx->ItemClick("###stepforward");
    IM_CHECK_EQ(model.navigation().node().number, 1);
    ctx->ItemClick("###stepforward");
    ctx->ItemClick("###stepback");
    IM_CHECK_EQ(model.navigation().node().number, 1);
    IM_CHECK(barShows(ctx, "1 of 50"));
    ctx->ItemClick("###undo");  // the whole walk
    IM_CHECK_EQ(model.navigation().node().number, 0);
    ctx->ItemClick("###redo");
    IM_CHECK_EQ(model.navigation().node().number, 1);
    ctx->ItemClick("###play");
    IM_CHECK(model.navigation().isPlaying());
    ctx->ItemClick("###play");
    IM_CHECK(!model.navigation().isPlaying());
  });
}

TEST_F(Bench, StepBarIsDraggedOverAllStepsAndIsOneAction) {
  drive([](ImGuiTestContext* ctx) {
    IM_CHECK(startIsShown(ctx));
    session::Session& model = modelOf(ctx);
    ctx->Yield(2);
    const ImRect all = ctx->ItemInfo(kSlider).RectFull;
    const std::size_t actions = model.edits().undoable() ? 1 : 0;
    ctx->MouseMoveToPos({all.Min.x + 1, all.GetCenter().y});
    ctx->MouseDown();
    ctx->MouseMoveToPos(all.GetCenter());
    ctx->Yield(2);
    const int half = model.navigation().node().number, last = int(model.navigation().path().size()) - 1;
    IM_CHECK(std::abs(half - last / 2) <= 1);
    ctx->MouseMoveToPos({all.Max.x - 1, all.GetCenter().y});
    ctx->Yield(2);
    ctx->MouseUp();
    IM_CHECK_EQ(model.navigation().node().number, last);
    IM_CHECK(barShows(ctx, "50 of 50"));
    ctx->KeyPress(ImGuiMod_Ctrl | ImGuiKey_Z);
    IM_CHECK_EQ(model.navigation().node().number, 0);
    IM_CHECK_EQ(model.edits().undoable() ? 1U : 0U, actions);
  });
}

TEST_F(Bench, StepBarsSliderStaysWhereItIsWhateverTheState) {
  drive([](ImGuiTestContext* ctx) {
    IM_CHECK(startIsShown(ctx));
    ctx->Yield(2);
    const ImRect before = ctx->ItemInfo(kSlider).RectFull;
    for (int chapter : {3, 8, 15}) {
      modelOf(ctx).navigation().goToChapter(chapter);
      ctx->Yield(2);
      const ImRect now = ctx->ItemInfo(kSlider).RectFull;
      IM_CHECK_EQ(now.Min.x, before.Min.x);
      IM_CHECK_EQ(now.Max.x, before.Max.x);
    }
  });
}

TEST_F(Bench, StepBarHasRoomOrLeavesOutAtEveryScale) {
  drive([](ImGuiTestContext* ctx) {
    IM_CHECK(startIsShown(ctx));
    for (int percent : {75, 100, 150, 200, 300}) {
      workbenchOf(ctx).settings().scalePercent = percent;
      ctx->Yield(4);
      const ImGuiWindow* bar = ImGui::FindWindowByName("##MainMenuBar");
      for (const TextRun& text : drawnText("##MainMenuBar")) {
        IM_CHECK_LE(text.ink.to.x, bar->Pos.x + bar->Size.x + 1);
      }
    }
  });
}

TEST_F(Bench, PicturesStandSideBySideWhenThatLayoutIsChosen) {
  drive([](ImGuiTestContext* ctx) {
    IM_CHECK(startIsShown(ctx));
    ctx->MenuClick("//##MainMenuBar/###view/###layout/###pictures");
    ctx->Yield(6);
    for (const char* id : {"loopnest", "threads", "memory", "performance", "tvmscript"}) {
      const ImGuiWindow* window = ImGui::FindWindowByName(windowName("", id).c_str());
      IM_CHECK_SILENT(window != nullptr && window->DockNode != nullptr && window->DockTabIsVisible);
    }
    ctx->MenuClick("//##MainMenuBar/###view/###layout/###machine");
    ctx->Yield(6);
    for (const char* id : {"cuda", "ptx", "sass"}) {
      const ImGuiWindow* window = ImGui::FindWindowByName(windowName("", id).c_str());
      IM_CHECK_SILENT(window != nullptr && window->DockNode != nullptr && window->DockTabIsVisible);
    }
    ctx->ItemClick("//###status/##MenuBar/###reset");
    ctx->Yield(6);
    IM_CHECK(workbenchOf(ctx).layouts().inUse() == "reset");
    const ImGuiWindow* threads = ImGui::FindWindowByName("###threads");
    const ImGuiWindow* nest = ImGui::FindWindowByName("###loopnest");
    IM_CHECK_EQ(threads->DockNode, nest->DockNode);
  });
}

// It is clicked again and again: it stays under the mouse, whatever stands around it.
TEST_F(Bench, NextKeepsItsPlaceInEveryLayout) {
  drive([](ImGuiTestContext* ctx) {
    IM_CHECK(startIsShown(ctx));
    for (const int percent : {100, 200}) {
      workbenchOf(ctx).settings().scalePercent = percent;
      ctx->Yield(6);
      std::optional<ImRect> first;
      for (const char* layout : {"reset", "pictures", "machine", "reset"}) {
        ctx->MenuClick((std::string("//##MainMenuBar/###view/###layout/###") + layout).c_str());
        ctx->Yield(8);
        const ImRect now = ctx->ItemInfo("//###lesson/###next").RectFull;
        if (!first) first = now;
        IM_CHECK_LE(std::abs(now.Min.x - first->Min.x), 2);
        IM_CHECK_LE(std::abs(now.Min.y - first->Min.y), 2);
        IM_CHECK_LE(std::abs(now.Max.x - first->Max.x), 2);
      }
    }
  });
}

TEST_F(Bench, LayoutInUseComesBackWithItsFrontTabs) {
  drive([](ImGuiTestContext* ctx) {
    ctx->Yield(6);
    ctx->ItemClick("//###status/##MenuBar/###pictures");
    ctx->Yield(8);
  });
  restart();
  drive([](ImGuiTestContext* ctx) {
    ctx->Yield(8);
    IM_CHECK(workbenchOf(ctx).layouts().inUse() == "pictures");
    for (const char* id : {"loopnest", "threads", "memory", "performance", "tvmscript"}) {
      IM_CHECK_SILENT(ImGui::FindWindowByName(windowName("", id).c_str())->DockTabIsVisible);
    }
  });
}

class CheckingBench : public Bench {
 protected:
  void prepare(WorkbenchOptions& options) override { options.model.check = true; }
};

TEST_F(CheckingBench, AWrongStepIsSaidInTheBarAndInProblems) {
  drive([](ImGuiTestContext* ctx) {
    IM_CHECK(startIsShown(ctx));
    auto& model = modelOf(ctx);
    model.navigation().goToChapter(13);  // the whole product is on tensor cores
    const int node = model.edits().apply("sch.bind(l29, \"blockIdx.y\")").node;
    IM_CHECK(yieldUntil(ctx, [&] { return model.checks().of(node) != nullptr; }));
    IM_CHECK(*model.checks().of(node));
    ctx->WindowFocus("//###problems");
    ctx->Yield(3);
    IM_CHECK_EQ(model.problems().all().size(), 1U);
    IM_CHECK(shows(ctx, "###problems", "Wrong result"));
    IM_CHECK(shows(ctx, "##MainMenuBar", "wrong result"));
    model.edits().undo();
    ctx->Yield(3);
    IM_CHECK_EQ(model.problems().all().size(), 1U);
  });
}

}  // namespace
}  // namespace loom::window::step_bar_test
