// What a panel answers when asked what it is, and what a lesson's text points at.
#include <imgui_internal.h>

#include <set>
#include <string>

#include "app/panels/code/view/code.h"
#include "app/widgets/lesson_highlight.h"
#include "tests/gui/script.h"

namespace loom::window::lesson_highlight_test {
namespace {

TEST(PanelHelp, IsThereForEveryPanelInBothLanguages) {
  for (const panels::PanelEntry& entry : panels::panelTable()) {
    for (const text::Text* words : {&entry.help.shown, &entry.help.reading, &entry.help.numbers, &entry.help.mouse}) {
      const std::string english = words->in(text::Language::kEnglish), chinese = words->in(text::Language::kChinese);
      EXPECT_GT(english.size(), 10U) << entry.id;
      EXPECT_NE(english, chinese) << entry.id;
    }
  }
}

TEST(PanelTable, GivesEachPanelAnIdAndTheHelpOfItsOwn) {
  std::set<std::string> ids;
  std::set<const text::PanelHelp*> helps;
  for (const panels::PanelEntry& entry : panels::panelTable()) {
    EXPECT_TRUE(ids.insert(entry.id).second) << entry.id;
    EXPECT_TRUE(helps.insert(&entry.help).second) << entry.id;
  }
}

TEST(Pointers, CanNameEveryPanelOfTheTableAndNoOther) {
  std::set<std::string> places;
  for (const document::Pointer& place : document::allPlaces()) places.insert(place.panel);
  for (const panels::PanelEntry& entry : panels::panelTable()) {
    EXPECT_TRUE(document::parsePointer(entry.id)) << entry.id;
    EXPECT_EQ(places.erase(entry.id), 1U) << entry.id;
  }
  EXPECT_TRUE(places.empty()) << *places.begin();
  EXPECT_FALSE(document::parsePointer("nowhere"));
}

TEST(Pointers, OfTheLessonsNamePanelsThatAreThere) {
  const std::filesystem::path assets = std::string(TILELOOM_SOURCE_DIR) + "/assets";
  const auto names = document::lessonNames(assets);
  EXPECT_FALSE(names.empty());
  for (const std::string& name : names) {
    const auto lesson = document::loadLesson(assets / "lessons" / name);
    EXPECT_TRUE(lesson) << lesson.error().message.english();
  }
}

TEST_F(Bench, EveryPanelsQuestionMarkOpensItsAnswer) {
  drive([](ImGuiTestContext* ctx) {
    IM_CHECK(startIsShown(ctx));
    for (const panels::PanelEntry& entry : panels::panelTable()) {
      ctx->WindowFocus((std::string("//###") + entry.id).c_str());
      ctx->Yield(3);
      const ImGuiWindow* panel = ImGui::FindWindowByName((std::string("###") + entry.id).c_str());
      IM_CHECK(panel != nullptr && panel->DockNode != nullptr);
      const std::string mark = std::string("**/###help-") + entry.id;
      ctx->SetRef(panel->DockNode->HostWindow);
      ctx->ItemClick(mark.c_str());
      ctx->Yield(2);
      const ImGuiWindow* answer = ctx->GetWindowByRef("//$FOCUSED");
      IM_CHECK(answer != nullptr && (answer->Flags & ImGuiWindowFlags_Popup) != 0);
      // All of it is to be seen.
      IM_CHECK_GE(answer->Pos.y, 0.0F);
      IM_CHECK_LE(answer->Pos.x + answer->Size.x, ImGui::GetIO().DisplaySize.x);
      IM_CHECK_LE(answer->Pos.y + answer->Size.y, ImGui::GetIO().DisplaySize.y);
      IM_CHECK_EQ(answer->ScrollMax.y, 0.0F);
      ctx->KeyPress(ImGuiKey_Escape);
      ctx->Yield(2);
      IM_CHECK(!ImGui::IsPopupOpen("", ImGuiPopupFlags_AnyPopupId | ImGuiPopupFlags_AnyPopupLevel));
    }
  });
}

TEST_F(Bench, F1AnswersForThePanelInUse) {
  drive([](ImGuiTestContext* ctx) {
    IM_CHECK(startIsShown(ctx));
    ctx->WindowFocus("//###tvmscript");
    ctx->Yield(2);
    ctx->KeyPress(ImGuiKey_F1);
    ctx->Yield(2);
    IM_CHECK(ImGui::IsPopupOpen("", ImGuiPopupFlags_AnyPopupId | ImGuiPopupFlags_AnyPopupLevel));
    IM_CHECK(popupShows(ctx, "TVMScript"));
    ctx->KeyPress(ImGuiKey_Escape);
    ctx->Yield(2);
    IM_CHECK(!ImGui::IsPopupOpen("", ImGuiPopupFlags_AnyPopupId | ImGuiPopupFlags_AnyPopupLevel));
  });
}

// At the end of a chapter, with the phrases of its text as items.
bool chapterIsShown(ImGuiTestContext* ctx, int chapter) {
  if (!startIsShown(ctx)) return false;
  auto& model = modelOf(ctx);
  model.navigation().goToChapter(chapter);
  if (!yieldUntil(ctx, [&] { return model.programs().of(model.navigation().current()) != nullptr; })) return false;
  if (!settled(ctx)) return false;  // texts still to come would move the phrase from under the mouse
  const ImGuiTestItemInfo text = ctx->WindowInfo("//###lesson/###text");
  if (text.Window == nullptr) return false;
  ctx->SetRef(text.Window);
  return true;
}

// The item of the phrase of a chapter's English text that points at `place`, as of the first one if there are several.
std::string phraseTo(ImGuiTestContext* ctx, int chapter, const std::string& place) {
  const auto& lesson = modelOf(ctx).documents().target()->lesson;
  const std::string& text = lesson->chapters[std::size_t(chapter)].text.at("en");
  const std::size_t end = text.find("](look:" + place + ")");
  IM_CHECK_RETV(end != std::string::npos, "###none");
  int before = 0;
  for (std::size_t at = text.find("](look:"); at < end; at = text.find("](look:", at + 1)) ++before;
  return "###look" + std::to_string(before);
}

// A panel takes some frames to open a page, which on a busy machine are over later than the outline.
TEST_F(Bench, APhraseOpensItsPanelHoweverLongFramesTake) {
  drive([](ImGuiTestContext* ctx) {
    IM_CHECK(startIsShown(ctx));
    panels::LessonHighlight highlight;
    highlight.begin(0);
    highlight.open(*document::parsePointer("performance/roofline"), modelOf(ctx));
    for (const double now : {10.0, 20.0, 30.0}) {
      highlight.begin(now);
      IM_CHECK(highlight.opened("performance"));
    }
    highlight.begin(40);
    IM_CHECK(highlight.in("performance") == nullptr);
  });
}

TEST_F(Bench, APhraseOpensItsPanelAndSelectsWhatItNames) {
  drive([](ImGuiTestContext* ctx) {
    IM_CHECK(chapterIsShown(ctx, 1));
    auto& model = modelOf(ctx);
    const std::string phrase = phraseTo(ctx, 1, "loopnest/Z_o");
    ctx->MouseMove(phrase.c_str());
    ctx->Yield(2);
    IM_CHECK(model.selection().ids().empty());
    ctx->ItemClick(phrase.c_str());
    ctx->Yield(2);
    IM_CHECK_EQ(model.selection().ids().size(), std::size_t(1));
    const int row =
        session::nestOf(*model.programs().of(model.navigation().current())).find(model.selection().ids()[0]);
    IM_CHECK(row >= 0);
    IM_CHECK_STR_EQ(
        session::nestOf(*model.programs().of(model.navigation().current())).rows[std::size_t(row)].name.c_str(), "Z_o");
    const ImGuiWindow* nest = ImGui::FindWindowByName("###loopnest");
    IM_CHECK(nest->DockTabIsVisible);
    IM_CHECK(yieldUntil(ctx, [&] { return shows(ctx, "###loopnest", "Z_o"); }));  // once its bars have moved
  });
}

TEST_F(Bench, APhraseOpensATabAndAStatement) {
  drive([](ImGuiTestContext* ctx) {
    IM_CHECK(chapterIsShown(ctx, 13));  // store
    ctx->ItemClick(phraseTo(ctx, 13, "threads/read/X_shared/banks").c_str());
    ctx->Yield(3);
    const ImGuiWindow* threads = ImGui::FindWindowByName("###threads");
    IM_CHECK(threads != nullptr && threads->DockTabIsVisible);
    IM_CHECK(yieldUntil(ctx, [&] { return ctx->ItemExists("//###threads/##statement"); }));
    ctx->SleepNoSkip(0.2F, 0.02F);
    IM_CHECK(yieldUntil(ctx, [&] { return shows(ctx, "###threads", "8-way bank conflict"); }));
    IM_CHECK(chapterIsShown(ctx, 13));
    ctx->ItemClick(phraseTo(ctx, 13, "performance/advice").c_str());
    ctx->Yield(3);
    IM_CHECK(yieldUntil(ctx, [&] { return shows(ctx, "###performance", "8-way bank conflicts"); }));
  });
}

TEST_F(Bench, TwoStatesAreComparedInEveryPanelUntilEscape) {
  drive([](ImGuiTestContext* ctx) {
    IM_CHECK(startIsShown(ctx));
    auto& model = modelOf(ctx);
    const auto& ends = model.documents().target()->chapterNodes;
    model.navigation().goToChapter(14);
    ctx->Yield(2);
    const int other = ends[13];
    ctx->SetRef("//###history");
    ctx->ItemClick(("$$" + std::to_string(other) + "/###row").c_str(), ImGuiMouseButton_Right);
    ctx->Yield(2);
    ctx->ItemClick("//$FOCUSED/###compare");
    ctx->Yield(2);
    IM_CHECK_EQ(model.comparison().node(), other);
    IM_CHECK(yieldUntil(ctx, [&] {
      return model.preview().shown() && model.preview().shown() != model.programs().of(model.navigation().current());
    }));
    IM_CHECK(!session::textsOf(*model.preview().shown()).scriptDiff.same());
    for (const panels::PanelEntry& panel : panels::panelTable()) {
      ctx->WindowFocus((std::string("//###") + panel.id).c_str());
      ctx->Yield(2);
      IM_CHECK_EQ(ctx->ItemExists((std::string("//###") + panel.id + "/###endcomparison").c_str()), panel.showsState);
    }
    ctx->WindowFocus("//###memory");
    ctx->SleepNoSkip(0.4F, 0.02F);
    IM_CHECK(yieldUntil(ctx, [&] { return shows(ctx, "###memory", "(was"); }));
    // Lines that only the other state has stand among the own ones, until the menu hides them.
    IM_CHECK(!session::textsOf(*model.preview().shown()).cudaDiff.gone.empty());
    ctx->WindowFocus("//###cuda");
    ctx->Yield(2);
    IM_CHECK(shows(ctx, "###cuda", "−"));
    for (const bool shown : {false, true}) {
      ctx->MouseMoveToPos(ctx->WindowInfo("//###cuda/###code").Window->Rect().GetCenter());
      ctx->MouseClick(ImGuiMouseButton_Right);
      ctx->Yield(2);
      ctx->ItemClick("//$FOCUSED/###gone");
      ctx->Yield(2);
      IM_CHECK_EQ(shows(ctx, "###cuda", "−"), shown);
    }
    ctx->WindowFocus("//###threads");
    ctx->SleepNoSkip(0.4F, 0.02F);
    IM_CHECK(shows(ctx, "###threads", "Compared: 48"));
    ctx->WindowFocus("//###performance");
    ctx->WindowFocus("//###loopnest");
    const std::pair<const char*, const char*> told[] = {{"roofline", "(was "},
                                                        {"occupancy", "state 48: room for"},
                                                        {"advice", "state 48: "},
                                                        {"compare", "only in chapter 14: X_shared read"}};
    for (const auto& [tab, words] : told) {
      ctx->ItemClick((std::string("//###performance/###views/###") + tab).c_str());
      IM_CHECK_SILENT(yieldUntil(ctx, [&, words = words] { return shows(ctx, "###performance", words); }));
    }
    const int now = model.navigation().current();
    ctx->WindowFocus("//###tvmscript");
    ctx->Yield(2);
    ctx->ItemClick("//###tvmscript/###exchange");  // they change places
    IM_CHECK_EQ(model.navigation().current(), other);
    IM_CHECK_EQ(model.comparison().node(), now);
    ctx->WindowFocus("//###tvmscript");
    ctx->KeyPress(ImGuiKey_Escape);
    ctx->Yield(2);
    IM_CHECK_EQ(model.comparison().node(), -1);
    IM_CHECK(!ctx->ItemExists("//###tvmscript/###endcomparison"));
    model.comparison().with(now);
    ctx->Yield(2);
    ctx->ItemClick("//###cuda/###endcomparison");
    IM_CHECK_EQ(model.comparison().node(), -1);
  });
}

TEST_F(Bench, ThreadsAndPerformanceFollowThePreview) {
  drive([](ImGuiTestContext* ctx) {
    IM_CHECK(startIsShown(ctx));
    auto& model = modelOf(ctx);
    model.navigation().goToChapter(13);
    IM_CHECK(yieldUntil(ctx, [&] { return model.models().of(model.navigation().current()) != nullptr; }));
    ctx->WindowFocus("//###threads");
    IM_CHECK(yieldUntil(ctx, [&] { return ctx->ItemExists("//###threads/##statement"); }));
    ctx->ItemClick("//###performance/###views/###occupancy");
    const std::size_t nodes = model.navigation().history().nodes().size();
    model.preview().show("sch.storage_align(block=\"X_shared\", buffer_index=0, axis=-2, factor=64, offset=8)");
    IM_CHECK(yieldUntil(ctx, [&] { return model.preview().step() && model.preview().step()->model != nullptr; }));
    IM_CHECK(model.preview().shownModel() == model.preview().step()->model);
    ctx->SleepNoSkip(0.5F, 0.02F);
    IM_CHECK(ctx->ItemExists("//###performance/###previewrow"));
    IM_CHECK(ctx->ItemExists("//###threads/###preview"));
    for (const char* tab : {"roofline", "instructions", "advice"}) {
      ctx->ItemClick((std::string("//###performance/###views/###") + tab).c_str());
      ctx->Yield(3);
      IM_CHECK_SILENT(shows(ctx, "###performance", "Preview storage_align"));
    }
    ctx->WindowFocus("//###threads");
    ctx->KeyPress(ImGuiKey_Escape);
    ctx->Yield(3);
    IM_CHECK(model.preview().step() == nullptr);
    IM_CHECK_EQ(model.navigation().history().nodes().size(), nodes);
    IM_CHECK(!ctx->ItemExists("//###performance/###previewrow"));
    IM_CHECK(model.preview().shownModel() == model.models().of(model.navigation().current()));
  });
}

}  // namespace
}  // namespace loom::window::lesson_highlight_test
