// The panel Space of the tensor-core lesson's product, whose rules make a space that is counted.
#include <string>

#include "tests/gui/script.h"

namespace loom::window::space_panel_test {
namespace {

constexpr const char* kPanel = "//###space";

// The space is counted and the panel has drawn its decisions.
bool spaceIsShown(ImGuiTestContext* ctx) {
  if (!startIsShown(ctx)) return false;
  ctx->WindowFocus(kPanel);
  return yieldUntil(ctx, [&] { return shows(ctx, kPanel, "schedules") && shows(ctx, kPanel, "constraints"); });
}

TEST_F(Bench, ADrawnScheduleIsABranchThatTheSpaceHas) {
  drive([](ImGuiTestContext* ctx) {
    IM_CHECK(spaceIsShown(ctx));
    auto& model = modelOf(ctx);
    const std::size_t before = model.navigation().history().nodes().size();
    ctx->ItemClick("//###space/###draw");
    ctx->Yield(2);
    const auto& history = model.navigation().history();
    IM_CHECK_GT(history.nodes().size(), before);
    IM_CHECK_GT(model.navigation().node().number, 3);
    IM_CHECK(model.problems().all().empty());
    IM_CHECK(yieldUntil(ctx, [&] { return shows(ctx, kPanel, "Your schedule is in this space"); }));
    // Pinned to it, fewer schedules are left; released, all are there again.
    ctx->ItemClick("//###space/###mine");
    IM_CHECK(yieldUntil(ctx, [&] { return ctx->ItemExists("//###space/###release"); }));
    IM_CHECK(shows(ctx, kPanel, "without pins"));
    ctx->ItemClick("//###space/###release");
    ctx->Yield(2);
    IM_CHECK(!shows(ctx, kPanel, "without pins"));
  });
}

}  // namespace
}  // namespace loom::window::space_panel_test
