// Playback where it is low, as on a screen at 200 %.
#include "app/panels/playback/role_rows.h"
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

// Busy and idle are the whole life, also where no reason is told.
TEST(RolesText, SaysHowLongTensorCoresAreIdle) {
  const Look look;
  session::RoleLanes lanes;
  lanes.clocks = 1000;
  lanes.megahertz = 1980;
  lanes.tensorBusy = lanes.tensorNeed = 600;
  const auto text = [&](int most) { return panels::playback::rolesText(look, lanes, most); };
  EXPECT_TRUE(text(5).ends_with("tensor cores busy 60 %, idle 40 %")) << text(5);
  lanes.exposed[std::size_t(session::RoleDoes::kAwaitSlot)] = 300;
  EXPECT_NE(text(5).find(", idle 40 %: "), std::string::npos) << text(5);
  EXPECT_NE(text(5).find(", other 10"), std::string::npos) << text(5);
  EXPECT_TRUE(text(0).ends_with(", idle 40 %")) << text(0);
  lanes.tensorBusy = lanes.tensorNeed = 1000;
  lanes.exposed = {};
  EXPECT_TRUE(text(5).ends_with("busy 100 %")) << text(5);
}

}  // namespace
}  // namespace loom::window::playback_low_panel_test
