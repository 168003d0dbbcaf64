// The panel Plan takes a new product to tensor cores.
#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <vector>

#include "app/panels/panel.h"
#include "tests/gui/script.h"

namespace loom::window::plan_panel_test {
namespace {

TEST_F(Bench, ThePlanTakesANewProductToTensorCores) {
  drive([](ImGuiTestContext* ctx) {
    IM_CHECK(startIsShown(ctx));
    auto& model = modelOf(ctx);
    const auto before = model.opened();
    model.documents().openMatmul({.m = 768, .n = 1280, .k = 896, .transposeY = false});
    IM_CHECK(yieldUntil(ctx, [&] { return model.opened() != before; }));
    ctx->WindowFocus("//###plan");
    ctx->ItemClick("//###plan/###sections/###tensorcores");
    IM_CHECK(yieldUntil(ctx, [&] { return ctx->ItemExists("//###plan/###sections/$$2/###apply"); }));
    // What a pass looked at is selected while the mouse is over it.
    ctx->MouseMove("//###plan/###sections/$$0/###pass");
    IM_CHECK(yieldUntil(ctx, [&] { return model.selection().ids().size() == 7; }));
    // One pass after the other, then the rest at once.
    ctx->ItemClick("//###plan/###sections/$$1/###apply");
    IM_CHECK(yieldUntil(ctx, [&] {
      return model.navigation().current() != 0 && !ctx->ItemExists("//###plan/###sections/$$1/###apply");
    }));
    IM_CHECK(model.selection().ids().empty());
    ctx->ItemClick("//###plan/###sections/###all");
    const auto shown = [&] { return model.programs().of(model.navigation().current()); };
    IM_CHECK(yieldUntil(
        ctx, [&] { return shown() && shown()->kernel.source.text.find("wmma::mma_sync") != std::string::npos; }));
    // What makes it faster is asked for, and pressed like a pass.
    ctx->ItemClick("//###plan/###sections/###predict");
    IM_CHECK(yieldUntil(ctx, [&] { return ctx->ItemExists("//###plan/###sections/storage_align/###apply"); }));
    const int end = model.navigation().current();
    ctx->ItemClick("//###plan/###sections/storage_align/###apply");
    IM_CHECK(yieldUntil(ctx, [&] { return model.navigation().current() != end; }));
    const auto& lines = model.navigation().history().node(model.navigation().current()).lines;
    IM_CHECK(lines.back().source.starts_with("sch.storage_align(b_shared"));
  });
}

// Rules are pressed one by one and then the rest, without a search and without a GPU.
TEST_F(Bench, RulesArePressedInThePlan) {
  drive([](ImGuiTestContext* ctx) {
    IM_CHECK(startIsShown(ctx));
    auto& model = modelOf(ctx);
    const auto before = model.opened();
    model.documents().openMatmul({.m = 768, .n = 1280, .k = 896, .transposeY = false});
    IM_CHECK(yieldUntil(ctx, [&] { return model.opened() != before; }));
    ctx->WindowFocus("//###plan");
    const auto pressable = [&] {
      for (int row = 0; row < 24; ++row) {
        const std::string apply = fmt::format("//###plan/###sections/$${}/###apply", row);
        if (ctx->ItemExists(apply.c_str())) return apply;
      }
      return std::string();
    };
    IM_CHECK(yieldUntil(ctx, [&] { return !pressable().empty(); }));
    const std::string first = pressable();
    ctx->ItemClick(first.c_str());
    IM_CHECK(yieldUntil(ctx, [&] { return model.navigation().current() != 0 && !ctx->ItemExists(first.c_str()); }));
    const int begun = model.navigation().current();
    IM_CHECK(yieldUntil(ctx, [&] { return ctx->ItemExists("//###plan/###sections/###rest"); }));
    ctx->ItemClick("//###plan/###sections/###rest");
    const auto shown = [&] { return model.programs().of(model.navigation().current()); };
    IM_CHECK(yieldUntil(ctx, [&] { return model.navigation().current() != begun && shown(); }));
    IM_CHECK(shown()->kernel.source.text.find("mma") != std::string::npos);
    // What is there already was used again, and each press is one entry of undo.
    const std::vector<int> path = model.navigation().history().path(model.navigation().current());
    IM_CHECK(std::find(path.begin(), path.end(), begun) != path.end());
    IM_CHECK(yieldUntil(ctx, [&] { return !ctx->ItemExists("//###plan/###sections/###rest"); }));
    model.edits().undo();
    model.edits().undo();
    IM_CHECK_EQ(model.navigation().current(), 0);
  });
}

}  // namespace
}  // namespace loom::window::plan_panel_test
