#include <imgui_internal.h>

#include "tests/gui/script.h"

namespace loom::window::jobs_test {
namespace {

using StatusKind = session::BackgroundStatus::Kind;

// A workbench whose device is the CPU: the lesson's states take minutes on it, so that jobs are seen to run.
class BusyBench : public Bench {
 protected:
  void prepare(WorkbenchOptions& options) override {
    options.model.bench.device = "auto";
    options.model.bench.workerCommand = options.model.bench.compilerCommand = ownCommand() + " worker";
  }
};

bool isBusyWith(ImGuiTestContext* ctx, StatusKind kind) {
  return yieldUntil(ctx, [&] { return modelOf(ctx).activity().kind == kind; });
}

bool isIdle(ImGuiTestContext* ctx) {
  return yieldUntil(ctx, [&] { return !modelOf(ctx).activity().busy; });
}

bool deviceIsFound(ImGuiTestContext* ctx) {
  return yieldUntil(ctx, [&] {
    return modelOf(ctx).modelDevice().status().here.has_value() && modelOf(ctx).documents().target() != nullptr;
  });
}

TEST_F(BusyBench, CompilingIsShownAndCancelled) {
  drive([](ImGuiTestContext* ctx) {
    IM_CHECK(deviceIsFound(ctx));
    const int last = int(modelOf(ctx).navigation().history().nodes().size()) - 1;
    IM_CHECK(yieldUntil(ctx, [&] { return modelOf(ctx).programs().of(last) != nullptr; }));
    IM_CHECK(isBusyWith(ctx, StatusKind::kCompiling));
    IM_CHECK(modelOf(ctx).activity().text.english().find(" of ") != std::string::npos);
    ctx->ItemClick("//###status/##MenuBar/###cancelactivity");
    ctx->Yield(2);
    IM_CHECK(!modelOf(ctx).activity().busy);
    // What was given up is compiled when the user comes to it.
    IM_CHECK(modelOf(ctx).compilations().of(last) == nullptr);
    modelOf(ctx).navigation().select(last);
    IM_CHECK(yieldUntil(ctx, [&] { return modelOf(ctx).compilations().of(last) != nullptr; }));
  });
}

TEST_F(BusyBench, MeasurementIsCancelledAndSteppingNeverWaits) {
  drive([](ImGuiTestContext* ctx) {
    session::Session& model = modelOf(ctx);
    IM_CHECK(deviceIsFound(ctx));
    const std::size_t states = model.navigation().history().nodes().size();
    IM_CHECK(yieldUntil(ctx, [&] { return model.programs().of(int(states) - 1) != nullptr; }));
    model.results().measure({});
    IM_CHECK(isBusyWith(ctx, StatusKind::kMeasuring));
    // A step of the user's own is derived and compiled while the measurement goes on.
    model.navigation().select(0);
    IM_CHECK(!model.edits().apply("b = sch.get_block(\"Z\")\nl = sch.get_loops(b)\nsch.unroll(l[2])").refusal);
    const int made = model.navigation().current();
    IM_CHECK(yieldUntil(ctx, [&] { return model.compilations().of(made) != nullptr; }));
    ctx->SetRef("//###lesson");
    ctx->ItemClick("###next");
    IM_CHECK_NE(model.navigation().current(), made);
    IM_CHECK(model.activity().kind == StatusKind::kMeasuring);
    IM_CHECK(shows(ctx, "###status", "Measuring"));
    ctx->ItemClick("//###performance/###cancel");
    IM_CHECK(isIdle(ctx));
    IM_CHECK(model.documents().target() != nullptr);
    IM_CHECK_EQ(model.navigation().history().nodes().size(), states + 1);
  });
}

TEST_F(BusyBench, MeasuredStateShowsItsTime) {
  drive([](ImGuiTestContext* ctx) {
    session::Session& model = modelOf(ctx);
    IM_CHECK(deviceIsFound(ctx));
    const std::uint64_t opened = model.opened();
    model.documents().openMatmul({16, 16, 16, "float32", "float32", false, true});
    IM_CHECK(yieldUntil(ctx, [&] { return model.opened() != opened && model.programs().of(0) != nullptr; }));
    IM_CHECK(shows(ctx, "##MainMenuBar", "not measured"));
    model.results().measure({});
    IM_CHECK(yieldUntil(ctx, [&] { return model.results().measured(0) != nullptr; }));
    IM_CHECK(yieldUntil(ctx, [&] { return !shows(ctx, "##MainMenuBar", "not measured"); }));
    IM_CHECK(isIdle(ctx));
  });
}

}  // namespace
}  // namespace loom::window::jobs_test
