#include <imgui_internal.h>

#include <algorithm>
#include <string>

#include "app/panels/code/view/code.h"
#include "tests/gui/script.h"

namespace loom::window::code_panel_test {
namespace {

// The first line that has `what`; -1: none.
int lineOf(const std::vector<std::string>& lines, const char* what) {
  auto found = std::ranges::find_if(lines, [&](const auto& line) { return line.find(what) != std::string::npos; });
  return found == lines.end() ? -1 : int(found - lines.begin());
}

void clickLine(ImGuiTestContext* ctx, const char* panel, int line) {
  ctx->WindowFocus((std::string("//###") + panel).c_str());
  const ImGuiTestItemInfo code = ctx->WindowInfo((std::string("//###") + panel + "/###code").c_str());
  ctx->SetRef(code.Window);
  ctx->ItemClick(("$$" + std::to_string(line) + "/###line").c_str());
  ctx->Yield(2);
}

const session::Program& programOf(ImGuiTestContext* ctx) {
  return *modelOf(ctx).programs().of(modelOf(ctx).navigation().current());
}

TEST_F(Bench, FoundLineIsSelectedAndCopied) {
  drive([](ImGuiTestContext* ctx) {
    IM_CHECK(startIsShown(ctx));
    ctx->WindowFocus("//###tvmscript");
    ctx->KeyPress(ImGuiMod_Ctrl | ImGuiKey_F);
    ctx->Yield(2);
    ctx->KeyChars("T.init");
    ctx->Yield(2);
    IM_CHECK(shows(ctx, "###tvmscript", "1 of 1"));
    ctx->KeyPress(ImGuiKey_Escape);
    ctx->Yield(2);
    ctx->KeyPress(ImGuiMod_Ctrl | ImGuiKey_C);
    ctx->Yield(2);
    const auto& script = session::textsOf(programOf(ctx)).script;
    IM_CHECK_STR_EQ(ImGui::GetClipboardText(), (script[std::size_t(lineOf(script, "T.init"))] + "\n").c_str());
  });
}

TEST_F(Bench, EnterGoesToTheNextPlaceFound) {
  drive([](ImGuiTestContext* ctx) {
    IM_CHECK(startIsShown(ctx));
    ctx->WindowFocus("//###cuda");
    ctx->KeyPress(ImGuiMod_Ctrl | ImGuiKey_F);
    ctx->Yield(2);
    ctx->KeyChars("for (int");
    for (int i = 0; i < 2; ++i) {
      ctx->KeyPress(ImGuiKey_Enter);
      ctx->Yield(3);
    }
    ctx->KeyPress(ImGuiKey_Escape);
    ctx->KeyPress(ImGuiMod_Ctrl | ImGuiKey_C);
    ctx->Yield(2);
    IM_CHECK(std::string(ImGui::GetClipboardText()).find("int k = 0") != std::string::npos);  // the third
  });
}

// Escape of another panel ends a drag or a comparison there.
TEST_F(Bench, EscapeClosesTheSearchOfItsOwnPanel) {
  drive([](ImGuiTestContext* ctx) {
    IM_CHECK(startIsShown(ctx));
    ctx->WindowFocus("//###tvmscript");
    ctx->KeyPress(ImGuiMod_Ctrl | ImGuiKey_F);
    ctx->Yield(2);
    IM_CHECK(ctx->ItemExists("//###tvmscript/###find"));
    ctx->WindowFocus("//###loopnest");
    ctx->KeyPress(ImGuiKey_Escape);
    ctx->Yield(2);
    IM_CHECK(ctx->ItemExists("//###tvmscript/###find"));
    ctx->WindowFocus("//###tvmscript");
    ctx->KeyPress(ImGuiKey_Escape);
    ctx->Yield(2);
    IM_CHECK(!ctx->ItemExists("//###tvmscript/###find"));
  });
}

TEST_F(Bench, SelectedLinesOrElseAllAreCopied) {
  drive([](ImGuiTestContext* ctx) {
    IM_CHECK(startIsShown(ctx));
    const auto& script = session::textsOf(programOf(ctx)).script;
    ctx->WindowFocus("//###tvmscript");
    ctx->KeyPress(ImGuiMod_Ctrl | ImGuiKey_C);
    ctx->Yield();
    IM_CHECK_EQ(std::size_t(std::ranges::count(std::string(ImGui::GetClipboardText()), '\n')), script.size());
    clickLine(ctx, "tvmscript", 4);
    ctx->KeyDown(ImGuiMod_Shift);
    ctx->ItemClick("$$6/###line");
    ctx->KeyUp(ImGuiMod_Shift);
    ctx->KeyPress(ImGuiMod_Ctrl | ImGuiKey_C);
    ctx->Yield();
    IM_CHECK_STR_EQ(ImGui::GetClipboardText(), (script[4] + "\n" + script[5] + "\n" + script[6] + "\n").c_str());
  });
}

TEST_F(Bench, SelectedLineIsLinkedBothWays) {
  drive([](ImGuiTestContext* ctx) {
    IM_CHECK(startIsShown(ctx));
    session::Session& model = modelOf(ctx);
    const session::Program& program = programOf(ctx);
    clickLine(ctx, "tvmscript", lineOf(session::textsOf(program).script, "with T.block(\"Z\")"));
    IM_CHECK_EQ(model.selection().ids().size(), 1U);
    const ir::Id block = model.selection().ids().front();
    IM_CHECK(model.navigation().history().node(0).state.tree().isBlock(block));
    // The statement's line of the kernel belongs to that block; selecting it leads back.
    const int line = lineOf(session::textsOf(program).cuda, "+= float(X[");
    IM_CHECK(program.kernel.source.lines[std::size_t(line)].block == block);
    model.selection().select({});
    clickLine(ctx, "cuda", line);
    IM_CHECK(model.selection().has(block));
    ctx->KeyPress(ImGuiKey_UpArrow, 3);  // to `if (k == 0)` and on to the loop
    ctx->Yield(2);
    IM_CHECK(!model.selection().ids().empty());
    ctx->KeyPress(ImGuiKey_DownArrow, 3);
    ctx->Yield(2);
    IM_CHECK(model.selection().has(block));
  });
}

// In a long program the other pane scrolls to what was selected here.
TEST_F(Bench, LinkedLineComesIntoView) {
  drive([](ImGuiTestContext* ctx) {
    IM_CHECK(startIsShown(ctx));
    session::Session& model = modelOf(ctx);
    model.navigation().goToChapter(int(model.documents().target()->chapterNodes.size()) - 1);
    IM_CHECK(settled(ctx));  // columns that come beside the code scroll, too
    const session::Program& program = programOf(ctx);
    const ImGuiTestItemInfo cuda = ctx->WindowInfo("//###cuda/###code");
    cuda.Window->ScrollTarget.y = 0;
    ctx->Yield(3);
    IM_CHECK_LT(cuda.Window->Scroll.y, 1.0F);
    const int store = lineOf(session::textsOf(program).cuda, "store_matrix_sync");
    IM_CHECK_GT(store, 30);
    const ir::Id block = program.kernel.source.lines[std::size_t(store)].block;
    model.selection().select({block});
    ctx->Yield(3);
    ctx->SetRef(cuda.Window);
    const ImGuiTestItemInfo line = ctx->ItemInfo(("$$" + std::to_string(store) + "/###line").c_str());
    IM_CHECK(line.ID != 0);
    IM_CHECK_GT(line.RectFull.Min.y, cuda.Window->Pos.y - 1);
    IM_CHECK_LT(line.RectFull.Min.y, cuda.Window->Pos.y + cuda.Window->Size.y);
  });
}

// The scroll to a selected line comes a frame after the selection; a change of width or scale in that frame keeps it.
TEST_F(Bench, LinkedLineComesIntoViewThoughTheScaleChanges) {
  drive([](ImGuiTestContext* ctx) {
    IM_CHECK(startIsShown(ctx));
    session::Session& model = modelOf(ctx);
    model.navigation().goToChapter(int(model.documents().target()->chapterNodes.size()) - 1);
    IM_CHECK(settled(ctx));
    const int store = lineOf(session::textsOf(programOf(ctx)).cuda, "store_matrix_sync");
    const ir::Id block = programOf(ctx).kernel.source.lines[std::size_t(store)].block;
    for (int frames = 0; frames < 2; ++frames) {  // between the selection and the change
      model.selection().select({});
      ctx->Yield(3);
      ctx->WindowInfo("//###cuda/###code").Window->ScrollTarget.y = 0;
      ctx->Yield(3);
      IM_CHECK(!shows(ctx, "###cuda", "store_matrix_sync"));
      model.selection().select({block});
      ctx->Yield(frames);
      ctx->KeyPress(ImGuiMod_Ctrl | (frames % 2 == 0 ? ImGuiKey_Equal : ImGuiKey_Minus));
      ctx->Yield(4);
      IM_CHECK(shows(ctx, "###cuda", "store_matrix_sync"));
    }
  });
}

// Long lines are wrapped: nothing reaches beyond the pane, until that is switched off.
TEST_F(Bench, LongLinesAreWrappedUntilThatIsSwitchedOff) {
  drive([](ImGuiTestContext* ctx) {
    IM_CHECK(startIsShown(ctx));
    ctx->WindowFocus("//###tvmscript");
    ctx->Yield(2);
    const ImGuiTestItemInfo code = ctx->WindowInfo("//###tvmscript/###code");
    const int header = lineOf(session::textsOf(programOf(ctx)).script, "def main");
    ctx->SetRef(code.Window);
    const std::string item = "$$" + std::to_string(header) + "/###line";
    const float row = workbenchOf(ctx).look().px(15);
    IM_CHECK_GT(ctx->ItemInfo(item.c_str()).RectFull.GetHeight(), 1.5F * row);
    IM_CHECK_LT(code.Window->ScrollMax.x, 1.0F);
    ctx->ItemClick(item.c_str(), ImGuiMouseButton_Right);
    ctx->Yield(2);
    ctx->ItemClick("//$FOCUSED/###wrap");
    ctx->Yield(3);
    IM_CHECK_LT(ctx->ItemInfo(item.c_str()).RectFull.GetHeight(), 1.5F * row);
    IM_CHECK_GT(code.Window->ScrollMax.x, 50.0F);
  });
}

TEST_F(Bench, FoldHidesWhatIsNestedAndALinkedLineOpensIt) {
  drive([](ImGuiTestContext* ctx) {
    IM_CHECK(startIsShown(ctx));
    const auto& script = session::textsOf(programOf(ctx)).script;
    const int block = lineOf(script, "with T.block(\"Z\")"), inner = block + 1;
    ctx->WindowFocus("//###tvmscript");
    ctx->SetRef(ctx->WindowInfo("//###tvmscript/###code").Window);
    auto isThere = [&](int line) { return ctx->ItemExists(("$$" + std::to_string(line) + "/###line").c_str()); };
    IM_CHECK(isThere(inner));
    ctx->ItemClick(("$$" + std::to_string(block) + "/###line").c_str());
    ctx->KeyPress(ImGuiMod_Ctrl | ImGuiMod_Shift | ImGuiKey_LeftBracket);
    ctx->Yield(3);
    IM_CHECK(!isThere(inner));
    ctx->KeyPress(ImGuiMod_Ctrl | ImGuiMod_Shift | ImGuiKey_RightBracket);
    ctx->Yield(3);
    IM_CHECK(isThere(inner));
    ctx->ItemClick(("$$" + std::to_string(block) + "/###fold").c_str());
    ctx->Yield(3);
    IM_CHECK(isThere(block));
    IM_CHECK(!isThere(inner));
    // Searched for, it is shown.
    ctx->KeyPress(ImGuiMod_Ctrl | ImGuiKey_F);
    ctx->Yield(2);
    ctx->KeyChars("T.init");
    ctx->Yield(3);
    IM_CHECK(isThere(lineOf(script, "T.init")));
  });
}

TEST_F(Bench, WhatDidNotChangeFoldsInEveryState) {
  drive([](ImGuiTestContext* ctx) {
    IM_CHECK(startIsShown(ctx));
    session::Session& model = modelOf(ctx);
    model.navigation().goToChapter(6);
    IM_CHECK(yieldUntil(ctx, [&] { return model.programs().of(model.navigation().current()) != nullptr; }));
    ctx->WindowFocus("//###tvmscript");
    ctx->Yield(3);
    const ImGuiTestItemInfo code = ctx->WindowInfo("//###tvmscript/###code");
    ctx->SetRef(code.Window);
    const float all = code.Window->ContentSize.y;
    const int changed = session::textsOf(programOf(ctx)).scriptDiff.first;
    ctx->ItemClick(("$$" + std::to_string(changed) + "/###line").c_str(), ImGuiMouseButton_Right);
    ctx->Yield(2);
    ctx->ItemClick("//$FOCUSED/###changes");
    ctx->Yield(3);
    IM_CHECK_LT(code.Window->ContentSize.y, 0.8F * all);
    IM_CHECK(ctx->ItemExists(("$$" + std::to_string(changed) + "/###line").c_str()));
    model.navigation().goToChapter(7);
    IM_CHECK(yieldUntil(ctx, [&] { return model.programs().of(model.navigation().current()) != nullptr; }));
    ctx->Yield(3);
    IM_CHECK(ctx->ItemExists(
        ("$$" + std::to_string(session::textsOf(programOf(ctx)).scriptDiff.first) + "/###line").c_str()));
  });
}

// Ctrl and a click on a word choose what it names, besides what is chosen.
TEST_F(Bench, WordsOfLoopsAndBuffersAreChosenWithCtrl) {
  drive([](ImGuiTestContext* ctx) {
    IM_CHECK(startIsShown(ctx));
    session::Session& model = modelOf(ctx);
    const auto& script = session::textsOf(programOf(ctx)).script;
    const int line = lineOf(script, "for i, j, k in");
    ctx->WindowFocus("//###tvmscript");
    ctx->SetRef(ctx->WindowInfo("//###tvmscript/###code").Window);
    const ImGuiTestItemInfo item = ctx->ItemInfo(("$$" + std::to_string(line) + "/###line").c_str());
    ImGui::PushFont(workbenchOf(ctx).look().fonts.code, kSecondarySize);
    const float advance = ImGui::GetFontBaked()->GetCharAdvance('0');
    ImGui::PopFont();
    const float gutter = workbenchOf(ctx).look().px(26) + 4 * advance;
    const std::size_t indent = script[std::size_t(line)].find_first_not_of(' ');
    auto click = [&](const char* word) {
      const std::size_t at = script[std::size_t(line)].find(word);
      const float x = item.RectFull.Min.x + gutter + (float(at - indent / 2) + 0.5F) * advance;
      ctx->MouseMoveToPos({x, item.RectFull.GetCenter().y});
      ctx->Yield(2);
      ctx->KeyDown(ImGuiMod_Ctrl);
      ctx->MouseClick();
      ctx->KeyUp(ImGuiMod_Ctrl);
      ctx->Yield(2);
    };
    click("j, k");
    IM_CHECK_EQ(model.selection().ids().size(), 1U);
    click("k in");
    IM_CHECK_EQ(model.selection().ids().size(), 2U);
    ctx->SleepNoSkip(1.0F, 0.1F);
    IM_CHECK(tip(ctx).find("reduction · extent 1024") != std::string::npos);
    click("j, k");
    IM_CHECK_EQ(model.selection().ids().size(), 1U);
  });
}

}  // namespace
}  // namespace loom::window::code_panel_test
