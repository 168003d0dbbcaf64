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
  });
}

}  // namespace
}  // namespace loom::window::memory_clusters_panel_test
