#include <imgui_internal.h>

#include <fstream>
#include <iterator>
#include <set>
#include <tuple>

#include "app/panels/code/view/listing.h"
#include "core/document/kernel.h"
#include "core/intrin/intrinsic.h"
#include "core/profile/profile_file.h"
#include "tests/gui/compiling_bench.h"
#include "tests/gui/script.h"
#include "tests/profile/made_up.h"
#include "tests/profile/recorded.h"

namespace loom::window::stalls_panel_test {
namespace {

// The machine code that the tests' disassembler knows.
sass::Kernel knownSass() {
  std::ifstream in(std::string(TILELOOM_SOURCE_DIR) + "/tests/gui/tensor_core.sass");
  auto read = sass::parse({std::istreambuf_iterator<char>(in), {}});
  if (!read) throw std::runtime_error(read.error().message.english());
  return read->front();
}

// The key of the tensorized state's kernel.
std::string keyOfState() {
  const std::filesystem::path assets = std::string(TILELOOM_SOURCE_DIR) + "/assets";
  const auto intrinsics = intrin::Library::load(assets / "intrinsics").value();
  const auto target = document::openTarget({"tensor_core"}, assets, {&intrinsics}).value();
  const int node = target.chapterNodes.at(kTensorized);
  return document::makeKernel(target.history.node(node).state).key;
}

// With made-up samples of the machine code kept in the user's folder.
class StalledBench : public CompilingBench {
 protected:
  void prepare(WorkbenchOptions& options) override {
    CompilingBench::prepare(options);
    profile::ProfileFile file;
    file.date = "2026-11-22";
    file.device = "NVIDIA H200";
    file.tool = verbatim("ncu 2025.3.1.0");
    file.how = message("second execution; caches and clocks as they are");
    file.states.push_back({keyOfState(), "", samples()});
    const auto kept = options.model.dataFolder / "profiles";
    std::filesystem::create_directories(kept);
    std::ofstream(kept / profile::profileFileName(file.states[0].source, file.device)) << profile::writeProfiles(file);
  }
  virtual std::vector<profile::StallProfile> samples() const {
    return profile::readNcuCsv(profile::madeUpCsv(knownSass()), "made up").value();
  }
};

// With samples of other machine code.
class BenchWithOtherStalls : public StalledBench {
  std::vector<profile::StallProfile> samples() const override {
    auto made = StalledBench::samples();
    made[0].instructions[6].text = "NOP";
    return made;
  }
};

// With a pretended GPU and a pretended ncu, and without the samples that the program ships.
class SamplingBench : public CompilingBench {
 protected:
  void prepare(WorkbenchOptions& options) override {
    CompilingBench::prepare(options);
    const std::filesystem::path assets = folder() / "assets";
    std::filesystem::create_directories(assets);
    for (const auto& entry : std::filesystem::directory_iterator(options.model.assets)) {
      const auto name = entry.path().filename();
      if (name != "profiled") std::filesystem::create_symlink(entry.path(), assets / name);
    }
    options.model.assets = options.model.bench.assets = assets;
    options.model.bench.device = "auto";
    options.model.bench.workerCommand = options.model.bench.localWorkerCommand = ownCommand() + " worker gpu";
    const std::string fake = std::string(TILELOOM_SOURCE_DIR) + "/tests/profile/fake_ncu";
    std::filesystem::create_symlink(fake, folder() / "toolkit" / "bin" / "ncu");
    std::ofstream(folder() / "printed.csv") << profile::madeUpCsv(knownSass());
    setenv("FAKE_NCU_CSV", (folder() / "printed.csv").c_str(), 1);
    setenv("FAKE_NCU_LOG", (folder() / "called").c_str(), 1);
    setenv("FAKE_NCU", mode(), 1);
  }
  virtual const char* mode() const { return ""; }
};

class RefusedSamplingBench : public SamplingBench {
  const char* mode() const override { return "refused"; }
};

// The tensorized state and its SASS are shown.
bool sassIsShown(ImGuiTestContext* ctx) {
  if (!startIsShown(ctx)) return false;
  auto& model = modelOf(ctx);
  model.navigation().goToChapter(kTensorized);
  ctx->WindowFocus("//###sass");
  return yieldUntil(ctx, [&] {
    const auto made = model.models().of(model.navigation().current(), session::ModelBasis::kMachineCode);
    return made && made->machine;
  });
}

std::shared_ptr<const document::StallResult> stallsOf(ImGuiTestContext* ctx) {
  return modelOf(ctx).stalls().of(modelOf(ctx).navigation().current());
}

// The instructions on show and where: x, y, text.
std::set<std::tuple<float, float, std::string>> instructionsOf(ImGuiTestContext* ctx) {
  ctx->Yield(2);
  std::set<std::tuple<float, float, std::string>> all;
  for (const TextRun& text : drawnText("###sass")) {
    const bool code = std::string_view(text.window->Name).find("code") != std::string_view::npos;
    if (code && text.text.size() > 4 && text.text.find('.') != std::string::npos && text.text[0] >= 'A')
      all.emplace(text.ink.from.x, text.ink.from.y, text.text);
  }
  return all;
}

TEST_F(StalledBench, KeptSamplesStandBesideSassAndCudaAndInTheTable) {
  drive([](ImGuiTestContext* ctx) {
    IM_CHECK(sassIsShown(ctx));
    auto& model = modelOf(ctx);
    IM_CHECK(yieldUntil(ctx, [&] { return stallsOf(ctx) && stallsOf(ctx)->view; }));
    ctx->Yield(3);
    const auto stalls = stallsOf(ctx);
    IM_CHECK(!stalls->problem);
    const auto made = model.models().of(model.navigation().current(), session::ModelBasis::kMachineCode);
    IM_CHECK_EQ(stalls->view->instructions.size(), made->machine->instructions.size());
    IM_CHECK(stalls->view->total.main() == profile::StallReason::kLongScoreboard);
    // Every line that is an instruction knows which.
    IM_CHECK_EQ(session::listingOf(*made)->instructionOf.size(), session::listingOf(*made)->lines.size());
    IM_CHECK(shows(ctx, "###sass", "LS long scoreboard 83 %"));
    // The column goes and comes by the menu.
    ctx->SetRef(ctx->WindowInfo("//###sass/###code").Window);
    ctx->ItemClick(("$$" + std::to_string(session::listingOf(*made)->hotFirst + 1) + "/###line").c_str(),
                   ImGuiMouseButton_Right);
    ctx->Yield(2);
    IM_CHECK(ctx->ItemExists("//$FOCUSED/###stalls"));
    ctx->KeyPress(ImGuiKey_Escape);
    model.selection().select({});
    ctx->WindowFocus("//###cuda");
    ctx->Yield(3);
    IM_CHECK(shows(ctx, "###cuda", "WA const int bx"));
    ctx->WindowFocus("//###performance");
    ctx->SetRef("//###performance");
    ctx->ItemClick("###views/###stalls");
    ctx->Yield(3);
    IM_CHECK(shows(ctx, "###performance", "not issued"));
    IM_CHECK(shows(ctx, "###performance", "what it means"));
    // A line of the page selects its CUDA line.
    model.selection().select({});
    ctx->ItemClick("**/$$0/###place");
    ctx->Yield(3);
    IM_CHECK_EQ(model.selection().cudaLine(), stalls->view->lines.front().stalls.line);
    ctx->ItemClick("**/###bystep");
    ctx->Yield(3);
    IM_CHECK(shows(ctx, "###performance", "cache_read, step 14"));
    ctx->ItemClick("**/###byloop");
    ctx->Yield(3);
    IM_CHECK(shows(ctx, "###performance", "outside of loops"));
    model.comparison().with(model.navigation().node().parent);
    ctx->Yield(3);
    model.comparison().end();
    workbenchOf(ctx).settings().theme = Theme::kLight;
    workbenchOf(ctx).settings().language = text::Language::kChinese;
    ctx->Yield(3);
    IM_CHECK(shows(ctx, "###performance", "停顿（2180 个样本）"));
    ctx->WindowFocus("//###sass");
    ctx->Yield(3);
    IM_CHECK(shows(ctx, "###sass", "停顿（2180 个样本）"));
  });
}

TEST_F(StalledBench, TheHoverSaysWhatALineWaitsFor) {
  drive([](ImGuiTestContext* ctx) {
    IM_CHECK(sassIsShown(ctx));
    IM_CHECK(yieldUntil(ctx, [&] { return stallsOf(ctx) && stallsOf(ctx)->view; }));
    ctx->Yield(3);
    const int line = session::listingOf(*modelOf(ctx).models().of(modelOf(ctx).navigation().current()))->hotFirst + 2;
    ctx->SetRef(ctx->WindowInfo("//###sass/###code").Window);
    ctx->MouseMove(("$$" + std::to_string(line) + "/###line").c_str());
    ctx->SleepNoSkip(1.0F, 0.1F);
    IM_CHECK(tip(ctx).find("LDG.E.128.CONSTANT: load from global memory") != std::string::npos);
    IM_CHECK(tip(ctx).find("LS 100 % long scoreboard") != std::string::npos);
  });
}

TEST_F(BenchWithOtherStalls, SamplesOfOtherCodeAreNotShownButNamed) {
  drive([](ImGuiTestContext* ctx) {
    IM_CHECK(sassIsShown(ctx));
    IM_CHECK(yieldUntil(ctx, [&] { return stallsOf(ctx) && stallsOf(ctx)->problem; }));
    IM_CHECK(!stallsOf(ctx)->view);
    IM_CHECK_STR_EQ(stallsOf(ctx)->problem->code.c_str(), "OtherCode");
    ctx->Yield(3);
    IM_CHECK(shows(ctx, "###sass", "No stalls: the profile is of other machine code"));
    // Here is no device: there is nothing to press.
    IM_CHECK(!ctx->ItemExists("//###sass/###samplestalls"));
  });
}

TEST_F(SamplingBench, AButtonSamplesAndTheSamplesAreKept) {
  drive([](ImGuiTestContext* ctx) {
    IM_CHECK(sassIsShown(ctx));
    IM_CHECK(yieldUntil(ctx, [&] { return stallsOf(ctx) != nullptr && modelOf(ctx).stalls().sampler() != nullptr; }));
    IM_CHECK(modelOf(ctx).stalls().sampler()->has_value());
    IM_CHECK(!stallsOf(ctx)->file);
    ctx->Yield(3);
    ctx->SetRef("//###sass");
    IM_CHECK(shows(ctx, "###sass", "Stalls: not sampled"));
    const auto before = instructionsOf(ctx);
    IM_CHECK_GT(before.size(), 5U);
    ctx->ItemClick("###samplestalls");
    IM_CHECK(yieldUntil(ctx, [&] { return stallsOf(ctx)->view || stallsOf(ctx)->problem; }));
    IM_CHECK(stallsOf(ctx)->view.has_value());
    IM_CHECK_STR_EQ(stallsOf(ctx)->file->device.c_str(), "NVIDIA H200");
    IM_CHECK_STR_EQ(stallsOf(ctx)->file->tool.english().c_str(), "ncu 2025.3.1.0");
    ctx->Yield(3);
    IM_CHECK(!ctx->ItemExists("###samplestalls"));
    IM_CHECK(shows(ctx, "###sass", "Stalls in 2180 samples"));
    const auto after = instructionsOf(ctx);  // each where it was
    IM_CHECK(std::includes(after.begin(), after.end(), before.begin(), before.end()));
    const auto kept = modelOf(ctx).options().dataFolder / "profiles";
    IM_CHECK_EQ(std::distance(std::filesystem::directory_iterator(kept), {}), 1);
  });
}

TEST_F(RefusedSamplingBench, WhyNothingWasSampledIsSaid) {
  drive([](ImGuiTestContext* ctx) {
    IM_CHECK(sassIsShown(ctx));
    IM_CHECK(yieldUntil(ctx, [&] { return stallsOf(ctx) != nullptr && modelOf(ctx).stalls().sampler() != nullptr; }));
    ctx->Yield(3);
    ctx->SetRef("//###sass");
    ctx->ItemClick("###samplestalls");
    IM_CHECK(yieldUntil(ctx, [&] { return stallsOf(ctx)->problem.has_value(); }));
    IM_CHECK_STR_EQ(stallsOf(ctx)->problem->code.c_str(), "NoCounters");
    ctx->Yield(3);
    IM_CHECK(ctx->ItemExists("###samplestalls"));  // to try again
    IM_CHECK(shows(ctx, "###sass", "lets only administrators read"));
  });
}

}  // namespace
}  // namespace loom::window::stalls_panel_test
