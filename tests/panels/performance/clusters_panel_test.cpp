// Active clusters on the page Occupancy.
#include "tests/panels/clusters_state.h"

namespace loom::window::performance_clusters_panel_test {
namespace {

TEST_F(Bench, OccupancyHasTheClustersThatAreActive) {
  drive([](ImGuiTestContext* ctx) {
    IM_CHECK(clustersAreShown(ctx));
    ctx->WindowFocus("//###performance");
    ctx->SetRef("//###performance");
    ctx->ItemClick("###views/###occupancy");
    IM_CHECK(
        yieldUntil(ctx, [&] { return shows(ctx, "###performance", "clusters of 2 blocks: 66 active at a time"); }));
    IM_CHECK(shows(ctx, "###performance", "132 of 132 places"));
    IM_CHECK(shows(ctx, "###performance", "the grid's 132 blocks take waves: 1"));
    IM_CHECK(!shows(ctx, "###performance", "each cluster within one GPC"));
    IM_CHECK(yieldUntil(ctx, [&] { return ctx->ItemExists("**/gpcs"); }));
  });
}

}  // namespace
}  // namespace loom::window::performance_clusters_panel_test
