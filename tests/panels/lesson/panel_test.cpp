#include <imgui_internal.h>

#include <algorithm>
#include <fstream>

#include "tests/gui/script.h"

namespace loom::window::lesson_panel_test {
namespace {

TEST_F(Bench, WholeLessonIsSteppedThroughByNext) {
  drive([](ImGuiTestContext* ctx) {
    IM_CHECK(lessonIsOpen(ctx));
    session::Session& model = modelOf(ctx);
    const auto& ends = model.documents().target()->chapterNodes;
    IM_CHECK_GT(ends.size(), 10U);
    ctx->SetRef("//###lesson");
    for (std::size_t c = 1; c < ends.size(); ++c) {
      ctx->ItemClick("###next");
      IM_CHECK_EQ(model.navigation().current(), ends[c]);
      IM_CHECK_EQ(model.navigation().chapter(), int(c));
    }
    const int last = model.navigation().current();
    IM_CHECK(yieldUntil(ctx, [&] { return model.programs().of(last) != nullptr; }));
    IM_CHECK(!model.programs().of(last)->kernel.problem.has_value());
    IM_CHECK(model.programs().of(last)->kernel.source.text.find("mma") != std::string::npos);
    ctx->ItemClick("###back");
    IM_CHECK_EQ(model.navigation().current(), ends[ends.size() - 2]);
  });
}

TEST_F(Bench, ArrowsStepAndComeBackOnTheSameBranch) {
  drive([](ImGuiTestContext* ctx) {
    IM_CHECK(lessonIsOpen(ctx));
    session::Session& model = modelOf(ctx);
    ctx->KeyPress(ImGuiKey_RightArrow, 3);
    const int there = model.navigation().current();
    IM_CHECK_EQ(model.navigation().node().number, 3);
    IM_CHECK(shows(ctx, "##MainMenuBar", "3 of 50"));
    ctx->KeyPress(ImGuiKey_LeftArrow, 2);
    IM_CHECK_EQ(model.navigation().node().number, 1);
    IM_CHECK(shows(ctx, "##MainMenuBar", "1 of 50"));
    ctx->KeyPress(ImGuiKey_RightArrow, 2);
    IM_CHECK_EQ(model.navigation().current(), there);
  });
}

TEST_F(Bench, AnotherStepMakesABranchThatIsSavedAndReopened) {
  drive([](ImGuiTestContext* ctx) {
    IM_CHECK(lessonIsOpen(ctx));
    session::Session& model = modelOf(ctx);
    const std::size_t before = model.navigation().history().nodes().size();
    const auto applied =
        model.edits().apply("b = sch.get_block(\"Z\", \"main\")\nl = sch.get_loops(b)\nsch.parallel(l[0])");
    IM_CHECK(!applied.refusal.has_value());
    IM_CHECK_EQ(applied.made, 1);
    IM_CHECK_EQ(model.navigation().history().nodes().size(), before + 1);
    IM_CHECK(model.documents().isModified());
    const std::filesystem::path file = std::filesystem::temp_directory_path() /
                                       ("tileloom-branch-" + std::to_string(ImGui::GetFrameCount()) + ".tileloom");
    model.documents().saveAs(file);
    IM_CHECK(yieldUntil(ctx, [&] { return model.documents().lastWrite().has_value(); }));
    IM_CHECK(!model.documents().lastWrite()->problem.has_value());
    const std::string text = model.navigation().node().script->text;
    const std::uint64_t opened = model.opened();
    model.documents().open(file.string());
    IM_CHECK(yieldUntil(ctx, [&] { return model.opened() != opened; }));
    IM_CHECK_EQ(model.navigation().history().nodes().size(), before + 1);
    IM_CHECK(model.navigation().node().script->text == text);
    IM_CHECK(yieldUntil(ctx, [&] { return shows(ctx, "###history", "parallel(l[0])"); }));
    std::filesystem::remove(file);
  });
}

TEST_F(Bench, RefusedStepLeavesTheStateAndIsListed) {
  drive([](ImGuiTestContext* ctx) {
    IM_CHECK(lessonIsOpen(ctx));
    session::Session& model = modelOf(ctx);
    const int before = model.navigation().current();
    IM_CHECK(model.edits().apply("sch.bind(nothing, \"threadIdx.x\")").refusal.has_value());
    IM_CHECK_EQ(model.navigation().current(), before);
    IM_CHECK_EQ(model.problems().all().front().line.empty(), false);
    ctx->WindowFocus("//###problems");
    IM_CHECK(yieldUntil(ctx, [&] { return shows(ctx, "###problems", "sch.bind(nothing, \"threadIdx.x\")"); }));
    IM_CHECK(model.edits().apply("import os").refusal.has_value());
    IM_CHECK_EQ(model.navigation().current(), before);
  });
}

TEST_F(Bench, UnreadableFileKeepsWhatIsOpenAndSaysWhy) {
  drive([](ImGuiTestContext* ctx) {
    IM_CHECK(lessonIsOpen(ctx));
    session::Session& model = modelOf(ctx);
    model.documents().open("/nowhere/at/all.tileloom");
    IM_CHECK(yieldUntil(ctx, [&] { return model.documents().openProblem().has_value(); }));
    IM_CHECK(model.documents().target() != nullptr);
    ctx->Yield(3);
    IM_CHECK(shows(ctx, "###openproblem", "/nowhere/at/all.tileloom"));
    ctx->ItemClick("//###openproblem/###ok");
    IM_CHECK(!model.documents().openProblem().has_value());
  });
}

TEST_F(Bench, PlayAdvancesAndStopsOnAClickAndAtTheEnd) {
  drive([](ImGuiTestContext* ctx) {
    IM_CHECK(startIsShown(ctx));
    session::Session& model = modelOf(ctx);
    ctx->SetRef("//###lesson");
    ctx->ItemClick("###play");
    IM_CHECK(model.navigation().isPlaying());
    const int before = model.navigation().current();
    IM_CHECK(yieldUntil(ctx, [&] { return model.navigation().current() != before; }));
    IM_CHECK_EQ(model.navigation().history().node(model.navigation().current()).parent, before);
    ctx->ItemClick("###play");
    IM_CHECK(!model.navigation().isPlaying());
    const int stopped = model.navigation().current();
    IM_CHECK(shows(ctx, "##MainMenuBar", std::to_string(model.navigation().node().number) + " of 50"));
    IM_CHECK(!model.navigation().advance(1000));
    IM_CHECK_EQ(model.navigation().current(), stopped);
    model.navigation().goToChapter(int(model.documents().target()->chapterNodes.size()) - 1);
    ctx->KeyPress(ImGuiKey_F5);
    IM_CHECK(model.navigation().isPlaying());
    IM_CHECK(model.navigation().advance(1000));  // there is no further step
    IM_CHECK(!model.navigation().isPlaying());
  });
}

TEST_F(Bench, AChaptersGainStandsOverItsTextAndItsStepsAreFoundBelowIt) {
  drive([](ImGuiTestContext* ctx) {
    IM_CHECK(lessonIsOpen(ctx));
    session::Session& model = modelOf(ctx);
    const auto& ends = model.documents().target()->chapterNodes;
    const auto hasTime = [&](std::size_t c) { return model.results().measured(ends[c]) != nullptr; };
    std::size_t chapter = 0;
    IM_CHECK(yieldUntil(ctx, [&] {
      for (std::size_t c = 1; c < ends.size() && chapter == 0; ++c)
        if (hasTime(c - 1) && hasTime(c)) chapter = c;
      return chapter != 0;
    }));
    model.navigation().goToChapter(int(chapter));
    IM_CHECK(yieldUntil(ctx, [&] { return shows(ctx, "###lesson", "compared with chapter "); }));
    // Where the text leaves the steps no room, a button goes to them.
    for (std::size_t c = 1; c < ends.size(); ++c) {
      model.navigation().goToChapter(int(c));
      ctx->Yield(3);
      if (!ctx->ItemExists("//###lesson/###stepsbelow")) continue;
      if ((ctx->ItemInfo("//###lesson/###stepsbelow").ItemFlags & ImGuiItemFlags_Disabled) != 0) continue;
      ctx->ItemClick("//###lesson/###stepsbelow");
      ctx->Yield(3);
      IM_CHECK(shows(ctx, "###lesson", "Schedule steps"));
      return;
    }
    IM_CHECK(!"no chapter's steps are below its text");
  });
}

void clickState(ImGuiTestContext* ctx, int node) {
  ctx->ItemClick(("//###history/$$" + std::to_string(node) + "/###row").c_str());
  ctx->Yield(2);
}

TEST_F(Bench, HistoryGoesBackAndToEitherBranch) {
  drive([](ImGuiTestContext* ctx) {
    IM_CHECK(startIsShown(ctx));
    session::Session& model = modelOf(ctx);
    ctx->KeyPress(ImGuiKey_RightArrow, 3);
    const int lesson = model.navigation().current();
    const int parent = model.navigation().history().node(lesson).parent;
    clickState(ctx, parent);
    IM_CHECK_EQ(model.navigation().current(), parent);
    typeStep(ctx, "sch.unroll(sch.get_loops(sch.get_block(\"Z\"))[0])");
    const int branch = model.navigation().current();
    IM_CHECK_NE(branch, parent);
    IM_CHECK_EQ(model.navigation().history().node(branch).parent, parent);
    IM_CHECK_EQ(model.navigation().history().node(parent).children.size(), 2U);
    clickState(ctx, lesson);
    IM_CHECK_EQ(model.navigation().current(), lesson);
    clickState(ctx, branch);
    IM_CHECK_EQ(model.navigation().current(), branch);
    IM_CHECK(model.navigation().node().script->text.find("T.unroll") != std::string::npos);
    // From the fork, the arrow takes the branch that was seen last; back and forth is nothing to undo.
    ctx->WindowFocus("//###history");
    ctx->KeyPress(ImGuiKey_LeftArrow);
    ctx->KeyPress(ImGuiKey_RightArrow);
    IM_CHECK_EQ(model.navigation().current(), branch);
    ctx->KeyPress(ImGuiMod_Ctrl | ImGuiKey_Z);
    IM_CHECK_EQ(model.navigation().current(), lesson);
    ctx->KeyPress(ImGuiMod_Ctrl | ImGuiKey_Z, 2);
    IM_CHECK_EQ(model.navigation().current(), parent);
  });
}

TEST_F(Bench, TheLessonsEndSaysWhereToGoOn) {
  drive([](ImGuiTestContext* ctx) {
    IM_CHECK(lessonIsOpen(ctx));
    session::Session& model = modelOf(ctx);
    model.navigation().goToChapter(int(model.documents().target()->chapterNodes.size()) - 1);
    IM_CHECK(yieldUntil(ctx, [&] { return model.programs().of(model.navigation().current()) != nullptr; }));
    IM_CHECK_EQ(model.navigation().chapterAfter(), -1);
    ctx->SetRef("//###lesson");
    IM_CHECK(!isDisabled(ctx, "###next"));
    ctx->ItemClick("###next");
    ctx->Yield(3);
    IM_CHECK(popupShows(ctx, "Report of the whole lesson"));
    ctx->ItemClick("//$FOCUSED/###freely");
    ctx->Yield(3);
    IM_CHECK_EQ(ImGui::GetCurrentContext()->NavWindow->RootWindow, ImGui::FindWindowByName("###step"));
    ctx->ItemClick("###next");
    ctx->Yield(3);
    ctx->ItemClick("//$FOCUSED/###export");
    ctx->Yield(3);
    IM_CHECK(ctx->ItemExists("//###filename/###file"));
    ctx->KeyPress(ImGuiKey_Escape);
    ctx->Yield(3);
    ctx->ItemClick("###next");
    ctx->Yield(3);
    ctx->ItemClick("//$FOCUSED/###cuda_cores");
    IM_CHECK(yieldUntil(ctx, [&] { return model.documents().target()->lessonName == "cuda_cores"; }));
  });
}

TEST_F(Bench, TermsAreExplainedWhereTheyStandAndStepsOfAnotherChapterAreToldApart) {
  drive([](ImGuiTestContext* ctx) {
    IM_CHECK(lessonIsOpen(ctx));
    session::Session& model = modelOf(ctx);
    model.documents().open("hopper");
    IM_CHECK(yieldUntil(ctx, [&] { return model.documents().target()->lessonName == "hopper"; }));
    const auto& chapters = model.documents().target()->lesson->chapters;
    const auto chapter = [&](const char* id) {
      return int(std::ranges::find(chapters, std::string(id), &document::Chapter::id) - chapters.begin());
    };
    model.navigation().goToChapter(chapter("roles"));
    ctx->WindowFocus("//###lesson");
    IM_CHECK(yieldUntil(ctx, [&] { return shows(ctx, "###lesson", "boxes"); }));
    for (const TextRun& run : drawnText("###lesson")) {
      const std::size_t at = run.text.find("boxes");
      if (at == std::string::npos) continue;
      const float share = (float(at) + 2) / float(run.text.size());
      ctx->MouseMoveToPos({run.start + share * (run.end - run.start), (run.ink.from.y + run.ink.to.y) / 2});
      break;
    }
    IM_CHECK(tip(ctx).starts_with("A box is a rectangle"));
    // The chapter starts anew: told are the steps that the one before doesn't have.
    model.navigation().goToChapter(chapter("persistent"));
    IM_CHECK(yieldUntil(ctx, [&] { return shows(ctx, "###lesson", "Schedule steps other than in"); }));
    ctx->ScrollToBottom(ctx->WindowInfo("//###lesson/###text").ID);
    IM_CHECK(shows(ctx, "###lesson", "split(tiles, [None, 132])"));
    IM_CHECK(!shows(ctx, "###lesson", "cache_read"));
  });
}

}  // namespace
}  // namespace loom::window::lesson_panel_test
