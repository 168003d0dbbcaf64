#include <algorithm>

#include "core/document/chapter_order.h"
#include "tests/gui/compiling_bench.h"
#include "tests/gui/script.h"

namespace loom::window::sizes_panel_test {
namespace {

// A tensorized state, and Performance › Sizes in front.
bool sizesAreShown(ImGuiTestContext* ctx) {
  if (!startIsShown(ctx)) return false;
  auto& model = modelOf(ctx);
  model.navigation().goToChapter(kTensorized);
  if (!yieldUntil(ctx, [&] {
        return model.programs().of(model.navigation().current()) != nullptr && model.modelDevice().status().known;
      }))
    return false;
  ctx->WindowFocus("//###performance");
  ctx->SetRef("//###performance");
  ctx->ItemClick("###views/###sizes");
  ctx->Yield(2);
  return ctx->ItemExists("###sizes");
}

bool sweptThrough(ImGuiTestContext* ctx) {
  return yieldUntil(
      ctx, [&] { return modelOf(ctx).sweep().result() != nullptr && !modelOf(ctx).sweep().result()->running; });
}

TEST_F(Bench, TheStepsOfAStateAreTriedAtOtherSizes) {
  drive([](ImGuiTestContext* ctx) {
    IM_CHECK(sizesAreShown(ctx));
    auto& model = modelOf(ctx);
    IM_CHECK(shows(ctx, "###performance", "The same steps on a matrix product of other sizes"));
    write(ctx, "###sizes", "256..2048 1000 96x2048x1024");
    ctx->ItemClick("###run");
    IM_CHECK(sweptThrough(ctx));
    const tune::Sweep& sweep = *model.sweep().result();
    IM_CHECK_EQ(sweep.sizes.size(), std::size_t(6));
    IM_CHECK_EQ(sweep.sizes[1].product.n, 512);
    IM_CHECK_EQ(sweep.request.nodes.size(), std::size_t(1));
    IM_CHECK_EQ(sweep.request.nodes[0], model.navigation().current());
    // Fragments of 16 don't divide 1000.
    IM_CHECK(sweep.sizes[4].states[0].refusal.has_value());
    IM_CHECK(sweep.sizes[2].states[0].predicted.has_value());
    ctx->Yield(3);
    IM_CHECK(shows(ctx, "###performance", "% mma.sync peak"));  // of which peak the shares are
    ctx->ItemClick("###log");
    ctx->Yield(2);
    IM_CHECK(shows(ctx, "###performance", "10 100 1000 256"));
    ctx->ItemClick("###save");
    IM_CHECK(yieldUntil(ctx, [&] { return ctx->ItemExists("//###filename/###file"); }));
    IM_CHECK(shows(ctx, "###filename", "tensor_core_sizes.csv"));
    ctx->KeyPress(ImGuiKey_Escape);
    ctx->Yield(3);
    ctx->SetRef("//###performance");
    // The sweep is of the state that it was started for, whichever is shown now.
    const int node = model.navigation().current();
    model.navigation().select(20);
    ctx->Yield(3);
    IM_CHECK(model.sweep().result() == &sweep);
    ctx->ItemClick("**/###row");
    IM_CHECK_EQ(model.navigation().current(), node);
  });
}

TEST_F(Bench, SizesThatAreNoneAreRefusedAndNothingIsLost) {
  drive([](ImGuiTestContext* ctx) {
    IM_CHECK(sizesAreShown(ctx));
    auto& model = modelOf(ctx);
    write(ctx, "###sizes", "512");
    ctx->ItemClick("###run");
    IM_CHECK(sweptThrough(ctx));
    write(ctx, "###sizes", "512 large");
    ctx->ItemClick("###run");
    ctx->Yield(3);
    IM_CHECK_EQ(model.sweep().result()->sizes.size(), std::size_t(1));
    IM_CHECK(!model.sweep().result()->running);
    IM_CHECK(shows(ctx, "###performance", "\"large\" is no size"));
  });
}

TEST_F(Bench, SeveralStatesAndOtherTypesAreSwept) {
  drive([](ImGuiTestContext* ctx) {
    IM_CHECK(sizesAreShown(ctx));
    auto& model = modelOf(ctx);
    const int node = model.navigation().current();
    write(ctx, "###sizes", "512 1024");
    ctx->ItemClick("###states");
    ctx->Yield(2);
    const ImGuiTestItemInfo list = ctx->WindowInfo("//$FOCUSED/###states");
    ctx->SetRef(list.Window);
    ctx->KeyChars("13");
    ctx->Yield(3);
    ctx->ItemClick("$$13/###state");
    // It ends a chapter, whose title stands for it.
    const document::Target& target = *model.documents().target();
    const int chapter = document::chapterEndingAt(target, 13);
    IM_CHECK_GT(chapter, 0);
    IM_CHECK(shows(ctx, "##Combo_00", target.lesson->chapters[std::size_t(chapter)].title.at("en").c_str()));
    ctx->PopupCloseAll();
    ctx->SetRef("//###performance");
    IM_CHECK((model.sweep().choice().states == std::vector<int>{node, 13}));
    ctx->ItemClick("###types");
    ctx->Yield(2);
    ctx->ItemClick("//$FOCUSED/###float32\\/float32");
    IM_CHECK_STR_EQ(model.sweep().choice().dtypes.c_str(), "float32/float32");
    ctx->ItemClick("###run");
    IM_CHECK(sweptThrough(ctx));
    const tune::Sweep& sweep = *model.sweep().result();
    IM_CHECK_EQ(sweep.sizes[0].states.size(), std::size_t(2));
    IM_CHECK(sweep.sizes[0].product.input == ir::DType::Float(32));
    IM_CHECK(sweep.sizes[0].states[0].refusal.has_value());  // the intrinsics' operands are halves
    IM_CHECK(sweep.sizes[0].states[1].predicted.has_value());
    ctx->Yield(3);
    IM_CHECK(shows(ctx, "###performance", "% fp32 peak"));
  });
}

}  // namespace
}  // namespace loom::window::sizes_panel_test
