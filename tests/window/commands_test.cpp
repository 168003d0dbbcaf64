#include "app/window/commands.h"

#include <imgui_internal.h>

#include "tests/gui/script.h"
#include "tests/window/panel_key.h"

namespace loom::window::commands_test {
namespace {

Commands some() {
  auto nothing = [] {};
  return {{"save", "File", "Save", "Ctrl+S", nothing},
          {"cache_read", "Primitive", "cache_read", "", nothing, true, false, "Copies a buffer into another memory"},
          {"compute_at", "Primitive", "compute_at", "", nothing},
          {"memory", "Panel", "Memory hierarchy", "", nothing},
          {"saveas", "File", "Save as…", "", nothing}};
}

std::vector<std::string> found(const char* wanted) {
  const Commands commands = some();
  std::vector<std::string> ids;
  for (int i : find(wanted, commands)) ids.push_back(commands[std::size_t(i)].id);
  return ids;
}

using Ids = std::vector<std::string>;

TEST(Commands, AreFoundByTheStartOfAWordBeforeItsMiddleBeforeItsLetters) {
  EXPECT_EQ(found(""), (Ids{"save", "cache_read", "compute_at", "memory", "saveas"}));
  EXPECT_EQ(found("SAVE"), (Ids{"save", "saveas"}));
  EXPECT_EQ(found("read"), (Ids{"cache_read"}));
  EXPECT_EQ(found("cr"), (Ids{"cache_read"}));
  EXPECT_EQ(found("hier"), (Ids{"memory"}));
  EXPECT_EQ(found("memory"), (Ids{"memory", "cache_read"}));  // in the label before in what it does
}

TEST(Commands, MustHaveEveryWord) {
  EXPECT_EQ(found("file as"), (Ids{"saveas"}));
  EXPECT_EQ(found("panel memory"), (Ids{"memory"}));
  EXPECT_TRUE(found("save nowhere").empty());
  EXPECT_TRUE(found("zzz").empty());
  EXPECT_EQ(found("   ").size(), 5U);
}

bool frontIs(const char* panel) {
  const ImGuiWindow* window = ImGui::FindWindowByName(panel);
  return window != nullptr && !window->Hidden && window->DockTabIsVisible;
}

void ask(ImGuiTestContext* ctx, const char* wanted) {
  ctx->KeyPress(ImGuiMod_Ctrl | ImGuiKey_P);
  ctx->Yield(3);
  ctx->KeyChars(wanted);
  ctx->Yield(3);
}

TEST_F(Bench, PaletteOpensPanelsAndPrimitivesByAFewLetters) {
  drive([](ImGuiTestContext* ctx) {
    IM_CHECK(startIsShown(ctx));
    IM_CHECK(!frontIs("###memory"));
    ask(ctx, "memory hier");
    IM_CHECK(popupShows(ctx, "Memory hierarchy Panel"));
    ctx->KeyPress(ImGuiKey_Enter);
    ctx->Yield(4);
    IM_CHECK(frontIs("###memory"));
    ask(ctx, "storal");
    ctx->KeyPress(ImGuiKey_Enter);
    ctx->Yield(4);
    IM_CHECK(frontIs("###step"));
    IM_CHECK(ctx->ItemExists("//###step/$$4/###value"));  // the fifth parameter of its form
    ask(ctx, "");
    IM_CHECK(popupShows(ctx, "Primitive · Cut a loop into a nest of shorter loops."));
    ctx->KeyPress(ImGuiKey_Escape);
    ctx->Yield(3);
    IM_CHECK(!ImGui::IsPopupOpen("", ImGuiPopupFlags_AnyPopupId | ImGuiPopupFlags_AnyPopupLevel));
  });
}

TEST_F(Bench, PaletteChoosesByArrowsAndSaysWhenNothingIsFound) {
  drive([](ImGuiTestContext* ctx) {
    IM_CHECK(startIsShown(ctx));
    ask(ctx, "theme");
    ctx->KeyPress(ImGuiKey_DownArrow);
    ctx->KeyPress(ImGuiKey_Enter);
    ctx->Yield(3);
    IM_CHECK(workbenchOf(ctx).settings().theme == Theme::kLight);
    IM_CHECK_GT(ImGui::GetStyle().Colors[ImGuiCol_WindowBg].x, 0.5F);
    ask(ctx, "theme");
    ctx->KeyPress(ImGuiKey_DownArrow);
    ctx->KeyPress(ImGuiKey_UpArrow);
    ctx->KeyPress(ImGuiKey_Enter);
    ctx->Yield(3);
    IM_CHECK(workbenchOf(ctx).settings().theme == Theme::kDark);
    IM_CHECK_LT(ImGui::GetStyle().Colors[ImGuiCol_WindowBg].x, 0.5F);
    ask(ctx, "qqqq");
    ctx->KeyPress(ImGuiKey_Enter);  // runs nothing, and stays
    ctx->Yield(2);
    IM_CHECK(popupShows(ctx, "Nothing has this name."));
    ctx->KeyPress(ImGuiKey_Escape);
  });
}

TEST_F(Bench, PaletteGoesToAChapter) {
  drive([](ImGuiTestContext* ctx) {
    IM_CHECK(startIsShown(ctx));
    const auto& chapters = modelOf(ctx).documents().target()->lesson->chapters;
    ask(ctx, ("chapter " + document::in(chapters[3].title, "en")).c_str());
    ctx->KeyPress(ImGuiKey_Enter);
    IM_CHECK(yieldUntil(ctx, [&] { return modelOf(ctx).navigation().current() > 0; }));
    IM_CHECK_EQ(modelOf(ctx).navigation().current(), modelOf(ctx).documents().target()->chapterNodes[3]);
    IM_CHECK(shows(ctx, "##MainMenuBar", std::to_string(modelOf(ctx).navigation().node().number) + " of 50"));
  });
}

TEST_F(Bench, ConsoleThatAKeyOrACommandOpensTakesWhatIsTyped) {
  drive([](ImGuiTestContext* ctx) {
    IM_CHECK(startIsShown(ctx));
    ask(ctx, "panel console");
    ctx->KeyPress(ImGuiKey_Enter);
    ctx->Yield(5);
    IM_CHECK(ImGui::GetIO().WantTextInput);
    ctx->KeyChars("sch.unroll(sch.get_loops(sch.get_block(\"Z\"))[0])");
    ctx->KeyPress(ImGuiKey_Enter);
    ctx->Yield(3);
    IM_CHECK_EQ(modelOf(ctx).navigation().node().number, 1);
    ctx->WindowFocus("//###cuda");
    if (const ImGuiKey digit = digitOf("console"); digit != ImGuiKey_None) {
      ctx->KeyPress(ImGuiMod_Ctrl | digit);
      ctx->Yield(5);
      IM_CHECK(ImGui::GetIO().WantTextInput);
    }
    ctx->WindowFocus("//###cuda");
    ctx->Yield(3);
    IM_CHECK(!ImGui::GetIO().WantTextInput);
  });
}

}  // namespace
}  // namespace loom::window::commands_test
