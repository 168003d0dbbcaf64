// Two states in every panel, beside or below each other.
#include "tests/gui/script.h"

namespace loom::window::side_by_side_test {
namespace {

// A window within a panel's half, by the text of its id: "###other" or "###own".
ImGuiWindow* halfOf(ImGuiTestContext* ctx, const std::string& panel, const char* half) {
  return ctx->WindowInfo(("//###" + panel + "/" + half).c_str(), ImGuiTestOpFlags_NoError).Window;
}

bool isDrawn(const ImGuiWindow* window) {
  return window != nullptr && window->LastFrameActive >= ImGui::GetFrameCount() - 1 && window->Size.y > 40;
}

TEST_F(Bench, EveryPanelOfAStateDrawsBothThatAreCompared) {
  drive([](ImGuiTestContext* ctx) {
    IM_CHECK(startIsShown(ctx));
    auto& model = modelOf(ctx);
    const int other = 27, now = 48;  // of lessons, nodes are numbered as states are
    model.navigation().select(now);
    model.comparison().with(other);
    IM_CHECK(yieldUntil(ctx, [&] { return model.models().isFinal(now) && model.models().isFinal(other); }));
    ctx->Yield(3);
    IM_CHECK(halfOf(ctx, "tvmscript", "###other") == nullptr);
    ctx->ItemClick("//###tvmscript/###bothsides");
    for (const panels::PanelEntry& panel : panels::panelTable()) {
      ctx->WindowFocus((std::string("//###") + panel.id).c_str());
      const bool both = panel.showsState && !panel.make()->showsComparison();
      if (both) {
        ctx->SleepNoSkip(0.6F, 0.02F);
        IM_CHECK_SILENT(isDrawn(halfOf(ctx, panel.id, "###other")) && isDrawn(halfOf(ctx, panel.id, "###own")));
      } else {
        ctx->Yield(2);
        IM_CHECK_SILENT(halfOf(ctx, panel.id, "###other") == nullptr);
      }
    }
    IM_CHECK_EQ(model.navigation().current(), now);
    IM_CHECK_EQ(model.comparison().node(), other);
    ctx->WindowFocus("//###tvmscript");
    ctx->KeyPress(ImGuiKey_Escape);
    ctx->Yield(3);
    IM_CHECK_EQ(model.comparison().node(), -1);
    IM_CHECK(!isDrawn(halfOf(ctx, "tvmscript", "###other")));
  });
}

TEST_F(Bench, BothTextsAreScrolledTogether) {
  drive([](ImGuiTestContext* ctx) {
    IM_CHECK(startIsShown(ctx));
    auto& model = modelOf(ctx);
    model.navigation().select(48);
    model.comparison().with(27);
    ctx->ItemClick("//###tvmscript/###bothsides");
    auto codeOf = [&](const char* half) -> ImGuiWindow* {
      const ImGuiWindow* parent = halfOf(ctx, "tvmscript", half);
      for (ImGuiWindow* window : ImGui::GetCurrentContext()->Windows)
        if (window->ParentWindow == parent && std::string(window->Name).find("###code") != std::string::npos)
          return window;
      return nullptr;
    };
    IM_CHECK(yieldUntil(ctx, [&] { return codeOf("###other") && codeOf("###own"); }));
    ImGuiWindow *there = codeOf("###other"), *here = codeOf("###own");
    // Over the first change both are alike.
    IM_CHECK(yieldUntil(ctx, [&] { return here->Scroll.y > 0 && there->Scroll.y == here->Scroll.y; }));
    ctx->ScrollToBottom(there->ID);
    ctx->Yield(4);
    const float far = here->Scroll.y;
    IM_CHECK_GT(far, there->Scroll.y);  // the state with more lines has the counterpart further down
    ctx->ScrollToTop(here->ID);
    ctx->Yield(4);
    IM_CHECK_EQ(there->Scroll.y, 0.0F);
  });
}

// How often the panel has drawn these words.
int countOf(ImGuiTestContext* ctx, const char* panel, const std::string& words) {
  ctx->Yield();
  int count = 0;
  for (const TextRun& text : drawnText(panel)) count += text.text.find(words) != std::string::npos ? 1 : 0;
  return count;
}

TEST_F(Bench, BothHalvesShowOneStatementAndOneCountOfBytes) {
  drive([](ImGuiTestContext* ctx) {
    IM_CHECK(startIsShown(ctx));
    auto& model = modelOf(ctx);
    model.navigation().select(50);
    model.comparison().with(48);
    IM_CHECK(yieldUntil(ctx, [&] { return model.models().isFinal(50) && model.models().isFinal(48); }));
    ctx->ItemClick("//###tvmscript/###bothsides");
    ctx->WindowFocus("//###threads");
    IM_CHECK(yieldUntil(ctx, [&] { return countOf(ctx, "###threads", "X_shared reads X") == 2; }));
    ctx->SetRef(halfOf(ctx, "threads", "###other"));
    ctx->ItemClick("**/###worst");  // a bank conflict, which storage_align took away
    IM_CHECK(yieldUntil(ctx, [&] { return countOf(ctx, "###threads", "matrix_a_o reads X_shared") == 2; }));
    ctx->WindowFocus("//###memory");
    ctx->Yield(3);
    const int before = countOf(ctx, "###memory", "16 MiB");
    ctx->SetRef(halfOf(ctx, "memory", "###own"));
    ctx->ItemClick("whole grid");
    ctx->Yield(3);
    IM_CHECK_EQ(countOf(ctx, "###memory", "16 MiB"), before + 4);  // of two operands in both
  });
}

TEST_F(Bench, BothHalvesOfPerformanceShowOneViewAndWhatTellsBothStandsAlone) {
  drive([](ImGuiTestContext* ctx) {
    IM_CHECK(startIsShown(ctx));
    auto& model = modelOf(ctx);
    const int other = 27, now = 48;  // of lessons, nodes are numbered as states are
    model.navigation().select(now);
    model.comparison().with(other);
    IM_CHECK(yieldUntil(ctx, [&] { return model.models().isFinal(now) && model.models().isFinal(other); }));
    ctx->ItemClick("//###performance/###views/###advice");
    ctx->ItemClick("//###tvmscript/###bothsides");
    ctx->Yield(4);
    ImGuiWindow* there = halfOf(ctx, "performance", "###other");
    IM_CHECK(isDrawn(there));
    IM_CHECK_EQ(countOf(ctx, "###performance", "The model predicts"), 2);
    ctx->SetRef(there);
    ctx->ItemClick("###views/###instructions");
    ctx->Yield(4);
    IM_CHECK_EQ(countOf(ctx, "###performance", "The model predicts"), 0);  // both show Instructions
    ctx->SetRef(halfOf(ctx, "performance", "###own"));
    ctx->ItemClick("###views/###occupancy");
    ctx->Yield(4);
    IM_CHECK_EQ(countOf(ctx, "###performance", "registers not known: not compiled"), 2);
    ctx->ItemClick("###views/###roofline");
    ctx->Yield(4);
    IM_CHECK(!isDrawn(there));
    ctx->ItemClick("//###performance/###views/###stalls");
    ctx->Yield(4);
    IM_CHECK(isDrawn(there));
  });
}

}  // namespace
}  // namespace loom::window::side_by_side_test
