#include <imgui_internal.h>

#include <algorithm>
#include <string>
#include <string_view>

#include "tests/gui/bench.h"

namespace loom::window {
namespace {

workbench::Workbench& modelOf(ImGuiTestContext* context) {
  return static_cast<Workbench*>(context->Test->UserData)->model();
}

template <typename There>
bool yieldUntil(ImGuiTestContext* ctx, There there) {
  for (int i = 0; i < 3000 && !there(); ++i) {
    ctx->SleepNoSkip(0.005F, 0.005F);
  }
  return there();
}

bool startIsShown(ImGuiTestContext* ctx) {
  if (!yieldUntil(ctx, [&] { return modelOf(ctx).target() != nullptr; })) return false;
  modelOf(ctx).select(0);
  ctx->Yield(2);
  return true;
}

long problemsOf(const workbench::Workbench& model, std::string_view code) {
  return std::ranges::count_if(model.problems(), [&](const auto& problem) { return problem.error.code == code; });
}

void type(ImGuiTestContext* ctx, const char* lines) {
  ctx->WindowFocus("//###console");
  ctx->SetRef("//###console");
  ctx->ItemClick("###input");
  ctx->KeyPress(ImGuiMod_Ctrl | ImGuiKey_A);
  ctx->KeyChars(lines);
  ctx->KeyPress(ImGuiKey_Enter);
  ctx->Yield(2);
}

TEST_F(Bench, StepTypedInTheConsoleIsApplied) {
  drive([](ImGuiTestContext* ctx) {
    IM_CHECK(startIsShown(ctx));
    type(ctx, "i, j, k = sch.get_loops(sch.get_block(\"Z\"))");
    IM_CHECK_EQ(modelOf(ctx).current(), 0);
    type(ctx, "sch.unroll(k)");
    IM_CHECK_EQ(modelOf(ctx).node().number, 1);
    IM_CHECK_STR_EQ(modelOf(ctx).node().step()->source.c_str(), "sch.unroll(k)");
  });
}

TEST_F(Bench, RefusedLineStaysInTheConsoleAndUpBringsItBack) {
  drive([](ImGuiTestContext* ctx) {
    IM_CHECK(startIsShown(ctx));
    type(ctx, "sch.split(nowhere, [None, 4])");
    IM_CHECK_EQ(modelOf(ctx).current(), 0);
    IM_CHECK_EQ(problemsOf(modelOf(ctx), "NameError"), 1);
    type(ctx, "i, j, k = sch.get_loops(sch.get_block(\"Z\"))");
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
    IM_CHECK_EQ(modelOf(ctx).current(), 0);
  });
}

TEST_F(Bench, StepIsAppliedThroughTheForm) {
  drive([](ImGuiTestContext* ctx) {
    IM_CHECK(startIsShown(ctx));
    ctx->SetRef("//###step");
    ctx->ItemInputValue("###filter", "unroll");
    ctx->ItemClick("**/###unroll");
    ctx->ItemClick("$$0/###choices");
    ctx->Yield(2);
    IM_CHECK(yieldUntil(ctx, [&] { return ctx->ItemExists("//##Combo_00/$$2/###k"); }));
    ctx->ItemClick("//##Combo_00/$$2/###k");
    ctx->ItemClick("###apply");
    ctx->Yield(2);
    IM_CHECK_EQ(modelOf(ctx).node().number, 1);
    IM_CHECK(modelOf(ctx).node().step()->source.find("sch.unroll(") != std::string::npos);
  });
}

TEST_F(Bench, IncompleteFormCannotBeApplied) {
  drive([](ImGuiTestContext* ctx) {
    IM_CHECK(startIsShown(ctx));
    ctx->SetRef("//###step");
    ctx->ItemClick("**/###split");
    const ImGuiTestItemInfo apply = ctx->ItemInfo("###apply");
    IM_CHECK((apply.ItemFlags & ImGuiItemFlags_Disabled) != 0);
    IM_CHECK_EQ(modelOf(ctx).current(), 0);
  });
}

}  // namespace
}  // namespace loom::window
