#include "app/panels/barriers/labels.h"
#include "app/panels/barriers/view/waits.h"
#include "tests/gui/script.h"

namespace loom::window::barriers_panel_test {
namespace {

TEST_F(Bench, ABarrierSelectsItsLineOfCuda) {
  drive([](ImGuiTestContext* ctx) {
    IM_CHECK(startIsShown(ctx));
    auto& model = modelOf(ctx);
    model.navigation().select(48);
    ctx->WindowFocus("//###barriers");
    const auto program = [&] { return model.programs().of(model.navigation().current()); };
    IM_CHECK(yieldUntil(ctx, [&] { return program() && !session::waitsOf(*program()).empty(); }));
    const std::vector<session::Wait>& all = session::waitsOf(*program());
    const std::string row = "**/$$0/$$0/###row";
    IM_CHECK(yieldUntil(ctx, [&] { return ctx->ItemExists(("//###barriers/" + row).c_str()); }));
    ctx->ItemClick(("//###barriers/" + row).c_str());
    ctx->Yield(2);
    IM_CHECK_EQ(model.selection().cudaLine(), all.front().line);
    IM_CHECK(shows(ctx, "//###barriers", all.front().reasons.front().buffer.c_str()));
    // What is waited for is told to its end, in a narrow panel on several lines.
    const std::string told = panels::awaitedTexts(workbenchOf(ctx).look(), all.front()).front();
    IM_CHECK(shows(ctx, "//###barriers", told.substr(told.rfind(' ') + 1)));
    IM_CHECK(!shows(ctx, "//###barriers", "…"));
  });
}

}  // namespace
}  // namespace loom::window::barriers_panel_test
