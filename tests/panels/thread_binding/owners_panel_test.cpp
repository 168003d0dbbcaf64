#include <cmath>

#include "app/session/background_value.h"
#include "tests/panels/thread_binding/threads.h"

namespace loom::window::thread_binding_owners_panel_test {
namespace {

// Scrolls until the item of the pictures is seen, as far as that goes.
void bring(ImGuiTestContext* ctx, const char* item) {
  pictures(ctx, 0);
  ctx->ScrollToItemY(item);
  ctx->Yield(2);
}

TEST_F(Bench, AnElementsOwnersAreNamedAndAClickAway) {
  drive([](ImGuiTestContext* ctx) {
    IM_CHECK(threadsAreShown(ctx, 48));
    IM_CHECK(chooseStatement(ctx, "X_shared reads X", "at least"));
    bring(ctx, "inner/elements/###element");
    write(ctx, "inner/elements/###element", "281, 9");
    ctx->KeyPress(ImGuiKey_Enter);
    auto shown = [&](const char* words) {
      return yieldUntil(ctx, [&] {
        bring(ctx, "inner/elements/###element");
        return shows(ctx, "###threads", words);
      });
    };
    IM_CHECK(shown("[281, 9]: touched by blocks: 8, threads: 8"));
    IM_CHECK(shows(ctx, "###threads", "block 16, warp 6, lane 9"));
    IM_CHECK(shows(ctx, "###threads", "and 2 more"));
    // Whoever is clicked is looked at; the element stays.
    ctx->ItemClick("inner/elements/###owner1");
    IM_CHECK(yieldUntil(ctx, [&] {
      return modelOf(ctx).selection().thread().block == 17 && modelOf(ctx).selection().thread().thread == 6 * 32 + 9;
    }));
    IM_CHECK(shown("block 16, warp 6, lane 9"));
    bring(ctx, "inner/elements/###moreowners");
    const ImGuiWindow* window = ctx->WindowInfo("//###threads/pictures").Window;
    const float height = window->ContentSize.y;
    ctx->ItemClick("inner/elements/###moreowners");
    IM_CHECK(shown("block 23, warp 6, lane 9"));
    IM_CHECK(!shows(ctx, "###threads", "block 16, warp 6"));
    IM_CHECK_EQ(window->ContentSize.y, height);
    // What names no element is refused with the numbers that do.
    write(ctx, "inner/elements/###element", "1024, 9");
    ctx->KeyPress(ImGuiKey_Enter);
    IM_CHECK(shown("A row from 0 to 1023"));
  });
}

TEST_F(Bench, WavefrontsAreReplayedOneByOne) {
  drive([](ImGuiTestContext* ctx) {
    IM_CHECK(threadsAreShown(ctx, 48));
    IM_CHECK(chooseStatement(ctx, "X_shared_wmma.matrix_a_o reads X_shared", "8-way bank conflict"));
    // What the model says and how blocks run in waves is there: nothing else moves what is below.
    IM_CHECK(yieldUntil(ctx, [&] { return modelOf(ctx).models().isFinal(48) && session::beingMade() == 0; }));
    ctx->Yield(3);
    bring(ctx, "inner/banks/###waveforward");
    const ImGuiWindow* window = ctx->WindowInfo("//###threads/pictures").Window;
    const float height = window->ContentSize.y;
    IM_CHECK(shows(ctx, "###threads", "wavefronts of this request: 32"));
    for (int i = 0; i < 4; ++i) ctx->ItemClick("inner/banks/###waveforward");
    IM_CHECK(shows(ctx, "###threads", "wavefront 4 of 32; rows of lanes: 3; banks: 0–3"));
    ctx->ItemClick("inner/banks/###waveback");
    IM_CHECK(shows(ctx, "###threads", "wavefront 3 of 32; rows of lanes: 2; banks: 0–3"));
    ctx->ItemClick("inner/banks/###waveplay");
    IM_CHECK(yieldUntil(ctx, [&] { return shows(ctx, "###threads", "wavefront 6 of 32; rows of lanes: 5"); }));
    ctx->ItemClick("inner/banks/###waveplay");
    // A click on a row chooses it: the last of the last eight lanes'.
    const ImRect all = ctx->ItemInfo("inner/banks/banks").RectFull;
    ctx->MouseMoveToPos({all.Min.x + 20, all.Max.y - workbenchOf(ctx).look().px(11 + 3 + 2 + 3)});
    ctx->MouseClick();
    IM_CHECK(shows(ctx, "###threads", "wavefront 32 of 32; rows of lanes: 31; banks: 4–7"));
    IM_CHECK_EQ(window->ContentSize.y, height);
  });
}

// A thread a block: half a million blocks, of which none is seen by itself.
// 64 × 32 blocks in half a panel: cells of 3 px.
TEST_F(Bench, BlocksTooSmallToHitAreSeenNearer) {
  drive([](ImGuiTestContext* ctx) {
    IM_CHECK(lessonIsOpen(ctx));
    modelOf(ctx).documents().open("cuda_cores");
    IM_CHECK(yieldUntil(ctx, [&] { return modelOf(ctx).documents().target()->lessonName == "cuda_cores"; }));
    IM_CHECK(threadsAreShown(ctx, 34));
    auto& model = modelOf(ctx);
    pictures(ctx, 0);
    const ImRect area = ctx->ItemInfo("outer/grid/blocks").RectFull;
    const ImVec2 place{area.Min.x + 0.7F * area.GetWidth(), area.Min.y + 0.4F * area.GetHeight()};
    ctx->MouseMoveToPos(place);
    ctx->MouseClick();
    ctx->Yield(2);
    IM_CHECK_EQ(model.selection().thread().block, 0);
    const std::string under = tip(ctx);
    ctx->MouseClick();
    IM_CHECK(yieldUntil(ctx, [&] { return model.selection().thread().block > 0; }));
    std::string digits;
    for (const char c : under)
      if (c >= '0' && c <= '9') digits += c;
    IM_CHECK_STR_EQ(digits.c_str(), std::to_string(model.selection().thread().block).c_str());
    ctx->ItemClick("outer/grid/###wholegrid");
  });
}

TEST_F(Bench, AGridOfVeryManyBlocksIsSeenNearer) {
  drive([](ImGuiTestContext* ctx) {
    IM_CHECK(lessonIsOpen(ctx));
    modelOf(ctx).documents().open("cuda_cores");
    IM_CHECK(yieldUntil(ctx, [&] { return modelOf(ctx).documents().target()->lessonName == "cuda_cores"; }));
    IM_CHECK(threadsAreShown(ctx, 2));
    IM_CHECK(shows(ctx, "###threads", "524"));
    auto& model = modelOf(ctx);
    pictures(ctx, 0);
    const ImGuiWindow* window = ctx->WindowInfo("//###threads/pictures").Window;
    const float height = window->ContentSize.y;
    IM_CHECK(isDisabled(ctx, "outer/grid/###wholegrid"));
    const ImRect area = ctx->ItemInfo("outer/grid/blocks").RectFull;
    const ImVec2 place{area.Min.x + 0.9F * area.GetWidth(), area.Min.y + 0.5F * area.GetHeight()};
    ctx->MouseMoveToPos(place);
    // A click on what stands for many comes nearer and chooses nobody.
    ctx->MouseClick();
    ctx->Yield(2);
    IM_CHECK_EQ(model.selection().thread().block, 0);
    IM_CHECK(!isDisabled(ctx, "outer/grid/###wholegrid"));
    const std::string under = tip(ctx);
    ctx->MouseClick();
    IM_CHECK(yieldUntil(ctx, [&] { return model.selection().thread().block > 0; }));
    const std::int64_t block = model.selection().thread().block;
    std::string digits;
    for (const char c : under)
      if (c >= '0' && c <= '9') digits += c;
    IM_CHECK_STR_EQ(digits.c_str(), std::to_string(block).c_str());
    IM_CHECK_LT(std::abs(double(block) / 524288 - 0.5), 0.01);
    ctx->KeyPress(ImGuiKey_Escape);
    ctx->Yield(2);
    IM_CHECK(isDisabled(ctx, "outer/grid/###wholegrid"));
    // The wheel goes step by step, the panel stays.
    ctx->MouseMoveToPos(place);
    ctx->MouseWheelY(2);
    ctx->Yield(2);
    IM_CHECK(!isDisabled(ctx, "outer/grid/###wholegrid"));
    IM_CHECK_EQ(window->Scroll.y, 0.0F);
    ctx->ItemClick("outer/grid/###wholegrid");
    ctx->Yield(2);
    IM_CHECK(isDisabled(ctx, "outer/grid/###wholegrid"));
    IM_CHECK_EQ(window->ContentSize.y, height);
  });
}

}  // namespace
}  // namespace loom::window::thread_binding_owners_panel_test
