#include "app/panels/performance/panel.h"

#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "app/notation/origin_text.h"
#include "app/panels/instructions/page.h"
#include "app/panels/occupancy/page.h"
#include "app/panels/performance/view/performance.h"
#include "app/panels/performance/words.h"
#include "app/panels/sizes/words.h"
#include "app/panels/stalls/words.h"
#include "app/session/session.h"
#include "app/ui/figure_rows.h"
#include "app/ui/labelled_id.h"
#include "app/ui/look.h"
#include "app/ui/text.h"
#include "app/ui/time_text.h"
#include "app/widgets/advice_list.h"
#include "app/widgets/empty_state.h"
#include "app/widgets/kernel_note.h"
#include "app/widgets/lesson_highlight.h"
#include "app/widgets/no_kernel.h"
#include "app/widgets/preview_strip.h"
#include "app/widgets/state_text.h"
#include "core/model/binding.h"

namespace loom::panels {

namespace words = text::performance;
using session::ModelBasis;

namespace {

enum class Tab : std::uint8_t { kSteps, kRoofline, kOccupancy, kInstructions, kStalls, kAdvice, kCompare, kSizes };
// In the order of Tab.
constexpr PerformanceTab kTabs[] = {{words::kSteps, "steps"},         {words::kRoofline, "roofline"},
                                    {words::kOccupancy, "occupancy"}, {words::kInstructions, "instructions"},
                                    {text::stalls::kTitle, "stalls"}, {words::kAdviceTab, "advice"},
                                    {words::kCompare, "compare"},     {text::sizes::kTitle, "sizes"}};

// What the model says of the state compared with; null: nothing is compared, it is drawn beside this one, isn't there
// yet, or is no kernel.
std::shared_ptr<const session::StateModel> modelOfOther(PanelContext& context, ModelBasis basis) {
  session::Session& session = *context.session;
  const auto model = session.comparison().node() >= 0 && !context.beside
                         ? session.models().of(session.comparison().node(), basis)
                         : nullptr;
  return model && session::performanceOf(*model).kernel ? model : nullptr;
}

// The label of the figure of what binds (model::Binding::subject); "" where warps wait, or if nothing is known of it.
std::string labelOf(const std::string& subject, const model::Estimate& estimate) {
  if (const int pipe = model::pipeOf(subject, estimate); pipe >= 0) return estimate.pipes[std::size_t(pipe)].pipe;
  return subject == "waits" && !estimate.roles ? "latency" : "";
}

// What each pipe alone would take: why the time is what it is.
void drawPipes(const window::Look& look, const session::PerformanceView& view, const model::KernelModel& model,
               const gpu::Outcome* measured) {
  using Kind = session::ComparedFigure::Kind;
  std::vector<FigureRow> rows;
  const auto binding = model::bindingOf(model);
  std::set<std::string> binds;
  if (binding) binds = {labelOf(binding->subject, *view.estimate), labelOf(binding->also, *view.estimate)};
  binds.erase("");
  for (const session::ComparedFigure& f : view.figures) {
    if (f.kind != Kind::kPipe && f.kind != Kind::kLaunch) continue;
    // Times are of a warm L2, so that what memory would take isn't part of them and may be longer.
    const bool cold = f.kind == Kind::kPipe && f.label == model::kColdMemory,
               busiest = f.kind == Kind::kPipe && binds.contains(f.label);
    rows.push_back({f.kind == Kind::kLaunch ? look.say(words::kLaunch) : figureLabel(look, f.label),
                    cold ? say(look, words::kColdMemory, timeText(f.value)) : timeText(f.value),
                    float(f.value / view.estimate->microseconds),
                    busiest ? window::Tone::kWarning : window::Tone::kTextSecond, provenanceText(look, f.how)});
  }
  if (binding && binding->subject == "waits" && view.estimate->roles)
    rows.insert(rows.begin(), {look.say(words::kWaitsRow), timeText(binding->microseconds),
                               float(binding->microseconds / view.estimate->microseconds), window::Tone::kWarning,
                               look.say(words::kWaitsRowTip)});
  const model::Estimate& e = *view.estimate;
  drawHeading(look, e.powerBound
                        ? say(look, words::kPipesAloneAt, timeText(e.microseconds), fmt::format("{:.0f}", e.megahertz))
                        : say(look, words::kPipesAlone, timeText(e.microseconds)));
  setItemTip(look, look.tell(e.how));
  drawFigureRows(look, rows);
  const double slowness = measured != nullptr ? session::slownessOf(view, measured->timing.median) : 0;
  if (slowness > 0)
    drawSecond(look, say(look, words::kSlowerModel, timeText(measured->timing.median), figureText(slowness)));
}

void drawAdviceTab(PanelContext& context, const session::ShownModel& shown, AdviceList& list) {
  const session::StateModel& model = *shown.model();
  const window::Look& look = context.look;
  session::Session& session = *context.session;
  const session::PerformanceView& view = session::performanceOf(model);
  if (!view.deviceProblem.empty()) {
    drawSecond(look, say(look, words::kNoFigures, look.tell(view.deviceProblem)));
    return;
  }
  // Beside the advice, where there is room.
  const bool wide = view.estimate && ImGui::GetContentRegionAvail().x > look.px(720);
  if (wide && !ImGui::BeginTable("###advice", 2, ImGuiTableFlags_SizingStretchSame)) return;
  if (wide) ImGui::TableNextColumn();
  // Until the preview has a model the state's own stays, and so does its time.
  const bool ofPreview = session.preview().step() && !list.previews(context) &&
                         shown.model() != session.models().of(shown.node(), session::ModelBasis::kMachineCode);
  const gpu::Outcome* measured = ofPreview ? nullptr : session.results().measured(shown.node());
  if (view.estimate) {
    std::string time = look.say(words::kNotMeasured);
    if (measured) {
      const document::KnownTime& timed = *session.results().timed(shown.node());
      time = say(look, notation::ofOrigin(words::kKnownTimes, timed.result->origin), timeText(measured->timing.median));
      if (timed.device != view.device) time = say(look, words::kOtherDevice, time, timed.device, view.device);
    }
    const std::string far = modelErrorText(look, view, measured ? session.results().timed(shown.node()) : nullptr);
    drawSecond(look, !far.empty()
                         ? far
                         : say(look, words::kPredictedOf, timeText(view.estimate->microseconds),
                               look.say(view.estimate->asCompiled ? words::kFromCode : words::kFromProgram), time) +
                               (measured ? look.say(words::kRestIsModels) : ""));
    setItemTip(look, look.tell(view.estimate->how));
    const device::Kernel& kernel = *model.kernel->accesses.kernel;
    if (const auto blocks = kernel.blocksOfCluster(); view.estimate->roles && blocks > 1)
      drawSecond(look, say(look, words::kClusterUncounted, blocks));
    if (measured && session.results().timed(shown.node())->device != view.device)
      measured = nullptr;  // nothing below is held to it
  }
  if (const auto other = modelOfOther(context, ModelBasis::kMachineCode);
      other && session::performanceOf(*other).estimate) {
    drawComparedValue(context, predictedText(look, session::performanceOf(*other)));
  }
  if (shown.isFinal() && model.advice.empty()) drawSecond(look, look.say(words::kNoAdvice));
  list.draw(context, shown, true);
  if (wide) ImGui::TableNextColumn();
  if (view.estimate) drawPipes(look, view, *model.kernel, measured);
  if (wide) ImGui::EndTable();
}

// As much on each side of a tab's name as leaves room for all names, and for a scroll bar, which must not move them.
float tabPadding(const window::Look& look) {
  const ImGuiStyle& style = ImGui::GetStyle();
  float names = 0;
  for (const PerformanceTab& tab : kTabs)
    names += ImGui::CalcTextSize(look.say(tab.name)).x + style.ItemInnerSpacing.x + 1;
  const float room = ImGui::GetWindowWidth() - 2 * style.WindowPadding.x - style.ScrollbarSize;
  return std::clamp(std::floor((room - names) / float(2 * std::size(kTabs))), look.px(2), look.px(8));
}

}  // namespace

std::span<const PerformanceTab> performanceTabs() { return kTabs; }

// The model of what is shown where that is a kernel; else says why there is none.
const session::StateModel* PerformancePanel::modelOrWhy(PanelContext& context, ModelBasis basis) {
  model_.follow(*context.session, basis, advice_.previews(context));
  const session::StateModel* model = model_.model().get();
  if (model == nullptr) {
    drawEmpty(context, words::kModelling);
  } else if (!session::performanceOf(*model).kernel) {
    drawNoKernel(context,
                 say(context.look, words::kNoKernel, context.look.tell(session::performanceOf(*model).problem)),
                 words::kHelp);
    return nullptr;
  }
  return model;
}

bool PerformancePanel::showsComparison() const {
  const auto tab = Tab(wanted_ >= 0 ? wanted_ : shown_);
  return tab == Tab::kSteps || tab == Tab::kRoofline || tab == Tab::kCompare || tab == Tab::kSizes;
}

void PerformancePanel::shareOptions(Panel& other) {
  auto& twin = dynamic_cast<PerformancePanel&>(other);
  auto chosen = [](const PerformancePanel& p) { return p.wanted_ >= 0 ? p.wanted_ : p.shown_; };
  const auto tab = sharedTab_.settle(chosen(*this), chosen(twin));
  for (PerformancePanel* p : {this, &twin})
    if (tab && chosen(*p) != *tab) p->wanted_ = *tab;
}

void PerformancePanel::draw(PanelContext& context) {
  if (!context.hasProgram()) {
    drawNoProgram(context);
    return;
  }
  const window::Look& look = context.look;
  ImGui::PushFont(nullptr, window::kSecondarySize);
  const auto* lit = context.spotlight ? context.spotlight->in("performance") : nullptr;
  const bool opens = lit && context.spotlight->opened("performance");
  // On the panel's own ground the chosen one is what is filled.
  ImGui::PushStyleColor(ImGuiCol_Tab, look.paint(window::Tone::kPanel));
  ImGui::PushStyleColor(ImGuiCol_TabDimmed, look.paint(window::Tone::kPanel));
  ImGui::PushStyleColor(ImGuiCol_TabSelected, look.paint(window::Tone::kHovered));
  ImGui::PushStyleColor(ImGuiCol_TabDimmedSelected, look.paint(window::Tone::kHovered));
  ImGui::PushStyleVarX(ImGuiStyleVar_FramePadding, tabPadding(look));
  if (const ImGuiID bar = ImGui::GetID("###views"); std::exchange(bar_, bar) != bar && wanted_ < 0) wanted_ = shown_;
  if (ImGui::BeginTabBar("###views", ImGuiTabBarFlags_FittingPolicyShrink)) {
    for (int i = 0; i < int(std::size(kTabs)); ++i) {
      const bool pointed = lit && lit->part == kTabs[i].id;
      if (pointed && opens) wanted_ = -1;
      const ImGuiTabItemFlags flags = (pointed && opens) || i == wanted_ ? ImGuiTabItemFlags_SetSelected : 0;
      const bool open =
          ImGui::BeginTabItem(window::windowName(look.say(kTabs[i].name), kTabs[i].id).c_str(), nullptr, flags);
      if (pointed && !open) context.spotlight->mark(ImGui::GetItemRectMin(), ImGui::GetItemRectMax());
      if (!open) continue;
      ImGui::EndTabItem();
      if (wanted_ >= 0 && i != wanted_) continue;  // the chosen one opens with the next frame
      shown_ = i;
      wanted_ = -1;
    }
    ImGui::EndTabBar();
  }
  ImGui::PopStyleVar();
  ImGui::PopStyleColor(4);
  ImGui::PopFont();
  if (lit && lit->part == kTabs[shown_].id) {
    const ImVec2 from = ImGui::GetCursorScreenPos(), room = ImGui::GetContentRegionAvail();
    context.spotlight->mark(from, {from.x + room.x, from.y + room.y});
  }
  if (opens) context.spotlight->shown();
  // What the advice previews leaves the advice where it is.
  if (Tab(shown_) != Tab::kAdvice) advice_.leave(context);
  if (!advice_.previews(context)) drawPreviewRow(context);
  switch (Tab(shown_)) {
    case Tab::kSteps: times_.draw(context); break;
    case Tab::kRoofline: roofline_.draw(context); break;
    case Tab::kOccupancy:
      if (const auto* model = modelOrWhy(context, ModelBasis::kResources)) {
        const auto other = modelOfOther(context, ModelBasis::kResources);
        drawKernelNote(look, *model);
        drawOccupancy(context, session::performanceOf(*model), other ? &session::performanceOf(*other) : nullptr);
      }
      break;
    case Tab::kInstructions:
    case Tab::kStalls:
      if (Tab(shown_) == Tab::kStalls && context.session->preview().step() &&
          context.session->preview().step()->program) {
        drawSecond(look, look.say(words::kPreviewNotSampled));
      } else if (Tab(shown_) == Tab::kStalls) {
        stalls_.draw(context);
      } else {
        drawInstructionMix(context);
      }
      break;
    case Tab::kAdvice:
      if (const auto* model = modelOrWhy(context, ModelBasis::kMachineCode)) {
        drawKernelNote(look, *model);
        drawAdviceTab(context, model_, advice_);
      } else {
        advice_.leave(context);
      }
      break;
    case Tab::kCompare: compare_.draw(context); break;
    case Tab::kSizes: sizes_.draw(context); break;
  }
}

}  // namespace loom::panels
