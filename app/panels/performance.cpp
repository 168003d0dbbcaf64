#include "app/panels/performance.h"

#include <fmt/format.h>
#include <imgui.h>

#include <iterator>

#include "app/panels/advice.h"
#include "app/panels/empty.h"
#include "app/panels/instruction_mix.h"
#include "app/panels/occupancy.h"
#include "app/panels/panel_text.h"
#include "app/panels/time_text.h"
#include "app/text/performance.h"
#include "app/text/window.h"
#include "app/window/layouts.h"
#include "app/window/look.h"
#include "app/workbench/workbench.h"

namespace loom::panels {

namespace words = text::performance;
using workbench::ModelDepth;

namespace {

enum class Tab : std::uint8_t { kSteps, kRoofline, kOccupancy, kInstructions, kAdvice, kCompare };
struct TabEntry {
  Tab tab;
  const text::Text& name;
  const char* id;
};
constexpr TabEntry kTabs[] = {{Tab::kSteps, words::kSteps, "steps"},
                              {Tab::kRoofline, words::kRoofline, "roofline"},
                              {Tab::kOccupancy, words::kOccupancy, "occupancy"},
                              {Tab::kInstructions, words::kInstructions, "instructions"},
                              {Tab::kAdvice, words::kAdviceTab, "advice"},
                              {Tab::kCompare, words::kCompare, "compare"}};

// The current state's model where it is a kernel; else says why there is none.
std::shared_ptr<const workbench::StateModel> modelOrWhy(PanelContext& context, ModelDepth depth) {
  workbench::Workbench& bench = *context.workbench;
  auto model = bench.stateModel(bench.current(), depth);
  if (!model) {
    drawEmpty(context, words::kModelling);
  } else if (!model->performance.kernel) {
    drawSecond(context.look, say(context.look, words::kNoKernel, context.look.tell(model->performance.problem)));
    model = nullptr;
  }
  return model;
}

void drawAdviceTab(PanelContext& context) {
  const window::Look& look = context.look;
  workbench::Workbench& bench = *context.workbench;
  const auto model = modelOrWhy(context, ModelDepth::kMachineCode);
  if (!model) return;
  const workbench::PerformanceView& view = model->performance;
  if (!view.deviceProblem.empty()) {
    drawSecond(look, say(look, words::kNoFigures, look.tell(view.deviceProblem)));
    return;
  }
  if (view.estimate) {
    const auto* timed = bench.timed(bench.current());
    const bool measured = timed && timed->result && timed->result->outcome.status == gpu::Outcome::Status::Measured;
    drawSecond(look, say(look, words::kPredictedOf, timeText(view.estimate->microseconds),
                         look.say(view.estimate->asCompiled ? words::kFromCode : words::kFromProgram),
                         measured ? say(look, words::kMeasuredTime, timeText(timed->result->outcome.timing.median))
                                  : std::string(look.say(words::kNotMeasured))));
    ImGui::SetItemTooltip("%s", look.tell(view.estimate->how).c_str());
  }
  if (model->memory.advice.empty()) {
    drawSecond(look, look.say(words::kNoAdvice));
  } else {
    drawAdvice(context, model->memory.advice);
  }
}

}  // namespace

void PerformancePanel::draw(PanelContext& context) {
  if (context.workbench == nullptr || context.workbench->target() == nullptr) {
    drawEmpty(context, text::window::kNoProgram);
    return;
  }
  const window::Look& look = context.look;
  ImGui::PushFont(nullptr, window::kSecondarySize);
  if (ImGui::BeginTabBar("###views", ImGuiTabBarFlags_FittingPolicyShrink)) {
    for (int i = 0; i < int(std::size(kTabs)); ++i) {
      if (!ImGui::BeginTabItem(window::windowName(look.say(kTabs[i].name), kTabs[i].id).c_str())) continue;
      shown_ = i;
      ImGui::EndTabItem();
    }
    ImGui::EndTabBar();
  }
  ImGui::PopFont();
  switch (kTabs[shown_].tab) {
    case Tab::kSteps: times_.draw(context); break;
    case Tab::kRoofline: roofline_.draw(context); break;
    case Tab::kOccupancy:
      if (const auto model = modelOrWhy(context, ModelDepth::kResources)) drawOccupancy(context, model->performance);
      break;
    case Tab::kInstructions: drawInstructionMix(context); break;
    case Tab::kAdvice: drawAdviceTab(context); break;
    case Tab::kCompare: comparison_.draw(context); break;
  }
}

}  // namespace loom::panels
