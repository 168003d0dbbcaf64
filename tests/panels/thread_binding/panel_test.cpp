#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "app/panels/memory/view/memory.h"
#include "app/panels/thread_binding/grid.h"
#include "tests/panels/thread_binding/threads.h"

namespace loom::window::thread_binding_panel_test {
namespace {

std::int64_t read(ImGuiTestContext* ctx, const char* item) {
  std::int64_t value = -100;
  ctx->ItemReadAsScalar(item, ImGuiDataType_S64, &value);
  return value;
}

TEST_F(Bench, AClickOnABlockAndAWarpChoosesThem) {
  drive([](ImGuiTestContext* ctx) {
    IM_CHECK(threadsAreShown(ctx, 48));
    IM_CHECK_EQ(read(ctx, "##block"), 0);
    const ImGuiTestItemInfo pictures = ctx->WindowInfo("//###threads/pictures");
    ctx->SetRef(pictures.Window);
    ctx->ItemClick("**/blocks");
    ctx->ItemClick("**/warps");
    ctx->SetRef("//###threads");
    IM_CHECK_EQ(read(ctx, "##block"), 36);  // the middle of 8 × 8
    IM_CHECK_EQ(read(ctx, "##warp"), 10);   // of 4 × 4
  });
}

TEST_F(Bench, AStatementChosenIsSelectedInTheCode) {
  drive([](ImGuiTestContext* ctx) {
    IM_CHECK(threadsAreShown(ctx, 48));
    ctx->ItemClick("##statement");
    ctx->Yield(2);
    ctx->ItemClick("//##Combo_00/**/Y_shared_wmma.matrix_b_o reads Y_shared");
    ctx->Yield(2);
    IM_CHECK_EQ(modelOf(ctx).selection().ids().size(), std::size_t(1));
    IM_CHECK(shows(ctx, "###threads", "Y_shared_wmma.matrix_b_o reads Y_shared"));
  });
}

TEST_F(Bench, AnArrowOfMemoryHierarchyChoosesItsStatementHere) {
  drive([](ImGuiTestContext* ctx) {
    IM_CHECK(threadsAreShown(ctx, 48));
    IM_CHECK(chooseStatement(ctx, "X_shared reads X", "at least"));
    auto& model = modelOf(ctx);
    IM_CHECK(yieldUntil(ctx, [&] { return model.models().of(48) != nullptr; }));
    // The arrow into the fragments of Y.
    const auto of = [&](const session::MemoryTraffic& t) {
      return t.from == device::MemoryLevel::kShared && !t.ids.empty() && !model.selection().has(t.ids.front()) &&
             model.navigation().node().state.tree().block(t.ids.front())->name == "Y_shared_wmma.matrix_b_o";
    };
    const auto memory = session::memoryOf(*model.models().of(48));
    const auto arrow = std::find_if(memory.traffic.begin(), memory.traffic.end(), of);
    IM_CHECK(arrow != memory.traffic.end());
    ctx->WindowFocus("//###memory");
    IM_CHECK(settled(ctx));  // values still to come would move the arrow from under the mouse
    ctx->SetRef(ctx->WindowInfo("//###memory/levels").Window);
    ctx->ItemClick(fmt::format("traffic {} {} {}/arrow", int(arrow->from), int(arrow->to), arrow->column).c_str());
    ctx->WindowFocus("//###threads");
    IM_CHECK(yieldUntil(ctx, [&] { return shows(ctx, "###threads", "Y_shared_wmma.matrix_b_o reads Y_shared"); }));
    // What is chosen here then is not taken back.
    IM_CHECK(chooseStatement(ctx, "X_shared reads X", "at least"));
    ctx->Yield(5);
    IM_CHECK(shows(ctx, "###threads", "X_shared reads X"));
  });
}

TEST_F(Bench, TheStatementWhoseLanesCostTheMostIsOneClickAway) {
  drive([](ImGuiTestContext* ctx) {
    IM_CHECK(threadsAreShown(ctx, 48));
    IM_CHECK(yieldUntil(ctx, [&] { return ctx->ItemExists("###worst"); }));
    IM_CHECK(shows(ctx, "###threads", "X_shared: bank conflicts, 8 ways"));
    ctx->ItemClick("###worst");
    // The chosen one isn't named once more.
    IM_CHECK(yieldUntil(ctx, [&] { return !ctx->ItemExists("###worst"); }));
  });
}

TEST_F(Bench, TheOtherBuffersOfTheStatementAreShownAndChosen) {
  drive([](ImGuiTestContext* ctx) {
    IM_CHECK(threadsAreShown(ctx, 27));
    // First another statement than the one in question: what is waited for comes with the choice.
    IM_CHECK(chooseStatement(ctx, "X_shared reads X", "X_shared reads X"));
    pictures(ctx, 1);
    IM_CHECK(yieldUntil(ctx, [&] { return shows(ctx, "###threads", "What else X_shared touches"); }));
    IM_CHECK(chooseStatement(ctx, "Z reads X_shared", "Z reads X_shared"));
    IM_CHECK(yieldUntil(ctx, [&] {
      pictures(ctx, 1);
      return shows(ctx, "###threads", "What else Z touches");
    }));
    pictures(ctx, 1);
    IM_CHECK(shows(ctx, "###threads", "Y_shared"));
    ctx->ItemClick("**/other");  // the first: Z
    IM_CHECK(yieldUntil(ctx, [&] { return !shows(ctx, "###threads", "Z reads X_shared"); }));
  });
}

TEST_F(Bench, MultiprocessorsOfTheFirstWaveAreCounted) {
  drive([](ImGuiTestContext* ctx) {
    IM_CHECK(threadsAreShown(ctx, 48));
    IM_CHECK(yieldUntil(ctx, [&] { return shows(ctx, "###threads", "64 of 132 SMs have a block"); }));
    pictures(ctx, 0);
    ctx->ItemClick("**/###waves");
    ctx->Yield(3);
    IM_CHECK(shows(ctx, "###threads", "1 1 1 1 1 1 1 1"));
    ctx->ItemClick("**/###waves");
  });
}

TEST_F(Bench, HowOftenElementsAreTouchedIsCountedForWhoeverIsChosen) {
  drive([](ImGuiTestContext* ctx) {
    IM_CHECK(threadsAreShown(ctx, 48));
    auto count = [&](const char* scope) {
      const ImGuiTestItemInfo pictures = ctx->WindowInfo("//###threads/pictures");
      ctx->SetRef(pictures.Window);
      ImGui::SetScrollY(pictures.Window, pictures.Window->ScrollMax.y);
      ctx->Yield(3);
      ctx->ItemClick("inner/elements/##counted");
      ctx->Yield(2);
      ctx->ItemClick((std::string("//##Combo_00/###") + scope).c_str());
      ctx->Yield(2);
    };
    count("block");
    IM_CHECK(yieldUntil(ctx, [&] { return shows(ctx, "###threads", "over the kernel"); }));
    IM_CHECK(shows(ctx, "###threads", "how often: block 0"));
    count("grid");
    IM_CHECK(yieldUntil(ctx, [&] { return shows(ctx, "###threads", "how often: the grid"); }));
    // It holds for the next statement and the next state, too.
    modelOf(ctx).navigation().select(13);
    IM_CHECK(yieldUntil(ctx, [&] {
      return modelOf(ctx).programs().of(13) != nullptr && shows(ctx, "###threads", "how often: the grid");
    }));
  });
}

TEST_F(Bench, PicturesBeginAtTheSamePlaceInEveryState) {
  drive([](ImGuiTestContext* ctx) {
    IM_CHECK(threadsAreShown(ctx, 48));
    float top = -1;
    for (const int state : {1, 10, 20, 48, 50}) {  // with two loops and ten, with a warning and without
      modelOf(ctx).navigation().select(state);
      IM_CHECK(yieldUntil(ctx, [&] {
        return modelOf(ctx).models().isFinal(state) && ctx->ItemExists("##statement") &&
               !isDisabled(ctx, "##statement");
      }));
      ctx->Yield(3);
      const float y = ctx->WindowInfo("//###threads/pictures").Window->Pos.y;
      if (top >= 0) IM_CHECK_EQ(y, top);
      top = y;
    }
    IM_CHECK(settled(ctx));  // a list closes when what it is of is made anew
    ctx->ItemClick("##loops");
    IM_CHECK(yieldUntil(ctx, [&] { return shows(ctx, "##Combo_00", "k_0_0 all"); }));
    ctx->PopupCloseAll();
  });
}

// One lane stands for its warp where an intrinsic will fill the fragment.
TEST_F(Bench, AStateWithoutItsIntrinsicsShowsItsThreads) {
  drive([](ImGuiTestContext* ctx) {
    IM_CHECK(threadsAreShown(ctx, 48));
    modelOf(ctx).navigation().select(33);
    IM_CHECK(yieldUntil(ctx, [&] { return shows(ctx, "###threads", "no kernel yet"); }));
    IM_CHECK(ctx->ItemExists("##statement"));
  });
}

// A block a row of a result of 4096 rows: as a column it would be a hundred panels high.
TEST(GridOfBlocks, IsNoHigherThanAPanelAndKeepsAllBlocks) {
  const Look look;
  session::Arrangement column{1, 4096, {}, true, {}};
  for (const auto& [rows, columns] : {std::pair(4096, 64), {100, 16}, {17, 8}}) {
    column.rows = rows;
    const session::Arrangement drawn = panels::pictures::folded(look, column, 160);
    EXPECT_EQ(drawn.columns, columns);
    EXPECT_GE(drawn.columns * drawn.rows, rows);
    EXPECT_LT(drawn.columns * (drawn.rows - 1), rows);
    EXPECT_FALSE(drawn.byResult);
  }
  column.rows = 16;
  EXPECT_EQ(panels::pictures::folded(look, column, 160).columns, 1) << "which a panel has room for";
  const session::Arrangement matrix{8, 64, {}, true, {}};
  EXPECT_TRUE(panels::pictures::folded(look, matrix, 160).byResult) << "rows and columns mean something";
}

TEST_F(Bench, AStateWithoutThreadsSaysWhy) {
  drive([](ImGuiTestContext* ctx) {
    IM_CHECK(threadsAreShown(ctx, 48));
    modelOf(ctx).navigation().select(32);
    IM_CHECK(yieldUntil(ctx, [&] { return modelOf(ctx).programs().of(32) != nullptr; }));
    ctx->Yield(3);
    IM_CHECK(!ctx->ItemExists("##statement"));
    IM_CHECK(shows(ctx, "###threads", "No kernel, so no threads yet"));
    // The nearest kernels are a click away.
    IM_CHECK(yieldUntil(ctx, [&] { return ctx->ItemExists("###nextkernel"); }));
    ctx->ItemClick("###lastkernel");
    IM_CHECK_EQ(modelOf(ctx).navigation().current(), 27);
    modelOf(ctx).navigation().select(32);
    ctx->Yield(3);
    ctx->ItemClick("###nextkernel");
    IM_CHECK_EQ(modelOf(ctx).navigation().current(), 48);
    IM_CHECK(yieldUntil(ctx, [&] { return ctx->ItemExists("##statement"); }));
  });
}

}  // namespace
}  // namespace loom::window::thread_binding_panel_test
