// A history of ten thousand states, as a search leaves behind.
#include <fmt/format.h>
#include <imgui_internal.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <utility>
#include <vector>

#include "tests/gui/script.h"

namespace loom::window::history_large_panel_test {
namespace {

constexpr int kBranches = 100, kSteps = 100, kFrames = 300;

TEST_F(Bench, TenThousandStatesAreScrolledThroughWithoutAWait) {
  drive([](ImGuiTestContext* ctx) {
    IM_CHECK(lessonIsOpen(ctx));
    auto& model = modelOf(ctx);
    const std::uint64_t opened = model.opened();
    model.documents().openMatmul({16, 16, 16});
    IM_CHECK(yieldUntil(ctx, [&] { return model.opened() != opened; }));
    for (int branch = 0; branch < kBranches; ++branch) {
      std::string lines = "l = sch.get_loops(sch.get_block(\"Z\"))\n";
      for (int step = 0; step < kSteps; ++step) lines += fmt::format("sch.annotate(l[0], \"n{}\", {})\n", step, branch);
      model.navigation().select(0);
      IM_CHECK(!model.edits().apply(lines).refusal.has_value());
    }
    IM_CHECK_EQ(model.navigation().history().nodes().size(), std::size_t(kBranches * kSteps + 1));
    ctx->WindowFocus("//###history");
    IM_CHECK(yieldUntil(ctx, [&] { return model.programs().of(model.navigation().current()) != nullptr; }));
    // Until what is derived unasked is there: every state that is, changes what panels may show.
    std::uint64_t revision = 0;
    int still = 0;
    IM_CHECK(yieldUntil(ctx, [&] {
      still = std::exchange(revision, model.revision()) == model.revision() ? still + 1 : 0;
      return still > 20;
    }));
    ImGuiWindow* history = ImGui::FindWindowByName("###history");
    std::vector<double> times;
    for (int i = 0; i < kFrames; ++i) {
      ImGui::SetScrollY(history, history->ScrollMax.y * float(i) / kFrames);
      if (i % 20 == 10) model.navigation().select(i * 30);
      const auto start = std::chrono::steady_clock::now();
      ctx->Yield();
      times.push_back(std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count());
      // What is out of view isn't drawn.
      IM_CHECK_LT(history->DrawList->VtxBuffer.Size, 40000);
    }
    std::sort(times.begin(), times.end());
    auto share = [&](double part) { return times[std::size_t(part * kFrames)]; };
    fmt::print("10,001 states: frame p50 {:.1f} ms, p90 {:.1f} ms, p99 {:.1f} ms\n", share(0.5), share(0.9),
               share(0.99));
    // A tenth of it is what an idle machine takes; a loaded one must not fail here, a list that isn't clipped must.
    IM_CHECK_LT(share(0.5), 160.0);
  });
}

}  // namespace
}  // namespace loom::window::history_large_panel_test
