// A lesson's chapter that has its reader guess, in the panel Space.
#include <algorithm>
#include <string>

#include "tests/gui/script.h"

namespace loom::window::space_guess_panel_test {
namespace {

constexpr const char* kGuessPanel = "//###space";

// The chapter of a lesson is shown at its end.
bool chapterIsShown(ImGuiTestContext* ctx, const std::string& lesson, const std::string& chapter) {
  if (!lessonIsOpen(ctx)) return false;
  auto& model = modelOf(ctx);
  model.documents().open(lesson);
  if (!yieldUntil(ctx, [&] { return model.documents().target()->lessonName == lesson; })) return false;
  const auto& chapters = model.documents().target()->lesson->chapters;
  const auto at = std::ranges::find(chapters, chapter, &document::Chapter::id);
  model.navigation().goToChapter(int(at - chapters.begin()));
  ctx->Yield(2);
  return at != chapters.end();
}

TEST_F(Bench, AGuessIsScoredAndStaysBesideItsChapter) {
  drive([](ImGuiTestContext* ctx) {
    IM_CHECK(chapterIsShown(ctx, "tensor_passes", "guess"));
    auto& model = modelOf(ctx);
    const int chapter = model.navigation().chapter();
    ctx->WindowFocus(kGuessPanel);
    IM_CHECK(yieldUntil(ctx, [&] { return shows(ctx, kGuessPanel, "Which of them is the fastest"); }));
    IM_CHECK(shows(ctx, kGuessPanel, "54 are"));
    IM_CHECK(!ctx->ItemExists("//###space/###reveal"));
    // The state is one of them: pinned to it, one is left.
    IM_CHECK(yieldUntil(ctx, [&] { return ctx->ItemExists("//###space/###mine"); }));
    ctx->ItemClick("//###space/###mine");
    ctx->Yield(2);
    IM_CHECK(!shows(ctx, kGuessPanel, "of the fastest's speed"));
    ctx->ItemClick("//###space/###reveal");
    IM_CHECK(yieldUntil(ctx, [&] { return shows(ctx, kGuessPanel, "of the fastest's speed"); }));
    IM_CHECK(shows(ctx, kGuessPanel, "bx=4 by=32 step_k=16 v=8"));
    IM_CHECK(model.problems().all().empty());
    IM_CHECK_EQ(model.navigation().chapter(), chapter);
  });
}

TEST_F(Bench, ADotOfALessonsPlotIsABranch) {
  drive([](ImGuiTestContext* ctx) {
    IM_CHECK(chapterIsShown(ctx, "tensor_passes", "scatter"));
    auto& model = modelOf(ctx);
    const int chapter = model.navigation().chapter();
    const std::size_t before = model.navigation().history().nodes().size();
    ctx->WindowFocus("//###lesson");
    const char* plot = "//###lesson/**/###scatter";
    IM_CHECK(yieldUntil(ctx, [&] { return ctx->ItemInfo(plot, ImGuiTestOpFlags_NoError).ID != 0; }));
    ctx->ScrollToItemY(plot);
    const ImRect plane = ctx->ItemInfo(plot).RectFull;
    for (float x = 0.2F; x < 1 && model.navigation().history().nodes().size() == before; x += 0.02F) {
      for (float y = 0.1F; y < 0.9F && model.navigation().history().nodes().size() == before; y += 0.1F) {
        ctx->MouseMoveToPos({plane.Min.x + x * plane.GetWidth(), plane.Min.y + y * plane.GetHeight()});
        ctx->MouseClick();
      }
    }
    IM_CHECK_GT(model.navigation().history().nodes().size(), before);
    IM_CHECK(model.problems().all().empty());
    IM_CHECK_EQ(model.navigation().chapter(), chapter);
    IM_CHECK(!model.navigation().isOnLessonsWay());
  });
}

}  // namespace
}  // namespace loom::window::space_guess_panel_test
