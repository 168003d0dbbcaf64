#include <gmock/gmock.h>
#include <imgui_internal.h>

#include <set>

#include "tests/gui/script.h"
#include "tests/window/panel_key.h"

namespace loom::window::shell_test {
namespace {

TEST_F(Bench, DocksEveryPanelInTheDefaultLayout) {
  drive([](ImGuiTestContext* ctx) {
    ctx->Yield(3);
    for (const panels::PanelEntry& panel : panels::panelTable()) {
      const ImGuiWindow* window = ImGui::FindWindowByName(windowName("", panel.id).c_str());
      IM_CHECK_SILENT(window != nullptr);
      IM_CHECK_SILENT(window->DockNode != nullptr);
    }
  });
}

TEST_F(Bench, LessonIsLeftOfCodeAndStepIsRightOfIt) {
  drive([](ImGuiTestContext* ctx) {
    ctx->Yield(3);
    auto left = [](const char* id) { return ImGui::FindWindowByName(windowName("", id).c_str())->Pos.x; };
    IM_CHECK_LT(left("lesson"), left("tvmscript"));
    IM_CHECK_LT(left("tvmscript"), left("cuda"));
    IM_CHECK_LT(left("cuda"), left("step"));
    IM_CHECK_EQ(left("lesson"), left("history"));
  });
}

TEST_F(Bench, MenuSwitchesLanguageAndKeepsPanelsDocked) {
  drive([](ImGuiTestContext* ctx) {
    ctx->MenuClick("//##MainMenuBar/###view/###language/###zh");
    ctx->Yield(3);
    IM_CHECK(workbenchOf(ctx).look().language == text::Language::kChinese);
    const ImGuiWindow* lesson = ImGui::FindWindowByName("###lesson");
    IM_CHECK_STR_EQ(lesson->Name, "课程###lesson");
    IM_CHECK(shows(ctx, "##MainMenuBar", "文件"));
    IM_CHECK(lesson->DockNode != nullptr);
  });
}

TEST_F(Bench, StatusLineSwitchesLanguageAndScale) {
  drive([](ImGuiTestContext* ctx) {
    ctx->Yield(2);
    ctx->SetRef("//###status/##MenuBar");
    ctx->ItemClick("###statuslanguage");
    IM_CHECK(popupShows(ctx, "English 中文"));
    ctx->ItemClick("//$FOCUSED/###zh");
    ctx->Yield(3);
    IM_CHECK(workbenchOf(ctx).look().language == text::Language::kChinese);
    ctx->SetRef("//###status/##MenuBar");
    ctx->ItemClick("###statusscale");
    ctx->ItemClick("//$FOCUSED/###125");
    ctx->Yield(3);
    IM_CHECK_EQ(workbenchOf(ctx).settings().scalePercent, 125);
  });
}

TEST_F(Bench, ChineseShowsEverywhereAfterTheSwitch) {
  drive([](ImGuiTestContext* ctx) {
    IM_CHECK(startIsShown(ctx));
    modelOf(ctx).edits().apply("sch.split(nowhere, [None, 4])");
    ctx->MenuClick("//##MainMenuBar/###view/###language/###zh");
    ctx->Yield(3);
    const Look& look = workbenchOf(ctx).look();
    if (!look.fonts.chinese) return;  // no such font on this machine: the status line says so
    for (const panels::PanelEntry& panel : panels::panelTable()) {
      const ImGuiWindow* window = ImGui::FindWindowByName(windowName("", panel.id).c_str());
      IM_CHECK_STR_EQ(window->Name, windowName(panel.title.in(text::Language::kChinese), panel.id).c_str());
    }
    auto labelOf = [&](const char* item) { return std::string(ctx->ItemInfo(item).DebugLabel); };
    IM_CHECK(labelOf("//###lesson/###next").find("下一步") != std::string::npos);
    IM_CHECK(labelOf("//###lesson/###play").find("播放") != std::string::npos);
    ctx->WindowFocus("//###problems");
    ctx->Yield(2);
    IM_CHECK(labelOf("//###problems/###clear").find("清除") != std::string::npos);
    // What the core said, too.
    const std::string refusal = look.tell(modelOf(ctx).problems().all().front().error.message);
    IM_CHECK(refusal.find("nowhere") != std::string::npos);
    IM_CHECK(refusal.find("未定义") != std::string::npos);
    for (const document::Chapter& c : modelOf(ctx).documents().target()->lesson->chapters) {
      IM_CHECK_SILENT(document::in(c.text, "zh") != document::in(c.text, "en"));
    }
  });
}

TEST_F(Bench, MenuSwitchesTheme) {
  drive([](ImGuiTestContext* ctx) {
    ctx->MenuClick("//##MainMenuBar/###view/###theme/###light");
    ctx->Yield();
    IM_CHECK(workbenchOf(ctx).look().theme == Theme::kLight);
    IM_CHECK_GT(ImGui::GetStyle().Colors[ImGuiCol_WindowBg].x, 0.5F);
    IM_CHECK_LT(ImGui::GetStyle().Colors[ImGuiCol_Text].x, 0.5F);
  });
}

TEST_F(Bench, ScaleStopsAtItsEnds) {
  drive([](ImGuiTestContext* ctx) {
    ctx->Yield(3);
    const auto height = [&] { return ctx->ItemInfo("//##MainMenuBar/##MenuBar/###view").RectFull.GetHeight(); };
    const float ofAPercent = height() / float(workbenchOf(ctx).settings().scalePercent);
    for (int i = 0; i < 12; ++i) {
      ctx->KeyPress(ImGuiMod_Ctrl | ImGuiKey_Equal);
    }
    ctx->Yield(3);
    IM_CHECK_EQ(workbenchOf(ctx).settings().scalePercent, kLargestScale);
    IM_CHECK_LT(std::abs(height() - ofAPercent * float(kLargestScale)), 3.0F);
    for (int i = 0; i < 12; ++i) {
      ctx->KeyPress(ImGuiMod_Ctrl | ImGuiKey_Minus);
    }
    ctx->Yield(3);
    IM_CHECK_EQ(workbenchOf(ctx).settings().scalePercent, kSmallestScale);
    IM_CHECK_LT(std::abs(height() - ofAPercent * float(kSmallestScale)), 3.0F);
  });
}

TEST_F(Bench, SettingsSurviveARestart) {
  drive([](ImGuiTestContext* ctx) {
    ctx->MenuClick("//##MainMenuBar/###view/###theme/###light");
    ctx->MenuClick("//##MainMenuBar/###view/###motion");
    ctx->Yield(2);
  });
  restart();
  EXPECT_EQ(workbench().settings().theme, Theme::kLight);
  EXPECT_TRUE(workbench().settings().reducedMotion);
  drive([](ImGuiTestContext* ctx) {
    ctx->Yield(2);
    IM_CHECK_GT(ImGui::GetStyle().Colors[ImGuiCol_WindowBg].x, 0.5F);
  });
}

TEST_F(Bench, CodeThatIsNotWrappedStaysSoAfterARestart) {
  drive([](ImGuiTestContext* ctx) {
    IM_CHECK(startIsShown(ctx));
    ctx->WindowFocus("//###cuda");
    ctx->Yield(20);  // the room for stalls of the state before goes when this one is known to have none
    ctx->ItemClick("//###cuda/**/$$3/###line", ImGuiMouseButton_Right);
    ctx->Yield(2);
    ctx->ItemClick("//$FOCUSED/###wrap");
    ctx->Yield(2);
    IM_CHECK(workbenchOf(ctx).settings().unwrapped == std::set<std::string>{"cuda"});
  });
  restart();
  EXPECT_EQ(workbench().settings().unwrapped, std::set<std::string>{"cuda"});
}

TEST_F(Bench, HiddenPanelComesBackByItsKey) {
  drive([](ImGuiTestContext* ctx) {
    ctx->MenuClick("//##MainMenuBar/###view/###panels/###cuda");
    ctx->Yield(3);
    IM_CHECK(!ImGui::FindWindowByName("###cuda")->Active);
    ctx->KeyPress(ImGuiMod_Ctrl | digitOf("cuda"));
    ctx->Yield(3);
    IM_CHECK(ImGui::FindWindowByName("###cuda")->Active);
  });
}

TEST_F(Bench, EveryPanelIsReachedByItsKey) {
  drive([](ImGuiTestContext* ctx) {
    IM_CHECK(startIsShown(ctx));
    int number = 0;
    for (const panels::PanelEntry& panel : panels::panelTable()) {
      if (number == 9) break;  // there are no more digits
      ctx->KeyPress(ImGuiMod_Ctrl | ImGuiKey(ImGuiKey_1 + number++));
      ctx->Yield(3);
      const ImGuiWindow* focused = ImGui::GetCurrentContext()->NavWindow;
      IM_CHECK(focused != nullptr);
      IM_CHECK_STR_EQ(focused->RootWindow->Name,
                      windowName(panel.title.in(text::Language::kEnglish), panel.id).c_str());
    }
  });
}

TEST_F(Bench, LayoutIsSavedByItsNameAndResetPutsPanelsBack) {
  drive([](ImGuiTestContext* ctx) {
    ctx->MenuClick("//##MainMenuBar/###view/###panels/###cuda");
    ctx->Yield(3);
    ctx->MenuAction(ImGuiTestAction_Open, "//##MainMenuBar/###view/###layout");
    ctx->Yield(2);
    ctx->ItemInput("//$FOCUSED/###layoutname");
    ctx->KeyCharsReplace("no cuda");
    ctx->ItemClick("//$FOCUSED/###savelayout");
    ctx->Yield(3);
    IM_CHECK_EQ(workbenchOf(ctx).layouts().names().size(), 1U);
    ctx->MenuClick("//##MainMenuBar/###view/###layout/###reset");
    ctx->Yield(4);
    const ImGuiWindow* cuda = ImGui::FindWindowByName("###cuda");
    IM_CHECK(cuda->Active);
    IM_CHECK(cuda->DockNode != nullptr);
  });
}

TEST_F(Bench, NamedLayoutIsKeptAndChosen) {
  drive([](ImGuiTestContext* ctx) {
    ctx->Yield(3);
    ImGui::DockBuilderDockWindow("###console", ImGui::FindWindowByName("###history")->DockNode->ID);
    ctx->Yield(4);
    workbenchOf(ctx).layouts().saveAs("mine");
    ctx->Yield(2);
  });
  restart();
  EXPECT_THAT(workbench().layouts().names(), testing::ElementsAre("mine"));
  drive([](ImGuiTestContext* ctx) {
    ctx->Yield(2);
    ctx->MenuClick("//##MainMenuBar/###view/###layout/###reset");
    ctx->Yield(4);
    const ImGuiWindow* console = ImGui::FindWindowByName("###console");
    const ImGuiWindow* history = ImGui::FindWindowByName("###history");
    IM_CHECK_NE(console->DockNode, history->DockNode);
    ctx->MenuClick("//##MainMenuBar/###view/###layout/###named mine");
    ctx->Yield(4);
    IM_CHECK(history->DockNode != nullptr);
    IM_CHECK_EQ(console->DockNode, history->DockNode);
  });
}

TEST_F(Bench, PictureShowsTextOnThePanelsGround) {
  Image picture;
  for (int i = 0; i < 4; ++i) {
    workbench().frame(&picture);
  }
  ASSERT_EQ(picture.rgb.size(), static_cast<std::size_t>(picture.width) * static_cast<std::size_t>(picture.height) * 3);
  std::set<std::uint32_t> colours;
  std::size_t ground = 0;
  for (std::size_t i = 0; i + 2 < picture.rgb.size(); i += 3) {
    const std::uint32_t colour = picture.rgb[i] << 16U | picture.rgb[i + 1] << 8U | picture.rgb[i + 2];
    colours.insert(colour);
    ground += colour == rgb(Tone::kPanel, Theme::kDark);
  }
  EXPECT_GT(colours.size(), 50U) << "anti-aliased text has many shades";
  EXPECT_GT(ground * 2, picture.rgb.size() / 3) << "most of the window is panel";
}

// Dear ImGui takes one press of a key a frame: the rest must not wait for the next time that the mouse moves.
TEST_F(Bench, KeysPressedFasterThanFramesAreAllTakenBeforeTheWindowSleeps) {
  FramePacer& pace = workbench().pace();
  auto drawUntilAsleep = [&] {
    int frames = 0;
    for (; pace.next() >= 0 && frames < 2000; ++frames) workbench().frame();
    return frames;
  };
  drawUntilAsleep();
  constexpr int kPresses = 100;
  for (int i = 0; i < kPresses; ++i) {
    ImGui::GetIO().AddKeyEvent(ImGuiKey_F20, true);
    ImGui::GetIO().AddKeyEvent(ImGuiKey_F20, false);
  }
  pace.touch();  // as an event does that ends the sleep
  EXPECT_GE(drawUntilAsleep(), kPresses);
  EXPECT_EQ(ImGui::GetCurrentContext()->InputEventsQueue.Size, 0);
}

TEST_F(Bench, StillWindowFallsAsleep) {
  FramePacer pace;
  pace.touch();
  double slept = 0;
  for (int i = 0; i < 100 && slept >= 0; ++i) {
    slept = pace.next();
  }
  EXPECT_LT(slept, 0);
  pace.animate();
  EXPECT_EQ(pace.next(), 0);
}

// A menu that is opened and left brings no other panel forward.
TEST_F(Bench, MenuThatIsLeftChangesNoTab) {
  drive([](ImGuiTestContext* ctx) {
    IM_CHECK(startIsShown(ctx));
    auto isFront = [](const char* panel) {
      const ImGuiWindow* window = ImGui::FindWindowByName(windowName("", panel).c_str());
      return window != nullptr && window->DockNode != nullptr && window->DockNode->VisibleWindow == window;
    };
    IM_CHECK(isFront("cuda"));
    ctx->MenuClick("//##MainMenuBar/###view");
    ctx->Yield(3);
    ctx->KeyPress(ImGuiKey_Escape);
    ctx->Yield(5);
    IM_CHECK(isFront("cuda"));
    IM_CHECK(isFront("loopnest"));
  });
}

}  // namespace
}  // namespace loom::window::shell_test
