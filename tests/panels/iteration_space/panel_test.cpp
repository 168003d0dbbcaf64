#include <algorithm>
#include <chrono>
#include <cstdio>
#include <string>

#include "app/panels/loop_nest/view/loop_nest.h"
#include "app/ui/box_renderer.h"
#include "tests/gui/script.h"

namespace loom::window::iteration_space_panel_test {
namespace {

constexpr int kKernel = 48;  // the state after all intrinsics

bool boxIsShown(ImGuiTestContext* ctx, int state = kKernel) {
  if (!startIsShown(ctx)) return false;
  auto& model = modelOf(ctx);
  model.navigation().select(state);
  if (!yieldUntil(ctx, [&] { return model.programs().of(model.navigation().current()) != nullptr; })) return false;
  ctx->WindowFocus("//###iterations");
  ctx->Yield(3);
  ctx->SetRef("//###iterations");
  return yieldUntil(ctx, [&] { return ctx->ItemExists("picture"); });
}

// The rows of the cuts: what follows is found in them.
void inLevels(ImGuiTestContext* ctx) { ctx->SetRef(ctx->WindowInfo("//###iterations/levels").Window); }

std::string item(int level, const char* name) { return "$$" + std::to_string(level) + "/" + name; }

std::int64_t chosen(ImGuiTestContext* ctx, int level) {
  std::int64_t value = -100;
  inLevels(ctx);
  ctx->ItemReadAsScalar(item(level, "##child").c_str(), ImGuiDataType_S64, &value);
  return value;
}

void clickLevel(ImGuiTestContext* ctx, int level) {
  inLevels(ctx);
  ctx->ItemClick(item(level, "##level").c_str());
  ctx->Yield(3);
}

TEST_F(Bench, AClickOnAPieceChoosesItsBlockForThreadBindingToo) {
  drive([](ImGuiTestContext* ctx) {
    IM_CHECK(boxIsShown(ctx));
    clickLevel(ctx, 0);
    IM_CHECK(shows(ctx, "###iterations", "64 blocks (8 × 8): 128 × 128 × 1024"));
    IM_CHECK_EQ(chosen(ctx, 0), 0);
    ctx->ItemClick("//###iterations/picture");
    IM_CHECK(yieldUntil(ctx, [&] { return chosen(ctx, 0) > 0; }));
    IM_CHECK_EQ(modelOf(ctx).selection().thread().block, chosen(ctx, 0));
    ctx->Yield(3);
    ctx->WindowFocus("//###threads");
    ctx->Yield(5);
    ctx->SetRef("//###threads");
    IM_CHECK(yieldUntil(ctx, [&] { return ctx->ItemExists("##block") && !isDisabled(ctx, "##block"); }));
    std::int64_t block = -1;
    ctx->ItemReadAsScalar("##block", ImGuiDataType_S64, &block);
    IM_CHECK_EQ(block, modelOf(ctx).selection().thread().block);
  });
}

TEST_F(Bench, TheBoxIsCutAsAPreviewWouldCutItAndEscapeLeavesNoTrace) {
  drive([](ImGuiTestContext* ctx) {
    IM_CHECK(boxIsShown(ctx, 0));
    inLevels(ctx);
    IM_CHECK(ctx->ItemExists(item(2, "##level").c_str()));
    IM_CHECK(!ctx->ItemExists(item(3, "##level").c_str()));
    clickLevel(ctx, 2);
    ctx->ItemInputValue(item(2, "##child").c_str(), 700);
    IM_CHECK(yieldUntil(ctx, [&] { return chosen(ctx, 2) == 700; }));
    modelOf(ctx).preview().show("i, j, k = sch.get_loops(sch.get_block(\"Z\"))\nk0, k1 = sch.split(k, [None, 16])");
    IM_CHECK(yieldUntil(ctx, [&] {
      inLevels(ctx);
      return ctx->ItemExists(item(3, "##level").c_str());
    }));
    IM_CHECK_LT(chosen(ctx, 2), 64);  // of 64 runs of k_0
    IM_CHECK(shows(ctx, "###iterations", "64 runs of k_0: 1 × 1 × 16"));
    modelOf(ctx).preview().end();
    IM_CHECK(yieldUntil(ctx, [&] {
      inLevels(ctx);
      return !ctx->ItemExists(item(3, "##level").c_str()) && chosen(ctx, 2) == 700;
    }));
    IM_CHECK_EQ(modelOf(ctx).navigation().current(), 0);
  });
}

TEST_F(Bench, TheBoxIsTurnedExplodedCutOpenAndCutDeeper) {
  drive([](ImGuiTestContext* ctx) {
    IM_CHECK(boxIsShown(ctx));
    modelOf(ctx).selection().chooseThread({27, 5 * 32});
    clickLevel(ctx, 1);
    IM_CHECK(yieldUntil(ctx, [&] { return chosen(ctx, 1) == 5; }));
    IM_CHECK_EQ(chosen(ctx, 0), 27);
    IM_CHECK(shows(ctx, "###iterations", "16 warps (4 × 4): 32 × 32 × 1024"));
    ctx->ItemDragWithDelta("//###iterations/picture", {80, 30});
    ctx->Yield(2);
    IM_CHECK_EQ(chosen(ctx, 0), 27);  // a drag chooses nothing
    ctx->ItemInputValue("//###iterations/##explode", 60.0F);
    ctx->Yield(2);
    IM_CHECK(shows(ctx, "###iterations", "60 %"));
    ctx->ItemInputValue("//###iterations/$$2/##cut", 500);
    ctx->ItemInputValue("//###iterations/$$0/##cut", 300);
    ctx->Yield(2);
    IM_CHECK(shows(ctx, "###iterations", "i from 300"));
    IM_CHECK(shows(ctx, "###iterations", "k from 500"));
    ctx->ItemClick("//###iterations/###reset");
    ctx->MouseMove("//###iterations/picture");
    ctx->MouseWheelY(1);
    ctx->Yield(2);
    IM_CHECK_EQ(modelOf(ctx).selection().ids().size(), std::size_t(1));  // the loop that this level runs
    const auto level = modelOf(ctx).selection().ids();
    ctx->MouseWheelY(1);
    ctx->Yield(2);
    IM_CHECK(modelOf(ctx).selection().ids() != level);
  });
}

TEST_F(Bench, ASelectedLoopShowsItsCut) {
  drive([](ImGuiTestContext* ctx) {
    IM_CHECK(boxIsShown(ctx));
    const auto& rows = session::nestOf(*modelOf(ctx).programs().of(kKernel)).rows;
    const auto loop = std::find_if(rows.begin(), rows.end(), [](const auto& row) { return row.name == "k_0_1"; });
    IM_CHECK(loop != rows.end());
    modelOf(ctx).selection().select({loop->id});
    ctx->Yield(3);
    IM_CHECK(shows(ctx, "###iterations", "i 0–31 j 0–31 k 0–31 / 0–63"));
    modelOf(ctx).navigation().select(0);
    IM_CHECK(yieldUntil(ctx, [&] { return modelOf(ctx).programs().of(0) != nullptr; }));
    IM_CHECK(yieldUntil(ctx, [&] { return shows(ctx, "###iterations", "1024 runs of i: 1 × 1024 × 1024"); }));
  });
}

// OpenGL belongs to the main thread, where these run; scripts have one of their own.
TEST_F(Bench, AShaderThatIsNotTakenIsAReasonNotACrash) {
  views::BoxPicture broken("#version 330 core\nvoid main() { gl_Position = nothing; }\n", "");
  views::BoxView view;
  view.width = view.height = 16;
  EXPECT_FALSE(broken.draw({}, {}, view));
  ASSERT_TRUE(broken.problem());
  EXPECT_NE(broken.problem()->find("boxes.vert"), std::string::npos);
  EXPECT_NE(broken.problem()->find("nothing"), std::string::npos) << "the driver's words: " << *broken.problem();
  EXPECT_FALSE(broken.draw({}, {}, view)) << "it is not tried again";
}

TEST_F(Bench, AThousandBoxesAreDrawnInAFewMilliseconds) {
  views::BoxPicture picture;
  std::vector<views::Box> lit, veiled;
  for (int i = 31; i >= 0; --i) {
    for (int j = 0; j < 32; ++j) {
      const float x = float(j) / 32 - 0.5F, y = 0.5F - float(i + 1) / 32;
      (i == 10 ? lit : veiled)
          .push_back({{x, y, -0.5F},
                      {x + 0.031F, y + 0.031F, 0.5F},
                      0xff8080ff,
                      0xff000000,
                      std::uint8_t((j > 0 ? 1 : 0) | (i > 0 ? 2 : 0))});
    }
  }
  views::BoxView view;
  view.rotation = {0.87F, 0, 0.5F, 0.22F, 0.9F, -0.38F, -0.45F, 0.44F, 0.78F};
  view.width = 390;
  view.height = 420;
  view.pixels = 220;
  for (bool smooth : {true, false}) {
    view.smooth = smooth;
    ASSERT_TRUE(picture.draw(lit, veiled, view)) << *picture.problem();
    const ImTextureID before = picture.texture();
    constexpr int kTimes = 21;
    double best = 1e9;
    for (int i = 0; i < kTimes; ++i) {
      const auto begin = std::chrono::steady_clock::now();
      ASSERT_TRUE(picture.draw(lit, veiled, view));
      views::BoxPicture::finish();
      best =
          std::min(best, std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count());
    }
    std::printf("%s: %.2f ms a picture\n", smooth ? "four samples" : "one sample", best);
    EXPECT_LT(best, 40.0) << "the best of some, on a machine that may be busy";
    EXPECT_NE(picture.texture(), before) << "a frame that compares draw lists must see that this is another picture";
  }
}

}  // namespace
}  // namespace loom::window::iteration_space_panel_test
