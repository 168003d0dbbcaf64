// The panel Plan takes a new product to tensor cores.
#include "app/panels/panel.h"
#include "tests/gui/script.h"

namespace loom::window {
namespace {

TEST_F(Bench, ThePlanTakesANewProductToTensorCores) {
  drive([](ImGuiTestContext* ctx) {
    IM_CHECK(startIsShown(ctx));
    auto& model = modelOf(ctx);
    const auto before = model.opened();
    model.documents().openMatmul({.m = 768, .n = 1280, .k = 896, .transposeY = false});
    IM_CHECK(yieldUntil(ctx, [&] { return model.opened() != before; }));
    ctx->WindowFocus("//###plan");
    IM_CHECK(yieldUntil(ctx, [&] { return ctx->ItemExists("//###plan/$$2/###apply"); }));
    // What a pass looked at is selected while the mouse is over it.
    ctx->MouseMove("//###plan/$$0/###pass");
    IM_CHECK(yieldUntil(ctx, [&] { return model.selection().ids().size() == 7; }));
    // One pass after the other, then the rest at once.
    ctx->ItemClick("//###plan/$$1/###apply");
    IM_CHECK(yieldUntil(
        ctx, [&] { return model.navigation().current() != 0 && !ctx->ItemExists("//###plan/$$1/###apply"); }));
    IM_CHECK(model.selection().ids().empty());
    ctx->ItemClick("//###plan/###all");
    const auto shown = [&] { return model.programs().of(model.navigation().current()); };
    IM_CHECK(yieldUntil(
        ctx, [&] { return shown() && shown()->kernel.source.text.find("wmma::mma_sync") != std::string::npos; }));
    // What makes it faster is asked for, and pressed like a pass.
    ctx->ItemClick("//###plan/###predict");
    IM_CHECK(yieldUntil(ctx, [&] { return ctx->ItemExists("//###plan/storage_align/###apply"); }));
    const int end = model.navigation().current();
    ctx->ItemClick("//###plan/storage_align/###apply");
    IM_CHECK(yieldUntil(ctx, [&] { return model.navigation().current() != end; }));
    const auto& lines = model.navigation().history().node(model.navigation().current()).lines;
    IM_CHECK(lines.back().source.starts_with("sch.storage_align(b_shared"));
  });
}

}  // namespace
}  // namespace loom::window
