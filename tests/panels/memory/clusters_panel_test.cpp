// What blocks of a cluster bring each other, in the panel Memory hierarchy.
#include "tests/panels/clusters_state.h"

namespace loom::window::memory_clusters_panel_test {
namespace {

TEST_F(Bench, MemoryTellsWhatOtherBlocksOfTheClusterBring) {
  drive([](ImGuiTestContext* ctx) {
    IM_CHECK(clustersAreShown(ctx));
    ctx->WindowFocus("//###memory");
    IM_CHECK(yieldUntil(ctx, [&] { return shows(ctx, "###memory", "cluster of 2"); }));
    IM_CHECK(shows(ctx, "###memory", "+3.88 MiB"));
    IM_CHECK(
        shows(ctx, "###memory", "Y_shared.dyn: of 7.76 MiB a block, 3.88 MiB by copies that its neighbours ask for"));
    // A buffer that shares its column with the mbarriers has room for its name: they need no more than their marks.
    ctx->SetRef(ctx->WindowInfo("//###memory/levels").Window);
    const float alone = ctx->ItemInfo("X_shared.dyn/buffer").RectFull.GetWidth();
    IM_CHECK_GT(ctx->ItemInfo("Z_shared.dyn/buffer").RectFull.GetWidth(), 0.7F * alone);
  });
}

}  // namespace
}  // namespace loom::window::memory_clusters_panel_test
