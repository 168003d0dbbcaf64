// The tree of states: its steps edited, its states named, pinned, deleted and brought back.
#include <imgui_internal.h>

#include <string>

#include "tests/gui/script.h"
#include "tests/schedules/schedule_text.h"

namespace loom::window::history_panel_test {
namespace {

std::string rowOf(int node) { return "//###history/$$" + std::to_string(node) + "/###row"; }

// A branch of three states at the start: split, unroll, split. Gives the first.
int branchIsMade(ImGuiTestContext* ctx) {
  if (!startIsShown(ctx)) return -1;
  modelOf(ctx).edits().apply(tests::scheduleText("split_unroll_split"));
  ctx->WindowFocus("//###history");
  ctx->Yield(3);
  return modelOf(ctx).navigation().current() - 2;
}

bool editorIsOpen(ImGuiTestContext* ctx, int node) {
  ctx->ItemClick(rowOf(node).c_str(), ImGuiMouseButton_Right);
  ctx->Yield(2);
  ctx->ItemClick("//$FOCUSED/###editstep");
  ctx->Yield(2);
  ctx->SetRef("//$FOCUSED");
  return ctx->ItemExists("###line");
}

TEST_F(Bench, EditedStepSaysWhatBreaksAndReplaysWhatFollows) {
  drive([](ImGuiTestContext* ctx) {
    const int first = branchIsMade(ctx);
    IM_CHECK_GT(first, 0);
    auto& model = modelOf(ctx);
    IM_CHECK(editorIsOpen(ctx, first));
    write(ctx, "###line", "k0 = sch.fuse(j, k)");
    IM_CHECK(yieldUntil(ctx, [&] { return model.stepEdit().report() != nullptr && model.stepEdit().report()->ready; }));
    ctx->Yield(2);
    IM_CHECK_EQ(model.stepEdit().report()->changed.size(), 2U);
    IM_CHECK_EQ(model.stepEdit().report()->broken.size(), 1U);  // there is no k1
    IM_CHECK(shows(ctx, "###edit", "states that change: 2"));
    IM_CHECK(shows(ctx, "###edit", "steps that no longer apply: 1"));
    IM_CHECK(model.navigation().history().node(first).step()->source.find("16") != std::string::npos);
    ctx->ItemClick("###replay");
    ctx->Yield(3);
    IM_CHECK_EQ(model.navigation().current(), first);
    IM_CHECK(model.navigation().node().step()->source.find("fuse(j, k)") != std::string::npos);
    IM_CHECK(model.navigation().history().node(first + 2).deleted);
    IM_CHECK_EQ(model.problems().all().size(), 1U);
    IM_CHECK_EQ(model.problems().all()[0].node, first + 1);  // where it was taken
    model.edits().undo();
    ctx->Yield(2);
    IM_CHECK(model.problems().all().empty());
    IM_CHECK(model.navigation().history().node(first).step()->source.find("16") != std::string::npos);
    IM_CHECK(!model.navigation().history().node(first + 2).deleted);
  });
}

TEST_F(Bench, EditedStepOpensByItsKeyWhereverOneIs) {
  drive([](ImGuiTestContext* ctx) {
    IM_CHECK_GT(branchIsMade(ctx), 0);
    ctx->WindowFocus("//###lesson");
    ctx->Yield(2);
    ctx->KeyPress(ImGuiKey_F2);
    ctx->Yield(4);
    ctx->SetRef("//$FOCUSED");
    IM_CHECK(ctx->ItemExists("###line"));
    IM_CHECK_STR_EQ(modelOf(ctx).navigation().node().step()->source.c_str(), "a, b = sch.split(k1, [2, 8])");
    ctx->ItemClick("###cancel");
  });
}

TEST_F(Bench, EditedStepOutlivesClicksBesideItsDialog) {
  drive([](ImGuiTestContext* ctx) {
    const int first = branchIsMade(ctx);
    IM_CHECK_GT(first, 0);
    IM_CHECK(editorIsOpen(ctx, first));
    const ImGuiWindow* dialog = ctx->UiContext->NavWindow;
    write(ctx, "###line", "k0 = sch.fuse(j, k)");
    for (const ImVec2 at : {ImVec2{dialog->Pos.x - 40, dialog->Pos.y + 20},
                            ImVec2{dialog->Pos.x + 20, dialog->Pos.y + dialog->Size.y + 40}}) {
      ctx->MouseMoveToPos(at);
      ctx->MouseClick();
      ctx->Yield(3);
      IM_CHECK_SILENT(dialog->WasActive);
      IM_CHECK(yieldUntil(ctx, [&] { return modelOf(ctx).stepEdit().report() != nullptr; }));
      IM_CHECK_STR_EQ(modelOf(ctx).stepEdit().report()->line.c_str(), "k0 = sch.fuse(j, k)");
    }
    IM_CHECK(shows(ctx, "###edit", "k0 = sch.fuse(j, k)"));
    ctx->KeyPress(ImGuiKey_Escape, 2);  // the first leaves the field
    ctx->Yield(3);
    IM_CHECK_SILENT(!dialog->WasActive);
    IM_CHECK(modelOf(ctx).stepEdit().report() == nullptr);
  });
}

TEST_F(Bench, EditedStepsArgumentsAreChangedOneByOne) {
  drive([](ImGuiTestContext* ctx) {
    const int first = branchIsMade(ctx);
    IM_CHECK_GT(first, 0);
    auto& model = modelOf(ctx);
    IM_CHECK(editorIsOpen(ctx, first));
    const ImGuiWindow* popup = ctx->UiContext->NavWindow;
    const float height = popup->Size.y;
    IM_CHECK(shows(ctx, "###edit", "here stands what becomes of the states that follow"));
    // Row 1 is split's factors: what could stand there instead is tried, and what it changes is told.
    ctx->ItemClick("$$1/###offers");
    IM_CHECK(yieldUntil(ctx, [&] { return ctx->ItemExists("//$FOCUSED/[None, 8]/###offer"); }));
    ctx->ItemClick("//$FOCUSED/[None, 8]/###offer");
    IM_CHECK(yieldUntil(ctx, [&] { return model.stepEdit().report() != nullptr && model.stepEdit().report()->ready; }));
    IM_CHECK(model.stepEdit().report()->line.find("split(k, [None, 8])") != std::string::npos);
    IM_CHECK_EQ(model.stepEdit().report()->changed.size(), 3U);
    IM_CHECK(yieldUntil(ctx, [&] { return !model.stepEdit().report()->effects.empty(); }));
    IM_CHECK(yieldUntil(ctx, [&] { return shows(ctx, popup->Name, "State 3: model, program as written: "); }));
    IM_CHECK_EQ(popup->Size.y, height);
    // By hand, through what is no value meanwhile.
    write(ctx, "$$1/###value", "[None, ");
    IM_CHECK(model.stepEdit().report() == nullptr);
    IM_CHECK(isDisabled(ctx, "###replay"));
    IM_CHECK(shows(ctx, "###edit", "Expected a bracket that closes this one"));
    write(ctx, "$$1/###value", "[None, 16]");
    write(ctx, "$$2/###value", "False");
    IM_CHECK(yieldUntil(ctx, [&] { return model.stepEdit().report() != nullptr && model.stepEdit().report()->ready; }));
    IM_CHECK(model.stepEdit().report()->line.find("[None, 16], preserve_unit_iters=False)") != std::string::npos);
    ctx->ItemClick("###cancel");
    ctx->Yield(2);
    IM_CHECK(model.stepEdit().report() == nullptr);
  });
}

TEST_F(Bench, EditedStepBecomesABranchWithWhatFollows) {
  drive([](ImGuiTestContext* ctx) {
    const int first = branchIsMade(ctx);
    IM_CHECK_GT(first, 0);
    auto& model = modelOf(ctx);
    IM_CHECK(editorIsOpen(ctx, first));
    const std::string source = model.navigation().history().node(first).step()->source;
    const std::size_t at = source.find("16");
    write(ctx, "###line", (source.substr(0, at) + "8" + source.substr(at + 2)).c_str());
    IM_CHECK(yieldUntil(ctx, [&] { return model.stepEdit().report() != nullptr && model.stepEdit().report()->ready; }));
    ctx->Yield(2);
    ctx->ItemClick("###branch");
    ctx->Yield(3);
    IM_CHECK_EQ(model.navigation().node().number, model.navigation().history().node(first + 2).number);
    IM_CHECK_STR_EQ(model.navigation().node().step()->source.c_str(),
                    model.navigation().history().node(first + 2).step()->source.c_str());
    IM_CHECK(model.navigation().history().node(first).step()->source.find("16") != std::string::npos);
    IM_CHECK(!model.navigation().history().isHidden(first + 2));
    IM_CHECK(shows(ctx, "###history", "split(k, [None, 8])"));
  });
}

TEST_F(Bench, StateThatWasNotRunShowsWhatTheModelPredicts) {
  drive([](ImGuiTestContext* ctx) {
    IM_CHECK(startIsShown(ctx));
    auto& model = modelOf(ctx);
    model.navigation().select(model.documents().target()->chapterNodes.back());
    model.edits().apply("sch.unroll(sch.get_loops(sch.get_block(\"X_shared\"))[2])");
    const int mine = model.navigation().current();
    ctx->WindowFocus("//###history");
    IM_CHECK(yieldUntil(ctx, [&] { return model.models().prediction(mine).has_value(); }));
    IM_CHECK(shows(ctx, "###history", "≈ "));
    IM_CHECK(shows(ctx, "##MainMenuBar", "≈ "));
    ctx->WindowFocus("//###performance");
    IM_CHECK(yieldUntil(ctx, [&] { return shows(ctx, "###performance", "≈ "); }));
    IM_CHECK(!model.models().prediction(model.navigation().history().node(mine).parent));  // it was recorded
  });
}

TEST_F(Bench, AStepOfOurOwnIsMarkedAsAnnotated) {
  drive([](ImGuiTestContext* ctx) {
    IM_CHECK(startIsShown(ctx));
    auto& model = modelOf(ctx);
    model.navigation().select(model.documents().target()->chapterNodes.back());
    IM_CHECK(!shows(ctx, "###history", "annotated"));
    model.edits().apply("sch.annotate(sch.get_block(\"X_shared\"), \"tileloom.swizzle\", 128)");
    ctx->WindowFocus("//###history");
    IM_CHECK(yieldUntil(ctx, [&] { return shows(ctx, "###history", "annotated"); }));
  });
}

TEST_F(Bench, ABranchIsFoldedUntilOneGoesThere) {
  drive([](ImGuiTestContext* ctx) {
    const int first = branchIsMade(ctx);
    auto& model = modelOf(ctx);
    const auto isThere = [&](int node) { return ctx->ItemExists(rowOf(node).c_str()); };
    ctx->Yield(2);
    IM_CHECK(isThere(first + 2));  // it is the current one
    const std::string fold = "//###history/###fold" + std::to_string(first);
    model.navigation().select(0);
    ctx->Yield(3);
    IM_CHECK(isThere(first + 2));  // what was unfolded stays
    ctx->ItemClick(fold.c_str());
    ctx->Yield(2);
    IM_CHECK_EQ(model.navigation().current(), 0);
    IM_CHECK(isThere(first));
    IM_CHECK(!isThere(first + 1));
    IM_CHECK(shows(ctx, "###history", "+2"));
    model.navigation().select(first + 1);
    ctx->Yield(3);
    IM_CHECK(isThere(first + 1));
  });
}

TEST_F(Bench, RefusedEditCannotBeAppliedAndEscapeLeavesTheTree) {
  drive([](ImGuiTestContext* ctx) {
    const int first = branchIsMade(ctx);
    auto& model = modelOf(ctx);
    IM_CHECK(editorIsOpen(ctx, first));
    write(ctx, "###line", "k0, k1 = sch.split(k, [5, 5])");
    IM_CHECK(yieldUntil(ctx, [&] { return model.stepEdit().report() != nullptr && model.stepEdit().report()->ready; }));
    ctx->Yield(2);
    IM_CHECK(isDisabled(ctx, "###replay"));
    IM_CHECK(shows(ctx, "###edit", "The factors' product is 25"));
    ctx->KeyPress(ImGuiKey_Escape);
    ctx->KeyPress(ImGuiKey_Escape);
    ctx->Yield(3);
    IM_CHECK(model.stepEdit().report() == nullptr);
    IM_CHECK(model.navigation().history().node(first).step()->source.find("16") != std::string::npos);
  });
}

TEST_F(Bench, StateIsNamedPinnedDeletedAndBroughtBack) {
  drive([](ImGuiTestContext* ctx) {
    const int first = branchIsMade(ctx);
    auto& model = modelOf(ctx);
    ctx->ItemClick(rowOf(first).c_str(), ImGuiMouseButton_Right);
    ctx->Yield(2);
    ctx->SetRef("//$FOCUSED");
    write(ctx, "###name", "tiles");
    write(ctx, "###note", "by 16");
    IM_CHECK_STR_EQ(model.navigation().history().node(first).name.c_str(), "tiles");
    IM_CHECK_STR_EQ(model.navigation().history().node(first).note.c_str(), "by 16");
    ctx->ItemClick("###pin");
    ctx->Yield(2);
    IM_CHECK(model.navigation().history().node(first).pinned);
    ctx->PopupCloseAll();
    ctx->ItemClick(rowOf(first).c_str());
    ctx->KeyPress(ImGuiKey_Delete);
    ctx->Yield(2);
    IM_CHECK(model.navigation().history().node(first).deleted);
    IM_CHECK(!ctx->ItemExists(rowOf(first).c_str()));
    ctx->KeyPress(ImGuiMod_Ctrl | ImGuiKey_Z);
    ctx->Yield(3);
    IM_CHECK(!model.navigation().history().node(first).deleted);
    IM_CHECK(ctx->ItemExists(rowOf(first).c_str()));
    IM_CHECK(shows(ctx, "###history", "tiles"));
  });
}

}  // namespace
}  // namespace loom::window::history_panel_test
