#include "tests/gui/compiling_bench.h"
#include "tests/panels/thread_binding/threads.h"

namespace loom::window::thread_binding_fragment_panel_test {
namespace {

// A cell's middle of the picture, which has `columns` × `rows` of them.
void hoverCell(ImGuiTestContext* ctx, int row, int column, int rows, int columns) {
  const ImRect all = ctx->ItemInfo("inner/fragment/fragmentLanes").RectFull;
  ctx->MouseMoveToPos({all.Min.x + (float(column) + 0.5F) * all.GetWidth() / float(columns),
                       all.Min.y + (float(row) + 0.5F) * all.GetHeight() / float(rows)});
}

void chooseLayout(ImGuiTestContext* ctx, const char* id) {
  ctx->ItemClick("inner/fragment/##layout");
  ctx->Yield(2);
  ctx->ItemClick((std::string("//##Combo_00/###") + id).c_str());
  settled(ctx);
}

// The layout comes from a probe's file or a probe kernel, in the background.
bool fragmentIsThere(ImGuiTestContext* ctx) {
  return yieldUntil(ctx,
                    [&] {
                      pictures(ctx, 1);
                      return ctx->ItemExists("inner/fragment/fragmentLanes");
                    }) &&
         settled(ctx);
}

constexpr const char* kLoad = "X_shared_wmma.matrix_a_o reads X_shared";

TEST_F(CompilingBench, AFragmentsCellSaysLaneRegisterAndHalf) {
  drive([](ImGuiTestContext* ctx) {
    IM_CHECK(threadsAreShown(ctx, 48));
    IM_CHECK(chooseStatement(ctx, kLoad, "8-way bank conflict"));
    const ImGuiWindow* window = pictures(ctx, 1);
    IM_CHECK(fragmentIsThere(ctx));
    hoverCell(ctx, 14, 5, 16, 16);
    const float height = window->ContentSize.y;
    IM_CHECK_STR_EQ(tip(ctx).c_str(), "lane 26, R1 high half: A[14, 5]");
    IM_CHECK_EQ(window->ContentSize.y, height);
    // By registers, by the PTX tables; the lane that is clicked is the chosen one.
    ctx->ItemClick("inner/fragment/###byregister");
    chooseLayout(ctx, "mma_c");
    hoverCell(ctx, 14, 5, 16, 8);
    IM_CHECK_STR_EQ(tip(ctx).c_str(), "lane 26, R3: C[14, 5]");
    ctx->MouseClick();
    IM_CHECK(yieldUntil(ctx, [&] { return modelOf(ctx).selection().thread().thread == 26; }));
    IM_CHECK(yieldUntil(ctx, [&] {
      pictures(ctx, 1);
      return shows(ctx, "###threads", "lane 26: R0 C[6, 4], R1 C[6, 5], R2 C[14, 4], R3 C[14, 5]");
    }));
    IM_CHECK(shows(ctx, "###threads", "Matrix Fragments for mma.m16n8k16"));
  });
}

TEST_F(CompilingBench, LdmatrixIsHeldAgainstWhatTheMachineCodeHas) {
  drive([](ImGuiTestContext* ctx) {
    IM_CHECK(startIsShown(ctx));
    modelOf(ctx).navigation().goToChapter(kTensorized);
    IM_CHECK(threadsAreShown(ctx, modelOf(ctx).navigation().current()));
    IM_CHECK(chooseStatement(ctx, kLoad, "bank conflict"));
    pictures(ctx, 1);
    chooseLayout(ctx, "x4_trans");
    IM_CHECK(yieldUntil(ctx, [&] {
      pictures(ctx, 1);
      return shows(ctx, "###threads", "none of them is ldmatrix.x4.trans");
    }));
    IM_CHECK(shows(ctx, "###threads", "16 × LDSM.16.M88.4"));
    IM_CHECK(shows(ctx, "###threads", "32 × HMMA.16816.F32"));
    chooseLayout(ctx, "x4");
    pictures(ctx, 1);
    IM_CHECK(!shows(ctx, "###threads", "none of them"));
    // The first column is of addresses: the upper left one is lane 0's.
    const ImRect all = ctx->ItemInfo("inner/fragment/fragmentLanes").RectFull;
    ctx->MouseMoveToPos({all.Min.x + 5, all.Min.y + 0.25F * all.GetHeight()});
    IM_CHECK(tip(ctx).find("gives the address of matrix 0, row") != std::string::npos);
  });
}

// The disassembler gives the probe kernels of sm_80 whatever it is given.
class ProbingBench : public CompilingBench {
 protected:
  const char* disassembly() const override { return "tests/model/fragments/sm_80.sass"; }
};

TEST_F(ProbingBench, WmmasLayoutIsTheChosenDevicesOwn) {
  drive([](ImGuiTestContext* ctx) {
    IM_CHECK(threadsAreShown(ctx, 48));
    IM_CHECK(chooseStatement(ctx, kLoad, "8-way bank conflict"));
    IM_CHECK(fragmentIsThere(ctx));
    IM_CHECK(yieldUntil(ctx, [&] {
      pictures(ctx, 1);  // what is laid out anew may have left the window's part that is drawn
      return shows(ctx, "###threads", "a probe kernel showed on NVIDIA H200 (sm_90)");
    }));
    modelOf(ctx).chooseDevice("NVIDIA A100-SXM4-80GB");
    IM_CHECK(yieldUntil(ctx, [&] {
      pictures(ctx, 1);
      return shows(ctx, "###threads", "for sm_80 by NVRTC");
    }));
    IM_CHECK(!shows(ctx, "###threads", "H200 (sm_90)"));
    IM_CHECK(fragmentIsThere(ctx));
    hoverCell(ctx, 14, 5, 16, 16);
    IM_CHECK_STR_EQ(tip(ctx).c_str(), "lane 26, R1 high half: A[14, 5]");
    // A shape whose kernel that code hasn't: nothing is shown for it, and why is said.
    chooseLayout(ctx, "matrix_b_8x32x16_float16_row");
    IM_CHECK(yieldUntil(ctx, [&] {
      pictures(ctx, 1);
      return shows(ctx, "###threads", "no kernel matrix_b_8x32x16_float16_row");
    }));
    IM_CHECK(!ctx->ItemExists("inner/fragment/fragmentLanes"));
  });
}

}  // namespace
}  // namespace loom::window::thread_binding_fragment_panel_test
