#include <string>

#include "app/panels/memory/view/memory.h"
#include "tests/gui/compiling_bench.h"
#include "tests/gui/script.h"

namespace loom::window::memory_panel_test {
namespace {

bool memoryIsShown(ImGuiTestContext* ctx) {
  if (!startIsShown(ctx)) return false;
  auto& model = modelOf(ctx);
  model.navigation().select(int(model.navigation().history().nodes().size()) - 1);
  ctx->WindowFocus("//###memory");
  ctx->SetRef("//###memory");
  return yieldUntil(ctx, [&] { return ctx->ItemExists("per block"); });
}

TEST_F(Bench, ABufferOfTheMemoryHierarchyIsSelectedInTheCode) {
  drive([](ImGuiTestContext* ctx) {
    IM_CHECK(memoryIsShown(ctx));
    ctx->SetRef(ctx->WindowInfo("//###memory/levels").Window);
    IM_CHECK(yieldUntil(ctx, [&] { return ctx->ItemExists("X_shared/buffer"); }));
    ctx->ItemClick("X_shared/buffer");
    ctx->Yield(2);
    IM_CHECK_EQ(modelOf(ctx).selection().ids().size(), std::size_t(1));
    ctx->SetRef("//###memory");
    ctx->ItemClick("whole grid");
    ctx->Yield(2);
    IM_CHECK(shows(ctx, "###memory", "128 MiB"));
  });
}

TEST_F(Bench, ABufferWithBankConflictsIsMarkedInTheNarrowPictureToo) {
  drive([](ImGuiTestContext* ctx) {
    IM_CHECK(startIsShown(ctx));
    auto& model = modelOf(ctx);
    ctx->WindowFocus("//###memory");
    model.navigation().select(48);
    IM_CHECK(yieldUntil(ctx, [&] { return shows(ctx, "###memory", "8-way"); }));
    model.navigation().select(50);  // the rows lie apart
    IM_CHECK(yieldUntil(ctx, [&] { return shows(ctx, "###memory", "18 KiB"); }));
    IM_CHECK(!shows(ctx, "###memory", "8-way"));
  });
}

TEST_F(Bench, AStateThatIsNoKernelShowsItsBuffersWithoutTraffic) {
  drive([](ImGuiTestContext* ctx) {
    IM_CHECK(memoryIsShown(ctx));
    modelOf(ctx).navigation().select(32);  // two kernels would share the accumulator
    // The choice keeps its place, so that the levels do.
    IM_CHECK(yieldUntil(ctx, [&] { return isDisabled(ctx, "//###memory/per block"); }));
    ctx->SetRef(ctx->WindowInfo("//###memory/levels").Window);
    IM_CHECK(ctx->ItemExists("X_shared/buffer"));
    IM_CHECK(shows(ctx, "###memory", "No kernel, so no traffic yet"));
  });
}

// 36 KiB of a block are 37 in the budget: the difference is named.
TEST_F(Bench, TheBudgetOfSharedMemorySaysWhatTheDriverReserves) {
  drive([](ImGuiTestContext* ctx) {
    IM_CHECK(memoryIsShown(ctx));
    IM_CHECK(yieldUntil(ctx, [&] { return shows(ctx, "###memory", "+1 KiB reserved by the driver"); }));
    ctx->ScrollToBottom(ctx->WindowInfo("//###memory/levels").ID);
    IM_CHECK(shows(ctx, "###memory", "measured"));  // the rates' origin
    IM_CHECK(shows(ctx, "###memory", "in sectors of 32 B"));
    IM_CHECK(shows(ctx, "###memory", "Carried, as Roofline counts it: "));
  });
}

// As compiled a copy to shared memory passes registers: other arrows, and they say their instructions.
TEST_F(CompilingBench, TheMemoryHierarchyShowsTheArrowsOfTheMachineCode) {
  drive([](ImGuiTestContext* ctx) {
    IM_CHECK(memoryIsShown(ctx));
    auto& model = modelOf(ctx);
    model.navigation().select(13);
    IM_CHECK(yieldUntil(ctx, [&] { return isDisabled(ctx, "//###memory/as compiled"); }));
    model.navigation().goToChapter(kTensorized);
    IM_CHECK(yieldUntil(ctx, [&] {
      const auto state = model.models().of(model.navigation().current(), session::ModelBasis::kMachineCode);
      return state && !session::memoryOf(*state).compiledTraffic.empty() && !isDisabled(ctx, "//###memory/as compiled");
    }));
    const std::string copied = "traffic 1 2 0/arrow", put = "traffic 3 2 0/arrow";  // L2 → shared, registers → shared
    auto exists = [&](const std::string& arrow) {
      ctx->SetRef(ctx->WindowInfo("//###memory/levels").Window);
      return ctx->ItemExists(arrow.c_str());
    };
    IM_CHECK(exists(copied) && !exists(put));
    ctx->ItemClick("//###memory/as compiled");
    ctx->Yield(3);
    IM_CHECK(!exists(copied) && exists(put));
    ctx->MouseMove(put.c_str());
    IM_CHECK(yieldUntil(ctx, [&] { return ctx->UiContext->TooltipPreviousWindow != nullptr; }));
    ctx->ItemClick("//###memory/as written");
    ctx->Yield(3);
    IM_CHECK(exists(copied) && !exists(put));
  });
}

// What only lacks its intrinsics is counted as written, and says so.
TEST_F(Bench, AStateWithoutItsIntrinsicsShowsItsTraffic) {
  drive([](ImGuiTestContext* ctx) {
    IM_CHECK(memoryIsShown(ctx));
    modelOf(ctx).navigation().select(33);
    IM_CHECK(yieldUntil(ctx, [&] { return shows(ctx, "###memory", "No kernel yet"); }));
    IM_CHECK(!isDisabled(ctx, "//###memory/per block"));
    IM_CHECK(shows(ctx, "###memory", "16 KiB"));
    IM_CHECK(shows(ctx, "###memory", "1 MiB"));  // shared → fragments, per block
  });
}

TEST_F(Bench, TheMemoryHierarchyShowsWhatAStepInTheMakingWouldMove) {
  drive([](ImGuiTestContext* ctx) {
    IM_CHECK(memoryIsShown(ctx));
    auto& model = modelOf(ctx);
    model.navigation().select(13);  // before the first cache
    IM_CHECK(yieldUntil(ctx, [&] { return model.models().of(13) != nullptr; }));
    ctx->Yield(3);
    ctx->SetRef(ctx->WindowInfo("//###memory/levels").Window);
    IM_CHECK(!ctx->ItemExists("X_shared/buffer"));
    model.preview().show("x = sch.cache_read(b10, 0, \"shared\")");
    IM_CHECK(yieldUntil(ctx, [&] { return model.preview().step()->program || model.preview().step()->refusal; }));
    IM_CHECK(!model.preview().step()->refusal);
    IM_CHECK(yieldUntil(ctx, [&] { return ctx->ItemExists("X_shared/buffer"); }));
    IM_CHECK(shows(ctx, "###memory", "No kernel, so no traffic yet"));
    model.preview().end();
    IM_CHECK(yieldUntil(ctx, [&] { return !ctx->ItemExists("X_shared/buffer"); }));
  });
}

}  // namespace
}  // namespace loom::window::memory_panel_test
