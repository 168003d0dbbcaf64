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

// The values of decisions have one width, so that the words behind them begin at one place. Lists have no label that
// the test engine could find them by: their paths are written out.
TEST_F(Bench, ValuesOfDecisionsHaveOneWidth) {
  drive([](ImGuiTestContext* ctx) {
    IM_CHECK(startIsShown(ctx));
    auto& model = modelOf(ctx);
    const auto before = model.opened();
    model.documents().openMatmul({.m = 768, .n = 1280, .k = 896, .transposeY = false});
    IM_CHECK(yieldUntil(ctx, [&] { return model.opened() != before; }));
    ctx->WindowFocus("//###plan");
    const auto widthsOf = [&](std::initializer_list<const char*> decisions) {
      constexpr int kRows = 40;  // more than rules have
      std::vector<float> widths;
      for (int row = 0; row < kRows; ++row)
        for (const char* decision : decisions) {
          const std::string path = fmt::format("//###plan/###sections/$${}/{}/###value", row, decision);
          const ImGuiTestItemInfo item = ctx->ItemInfo(path.c_str(), ImGuiTestOpFlags_NoError);
          if (item.ID != 0) widths.push_back(item.RectFull.GetWidth());
        }
      return widths;
    };
    // Of the rule of warpgroups and of those of their copies: "2" and "yes" and "128".
    IM_CHECK(yieldUntil(ctx, [&] { return !widthsOf({"j.columns"}).empty(); }));
    const std::vector<float> widths = widthsOf({"i.warpgroups", "i.rows", "j.columns", "k.inner", "stages", "slots",
                                                "slab", "evict", "persistent", "raster", "loaders", "registers"});
    IM_CHECK_GT(widths.size(), 4u);
    for (const float width : widths) IM_CHECK_EQ(width, widths.front());
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
