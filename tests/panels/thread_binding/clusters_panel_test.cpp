// Blocks of a cluster in the panel Thread binding.
#include "tests/panels/clusters_state.h"
#include "tests/panels/thread_binding/threads.h"

namespace loom::window::thread_binding_clusters_panel_test {
namespace {

TEST_F(Bench, ThreadBindingDrawsWhoAsksForWhichPartOfATile) {
  drive([](ImGuiTestContext* ctx) {
    IM_CHECK(clustersAreShown(ctx));
    ctx->WindowFocus("//###threads");
    ctx->SetRef("//###threads");
    IM_CHECK(yieldUntil(ctx, [&] { return ctx->ItemExists("##statement") && !isDisabled(ctx, "##statement"); }));
    IM_CHECK(yieldUntil(ctx, [&] {
      return shows(ctx, "###threads", "clusters of 2 × 1 × 1 blocks; block 0 is number 0 of cluster 0");
    }));
    IM_CHECK(!shows(ctx, "###threads", "that the cluster's blocks bring each other"));  // X: each block its own rows
    IM_CHECK(
        chooseStatement(ctx, "Y_shared.dyn reads Y", "Tile of 128 × 64 that the cluster's blocks bring each other"));
    ImGuiWindow* window = ctx->WindowInfo("//###threads/pictures").Window;
    ctx->SetRef(window);
    IM_CHECK(ctx->ItemExists("**/clusterTiles"));
  });
}

}  // namespace
}  // namespace loom::window::thread_binding_clusters_panel_test
