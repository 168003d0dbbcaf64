// Every question of the window: what it does with names and sizes that can't be, and whether all of it can be read.
#include <imgui_internal.h>
#include <unistd.h>

#include "app/pictures/rendering_defects.h"
#include "app/window/image.h"
#include "tests/panels/loop_nest/nest.h"
#include "tests/schedules/schedule_text.h"

namespace loom::window::dialogs_test {
namespace {

namespace fs = std::filesystem;

fs::path folderOf(ImGuiTestContext* ctx) { return workbenchOf(ctx).settingsFolder(); }

const std::string kFunction = tests::programText("ones");

// A folder with two functions, a text and a folder with a function in it; the question for a file begins there.
void openWhere(ImGuiTestContext* ctx) {
  IM_CHECK(lessonIsOpen(ctx));
  const fs::path folder = folderOf(ctx) / "files";
  keep(folder / "one.py", kFunction);
  keep(folder / "two.py", kFunction);
  keep(folder / "picture.png", "nothing to open");
  keep(folder / "deep" / "three.py", kFunction);
  ctx->KeyPress(ImGuiMod_Ctrl | ImGuiKey_O);
  ctx->Yield(3);
  ctx->SetRef("//###filename");
  write(ctx, "###file", (folder.string() + "/").c_str());
  ctx->KeyPress(ImGuiKey_Enter);
  IM_CHECK(yieldUntil(ctx, [&] { return ctx->ItemExists("**/###one.py"); }));
}

std::string nameTyped(ImGuiTestContext* ctx) {
  ctx->Yield(3);
  const ImGuiInputTextState* state = ImGui::GetInputTextState(ctx->ItemInfo("###file").ID);
  return state != nullptr ? std::string(state->TextA.Data) : "";
}

TEST_F(Bench, AFileThatCouldNotBeOpenedLeavesTheFolderOfTheNextQuestion) {
  drive([](ImGuiTestContext* ctx) {
    IM_CHECK(lessonIsOpen(ctx));
    const fs::path deep = folderOf(ctx) / "nowhere-else";
    keep(deep / "odd.tileloom", "{");
    ctx->KeyPress(ImGuiMod_Ctrl | ImGuiKey_O);
    ctx->Yield(3);
    ctx->SetRef("//###filename");
    write(ctx, "###file", (deep / "odd.tileloom").c_str());
    ctx->KeyPress(ImGuiKey_Enter);
    IM_CHECK(yieldUntil(ctx, [&] { return modelOf(ctx).documents().openProblem().has_value(); }));
    ctx->Yield(3);
    ctx->ItemClick("//###openproblem/###ok");
    ctx->KeyPress(ImGuiMod_Ctrl | ImGuiMod_Shift | ImGuiKey_S);
    ctx->Yield(3);
    IM_CHECK(ctx->ItemExists("//###filename/###ok"));
    IM_CHECK(!shows(ctx, "###filename", "nowhere-else"));
    ctx->ItemClick("//###filename/###cancel");
  });
}

TEST_F(Bench, OpenListsFoldersAndWhatCanBeOpened) {
  drive([](ImGuiTestContext* ctx) {
    openWhere(ctx);
    IM_CHECK(ctx->ItemExists("**/###deep"));
    IM_CHECK(ctx->ItemExists("**/###two.py"));
    IM_CHECK(!ctx->ItemExists("**/###picture.png"));
    ctx->ItemClick("**/###two.py");  // chosen, not opened
    IM_CHECK_STR_EQ(nameTyped(ctx).c_str(), "two.py");
    IM_CHECK(ctx->ItemExists("###ok"));
    const std::uint64_t opened = modelOf(ctx).opened();
    ctx->KeyPress(ImGuiKey_Enter);
    IM_CHECK(yieldUntil(ctx, [&] { return modelOf(ctx).opened() > opened; }));
    IM_CHECK_STR_EQ(modelOf(ctx).documents().target()->title.c_str(), "two");
  });
}

TEST_F(Bench, OpenGoesThroughFoldersByEnterAndByTwoClicks) {
  drive([](ImGuiTestContext* ctx) {
    openWhere(ctx);
    ctx->KeyPress(ImGuiKey_DownArrow);  // the folder stands first
    IM_CHECK_STR_EQ(nameTyped(ctx).c_str(), "deep/");
    ctx->KeyPress(ImGuiKey_Enter);
    IM_CHECK(yieldUntil(ctx, [&] { return ctx->ItemExists("**/###three.py"); }));
    IM_CHECK_STR_EQ(nameTyped(ctx).c_str(), "");
    ctx->ItemClick("###up");
    IM_CHECK(yieldUntil(ctx, [&] { return ctx->ItemExists("**/###one.py"); }));
    ctx->ItemDoubleClick("**/###deep");
    IM_CHECK(yieldUntil(ctx, [&] { return ctx->ItemExists("**/###three.py"); }));
    const std::uint64_t opened = modelOf(ctx).opened();
    ctx->ItemDoubleClick("**/###three.py");
    IM_CHECK(yieldUntil(ctx, [&] { return modelOf(ctx).opened() > opened; }));
    IM_CHECK_STR_EQ(modelOf(ctx).documents().target()->title.c_str(), "three");
  });
}

TEST_F(Bench, OpenTakesALessonsName) {
  drive([](ImGuiTestContext* ctx) {
    openWhere(ctx);
    const std::uint64_t opened = modelOf(ctx).opened();
    write(ctx, "###file", "cuda_cores");
    ctx->KeyPress(ImGuiKey_Enter);
    IM_CHECK(yieldUntil(ctx, [&] { return modelOf(ctx).opened() > opened; }));
    IM_CHECK_STR_EQ(modelOf(ctx).documents().target()->lessonName.c_str(), "cuda_cores");
  });
}

// The question stays, with the name, until it is answered or given up; what was open stays.
void refused(ImGuiTestContext* ctx, const char* name) {
  const std::uint64_t opened = modelOf(ctx).opened();
  write(ctx, "###file", name);
  ctx->KeyPress(ImGuiKey_Enter);
  ctx->Yield(4);
  IM_CHECK_STR_EQ(nameTyped(ctx).c_str(), name);
  IM_CHECK(ctx->ItemExists("###ok"));
  IM_CHECK_EQ(modelOf(ctx).opened(), opened);
  IM_CHECK(!modelOf(ctx).documents().openProblem());
}

TEST_F(Bench, OpenRefusesInPlaceWhatIsNotThere) {
  drive([](ImGuiTestContext* ctx) {
    openWhere(ctx);
    write(ctx, "###file", "");
    IM_CHECK(isDisabled(ctx, "###ok"));
    for (const char* name : {"nowhere.py", "deep/nowhere.py", "one.py/within", "/dev/null"}) refused(ctx, name);
    refused(ctx, std::string(300, 'n').c_str());
    IM_CHECK(shows(ctx, "###filename", "File name too long"));
    ctx->KeyPress(ImGuiKey_Escape);
    ctx->Yield(3);
    IM_CHECK(!ctx->ItemExists("###ok"));
  });
}

// Somebody without rights, for as long as it lives.
struct Nobody {
  Nobody() { usable = ::geteuid() != 0 || ::seteuid(65534) == 0; }
  ~Nobody() {
    if (::geteuid() != ::getuid() && ::seteuid(::getuid()) != 0) std::abort();
  }
  bool usable = false;
};

TEST_F(Bench, WhatMayNotBeReadOrWrittenIsRefusedInPlace) {
  drive([](ImGuiTestContext* ctx) {
    openWhere(ctx);
    const fs::path folder = folderOf(ctx) / "files";
    fs::permissions(folder / "one.py", fs::perms::none);
    fs::permissions(folder / "deep", fs::perms::owner_read | fs::perms::owner_exec);
    {
      const Nobody nobody;
      IM_CHECK(nobody.usable);
      refused(ctx, "one.py");
      refused(ctx, "deep/three.py");
    }
    IM_CHECK(shows(ctx, "###filename", "can't be read: Permission denied"));
    ctx->KeyPress(ImGuiKey_Escape);
    ctx->Yield(3);
    ctx->KeyPress(ImGuiMod_Ctrl | ImGuiMod_Shift | ImGuiKey_S);
    ctx->Yield(3);
    {
      const Nobody nobody;
      refused(ctx, (folder / "deep" / "new.tileloom").c_str());
    }
    IM_CHECK(!fs::exists(folder / "deep" / "new.tileloom"));
    fs::permissions(folder / "deep", fs::perms::owner_all);
    ctx->KeyPress(ImGuiKey_Escape);
    ctx->Yield(3);
  });
}

void saveAs(ImGuiTestContext* ctx, const std::string& name) {
  ctx->KeyPress(ImGuiMod_Ctrl | ImGuiMod_Shift | ImGuiKey_S);
  ctx->Yield(3);
  ctx->SetRef("//###filename");
  write(ctx, "###file", name.c_str());
}

TEST_F(Bench, ADocumentGetsItsEndingAndIsReplacedOnlyWhenAskedFor) {
  drive([](ImGuiTestContext* ctx) {
    IM_CHECK(startIsShown(ctx));
    const fs::path folder = folderOf(ctx);
    saveAs(ctx, (folder / "mine").string());
    IM_CHECK(shows(ctx, "###filename", "It will be called mine.tileloom."));
    ctx->KeyPress(ImGuiKey_Enter);
    IM_CHECK(yieldUntil(ctx, [&] { return fs::exists(folder / "mine.tileloom"); }));
    IM_CHECK(!fs::exists(folder / "mine"));
    saveAs(ctx, "mine.json");  // where the document lies
    ctx->KeyPress(ImGuiKey_Enter);
    IM_CHECK(yieldUntil(ctx, [&] { return fs::exists(folder / "mine.json.tileloom"); }));
    keep(folder / "other.tileloom", "not mine");
    saveAs(ctx, "other");
    ctx->KeyPress(ImGuiKey_Enter);
    ctx->Yield(3);
    IM_CHECK(ctx->ItemExists("###replace"));
    ctx->KeyPress(ImGuiKey_Enter);  // asked about: only the button does it
    ctx->Yield(3);
    IM_CHECK_STR_EQ(contents(folder / "other.tileloom").c_str(), "not mine");
    ctx->KeyCharsReplace("another");  // the field has the keyboard
    ctx->Yield(2);
    IM_CHECK(!ctx->ItemExists("###replace"));
    ctx->KeyCharsReplace("other");
    ctx->Yield(2);
    ctx->ItemClick("###replace");
    IM_CHECK(yieldUntil(ctx, [&] { return contents(folder / "other.tileloom").size() > 100; }));
    saveAs(ctx, "other.tileloom");  // its own file
    ctx->KeyPress(ImGuiKey_Enter);
    ctx->Yield(3);
    IM_CHECK(!ctx->ItemExists("###replace"));
    IM_CHECK(!ctx->ItemExists("###ok"));
  });
}

TEST_F(Bench, SavingIntoAFolderGoesThereAndKeepsTheName) {
  drive([](ImGuiTestContext* ctx) {
    IM_CHECK(startIsShown(ctx));
    const fs::path folder = folderOf(ctx);
    fs::create_directory(folder / "sub");
    saveAs(ctx, (folder / "nowhere" / "a").string());
    ctx->KeyPress(ImGuiKey_Enter);
    ctx->Yield(3);
    IM_CHECK(ctx->ItemExists("###ok"));
    IM_CHECK(shows(ctx, "###filename", "There is no folder"));
    IM_CHECK(!fs::exists(folder / "nowhere"));
    write(ctx, "###file", folder.c_str());
    ctx->KeyPress(ImGuiKey_Enter);
    IM_CHECK(yieldUntil(ctx, [&] { return ctx->ItemExists("**/###sub"); }));
    IM_CHECK_STR_EQ(nameTyped(ctx).c_str(), "tensor_core.tileloom");
    write(ctx, "###file", "kept");
    ctx->ItemDoubleClick("**/###sub");
    IM_CHECK_STR_EQ(nameTyped(ctx).c_str(), "kept");
    ctx->KeyPress(ImGuiKey_Enter);
    IM_CHECK(yieldUntil(ctx, [&] { return fs::exists(folder / "sub" / "kept.tileloom"); }));
  });
}

// Each kind with the name it proposes.
TEST_F(Bench, EveryExportIsWrittenUnderTheNameItProposes) {
  drive([](ImGuiTestContext* ctx) {
    IM_CHECK(startIsShown(ctx));
    auto& model = modelOf(ctx);
    model.navigation().goToChapter(3);
    IM_CHECK(yieldUntil(ctx, [&] { return model.programs().of(model.navigation().current()) != nullptr; }));
    const fs::path folder = folderOf(ctx) / "exports";
    fs::create_directory(folder);
    const std::string state = fmt::format("tensor_core_{:02}", model.navigation().node().number);
    const std::pair<const char*, std::string> kinds[] = {{"cuda", state + ".cu"},
                                                         {"tvmscript", state + "_tvmscript.py"},
                                                         {"python", state + ".py"},
                                                         {"trace", state + ".json"},
                                                         {"project", state + "_project"},
                                                         {"report", state + ".html"},
                                                         {"lesson_report", "tensor_core.html"},
                                                         {"csv", state + ".csv"}};
    for (const auto& [kind, name] : kinds) {
      ctx->MenuClick((std::string("//##MainMenuBar/###file/###export/###") + kind).c_str());
      ctx->Yield(3);
      ctx->SetRef("//###filename");
      IM_CHECK_STR_EQ(nameTyped(ctx).c_str(), name.c_str());
      write(ctx, "###file", (folder.string() + "/").c_str());
      ctx->KeyPress(ImGuiKey_Enter);
      ctx->Yield(3);
      IM_CHECK_STR_EQ(nameTyped(ctx).c_str(), name.c_str());
      ctx->KeyPress(ImGuiKey_Enter);
      IM_CHECK(yieldUntil(ctx, [&, name = name] { return fs::exists(folder / name); }));
    }
    ctx->MenuClick("//##MainMenuBar/###file/###export/###project");
    ctx->Yield(3);
    ctx->KeyPress(ImGuiKey_Enter);
    ctx->Yield(3);
    IM_CHECK(ctx->ItemExists("###replace"));
    IM_CHECK(shows(ctx, "###filename", "Write into it, over files of the same names?"));
    write(ctx, "###file", (state + ".cu").c_str());
    ctx->KeyPress(ImGuiKey_Enter);
    ctx->Yield(3);
    IM_CHECK(ctx->ItemExists("###ok"));  // a file is no folder
    ctx->KeyPress(ImGuiKey_Escape);
    ctx->Yield(3);
  });
}

TEST_F(Bench, APictureEndsInWhatItIs) {
  drive([](ImGuiTestContext* ctx) {
    IM_CHECK(startIsShown(ctx));
    const fs::path folder = folderOf(ctx);
    auto save = [&](const char* item, const char* name, const char* written) {
      ctx->MenuClick(item);
      ctx->Yield(3);
      ctx->SetRef("//###filename");
      write(ctx, "###file", (folder / name).c_str());
      ctx->KeyPress(ImGuiKey_Enter);
      IM_CHECK(yieldUntil(ctx, [&] { return fs::exists(folder / written); }));
    };
    save("//##MainMenuBar/###file/###picture", "window.svg", "window.svg.png");
    IM_CHECK(contents(folder / "window.svg.png").substr(1, 3) == "PNG");
    save("//##MainMenuBar/###view/###savepanel/###loopnest", "nest.jpg", "nest.jpg.png");
    save("//##MainMenuBar/###view/###savepanel/###loopnest", "nest.svg", "nest.svg");
    IM_CHECK(contents(folder / "nest.svg").find("<svg") != std::string::npos);
  });
}

// --- everything that opens over the panels
// ----------------------------------------------------------------------------

void openExport(ImGuiTestContext* ctx) { ctx->MenuClick("//##MainMenuBar/###file/###export/###cuda"); }
void openPicture(ImGuiTestContext* ctx) { ctx->MenuClick("//##MainMenuBar/###view/###savepanel/###memory"); }
void openMenu(ImGuiTestContext* ctx, const char* path) {
  ctx->MenuAction(ImGuiTestAction_Hover, (std::string("//##MainMenuBar/") + path).c_str());
}

struct Opened {
  const char* name;
  void (*open)(ImGuiTestContext*);
};

constexpr Opened kOpened[] = {
    {"matmul", [](ImGuiTestContext* ctx) { ctx->KeyPress(ImGuiMod_Ctrl | ImGuiKey_N); }},
    {"open", [](ImGuiTestContext* ctx) { openWhere(ctx); }},
    {"save", [](ImGuiTestContext* ctx) { ctx->KeyPress(ImGuiMod_Ctrl | ImGuiMod_Shift | ImGuiKey_S); }},
    {"export", openExport},
    {"picture", openPicture},
    {"palette", [](ImGuiTestContext* ctx) { ctx->KeyPress(ImGuiMod_Ctrl | ImGuiKey_P); }},
    {"palette_found",
     [](ImGuiTestContext* ctx) {
       ctx->KeyPress(ImGuiMod_Ctrl | ImGuiKey_P);
       ctx->Yield(3);
       ctx->KeyChars("cache");
     }},
    {"menu_file", [](ImGuiTestContext* ctx) { openMenu(ctx, "###file/###export/###cuda"); }},
    {"menu_lesson", [](ImGuiTestContext* ctx) { openMenu(ctx, "###lessons/###tensor_core"); }},
    {"menu_panels", [](ImGuiTestContext* ctx) { openMenu(ctx, "###view/###panels/###lesson"); }},
    {"menu_layout", [](ImGuiTestContext* ctx) { openMenu(ctx, "###view/###layout/###reset"); }},
    {"menu_scale", [](ImGuiTestContext* ctx) { openMenu(ctx, "###view/###scale/###larger"); }},
    {"menu_help", [](ImGuiTestContext* ctx) { openMenu(ctx, "###help/###commands"); }},
    {"loop_menu",
     [](ImGuiTestContext* ctx) {
       IM_CHECK(nestIsShown(ctx, modelOf(ctx).navigation().current()));
       ctx->ItemClick(itemOf(rowNamed(ctx, "k_0_0")).c_str(), ImGuiMouseButton_Right);
       constexpr ImGuiPopupFlags kAny = ImGuiPopupFlags_AnyPopupId | ImGuiPopupFlags_AnyPopupLevel;
       IM_CHECK(yieldUntil(ctx, [] { return ImGui::IsPopupOpen("", kAny); }));
     }},
    {"state_menu",
     [](ImGuiTestContext* ctx) {
       ctx->WindowFocus("//###history");
       ctx->ItemClick(fmt::format("//###history/$${}/###row", modelOf(ctx).navigation().current()).c_str(),
                      ImGuiMouseButton_Right);
     }},
    {"help_loopnest", [](ImGuiTestContext* ctx) { ctx->WindowFocus("//###loopnest"), ctx->KeyPress(ImGuiKey_F1); }},
    {"help_memory", [](ImGuiTestContext* ctx) { ctx->WindowFocus("//###memory"), ctx->KeyPress(ImGuiKey_F1); }},
    {"help_performance",
     [](ImGuiTestContext* ctx) { ctx->WindowFocus("//###performance"), ctx->KeyPress(ImGuiKey_F1); }},
};

// What is wrong with the looks of what lies over the panels; and its picture, where TILELOOM_PICTURES wants one.
std::string faultsOver(const std::string& name, const Image& picture) {
  if (const char* folder = std::getenv("TILELOOM_PICTURES")) {
    EXPECT_EQ(writeWhole(fs::path(folder) / (name + ".png"), encodePng(picture)), "");
  }
  std::string found;
  int windows = 0;
  for (const ImGuiWindow* window : ImGui::GetCurrentContext()->Windows) {
    if (!window->Active || window->Hidden || (window->Flags & ImGuiWindowFlags_Popup) == 0) continue;
    ++windows;
    for (const RenderingDefect& fault : faultsOf(window->Name, picture, ImGui::GetIO().DisplayFramebufferScale, 3)) {
      if (!isCertain(fault.kind)) continue;
      found += fmt::format("{}: {}: {} {}\n", name, nameOf(fault.kind), fault.text, fault.other);
    }
  }
  return windows > 0 ? found : name + ": nothing is open\n";
}

// Opens everything in turn, as the settings are.
template <int kWay>
void openAll(ImGuiTestContext* ctx) {
  struct Way {
    Theme theme;
    text::Language language;
    int scale;
    const char* name;
  };
  constexpr Way kWays[] = {{Theme::kDark, text::Language::kEnglish, 100, "dark_en"},
                           {Theme::kLight, text::Language::kChinese, 100, "light_zh"},
                           {Theme::kContrast, text::Language::kEnglish, 200, "contrast_en_200"},
                           {Theme::kDark, text::Language::kChinese, 200, "dark_zh_200"}};
  const Way& way = kWays[kWay];
  Settings& settings = workbenchOf(ctx).settings();
  settings.theme = way.theme;
  settings.language = way.language;
  settings.scalePercent = way.scale;
  settings.reducedMotion = true;
  IM_CHECK(startIsShown(ctx));
  workbenchOf(ctx).layouts().reset();
  modelOf(ctx).navigation().goToChapter(5);
  IM_CHECK(yieldUntil(ctx, [&] { return modelOf(ctx).programs().of(modelOf(ctx).navigation().current()) != nullptr; }));
  ctx->Yield(5);
  std::string faults;
  for (const Opened& opened : kOpened) {
    opened.open(ctx);
    ctx->SleepNoSkip(0.2F, 0.05F);
    withNextPicture = [&](const Image& picture) {
      faults += faultsOver(std::string(opened.name) + "_" + way.name, picture);
    };
    workbenchOf(ctx).pace().touch();
    ctx->Yield(2);
    ctx->KeyPress(ImGuiKey_Escape);
    ctx->Yield(2);
    ctx->PopupCloseAll();
    ctx->Yield(2);
    ctx->SetRef("");
  }
  IM_CHECK_STR_EQ(faults.c_str(), "");
}

TEST_F(Bench, WhatLiesOverThePanelsIsReadInTheDark) { drive(openAll<0>); }
TEST_F(Bench, WhatLiesOverThePanelsIsReadInTheLightInChinese) { drive(openAll<1>); }
TEST_F(Bench, WhatLiesOverThePanelsIsReadTwiceAsLarge) { drive(openAll<2>); }
TEST_F(Bench, WhatLiesOverThePanelsIsReadTwiceAsLargeInChinese) { drive(openAll<3>); }

}  // namespace
}  // namespace loom::window::dialogs_test
