#include <imgui_internal.h>

#include <fstream>

#include "core/document/tuner_database.h"
#include "core/process/file_lock.h"
#include "tests/gui/script.h"
#include "tests/schedules/schedule_text.h"

namespace loom::window::file_test {
namespace {

class Files : public Bench {
 protected:
  // A document of the lesson with a step of its own.
  std::string document() {
    drive([](ImGuiTestContext* ctx) {
      IM_CHECK(startIsShown(ctx));
      IM_CHECK(!modelOf(ctx).edits().apply("l = sch.get_loops(sch.get_block(\"Z\"))\nsch.parallel(l[0])").refusal);
      modelOf(ctx).documents().saveAs(std::filesystem::path(workbenchOf(ctx).settingsFolder()) / "kept.tileloom");
      IM_CHECK(yieldUntil(ctx, [&] { return modelOf(ctx).documents().lastWrite().has_value(); }));
      IM_CHECK(!modelOf(ctx).documents().lastWrite()->problem);
    });
    return contents(folder() / "kept.tileloom");
  }
};

// Opens `odd.tileloom` through the File menu's dialog, and sees it refused: what was open stays, and a line says why.
void openOdd(ImGuiTestContext* ctx) {
  session::Session& model = modelOf(ctx);
  IM_CHECK(lessonIsOpen(ctx));
  const std::uint64_t opened = model.opened();
  ctx->KeyPress(ImGuiMod_Ctrl | ImGuiKey_O);
  ctx->Yield(2);
  ctx->SetRef("//###filename");
  const std::string file = (std::filesystem::path(workbenchOf(ctx).settingsFolder()) / "odd.tileloom").string();
  write(ctx, "###file", file.c_str());
  ctx->KeyPress(ImGuiKey_Enter);
  IM_CHECK(yieldUntil(ctx, [&] { return model.documents().openProblem().has_value(); }));
  IM_CHECK_EQ(model.opened(), opened);
  IM_CHECK(!model.documents().openProblem()->message.english().empty());
  ctx->Yield(2);
  IM_CHECK(shows(ctx, "###openproblem", "odd.tileloom"));
  ctx->KeyPress(ImGuiKey_Escape);
  ctx->Yield(2);
  IM_CHECK(!model.documents().openProblem().has_value());
}

TEST_F(Files, TruncatedDocumentIsRefused) {
  const std::string text = document();
  ASSERT_GT(text.size(), 1000U);
  for (std::size_t part : {1U, 3U}) {
    keep(folder() / "odd.tileloom", text.substr(0, text.size() * part / 4));
    drive(openOdd);
  }
}

TEST_F(Files, RandomBytesAreRefused) {
  std::string noise;
  for (unsigned i = 0, value = 7; i < 5000; ++i) noise += char((value = value * 1103515245U + 12345U) >> 16);
  keep(folder() / "odd.tileloom", noise);
  drive(openOdd);
  keep(folder() / "odd.tileloom", "");
  drive(openOdd);
}

TEST_F(Files, DocumentOfANewerVersionIsRefusedByItsNumber) {
  keep(folder() / "odd.tileloom", "{\"tileloom\": 99, \"title\": \"from the future\"}");
  drive([](ImGuiTestContext* ctx) {
    IM_CHECK(lessonIsOpen(ctx));
    modelOf(ctx).documents().open((std::filesystem::path(workbenchOf(ctx).settingsFolder()) / "odd.tileloom").string());
    IM_CHECK(yieldUntil(ctx, [&] { return modelOf(ctx).documents().openProblem().has_value(); }));
    IM_CHECK_STR_EQ(modelOf(ctx).documents().openProblem()->code.c_str(), "NewerVersion");
    IM_CHECK(modelOf(ctx).documents().openProblem()->message.english().find("99") != std::string::npos);
    ctx->Yield(3);
    ctx->KeyPress(ImGuiMod_Ctrl | ImGuiKey_O);  // waits for the answer to the dialog
    ctx->Yield(3);
    IM_CHECK(!ctx->ItemExists("//###filename/###ok"));
    ctx->ItemClick("//###openproblem/###ok");
  });
  drive(openOdd);
}

TEST_F(Files, FunctionOnTheCommandLineIsOpened) {
  keep(folder() / "func.py", tests::programText("ones"));
  restart([this](WorkbenchOptions& options) { options.open = (folder() / "func.py").string(); });
  drive([](ImGuiTestContext* ctx) {
    IM_CHECK(lessonIsOpen(ctx));
    IM_CHECK(!modelOf(ctx).documents().target()->lesson.has_value());
    IM_CHECK(yieldUntil(ctx, [&] { return shows(ctx, "###tvmscript", "range ( 64"); }));
  });
}

TEST_F(Files, ATunersDatabaseOffersItsRecordsAndOpensTheOneThatIsClicked) {
  drive([](ImGuiTestContext* ctx) {
    IM_CHECK(lessonIsOpen(ctx));
    const std::string folder = std::string(TILELOOM_SOURCE_DIR) + "/tests/document/tuned";
    modelOf(ctx).documents().open(folder);
    IM_CHECK(yieldUntil(ctx, [&] { return modelOf(ctx).documents().target()->tuned != nullptr; }));
    const int fastest = modelOf(ctx).documents().target()->tuned->record, other = fastest == 1 ? 2 : 1;
    ctx->Yield(3);
    IM_CHECK(shows(ctx, "###records", "tuner's record"));
    ctx->ItemClick(("//###records/**/###record" + std::to_string(other)).c_str());
    IM_CHECK(yieldUntil(ctx, [&] { return modelOf(ctx).documents().target()->tuned->record == other; }));
    ctx->Yield(5);
    IM_CHECK(!ctx->ItemExists("//###records/###keep"));
  });
}

TEST_F(Files, WordThatIsNothingSaysSoAndLeavesAnEmptyWindow) {
  restart([](WorkbenchOptions& options) { options.open = "no_such_lesson"; });
  drive([](ImGuiTestContext* ctx) {
    IM_CHECK(yieldUntil(ctx, [&] { return modelOf(ctx).documents().openProblem().has_value(); }));
    ctx->Yield(3);
    IM_CHECK(shows(ctx, "###openproblem", "no_such_lesson"));
    ctx->ItemClick("//###openproblem/###ok");
    IM_CHECK(modelOf(ctx).documents().target() == nullptr);
    ctx->Yield(3);
    ctx->MenuClick("//##MainMenuBar/###lessons/###tensor_core");
    IM_CHECK(lessonIsOpen(ctx));
  });
}

// The autosave of a session whose process is gone.
TEST_F(Files, CrashedSessionIsOfferedAndOpened) {
  const std::string text = document();
  keep(folder() / "data" / "autosave" / "999999999.tileloom", text);
  restart();
  drive([](ImGuiTestContext* ctx) {
    IM_CHECK(yieldUntil(ctx, [&] { return modelOf(ctx).documents().recovery().has_value(); }));
    ctx->Yield(3);
    IM_CHECK(shows(ctx, "###recover", "An earlier session did not end well"));
    const std::uint64_t opened = modelOf(ctx).opened();
    ctx->ItemClick("//###recover/###open");
    IM_CHECK(yieldUntil(ctx, [&] { return modelOf(ctx).opened() > opened && !modelOf(ctx).documents().isOpening(); }));
    IM_CHECK(!modelOf(ctx).documents().openProblem());
    IM_CHECK_STR_EQ(modelOf(ctx).navigation().node().step()->source.c_str(), "sch.parallel(l[0])");
    IM_CHECK(!modelOf(ctx).documents().file());
  });
}

TEST_F(Files, WhatALivingSessionSavesIsNotOffered) {
  const std::filesystem::path kept = folder() / "data" / "autosave" / "0123456789abcdef.tileloom";
  keep(kept, document());
  auto lock = process::FileLock::take(folder() / "data" / "autosave" / "0123456789abcdef.lock");
  ASSERT_TRUE(lock);
  restart();
  drive([](ImGuiTestContext* ctx) {
    IM_CHECK(lessonIsOpen(ctx));
    ctx->Yield(10);
    IM_CHECK(!modelOf(ctx).documents().recovery());
    IM_CHECK(!ctx->ItemExists("//###recover/###later"));
  });
  EXPECT_TRUE(std::filesystem::exists(kept));
  lock.reset();
  restart();
  drive([](ImGuiTestContext* ctx) {
    IM_CHECK(yieldUntil(ctx, [&] { return ctx->ItemExists("//###recover/###later"); }));
  });
}

TEST_F(Files, CrashLeftForLaterIsOfferedAgain) {
  const std::filesystem::path kept = folder() / "data" / "autosave" / "999999999.tileloom";
  keep(kept, document());
  for (int i = 0; i < 2; ++i) {
    restart();
    drive([](ImGuiTestContext* ctx) {
      IM_CHECK(yieldUntil(ctx, [&] { return modelOf(ctx).documents().recovery().has_value(); }));
      ctx->Yield(3);
      IM_CHECK(ctx->ItemExists("//###recover/###later"));
      ctx->KeyPress(ImGuiKey_Escape);
      ctx->Yield(3);
      IM_CHECK(!ctx->ItemExists("//###recover/###later"));
      IM_CHECK(lessonIsOpen(ctx));
    });
    EXPECT_TRUE(std::filesystem::exists(kept));
  }
}

TEST_F(Files, DiscardedCrashIsNotOfferedAgain) {
  keep(folder() / "data" / "autosave" / "999999999.tileloom", document());
  restart();
  drive([](ImGuiTestContext* ctx) {
    IM_CHECK(yieldUntil(ctx, [&] { return modelOf(ctx).documents().recovery().has_value(); }));
    ctx->Yield(3);
    ctx->ItemClick("//###recover/###discard");
    IM_CHECK(!modelOf(ctx).documents().recovery());
    ctx->Yield(3);
    IM_CHECK(!ctx->ItemExists("//###recover/###discard"));
    IM_CHECK(lessonIsOpen(ctx));
  });
  restart();
  drive([](ImGuiTestContext* ctx) {
    IM_CHECK(lessonIsOpen(ctx));
    ctx->Yield(10);
    IM_CHECK(!modelOf(ctx).documents().recovery());
    IM_CHECK(!ctx->ItemExists("//###recover/###discard"));
  });
}

TEST_F(Files, WhatSomebodyElseWroteIsNotReplacedUnasked) {
  const std::filesystem::path own = folder() / "own.tileloom";
  keep(own, document());
  restart([&](WorkbenchOptions& options) { options.open = own.string(); });
  drive([](ImGuiTestContext* ctx) {
    const auto file = std::filesystem::path(workbenchOf(ctx).settingsFolder()) / "own.tileloom";
    IM_CHECK(lessonIsOpen(ctx));
    auto& model = modelOf(ctx);
    IM_CHECK(model.documents().file().has_value());
    auto size = [&] { return std::filesystem::file_size(file); };
    // Ours twice: nobody asks.
    for (int i = 0; i < 2; ++i) {
      ctx->KeyPress(ImGuiMod_Ctrl | ImGuiKey_S);
      ctx->Yield(3);
      IM_CHECK(yieldUntil(ctx, [&] { return model.documents().lastWrite().has_value(); }));
      IM_CHECK(!ctx->ItemExists("//###filename/###ok"));
    }
    std::ofstream(file, std::ios::trunc) << "another's";
    std::filesystem::last_write_time(file, std::filesystem::last_write_time(file) + std::chrono::seconds(2));
    ctx->KeyPress(ImGuiMod_Ctrl | ImGuiKey_S);
    ctx->Yield(4);
    IM_CHECK(ctx->ItemExists("//###filename/###replace"));
    IM_CHECK(shows(ctx, "###filename", "own.tileloom was written by somebody else"));
    IM_CHECK_EQ(size(), 9U);
    ctx->ItemClick("//###filename/###replace");
    IM_CHECK(yieldUntil(ctx, [&] { return size() > 1000; }));
    ctx->Yield(3);
    ctx->KeyPress(ImGuiMod_Ctrl | ImGuiKey_S);
    ctx->Yield(3);
    IM_CHECK(!ctx->ItemExists("//###filename/###replace"));
  });
}

TEST_F(Files, AbsurdSizesOfANewMatmulAreRefusedInPlace) {
  drive([](ImGuiTestContext* ctx) {
    IM_CHECK(lessonIsOpen(ctx));
    ctx->KeyPress(ImGuiMod_Ctrl | ImGuiKey_N);
    ctx->Yield(2);
    ctx->SetRef("//###newmatmul");
    IM_CHECK(!isDisabled(ctx, "###create"));
    for (const char* size : {"0", "-5", "2147483648", "99999999999999999999", "", "12.5", "many", "0x10"}) {
      write(ctx, "###m", size);
      IM_CHECK(isDisabled(ctx, "###create"));
      if (*size == '2') IM_CHECK(shows(ctx, "###newmatmul", "M = 2147483648 is not between 1 and 2147483647"));
      ctx->KeyPress(ImGuiKey_Enter);
      ctx->Yield(2);
      IM_CHECK(ctx->ItemExists("###create"));
    }
    write(ctx, "###m", "65536");  // each is allowed, the matrix is not
    write(ctx, "###n", "65536");
    IM_CHECK(isDisabled(ctx, "###create"));
    const std::uint64_t opened = modelOf(ctx).opened();
    for (const char* field : {"###m", "###n", "###k"}) write(ctx, field, "1");
    IM_CHECK(!isDisabled(ctx, "###create"));
    ctx->KeyPress(ImGuiKey_Enter);
    IM_CHECK(yieldUntil(ctx, [&] { return modelOf(ctx).opened() > opened; }));
    IM_CHECK(yieldUntil(ctx, [&] { return modelOf(ctx).programs().of(0) != nullptr; }));
    IM_CHECK(!modelOf(ctx).programs().of(0)->kernel.problem);
    ctx->Yield(3);
  });
}

TEST_F(Files, AReadyFunctionIsMadeWithTheSizesThatOneTypes) {
  drive([](ImGuiTestContext* ctx) {
    IM_CHECK(lessonIsOpen(ctx));
    ctx->KeyPress(ImGuiMod_Ctrl | ImGuiKey_N);
    ctx->Yield(2);
    ctx->SetRef("//###newmatmul");
    ctx->ItemClick("###program");
    ctx->Yield(2);
    ctx->ItemClick("//$FOCUSED/###gemv");
    ctx->Yield(2);
    IM_CHECK(ctx->ItemExists("###sizeK"));
    IM_CHECK(!ctx->ItemExists("###n"));
    write(ctx, "###sizeM", "many");
    IM_CHECK(isDisabled(ctx, "###create"));
    IM_CHECK(shows(ctx, "###newmatmul", "\"many\" is no whole number for M"));
    write(ctx, "###sizeM", "96");
    const std::uint64_t opened = modelOf(ctx).opened();
    ctx->ItemClick("###create");
    IM_CHECK(yieldUntil(ctx, [&] { return modelOf(ctx).opened() > opened; }));
    IM_CHECK_STR_EQ(modelOf(ctx).documents().target()->title.c_str(), "gemv");
    const std::string text = modelOf(ctx).documents().history().node(0).script->text;
    IM_CHECK(text.find("A: T.Buffer((96, 4096), \"float16\")") != std::string::npos);
    ctx->Yield(3);
  });
}

void applyAStep(ImGuiTestContext* ctx) {
  IM_CHECK(startIsShown(ctx));
  IM_CHECK(!modelOf(ctx).documents().isModified());
  IM_CHECK(!modelOf(ctx).edits().apply("l = sch.get_loops(sch.get_block(\"Z\"))\nsch.parallel(l[0])").refusal);
  IM_CHECK(modelOf(ctx).documents().isModified());
}

// Nothing that was done is lost without a question.
TEST_F(Files, ALessonOpenedOverUnsavedStepsAsksFirst) {
  drive([](ImGuiTestContext* ctx) {
    applyAStep(ctx);
    session::Session& model = modelOf(ctx);
    const std::uint64_t opened = model.opened();
    ctx->MenuClick("//##MainMenuBar/###lessons/###tensor_core");
    ctx->Yield(4);
    IM_CHECK(ctx->ItemExists("//###unsaved/###save"));
    IM_CHECK(shows(ctx, "###unsaved", "tensor_core has changes that are in no file"));
    ctx->KeyPress(ImGuiKey_Escape);
    ctx->Yield(4);
    IM_CHECK(!ctx->ItemExists("//###unsaved/###save"));
    IM_CHECK_EQ(model.opened(), opened);
    IM_CHECK(model.documents().isModified());
    ctx->MenuClick("//##MainMenuBar/###lessons/###tensor_core");
    ctx->Yield(4);
    ctx->ItemClick("//###unsaved/###discard");
    IM_CHECK(yieldUntil(ctx, [&] { return model.opened() > opened && !model.documents().isOpening(); }));
    IM_CHECK(!model.documents().isModified());
  });
}

TEST_F(Files, SavingFromTheQuestionNamesTheFileAndGoesOn) {
  drive([](ImGuiTestContext* ctx) {
    applyAStep(ctx);
    session::Session& model = modelOf(ctx);
    ctx->KeyPress(ImGuiMod_Ctrl | ImGuiKey_N);
    ctx->Yield(4);
    ctx->ItemClick("//###unsaved/###save");
    ctx->Yield(4);
    ctx->KeyPress(ImGuiKey_Escape);  // no name: nothing goes on, nothing is lost
    ctx->Yield(4);
    IM_CHECK(model.documents().isModified());
    IM_CHECK(!ctx->ItemExists("//###newmatmul/###create"));
    ctx->KeyPress(ImGuiMod_Ctrl | ImGuiKey_N);
    ctx->Yield(4);
    ctx->ItemClick("//###unsaved/###save");
    ctx->Yield(4);
    ctx->SetRef("//###filename");
    const auto file = std::filesystem::path(workbenchOf(ctx).settingsFolder()) / "mine.tileloom";
    write(ctx, "###file", file.string().c_str());
    ctx->KeyPress(ImGuiKey_Enter);
    IM_CHECK(yieldUntil(ctx, [&] { return ctx->ItemExists("//###newmatmul/###create"); }));
    IM_CHECK(std::filesystem::exists(file));
    ctx->KeyPress(ImGuiKey_Escape);
    ctx->Yield(3);
  });
}

TEST_F(Files, TheWindowStaysOpenOverUnsavedStepsUntilTheyAreGivenUp) {
  drive([](ImGuiTestContext* ctx) {
    applyAStep(ctx);
    ctx->KeyPress(ImGuiMod_Ctrl | ImGuiKey_Q);
    ctx->Yield(4);
    IM_CHECK(ctx->ItemExists("//###unsaved/###discard"));
    ctx->ItemClick("//###unsaved/###cancel");
    ctx->Yield(3);
    IM_CHECK(modelOf(ctx).documents().target() != nullptr);
  });
  EXPECT_FALSE(host().closing());
  host().close();  // as the window's own button does
  drive([](ImGuiTestContext* ctx) {
    ctx->Yield(4);
    IM_CHECK(ctx->ItemExists("//###unsaved/###discard"));
  });
  EXPECT_FALSE(host().closing());
  drive([](ImGuiTestContext* ctx) {
    ctx->ItemClick("//###unsaved/###discard");
    ctx->Yield(2);
  });
  host().stayOpen();
}

}  // namespace
}  // namespace loom::window::file_test
