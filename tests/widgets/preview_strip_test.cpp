// A step in the making: shown everywhere, applied by Enter, gone without a trace by Escape.
#include <fmt/format.h>
#include <imgui_internal.h>

#include <algorithm>
#include <string>

#include "app/panels/performance/view/performance.h"
#include "tests/gui/compiling_bench.h"
#include "tests/panels/loop_nest/nest.h"

namespace loom::window::preview_strip_test {
namespace {

bool isPreviewed(ImGuiTestContext* ctx, const char* part) {
  return yieldUntil(ctx, [&] {
    const auto* preview = modelOf(ctx).preview().step();
    return preview != nullptr && preview->program && preview->lines.find(part) != std::string::npos;
  });
}

// A form that is complete: unroll(k).
bool unrollIsFilledIn(ImGuiTestContext* ctx) {
  ctx->WindowFocus("//###step");
  ctx->SetRef("//###step");
  ctx->ItemClick("**/###unroll");
  ctx->ItemClick("$$0/###choices");
  if (!yieldUntil(ctx, [&] { return ctx->ItemExists("//##Combo_00/$$2/###k"); })) return false;
  ctx->ItemClick("//##Combo_00/$$2/###k");
  return isPreviewed(ctx, "sch.unroll(");
}

bool hasNoTrace(ImGuiTestContext* ctx, std::size_t nodes) {
  auto& model = modelOf(ctx);
  return model.preview().step() == nullptr && model.navigation().current() == 0 &&
         model.navigation().history().nodes().size() == nodes && !model.documents().isModified() &&
         model.problems().all().empty();
}

TEST_F(Bench, HoverOnAMenuEntryShowsItsProgramAndLeavingIt) {
  drive([](ImGuiTestContext* ctx) {
    IM_CHECK(nestIsShown(ctx, 0));
    const std::size_t nodes = modelOf(ctx).navigation().history().nodes().size();
    ctx->ItemClick(itemOf(rowNamed(ctx, "k")).c_str(), ImGuiMouseButton_Right);
    IM_CHECK(yieldUntil(ctx, [&] { return ctx->ItemExists("//$FOCUSED/###unroll"); }));
    ctx->MouseMove("//$FOCUSED/###unroll");
    IM_CHECK(isPreviewed(ctx, "sch.unroll("));
    ctx->SleepNoSkip(0.3F, 0.02F);
    IM_CHECK(shows(ctx, "###tvmscript", "unroll ( 1024"));
    ctx->KeyPress(ImGuiKey_Escape);
    ctx->Yield(3);
    IM_CHECK(hasNoTrace(ctx, nodes));
  });
}

TEST_F(Bench, EnterOnTheHoveredEntryApplies) {
  drive([](ImGuiTestContext* ctx) {
    IM_CHECK(nestIsShown(ctx, 0));
    ctx->ItemClick(itemOf(rowNamed(ctx, "k")).c_str(), ImGuiMouseButton_Right);
    IM_CHECK(yieldUntil(ctx, [&] { return ctx->ItemExists("//$FOCUSED/###unroll"); }));
    ctx->MouseMove("//$FOCUSED/###unroll");
    IM_CHECK(isPreviewed(ctx, "sch.unroll("));
    ctx->KeyPress(ImGuiKey_Enter);
    ctx->Yield(3);
    IM_CHECK_EQ(modelOf(ctx).navigation().node().number, 1);
    IM_CHECK(modelOf(ctx).preview().step() == nullptr);
  });
}

TEST_F(Bench, FormFilledInIsPreviewedAndEscapeInAnotherPanelDiscardsIt) {
  drive([](ImGuiTestContext* ctx) {
    IM_CHECK(startIsShown(ctx));
    const std::size_t nodes = modelOf(ctx).navigation().history().nodes().size();
    IM_CHECK(unrollIsFilledIn(ctx));
    IM_CHECK(yieldUntil(ctx, [&] { return modelOf(ctx).preview().step()->effect.has_value(); }));
    // Of the program as written, or where the compiler was that fast, as compiled.
    IM_CHECK(yieldUntil(ctx, [&] { return shows(ctx, "###step", "model, "); }));
    ctx->WindowFocus("//###cuda");
    ctx->Yield(2);
    ctx->KeyPress(ImGuiKey_Escape);
    ctx->Yield(3);
    IM_CHECK(hasNoTrace(ctx, nodes));
    IM_CHECK(!modelOf(ctx).edits().undoable() || modelOf(ctx).navigation().current() == 0);
  });
}

TEST_F(Bench, EnterInAnotherPanelAppliesThePreviewOnce) {
  drive([](ImGuiTestContext* ctx) {
    IM_CHECK(startIsShown(ctx));
    IM_CHECK(unrollIsFilledIn(ctx));
    ctx->WindowFocus("//###tvmscript");
    ctx->Yield(2);
    ctx->KeyPress(ImGuiKey_Enter);
    ctx->Yield(3);
    IM_CHECK_EQ(modelOf(ctx).navigation().node().number, 1);
    IM_CHECK(modelOf(ctx).preview().step() == nullptr);
  });
}

TEST_F(Bench, EscapeInTheFormEndsItsPreview) {
  drive([](ImGuiTestContext* ctx) {
    IM_CHECK(startIsShown(ctx));
    const std::size_t nodes = modelOf(ctx).navigation().history().nodes().size();
    IM_CHECK(unrollIsFilledIn(ctx));
    IM_CHECK(yieldUntil(ctx, [&] { return shows(ctx, "###tvmscript", "unroll ( 1024"); }));
    ctx->KeyPress(ImGuiKey_Escape);
    ctx->Yield(3);
    IM_CHECK(hasNoTrace(ctx, nodes));
    IM_CHECK(yieldUntil(ctx, [&] { return !shows(ctx, "###tvmscript", "unroll ( 1024"); }));
  });
}

TEST_F(Bench, RefusedPreviewSaysWhyAndEnterDoesNothing) {
  drive([](ImGuiTestContext* ctx) {
    IM_CHECK(nestIsShown(ctx, 0));
    const std::size_t nodes = modelOf(ctx).navigation().history().nodes().size();
    modelOf(ctx).preview().show("sch.vectorize(sch.get_loops(sch.get_block(\"Z\"))[2])");
    IM_CHECK(yieldUntil(ctx, [&] { return modelOf(ctx).preview().step()->refusal.has_value(); }));
    ctx->Yield(3);
    IM_CHECK(shows(ctx, "###loopnest", "vectorize is not allowed"));
    ctx->KeyPress(ImGuiKey_Enter);
    ctx->Yield(3);
    IM_CHECK_EQ(modelOf(ctx).navigation().current(), 0);
    IM_CHECK(modelOf(ctx).preview().step() != nullptr);
    ctx->KeyPress(ImGuiKey_Escape);
    ctx->Yield(3);
    IM_CHECK(hasNoTrace(ctx, nodes));
  });
}

TEST_F(Bench, OptionsOfAnOpenListSayTheirPredictedTimesWithoutMoving) {
  drive([](ImGuiTestContext* ctx) {
    IM_CHECK(nestIsShown(ctx, 0));
    ctx->ItemClick(itemOf(rowNamed(ctx, "k")).c_str(), ImGuiMouseButton_Right);
    IM_CHECK(yieldUntil(ctx, [&] { return ctx->ItemExists("//$FOCUSED/###split"); }));
    ctx->MouseMove("//$FOCUSED/###unroll");
    ctx->Yield(2);
    const ImGuiWindow* menu = ImGui::GetCurrentContext()->OpenPopupStack.back().Window;
    const ImVec2 size = menu->Size;
    IM_CHECK(yieldUntil(ctx, [&] { return modelOf(ctx).preview().effect().has_value(); }));
    IM_CHECK(yieldUntil(ctx, [&] { return popupShows(ctx, "unroll ="); }));
    IM_CHECK(menu->Size.x == size.x && menu->Size.y == size.y);
    ctx->KeyPress(ImGuiKey_Escape);
    ctx->Yield(2);
    ctx->WindowFocus("//###step");
    ctx->SetRef("//###step");
    ctx->ItemClick("**/###unroll");
    ctx->ItemClick("$$0/###choices");
    IM_CHECK(yieldUntil(ctx, [&] { return shows(ctx, "##Combo_00", "="); }));
    ctx->KeyPress(ImGuiKey_Escape);
    ctx->Yield(2);
  });
}

// What is shown for a step before it is taken is what one gets.
TEST_F(CompilingBench, PreviewIsCompiledAndPredictedByItsMachineCode) {
  drive([](ImGuiTestContext* ctx) {
    IM_CHECK(startIsShown(ctx));
    auto& model = modelOf(ctx);
    model.navigation().goToChapter(kTensorized);
    IM_CHECK(yieldUntil(ctx, [&] { return model.models().isFinal(model.navigation().current()); }));
    model.preview().show("sch.annotate(sch.get_block(\"X_shared\"), \"mine\", 1)");
    using Basis = session::ModelBasis;
    IM_CHECK(yieldUntil(ctx, [&] {
      const auto effect = model.preview().effect();
      return effect && effect->basis == Basis::kMachineCode && !model.preview().step()->compiling;
    }));
    ctx->ItemClick("//###performance/###views/###instructions");
    IM_CHECK(shows(ctx, "###performance", "Hot loop"));
    ctx->WindowFocus("//###sass");
    ctx->Yield(3);
    IM_CHECK(yieldUntil(ctx, [&] { return shows(ctx, "###sass", "hot loop"); }));
    IM_CHECK(ctx->ItemExists("//###sass/###previewrow"));
    IM_CHECK(!shows(ctx, "###sass", "machine code isn't there"));
    ctx->WindowFocus("//###ptx");
    ctx->Yield(3);
    IM_CHECK(shows(ctx, "###ptx", "machine code isn't there"));  // a preview's PTX isn't made
    const session::PredictedEffect effect = *model.preview().effect();
    IM_CHECK_EQ(effect.before,
                session::performanceOf(*model.models().of(model.navigation().current())).estimate->microseconds);
    IM_CHECK(model.preview().shownModel() == model.preview().step()->model);
    model.edits().applyPreview();
    IM_CHECK(yieldUntil(ctx, [&] { return model.models().isFinal(model.navigation().current()); }));
    IM_CHECK_EQ(session::performanceOf(*model.models().of(model.navigation().current())).estimate->microseconds,
                effect.after);
  });
}

}  // namespace
}  // namespace loom::window::preview_strip_test
