// Playback where it is low, as on a screen at 200 %.
#include "app/panels/playback/words.h"
#include "tests/panels/clusters_state.h"

namespace loom::window::playback_low_panel_test {
namespace {

TEST_F(Bench, PartsOfALifeAreAListWhereButtonsHaveNoRoom) {
  drive([](ImGuiTestContext* ctx) {
    IM_CHECK(clustersAreShown(ctx));
    ctx->WindowFocus("//###playback");
    ctx->SetRef("//###playback");
    IM_CHECK(yieldUntil(ctx, [&] { return ctx->ItemExists("roles"); }));
    IM_CHECK(ctx->ItemExists("Steady"));
    IM_CHECK(!ctx->ItemExists("###part"));
    int& percent = workbenchOf(ctx).settings().scalePercent;
    const int before = percent;
    percent = 200;
    IM_CHECK(yieldUntil(ctx, [&] { return ctx->ItemExists("###part"); }));
    IM_CHECK(!ctx->ItemExists("Steady"));
    ctx->ItemClick("###part");
    ctx->Yield(2);
    IM_CHECK(ctx->ItemExists("//##Combo_00/Steady"));
    IM_CHECK(ctx->ItemExists("//##Combo_00/All"));
    ctx->ItemClick("//##Combo_00/Drain");
    ctx->Yield(2);
    percent = before;
    ctx->Yield(4);
  });
}

}  // namespace
}  // namespace loom::window::playback_low_panel_test
