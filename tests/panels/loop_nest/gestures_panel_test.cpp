// Loops taken in hand: dragged, dropped, split at their handles, bound by a double click.
#include <imgui_internal.h>

#include <string>
#include <string_view>

#include "app/panels/loop_nest/view/loop_nest.h"
#include "tests/panels/loop_nest/nest.h"
#include "tests/schedules/schedule_text.h"

namespace loom::window::loop_nest_gestures_panel_test {
namespace {

ImVec2 placeIn(ImGuiTestContext* ctx, const std::string& item, float x, float y) {
  const ImRect rect = ctx->ItemInfo(item.c_str()).RectFull;
  return {rect.Min.x + x * rect.GetWidth(), rect.Min.y + y * rect.GetHeight()};
}

// Drags the bar to a place in another, given as shares of its header, and holds it there.
void drag(ImGuiTestContext* ctx, const char* loop, const char* to, float y) {
  const ImVec2 end = placeIn(ctx, itemOf(rowNamed(ctx, to)), 0.3F, y);
  ctx->MouseMoveToPos(placeIn(ctx, itemOf(rowNamed(ctx, loop)), 0.3F, 0.5F));
  ctx->MouseDown(0);
  ctx->Yield(2);
  ctx->MouseMoveToPos(end);
  ctx->Yield(2);
}

TEST_F(Bench, BarDroppedBeforeAnotherReorders) {
  drive([](ImGuiTestContext* ctx) {
    IM_CHECK(nestIsShown(ctx, 0));
    drag(ctx, "k", "i", 0.1F);
    IM_CHECK(yieldUntil(ctx, [&] { return modelOf(ctx).preview().step() && modelOf(ctx).preview().step()->program; }));
    ctx->SleepNoSkip(0.3F, 0.02F);
    // The bars are those that the drop would give: k is the first, where i was.
    IM_CHECK_LT(ctx->ItemInfo(itemOf(rowNamed(ctx, "k")).c_str()).RectFull.Min.y,
                ctx->ItemInfo(itemOf(rowNamed(ctx, "i")).c_str()).RectFull.Min.y);
    IM_CHECK(modelOf(ctx).preview().step() != nullptr);  // held still, it doesn't change its mind
    ctx->MouseUp(0);
    ctx->Yield(3);
    IM_CHECK(lastStepIs(ctx, "sch.reorder(k, i, j)"));
    IM_CHECK_EQ(modelOf(ctx).navigation().node().number, 1);
  });
}

TEST_F(Bench, BarDroppedOutsideThePanelStaysWhereItIs) {
  drive([](ImGuiTestContext* ctx) {
    IM_CHECK(nestIsShown(ctx, 0));
    drag(ctx, "k", "i", 0.1F);
    const ImGuiWindow* code = ImGui::FindWindowByName(windowName("", "tvmscript").c_str());
    ctx->MouseMoveToPos({code->Pos.x + code->Size.x / 2, ImGui::GetIO().MousePos.y});
    ctx->Yield(2);
    ctx->MouseUp(0);
    ctx->Yield(3);
    IM_CHECK_EQ(modelOf(ctx).navigation().node().number, 0);
    IM_CHECK(modelOf(ctx).preview().step() == nullptr);
  });
}

TEST_F(Bench, BarDroppedOntoItsNeighbourFuses) {
  drive([](ImGuiTestContext* ctx) {
    IM_CHECK(nestIsShown(ctx, 0));
    drag(ctx, "j", "i", 0.5F);
    IM_CHECK(yieldUntil(ctx, [&] { return modelOf(ctx).preview().step() && modelOf(ctx).preview().step()->program; }));
    IM_CHECK(yieldUntil(ctx, [&] { return shows(ctx, "###loopnest", "i_j_fused"); }));
    ctx->MouseUp(0);
    ctx->Yield(3);
    IM_CHECK(lastStepIs(ctx, "sch.fuse(i, j)"));
  });
}

TEST_F(Bench, DropWhereItIsNotLegalSaysWhyAndLeavesTheState) {
  drive([](ImGuiTestContext* ctx) {
    IM_CHECK(nestIsShown(ctx, 0));
    modelOf(ctx).edits().apply(tests::scheduleText("two_loops_inside_j"));
    const int state = modelOf(ctx).navigation().current();
    IM_CHECK(yieldUntil(ctx, [&] { return modelOf(ctx).programs().of(state) != nullptr; }));
    ctx->SleepNoSkip(0.3F, 0.02F);
    drag(ctx, "k", "j", 0.1F);  // j has two inside now
    IM_CHECK(yieldUntil(ctx, [&] { return modelOf(ctx).preview().step() && modelOf(ctx).preview().step()->refusal; }));
    IM_CHECK_STR_EQ(tip(ctx).c_str(),
                    "reorder(k, j) k can't go outside j: A loop between them contains more than the next loop (j)");
    ctx->MouseUp(0);
    ctx->Yield(3);
    IM_CHECK_EQ(modelOf(ctx).navigation().current(), state);
    IM_CHECK(modelOf(ctx).preview().step() == nullptr);
    IM_CHECK(modelOf(ctx).problems().all().empty());
  });
}

TEST_F(Bench, EscapeGivesUpADrag) {
  drive([](ImGuiTestContext* ctx) {
    IM_CHECK(nestIsShown(ctx, 0));
    drag(ctx, "k", "i", 0.1F);
    ctx->KeyPress(ImGuiKey_Escape);
    ctx->Yield(2);
    ctx->MouseUp(0);
    ctx->Yield(3);
    IM_CHECK_EQ(modelOf(ctx).navigation().current(), 0);
    IM_CHECK(modelOf(ctx).preview().step() == nullptr);
  });
}

TEST_F(Bench, HandleDraggedSplitsByADivisor) {
  drive([](ImGuiTestContext* ctx) {
    IM_CHECK(nestIsShown(ctx, 0));
    const ImVec2 to = placeIn(ctx, itemOf(rowNamed(ctx, "k")), 0.6F, 0.5F);  // 0.4 of 2¹⁰ from the right: 16
    ctx->MouseMove(handleOf(rowNamed(ctx, "k")).c_str());
    ctx->MouseDown(0);
    ctx->Yield(2);
    ctx->MouseMoveToPos(to);
    IM_CHECK(yieldUntil(ctx, [&] { return modelOf(ctx).preview().step() && modelOf(ctx).preview().step()->program; }));
    ctx->SleepNoSkip(0.3F, 0.02F);
    IM_CHECK(yieldUntil(ctx, [&] { return shows(ctx, "###loopnest", "k_1"); }));
    ctx->MouseUp(0);
    ctx->Yield(3);
    IM_CHECK(lastStepIs(ctx, "sch.split(k, [None, 16])"));
  });
}

TEST_F(Bench, HandleClickedOffersTheDivisors) {
  drive([](ImGuiTestContext* ctx) {
    IM_CHECK(nestIsShown(ctx, 0));
    ctx->ItemClick(handleOf(rowNamed(ctx, "j")).c_str());
    IM_CHECK(yieldUntil(ctx, [&] { return ctx->ItemExists("//$FOCUSED/###[None, 32]"); }));
    ctx->ItemClick("//$FOCUSED/###[None, 32]");
    ctx->Yield(3);
    IM_CHECK(lastStepIs(ctx, "sch.split(j, [None, 32])"));
  });
}

TEST_F(Bench, TheHandleOfAFoldedLineSplitsItsChosenLoop) {
  drive([](ImGuiTestContext* ctx) {
    IM_CHECK(nestIsShown(ctx, 48));
    // "2 · ty 16 · tx 32 · ve 8 X_shared" in one line, by its first loop's name.
    const auto& rows = nestOf(ctx).rows;
    const auto block = std::ranges::find_if(rows, [](const NestRow& row) { return row.name == "X_shared"; });
    const NestRow& first = *(block - 4);
    const NestRow& innermost = *(block - 1);
    IM_CHECK_EQ(innermost.extent, 8);
    ctx->ItemClick(handleOf(first).c_str());
    IM_CHECK(yieldUntil(ctx, [&] { return ctx->ItemExists("//$FOCUSED/###[None, 4]"); }));
    IM_CHECK(!ctx->ItemExists("//$FOCUSED/###[None, 16]"));  // 8 has no such divisor
    ctx->ItemClick("//$FOCUSED/###[None, 4]");
    ctx->Yield(3);
    IM_CHECK(lastStepIs(ctx, ", [None, 4])"));
  });
}

TEST_F(Bench, DoubleClickOffersTheAxesAndBinds) {
  drive([](ImGuiTestContext* ctx) {
    IM_CHECK(nestIsShown(ctx, 0));
    ctx->ItemDoubleClick(itemOf(rowNamed(ctx, "i")).c_str());
    IM_CHECK(yieldUntil(ctx, [&] { return ctx->ItemExists("//$FOCUSED/###\"blockIdx.x\""); }));
    ctx->ItemClick("//$FOCUSED/###\"blockIdx.x\"");
    ctx->Yield(3);
    IM_CHECK(lastStepIs(ctx, "sch.bind(i, \"blockIdx.x\")"));
  });
}

TEST_F(Bench, AnAxisThatWouldGiveNoKernelIsMarkedWithTheReason) {
  drive([](ImGuiTestContext* ctx) {
    IM_CHECK(nestIsShown(ctx, 0));
    ctx->ItemDoubleClick(itemOf(rowNamed(ctx, "k")).c_str());
    IM_CHECK(yieldUntil(ctx, [&] { return ctx->ItemExists("//$FOCUSED/###\"threadIdx.x\""); }));
    IM_CHECK(yieldUntil(ctx, [&] { return popupShows(ctx, "no kernel"); }));
    ctx->MouseMove("//$FOCUSED/###\"threadIdx.z\"");  // 1024 threads share a sum along x and y, but z has 64
    IM_CHECK(yieldUntil(ctx, [&] { return tip(ctx).find("no kernel: ") != std::string::npos; }));
  });
}

TEST_F(Bench, RelativesOfTheLoopUnderTheMouseAreTold) {
  drive([](ImGuiTestContext* ctx) {
    IM_CHECK(nestIsShown(ctx, 0));
    modelOf(ctx).edits().apply(tests::scheduleText("i_split_twice"));
    const int state = modelOf(ctx).navigation().current();
    IM_CHECK(yieldUntil(ctx, [&] { return modelOf(ctx).programs().of(state) != nullptr; }));
    ctx->SleepNoSkip(0.3F, 0.02F);
    ctx->MouseMove(itemOf(rowNamed(ctx, "i_1_0")).c_str());
    IM_CHECK(yieldUntil(ctx, [&] {
      return tip(ctx).find("outlined: 1 made by the same step, 1 further relatives") != std::string::npos;
    }));
    IM_CHECK(tip(ctx).find("below, in all: 2.15 GFLOP · global 12 GiB") != std::string::npos);
  });
}

TEST_F(Bench, MenuOfSeveralLoopsFusesThem) {
  drive([](ImGuiTestContext* ctx) {
    IM_CHECK(nestIsShown(ctx, 0));
    ctx->ItemClick(itemOf(rowNamed(ctx, "i")).c_str());
    ctx->KeyDown(ImGuiMod_Ctrl);
    ctx->ItemClick(itemOf(rowNamed(ctx, "j")).c_str());
    ctx->KeyUp(ImGuiMod_Ctrl);
    ctx->ItemClick(itemOf(rowNamed(ctx, "j")).c_str(), ImGuiMouseButton_Right);
    IM_CHECK(yieldUntil(ctx, [&] { return ctx->ItemExists("//$FOCUSED/###fuse"); }));
    IM_CHECK(!ctx->ItemExists("//$FOCUSED/###split"));  // each has factors of its own
    ctx->ItemClick("//$FOCUSED/###fuse");
    ctx->Yield(3);
    IM_CHECK(lastStepIs(ctx, "sch.fuse(i, j)"));
  });
}

TEST_F(Bench, MenuOfSeveralLoopsUnrollsThemAll) {
  drive([](ImGuiTestContext* ctx) {
    IM_CHECK(nestIsShown(ctx, 0));
    const std::size_t states = modelOf(ctx).navigation().history().nodes().size();
    ctx->ItemClick(itemOf(rowNamed(ctx, "i")).c_str());
    ctx->KeyDown(ImGuiMod_Ctrl);
    ctx->ItemClick(itemOf(rowNamed(ctx, "k")).c_str());
    ctx->KeyUp(ImGuiMod_Ctrl);
    ctx->ItemClick(itemOf(rowNamed(ctx, "k")).c_str(), ImGuiMouseButton_Right);
    IM_CHECK(yieldUntil(ctx, [&] { return ctx->ItemExists("//$FOCUSED/###unroll"); }));
    ctx->ItemClick("//$FOCUSED/###unroll");
    ctx->Yield(3);
    auto& model = modelOf(ctx);
    IM_CHECK_EQ(model.navigation().history().nodes().size(), states + 2);
    IM_CHECK(lastStepIs(ctx, "sch.unroll(k)"));
    IM_CHECK(model.navigation().history().node(model.navigation().node().parent).step()->source.find("sch.unroll(i)") !=
             std::string::npos);
  });
}

TEST_F(Bench, MenuLeadsToTheFormWhereMoreIsToBeFilledIn) {
  drive([](ImGuiTestContext* ctx) {
    IM_CHECK(nestIsShown(ctx, 0));
    ctx->ItemClick(itemOf(rowNamed(ctx, "k")).c_str(), ImGuiMouseButton_Right);
    IM_CHECK(yieldUntil(ctx, [&] { return ctx->ItemExists("//$FOCUSED/###annotate"); }));
    ctx->ItemClick("//$FOCUSED/###annotate");
    ctx->Yield(3);
    ctx->SetRef("//###step");
    IM_CHECK(ctx->ItemExists("###apply"));
    write(ctx, "$$1/###value", "\"note\"");
    write(ctx, "$$2/###value", "1");
    IM_CHECK(!isDisabled(ctx, "###apply"));
    ctx->ItemClick("###apply");
    ctx->Yield(3);
    IM_CHECK(lastStepIs(ctx, "sch.annotate(k, \"note\", 1)"));
  });
}

// The row right below the pipelined loop that holds the block.
const NestRow& stagedRow(ImGuiTestContext* ctx, const std::string& name) {
  const session::LoopNest& nest = nestOf(ctx);
  int row = int(&rowNamed(ctx, name, NestRow::Kind::kBlock) - nest.rows.data());
  while (row >= 0 && nest.rows[std::size_t(row)].staged.empty()) row = nest.rows[std::size_t(row)].parent;
  return nest.rows[std::size_t(row)];
}

// Takes the word of the row's stage in hand and holds it at a share of the loop's body.
void dragStage(ImGuiTestContext* ctx, const NestRow& row, float x) {
  const ImRect rect = ctx->ItemInfo(itemOf(row).c_str()).RectFull;
  // The word stands behind the names: the cursor tells where.
  float at = rect.Min.x;
  for (; at < rect.Max.x; at += 4) {
    ctx->MouseMoveToPos({at, rect.Min.y + 8});
    ctx->Yield(1);
    if (ImGui::GetMouseCursor() == ImGuiMouseCursor_ResizeEW) break;
  }
  ctx->MouseDown(0);
  ctx->Yield(2);
  ctx->MouseMoveToPos({rect.Min.x + x * rect.GetWidth(), rect.Min.y + 8});
  ctx->Yield(2);
}

TEST_F(Bench, WordOfAStageDraggedToAnotherMovesTheStatement) {
  drive([](ImGuiTestContext* ctx) {
    IM_CHECK(pipelineIsShown(ctx));
    const int before = modelOf(ctx).navigation().current();
    const ir::Id row = stagedRow(ctx, "Z").id;
    dragStage(ctx, stagedRow(ctx, "Z"), 0.9F);
    IM_CHECK(yieldUntil(ctx, [&] { return modelOf(ctx).preview().step() && modelOf(ctx).preview().step()->program; }));
    IM_CHECK(shows(ctx, "###loopnest", "+ stage 2"));
    ctx->MouseUp(0);
    ctx->Yield(3);
    IM_CHECK(lastStepIs(ctx, "[0, 0, 2]"));
    const int state = modelOf(ctx).navigation().current();
    IM_CHECK(yieldUntil(ctx, [&] { return modelOf(ctx).programs().of(state) != nullptr; }));
    IM_CHECK_EQ(nestOf(ctx).rows[std::size_t(nestOf(ctx).find(row))].staged.at(0).stage, 2);
    // One action, whatever lines it has.
    modelOf(ctx).edits().undo();
    IM_CHECK_EQ(modelOf(ctx).navigation().current(), before);
  });
}

TEST_F(Bench, StageThatReadsWhatIsNotWrittenYetIsRefusedWhileDragging) {
  drive([](ImGuiTestContext* ctx) {
    IM_CHECK(pipelineIsShown(ctx));
    const int before = modelOf(ctx).navigation().current();
    dragStage(ctx, stagedRow(ctx, "X_shared"), 0.9F);
    IM_CHECK(yieldUntil(ctx, [&] { return modelOf(ctx).preview().step() && modelOf(ctx).preview().step()->program; }));
    IM_CHECK(
        yieldUntil(ctx, [&] { return tip(ctx).find("in the pipeline it would come before") != std::string::npos; }));
    ctx->MouseUp(0);
    ctx->Yield(3);
    IM_CHECK_EQ(modelOf(ctx).navigation().current(), before);
    IM_CHECK(modelOf(ctx).preview().step() == nullptr);
  });
}

// For whom doesn't drag: the menu moves it, too, and makes copies synchronous.
TEST_F(Bench, MenuOfAPipelineHasItsStages) {
  drive([](ImGuiTestContext* ctx) {
    IM_CHECK(pipelineIsShown(ctx));
    ctx->ItemClick(itemOf(stagedRow(ctx, "X_shared")).c_str(), ImGuiMouseButton_Right);
    IM_CHECK(yieldUntil(ctx, [&] { return ctx->ItemExists("//$FOCUSED/###pipeline: stage 0"); }));
    ctx->MouseMove("//$FOCUSED/###pipeline: stage 0");
    IM_CHECK(yieldUntil(ctx, [&] { return ctx->ItemExists("//###Menu_00/###to stage 1"); }));
    ctx->ItemClick("//###Menu_00/###stage 0: copies waited for at once");
    ctx->Yield(3);
    IM_CHECK(lastStepIs(ctx, "unannotate"));
    IM_CHECK(lastStepIs(ctx, "software_pipeline_async_stages"));
  });
}

}  // namespace
}  // namespace loom::window::loop_nest_gestures_panel_test
