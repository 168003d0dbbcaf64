#include <fmt/format.h>
#include <imgui_internal.h>

#include <algorithm>
#include <string>

#include "tests/gui/script.h"

namespace loom::window {
namespace {

using workbench::NestRow;

const workbench::LoopNest& nestOf(ImGuiTestContext* ctx) { return modelOf(ctx).derived(modelOf(ctx).current())->nest; }

// ImGui's item of a loop or block: its id, which no other row has.
std::string itemOf(const NestRow& row) { return fmt::format("**/###{}.{}", row.id.step, row.id.ordinal); }

const NestRow& rowNamed(ImGuiTestContext* ctx, const std::string& name, NestRow::Kind kind = NestRow::Kind::kLoop) {
  const auto& rows = nestOf(ctx).rows;
  return *std::ranges::find_if(rows, [&](const NestRow& row) { return row.name == name && row.kind == kind; });
}

bool nestIsShown(ImGuiTestContext* ctx, int state) {
  if (!startIsShown(ctx)) return false;
  modelOf(ctx).select(state);
  const bool derived = yieldUntil(ctx, [&] { return modelOf(ctx).derived(state) != nullptr; });
  ctx->WindowFocus("//###loopnest");
  ctx->SetRef("//###loopnest");
  ctx->SleepNoSkip(0.3F, 0.02F);  // until nothing glides
  return derived;
}

TEST_F(Bench, EveryLoopAndBlockOfTheStartIsABar) {
  drive([](ImGuiTestContext* ctx) {
    IM_CHECK(nestIsShown(ctx, 0));
    for (const NestRow& row : nestOf(ctx).rows) {
      if (row.kind != NestRow::Kind::kInit) IM_CHECK(ctx->ItemExists(itemOf(row).c_str()));
    }
  });
}

TEST_F(Bench, ClickOnABarSelectsItsLoopForAllPanels) {
  drive([](ImGuiTestContext* ctx) {
    IM_CHECK(nestIsShown(ctx, 0));
    const ir::Id j = rowNamed(ctx, "j").id, k = rowNamed(ctx, "k").id;
    ctx->ItemClick(itemOf(rowNamed(ctx, "j")).c_str());
    ctx->Yield(2);
    IM_CHECK(modelOf(ctx).selected() == std::vector<ir::Id>{j});
    ctx->KeyDown(ImGuiMod_Ctrl);
    ctx->ItemClick(itemOf(rowNamed(ctx, "k")).c_str());
    ctx->KeyUp(ImGuiMod_Ctrl);
    ctx->Yield(2);
    IM_CHECK(modelOf(ctx).selected() == (std::vector<ir::Id>{j, k}));
    ctx->ItemClick(itemOf(rowNamed(ctx, "k")).c_str());
    ctx->KeyPress(ImGuiKey_DownArrow);
    ctx->Yield(2);
    IM_CHECK(modelOf(ctx).isSelected(rowNamed(ctx, "Z", NestRow::Kind::kBlock).id));
    ctx->KeyPress(ImGuiKey_Escape);
    ctx->Yield(2);
    IM_CHECK(modelOf(ctx).selected().empty());
  });
}

TEST_F(Bench, MenuOfALoopAppliesAStepAndSaysWhyAnotherIsRefused) {
  drive([](ImGuiTestContext* ctx) {
    IM_CHECK(nestIsShown(ctx, 0));
    ctx->ItemClick(itemOf(rowNamed(ctx, "k")).c_str(), ImGuiMouseButton_Right);
    IM_CHECK(yieldUntil(ctx, [&] { return ctx->ItemExists("//$FOCUSED/###unroll"); }));
    IM_CHECK(isDisabled(ctx, "//$FOCUSED/###vectorize"));
    ctx->ItemClick("//$FOCUSED/###unroll");
    ctx->Yield(2);
    IM_CHECK_EQ(modelOf(ctx).node().number, 1);
    IM_CHECK(modelOf(ctx).node().step()->source.find("sch.unroll(") != std::string::npos);
  });
}

TEST_F(Bench, ChainSelectedElsewhereUnfolds) {
  drive([](ImGuiTestContext* ctx) {
    IM_CHECK(nestIsShown(ctx, 48));
    const auto& rows = nestOf(ctx).rows;
    const int copy = nestOf(ctx).find(rowNamed(ctx, "X_shared", NestRow::Kind::kBlock).id);
    const std::string inner = itemOf(rows[std::size_t(copy) - 1]);
    IM_CHECK(!ctx->ItemExists(inner.c_str()));
    modelOf(ctx).selectIds({rows[std::size_t(copy) - 1].id});
    ctx->Yield(3);
    IM_CHECK(ctx->ItemExists(inner.c_str()));
  });
}

}  // namespace
}  // namespace loom::window
