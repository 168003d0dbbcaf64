#include <fmt/format.h>
#include <imgui_internal.h>

#include <algorithm>
#include <set>
#include <string>

#include "app/panels/loop_nest/view/loop_nest.h"
#include "tests/panels/loop_nest/nest.h"

namespace loom::window::loop_nest_panel_test {
namespace {

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
    IM_CHECK(modelOf(ctx).selection().ids() == std::vector<ir::Id>{j});
    ctx->KeyDown(ImGuiMod_Ctrl);
    ctx->ItemClick(itemOf(rowNamed(ctx, "k")).c_str());
    ctx->KeyUp(ImGuiMod_Ctrl);
    ctx->Yield(2);
    IM_CHECK(modelOf(ctx).selection().ids() == (std::vector<ir::Id>{j, k}));
    ctx->ItemClick(itemOf(rowNamed(ctx, "k")).c_str());
    ctx->KeyPress(ImGuiKey_DownArrow);
    ctx->Yield(2);
    IM_CHECK(modelOf(ctx).selection().has(rowNamed(ctx, "Z", NestRow::Kind::kBlock).id));
    ctx->KeyPress(ImGuiKey_Escape);
    ctx->Yield(2);
    IM_CHECK(modelOf(ctx).selection().ids().empty());
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
    IM_CHECK_EQ(modelOf(ctx).navigation().node().number, 1);
    IM_CHECK(modelOf(ctx).navigation().node().step()->source.find("sch.unroll(") != std::string::npos);
  });
}

TEST_F(Bench, MenuDoesWhatIsRefusedInSeveralLines) {
  drive([](ImGuiTestContext* ctx) {
    IM_CHECK(nestIsShown(ctx, 0));
    const ir::Id i = rowNamed(ctx, "i").id, k = rowNamed(ctx, "k").id;
    ctx->ItemClick(itemOf(rowNamed(ctx, "i")).c_str());
    ctx->KeyDown(ImGuiMod_Ctrl);
    ctx->ItemClick(itemOf(rowNamed(ctx, "k")).c_str());
    ctx->KeyUp(ImGuiMod_Ctrl);
    ctx->Yield(2);
    IM_CHECK(modelOf(ctx).selection().ids() == (std::vector<ir::Id>{i, k}));
    ctx->ItemClick(itemOf(rowNamed(ctx, "k")).c_str(), ImGuiMouseButton_Right);
    IM_CHECK(yieldUntil(ctx, [&] { return ctx->ItemExists("//$FOCUSED/###fuse"); }));
    IM_CHECK(isDisabled(ctx, "//$FOCUSED/###fuse"));
    ctx->MouseMove("//$FOCUSED/###remedy fuse");
    IM_CHECK(yieldUntil(ctx, [&] { return modelOf(ctx).preview().step() && modelOf(ctx).preview().step()->program; }));
    ctx->SleepNoSkip(0.5F, 0.02F);
    IM_CHECK(popupShows(ctx, "Do it in 3 lines"));
    ctx->ItemClick("//$FOCUSED/###remedy fuse");
    ctx->Yield(3);
    IM_CHECK_EQ(modelOf(ctx).navigation().node().number, 2);
    IM_CHECK(lastStepIs(ctx, "sch.fuse(i, k)"));
    IM_CHECK(modelOf(ctx).problems().all().empty());
  });
}

TEST_F(Bench, ChainSelectedElsewhereUnfolds) {
  drive([](ImGuiTestContext* ctx) {
    IM_CHECK(nestIsShown(ctx, 48));
    const auto& rows = nestOf(ctx).rows;  // the last of them have changed: what is above folds
    const int copy = nestOf(ctx).find(rowNamed(ctx, "X_shared", NestRow::Kind::kBlock).id);
    const std::string inner = itemOf(rows[std::size_t(copy) - 1]);
    IM_CHECK(!ctx->ItemExists(inner.c_str()));
    modelOf(ctx).selection().select({rows[std::size_t(copy) - 1].id});
    ctx->Yield(3);
    IM_CHECK(ctx->ItemExists(inner.c_str()));
  });
}

// Rows that have items of their own, by name; the others stand on another's line.
std::set<std::string> linesOf(ImGuiTestContext* ctx) {
  std::set<std::string> names;
  for (const NestRow& row : nestOf(ctx).rows)
    if (row.kind != NestRow::Kind::kInit && ctx->ItemExists(itemOf(row).c_str()))
      names.insert(fmt::format("{}.{} {}", row.id.step, row.id.ordinal, row.name));
  return names;
}

TEST_F(Bench, WhatAStepLeavesAloneStaysFoldedAsItWas) {
  drive([](ImGuiTestContext* ctx) {
    IM_CHECK(nestIsShown(ctx, 20));
    std::set<std::string> before = linesOf(ctx);
    IM_CHECK_EQ(before.size(), std::size_t(std::ranges::count_if(nestOf(ctx).rows, [](const NestRow& row) {
                  return row.kind != NestRow::Kind::kInit;
                })));  // all has room
    for (const int state : {28, 29, 30, 31, 36, 48, 49, 50}) {
      const auto rows = nestOf(ctx).rows;
      modelOf(ctx).navigation().select(state);
      IM_CHECK(yieldUntil(ctx, [&] { return modelOf(ctx).programs().of(state) != nullptr; }));
      ctx->SleepNoSkip(0.25F, 0.02F);
      const std::set<std::string> now = linesOf(ctx);
      // What stood on another's line hasn't come out of it, unless the step rebuilt the line.
      for (const NestRow& row : nestOf(ctx).rows) {
        const std::string name = fmt::format("{}.{} {}", row.id.step, row.id.ordinal, row.name);
        const bool was = std::ranges::any_of(
            rows, [&](const NestRow& r) { return r.id == row.id && r.kind != NestRow::Kind::kInit; });
        const NestRow* above = row.parent < 0 ? nullptr : &nestOf(ctx).rows[std::size_t(row.parent)];
        if (row.kind == NestRow::Kind::kInit || !was || above == nullptr || before.count(name) != 0) continue;
        const bool rebuilt = above->change == session::NestChange::kNew || above->children != 1 || row.children != 0;
        if (rebuilt || now.count(name) == 0) continue;
        ctx->LogError("state %d: %s", state, name.c_str());
        IM_CHECK(false);
      }
      before = now;
    }
  });
}

}  // namespace
}  // namespace loom::window::loop_nest_panel_test
