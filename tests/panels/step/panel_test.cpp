#include <imgui_internal.h>

#include <algorithm>
#include <string>
#include <string_view>

#include "tests/gui/script.h"

namespace loom::window::step_panel_test {
namespace {

long problemsOf(const session::Session& model, std::string_view code) {
  return std::ranges::count_if(model.problems().all(), [&](const auto& problem) { return problem.error.code == code; });
}

TEST_F(Bench, StepTypedInTheConsoleIsApplied) {
  drive([](ImGuiTestContext* ctx) {
    IM_CHECK(startIsShown(ctx));
    typeStep(ctx, "i, j, k = sch.get_loops(sch.get_block(\"Z\"))");
    IM_CHECK_EQ(modelOf(ctx).navigation().current(), 0);
    typeStep(ctx, "sch.unroll(k)");
    IM_CHECK_EQ(modelOf(ctx).navigation().node().number, 1);
    IM_CHECK_STR_EQ(modelOf(ctx).navigation().node().step()->source.c_str(), "sch.unroll(k)");
    IM_CHECK(shows(ctx, "###console", "→ step 1"));
    IM_CHECK(yieldUntil(ctx, [&] { return shows(ctx, "###history", "unroll(k)"); }));
  });
}

TEST_F(Bench, RefusedLineStaysInTheConsoleAndUpBringsItBack) {
  drive([](ImGuiTestContext* ctx) {
    IM_CHECK(startIsShown(ctx));
    typeStep(ctx, "sch.split(nowhere, [None, 4])");
    IM_CHECK_EQ(modelOf(ctx).navigation().current(), 0);
    IM_CHECK_EQ(problemsOf(modelOf(ctx), "NameError"), 1);
    IM_CHECK(shows(ctx, "###console", "NameError"));
    typeStep(ctx, "i, j, k = sch.get_loops(sch.get_block(\"Z\"))");
    auto typed = [] {
      const ImGuiInputTextState* state = ImGui::GetInputTextState(ImGui::GetActiveID());
      return std::string(state == nullptr ? "" : state->TextA.Data);
    };
    ctx->KeyPress(ImGuiKey_UpArrow);
    ctx->Yield(2);
    IM_CHECK_STR_EQ(typed().c_str(), "i, j, k = sch.get_loops(sch.get_block(\"Z\"))");
    ctx->KeyPress(ImGuiKey_UpArrow);
    ctx->Yield(2);
    IM_CHECK_STR_EQ(typed().c_str(), "sch.split(nowhere, [None, 4])");
    ctx->KeyPress(ImGuiKey_DownArrow);
    ctx->Yield(2);
    IM_CHECK_STR_EQ(typed().c_str(), "i, j, k = sch.get_loops(sch.get_block(\"Z\"))");
    ctx->KeyPress(ImGuiKey_UpArrow);
    ctx->KeyPress(ImGuiKey_Enter);  // the refused line again
    ctx->Yield(2);
    IM_CHECK_EQ(problemsOf(modelOf(ctx), "NameError"), 2);
    IM_CHECK_EQ(modelOf(ctx).navigation().current(), 0);
  });
}

TEST_F(Bench, ProblemIsSolvedByItsRemedy) {
  drive([](ImGuiTestContext* ctx) {
    IM_CHECK(startIsShown(ctx));
    auto& model = modelOf(ctx);
    IM_CHECK(
        model.edits().apply("f = sch.tensorize(sch.get_block(\"Z\"), \"wmma_sync_16x16x16_f16f16f32_trans\")").refusal);
    ctx->WindowFocus("//###problems");
    ctx->SetRef("//###problems");
    ctx->Yield(2);
    ctx->ItemClick("**/###do");
    ctx->Yield(3);
    IM_CHECK(model.navigation().node().step()->source.find("sch.tensorize(i_1, \"wmma_sync") != std::string::npos);
    IM_CHECK(!ctx->ItemExists("**/###do"));  // of another state
  });
}

TEST_F(Bench, StepIsAppliedThroughTheForm) {
  drive([](ImGuiTestContext* ctx) {
    IM_CHECK(startIsShown(ctx));
    ctx->WindowFocus("//###step");
    ctx->SetRef("//###step");
    ctx->ItemInputValue("###filter", "unroll");
    ctx->ItemClick("**/###unroll");
    ctx->ItemClick("$$0/###choices");
    ctx->Yield(2);
    IM_CHECK(yieldUntil(ctx, [&] { return ctx->ItemExists("//##Combo_00/$$2/###k"); }));
    ctx->ItemClick("//##Combo_00/$$2/###k");
    ctx->ItemClick("###apply");
    ctx->Yield(2);
    IM_CHECK_EQ(modelOf(ctx).navigation().node().number, 1);
    IM_CHECK(modelOf(ctx).navigation().node().step()->source.find("sch.unroll(") != std::string::npos);
  });
}

TEST_F(Bench, ThePrimitiveIsOfTheLoopThatIsSelected) {
  drive([](ImGuiTestContext* ctx) {
    IM_CHECK(startIsShown(ctx));
    session::Session& model = modelOf(ctx);
    const auto& nodes = model.navigation().node().state.tree().nodes();
    const auto loop = std::ranges::find_if(nodes, [](const auto& node) { return !node.isBlock; });
    model.selection().select({loop->id});
    ctx->WindowFocus("//###step");
    ctx->SetRef("//###step");
    ctx->ItemInputValue("###filter", "unroll");
    ctx->ItemClick("**/###unroll");
    IM_CHECK(yieldUntil(
        ctx, [&] { return model.preview().step() != nullptr && model.preview().step()->program != nullptr; }));
    IM_CHECK_STR_EQ(model.preview().step()->step().c_str(), "sch.unroll(i)");
    IM_CHECK(yieldUntil(ctx, [&] { return shows(ctx, "###step", "unroll(i)"); }));
    ctx->ItemClick("###apply");
    ctx->Yield(2);
    IM_CHECK_STR_EQ(model.navigation().node().step()->source.c_str(), "sch.unroll(i)");
  });
}

TEST_F(Bench, IncompleteFormCannotBeApplied) {
  drive([](ImGuiTestContext* ctx) {
    IM_CHECK(startIsShown(ctx));
    ctx->WindowFocus("//###step");
    ctx->SetRef("//###step");
    ctx->ItemClick("**/###split");
    IM_CHECK(isDisabled(ctx, "###apply"));
    IM_CHECK_EQ(modelOf(ctx).navigation().current(), 0);
  });
}

}  // namespace
}  // namespace loom::window::step_panel_test
