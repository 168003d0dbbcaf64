// Which device the model answers for is chosen in the window, and all panels say it.
#include "app/panels/performance/view/performance.h"
#include "tests/gui/compiling_bench.h"
#include "tests/gui/script.h"

namespace loom::window::device_test {
namespace {

constexpr const char* kOther = "Tesla T4";

bool isModelled(ImGuiTestContext* ctx, const std::string& device) {
  auto& model = modelOf(ctx);
  return yieldUntil(ctx, [&] {
    const auto made = model.models().of(model.navigation().current());
    return made != nullptr && session::performanceOf(*made).device == device;
  });
}

void openTab(ImGuiTestContext* ctx, const char* tab) {
  ctx->WindowFocus("//###performance");
  ctx->SetRef("//###performance");
  ctx->ItemClick((std::string("###views/###") + tab).c_str());
  ctx->Yield(3);
}

bool choose(ImGuiTestContext* ctx, const char* item) {
  ctx->SetRef("//###status/##MenuBar");
  ctx->ItemClick("###statusdevice");
  if (!ctx->ItemExists((std::string("//$FOCUSED/") + item).c_str())) return false;
  ctx->ItemClick((std::string("//$FOCUSED/") + item).c_str());
  ctx->Yield(3);
  return true;
}

TEST_F(CompilingBench, TheModelsDeviceIsChosenInTheStatusLine) {
  drive([](ImGuiTestContext* ctx) {
    IM_CHECK(startIsShown(ctx));
    auto& model = modelOf(ctx);
    model.navigation().goToChapter(kTensorized);
    IM_CHECK(yieldUntil(ctx, [&] {
      return model.programs().of(model.navigation().current()) != nullptr && model.modelDevice().status().known;
    }));
    IM_CHECK(isModelled(ctx, "NVIDIA H200"));
    IM_CHECK(yieldUntil(ctx, [&] { return model.results().measured(model.navigation().current()) != nullptr; }));
    const double recorded = model.results().measured(model.navigation().current())->timing.median;
    IM_CHECK(shows(ctx, "###status", "NVIDIA H200"));
    IM_CHECK(!shows(ctx, "###status", kOther));
    IM_CHECK(choose(ctx, "###model t4"));
    IM_CHECK(isModelled(ctx, kOther));
    IM_CHECK(shows(ctx, "###status", kOther));
    IM_CHECK(shows(ctx, "###status", "NVIDIA H200"));  // whose times are recorded
    IM_CHECK_EQ(model.results().measured(model.navigation().current())->timing.median, recorded);
    ctx->WindowFocus("//###memory");
    ctx->Yield(3);
    IM_CHECK(shows(ctx, "###memory", kOther));
    openTab(ctx, "occupancy");
    IM_CHECK(yieldUntil(ctx, [&] { return shows(ctx, "###performance", kOther); }));
    openTab(ctx, "roofline");
    IM_CHECK(yieldUntil(ctx, [&] { return shows(ctx, "###performance", kOther); }));
    IM_CHECK(!shows(ctx, "###performance", "cuBLASLt"));  // an H200's
    openTab(ctx, "advice");
    IM_CHECK(yieldUntil(ctx, [&] { return shows(ctx, "###performance", "another device"); }));
    IM_CHECK(!shows(ctx, "###performance", "its parts may be as far off"));
    IM_CHECK(shows(ctx, "###lesson", kOther));
    IM_CHECK(choose(ctx, "###modelown"));
    IM_CHECK(isModelled(ctx, "NVIDIA H200"));
    IM_CHECK(!shows(ctx, "###status", kOther));
    IM_CHECK(!shows(ctx, "###lesson", kOther));
  });
}

TEST_F(Bench, TheModelsDeviceIsInTheViewMenuAndThePalette) {
  drive([](ImGuiTestContext* ctx) {
    IM_CHECK(startIsShown(ctx));
    IM_CHECK(yieldUntil(ctx, [&] { return !modelOf(ctx).modelDevice().devices().empty(); }));
    ctx->MenuClick("//##MainMenuBar/###view/###modeldevice/###model a100_80");
    ctx->Yield(3);
    IM_CHECK_STR_EQ(modelOf(ctx).modelDevice().status().chosen.c_str(), "NVIDIA A100-SXM4-80GB");
    IM_CHECK(shows(ctx, "###status", "NVIDIA A100-SXM4-80GB"));
    ctx->KeyPress(ImGuiMod_Ctrl | ImGuiKey_P);
    ctx->Yield(2);
    ctx->KeyChars("3080");
    ctx->Yield(2);
    ctx->KeyPress(ImGuiKey_Enter);
    ctx->Yield(3);
    IM_CHECK_STR_EQ(modelOf(ctx).modelDevice().status().chosen.c_str(), "NVIDIA GeForce RTX 3080");
    IM_CHECK(shows(ctx, "###status", "NVIDIA GeForce RTX 3080"));
  });
}

// With a pretended GPU that no file describes.
class UndescribedBench : public CompilingBench {
 protected:
  void prepare(WorkbenchOptions& options) override {
    CompilingBench::prepare(options);
    options.model.bench.device = "auto";
    options.model.bench.workerCommand = ownCommand() + " worker ada";
  }
};

constexpr const char* kUndescribed = "NVIDIA RTX 6000 Ada Generation";

TEST_F(UndescribedBench, TheGpuHereIsDescribedByItsDriverAndItsCeilingsAreMeasured) {
  static std::filesystem::path data;
  data = folder() / "data";
  restart([](WorkbenchOptions& options) { options.model.dataFolder = data; });
  drive([](ImGuiTestContext* ctx) {
    IM_CHECK(startIsShown(ctx));
    auto& model = modelOf(ctx);
    model.navigation().goToChapter(kTensorized);
    IM_CHECK(isModelled(ctx, kUndescribed));
    openTab(ctx, "roofline");
    IM_CHECK(yieldUntil(ctx, [&] { return shows(ctx, "###performance", "Measure ceilings"); }));
    IM_CHECK(shows(ctx, "###performance", "91 stated"));  // TFLOP/s of fp32, from its clock
    IM_CHECK(!shows(ctx, "###performance", "TB/s measured"));
    ctx->ItemClick("//###performance/**/###measureceilings");
    IM_CHECK(yieldUntil(ctx, [&] { return !model.modelDevice().ceilings().measured.empty(); }));
    IM_CHECK(!model.modelDevice().ceilings().problem);
    IM_CHECK(isModelled(ctx, kUndescribed));
    IM_CHECK(yieldUntil(ctx, [&] { return shows(ctx, "###performance", "Measure again"); }));
    IM_CHECK(yieldUntil(ctx, [&] { return shows(ctx, "###performance", "TB/s measured"); }));
    IM_CHECK(std::filesystem::exists(data / "probed" / "nvidia_rtx_6000_ada_generation.json"));
  });
  // They are known from the beginning to the next window.
  restart([](WorkbenchOptions& options) { options.model.dataFolder = data; });
  drive([](ImGuiTestContext* ctx) {
    IM_CHECK(startIsShown(ctx));
    auto& model = modelOf(ctx);
    model.navigation().goToChapter(kTensorized);
    IM_CHECK(isModelled(ctx, kUndescribed));
    openTab(ctx, "roofline");
    IM_CHECK(yieldUntil(ctx, [&] { return shows(ctx, "###performance", "TB/s measured"); }));
    IM_CHECK(shows(ctx, "###performance", "Measure again"));
  });
}

TEST_F(UndescribedBench, CeilingsThatCannotBeKeptLiveAsLongAsTheWindow) {
  static std::filesystem::path data;
  data = folder() / "data";
  restart([](WorkbenchOptions& options) { options.model.dataFolder = data; });
  drive([](ImGuiTestContext* ctx) {
    IM_CHECK(startIsShown(ctx));
    auto& model = modelOf(ctx);
    IM_CHECK(yieldUntil(ctx, [&] { return model.modelDevice().status().known; }));
    std::filesystem::create_directories(data);
    std::ofstream(data / "probed") << "a file where the folder would be";
    model.modelDevice().measureCeilings();
    IM_CHECK(model.modelDevice().ceilings().underWay);
    IM_CHECK(yieldUntil(ctx, [&] { return !model.modelDevice().ceilings().underWay; }));
    IM_CHECK(model.modelDevice().ceilings().problem.has_value());
    model.navigation().goToChapter(kTensorized);
    IM_CHECK(isModelled(ctx, kUndescribed));
    openTab(ctx, "roofline");
    IM_CHECK(yieldUntil(ctx, [&] { return shows(ctx, "###performance", "TB/s measured"); }));
  });
}

}  // namespace
}  // namespace loom::window::device_test
