#include "app/panels/roofline/page.h"

#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>

#include "app/panels/performance/words.h"
#include "app/panels/roofline/ceiling_button.h"
#include "app/panels/roofline/labels.h"
#include "app/session/session.h"
#include "app/text/counts.h"
#include "app/ui/choice.h"
#include "app/ui/labelled_id.h"
#include "app/ui/look.h"
#include "app/ui/markdown.h"
#include "app/ui/quantity_text.h"
#include "app/ui/short_step.h"
#include "app/ui/text.h"
#include "app/widgets/advice_list.h"
#include "app/widgets/empty_state.h"
#include "app/widgets/state_text.h"

namespace loom::panels {

namespace words = text::performance;
using session::Ceiling;
using session::ModelBasis;
using session::Traffic;
using window::Look;
using window::Tone;

namespace {

constexpr float kLeastForBinding = 150;  // design px: a lower plot has no line to spare

// All states: the current one and the one compared with first.
std::vector<int> inTurn(const session::Session& session, int states) {
  std::vector<int> order;
  for (int i = 0; i < states; ++i) order.push_back(i);
  std::stable_partition(order.begin(), order.end(), [&](int i) { return i == session.comparison().node(); });
  std::stable_partition(order.begin(), order.end(), [&](int i) { return i == session.navigation().current(); });
  return order;
}

}  // namespace

void Roofline::draw(PanelContext& context) {
  const Look& look = context.look;
  follow(context);
  const float edge = ImGui::GetCursorScreenPos().x + ImGui::GetContentRegionAvail().x;
  drawLinks(context, edge);
  ImGui::PushFont(nullptr, window::kUnitSize);
  drawCounting(context, edge);
  const float measuring = ceilingButtonWidth(context, device_);
  if (measuring > 0 && edge - ImGui::GetItemRectMax().x - look.px(10) > measuring) {
    ImGui::SameLine();
    drawCeilingButton(context, device_);
  }
  drawNote(context, edge);
  ImGui::PopFont();
  if (view_.ceilings.empty() && problem_.empty()) {  // the device is looked for: its roofs make the axes
    drawEmpty(context, words::kModelling);
    return;
  }
  drawComparedFigures(context);
  const auto model = context.session->preview().shownModel(ModelBasis::kMachineCode);
  if (model && ImGui::GetContentRegionAvail().y > look.px(kLeastForBinding)) drawBinding(look, model->advice);
  const session::RooflineView::Point* point = view_.find(context.session->navigation().current());
  const bool together = point != nullptr && point->servedTogether > 0 && link_ == Traffic::kL2;
  const bool ofShared = model && link_ == Traffic::kShared;
  const double fill = ofShared ? session::performanceOf(*model).fillShare : 1;
  const bool above = std::any_of(view_.points.begin(), view_.points.end(),
                                 [&](const session::RooflineView::Point& p) { return view_.isAbove(p, link_); });
  // The answer first, then the key, then what is counted.
  drawRooflinePlot(context, view_, {link_, showsCompiled()},
                   {nearestRoofText(context, view_), look.say(words::kMarks),
                    countedText(look, link_, showsCompiled()) +
                        (together ? " · " + std::string(look.say(words::kServedTogether)) : "") +
                        (fill < 1 ? " · " + say(look, words::kBoxesWrite, fmt::format("{:g}", fill)) : "") +
                        (above ? " · " + std::string(look.say(aboveText(link_))) : "")});
}

void Roofline::follow(PanelContext& context) {
  session::Session& session = *context.session;
  if (opened_ == session.opened() && revision_ == session.revision()) return;
  opened_ = session.opened();
  revision_ = session.revision();
  codeComes_ = !session.compilations().problem();
  session::RooflineInput input = collect(session);
  device_.clear();
  problem_ = {};
  const auto device = session.modelDevice().figures();
  if (!device) {
    session.models().of(session.navigation().current(), ModelBasis::kSource);  // brings the device
  } else if (*device) {
    input.device = &**device;
    device_ = (*device)->name;
  } else {
    problem_ = device->error().message;
  }
  view_ = session::RooflineView::of(input);
}

// What is known of the states. Asks for models that are missing.
session::RooflineInput Roofline::collect(session::Session& session) {
  session::RooflineInput input;
  input.matmul = session.results().multiplied();
  input.isCompiled = showsCompiled();
  if (const auto& vendor = session.results().vendor();
      vendor && vendor->outcome.available && session.modelDevice().comparesWith(vendor->device))
    input.vendorMicroseconds = vendor->outcome.timing.median;
  others_.clear();
  const std::vector<bool> hidden = session.navigation().history().hidden();
  bool asked = false;  // of one state after another: what the user comes to meanwhile goes before the rest
  for (int i : inTurn(session, int(hidden.size()))) {
    const gpu::Outcome* measured = hidden[std::size_t(i)] ? nullptr : session.results().measured(i);
    if (!measured) continue;
    input.measured.push_back(measured->timing.median);
    // Roofs of one device hold nothing of another's times: what the model predicts for it stands there.
    const bool predicted = session.results().areFromAnotherDevice() &&
                           !session.modelDevice().comparesWith(session.results().timed(i)->device);
    if (predicted) others_ = session.results().timed(i)->device;
    const bool code =
        (predicted || showsCompiled()) && session.compilations().of(i) && !session.models().isFinal(i, false) && !asked;
    asked |= code;
    const auto model = session.models().of(i, code ? ModelBasis::kMachineCode : ModelBasis::kSource);
    if (!model || (showsCompiled() && !session.models().isFinal(i, false))) continue;
    const session::PerformanceView& performance = session::performanceOf(*model);
    if (!performance.kernel) continue;
    const std::optional<double> time =
        predicted ? session.models().modelledTime(i) : std::optional(measured->timing.median);
    if (!time) continue;
    session::RooflineInput::State state{i, *time, predicted, performance.flops, {}, {}, performance.servedTogether};
    for (std::size_t link = 0; link < session::kTraffics; ++link) {
      state.compiled[link] = performance.bytes[link].value_or(model::Number{});
      state.written[link] = performance.written[link].value_or(model::Number{});
    }
    input.states.push_back(std::move(state));
  }
  return input;
}

// A choice of the link, which is the key of the diagonals, too: a link's colour, its name and its rate.
void Roofline::drawLinks(const PanelContext& context, float edge) {
  const Look& look = context.look;
  ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, {look.px(8), look.px(1)});
  for (int t = 0; t < session::kTraffics; ++t) {
    static const char* const kIds[] = {"bymemory", "byl2", "byshared"};
    std::string name = look.say(nameOf(Traffic(t)));
    for (const Ceiling& c : view_.ceilings) {
      if (c.traffic == Traffic(t)) name += " " + rateText(c) + " " + rateWord(look, c.rate);
    }
    const float width = ImGui::GetFrameHeight() + ImGui::CalcTextSize(name.c_str()).x + look.px(18);
    if (t > 0 && ImGui::GetItemRectMax().x + width < edge) ImGui::SameLine();
    const ImVec2 at = ImGui::GetCursorScreenPos();
    ImGui::SetCursorScreenPos({at.x + look.px(6), at.y});
    if (window::radioButton(look, window::windowName(name.c_str(), kIds[t]).c_str(), link_ == Traffic(t)))
      link_ = Traffic(t);
    ImGui::GetWindowDrawList()->AddRectFilled(at, {at.x + look.px(3), ImGui::GetItemRectMax().y},
                                              look.paint(toneOf(Traffic(t))));
  }
  ImGui::PopStyleVar();
}

// As the panel Memory hierarchy has it.
void Roofline::drawCounting(const PanelContext& context, float edge) {
  const Look& look = context.look;
  const char* written = look.say(text::counts::kWritten);
  const char* compiled = look.say(text::counts::kCompiled);
  const float needed = ImGui::CalcTextSize(written).x + ImGui::CalcTextSize(compiled).x +
                       2 * (ImGui::GetFrameHeight() + 2 * ImGui::GetStyle().ItemSpacing.x) + look.px(12);
  if (edge - ImGui::GetItemRectMax().x > needed) ImGui::SameLine(0, look.px(12));
  ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, {look.px(8), look.px(1)});
  const bool was = compiled_;
  ImGui::BeginDisabled(!codeComes_);
  if (window::radioButton(look, written, !showsCompiled())) compiled_ = false;
  ImGui::SameLine();
  if (window::radioButton(look, compiled, showsCompiled())) compiled_ = true;
  ImGui::EndDisabled();
  ImGui::PopStyleVar();
  if (was != compiled_) revision_ = ~std::uint64_t{0};
}

// What the ceilings and the points are of, in the rest of the line; the "?" of the panel says it, too.
void Roofline::drawNote(PanelContext& context, float edge) const {
  const Look& look = context.look;
  const float room = edge - ImGui::GetItemRectMax().x - look.px(10);
  if (room <= look.px(120)) return;
  std::string note = !problem_.empty() ? say(look, words::kNoFigures, look.tell(problem_))
                                       : say(look, words::kRooflineNote, device_.empty() ? "…" : device_);
  if (const auto shown = context.session->preview().shownModel(session::ModelBasis::kSource);
      shown && !session::performanceOf(*shown).peakUnknown.empty() && problem_.empty())
    note = look.tell(session::performanceOf(*shown).peakUnknown) + " · " + note;
  if (!others_.empty())
    note = say(look, words::kPredictedPoints, device_.empty() ? "…" : device_, others_) + " · " + note;
  ImGui::SameLine();
  ImGui::PushStyleColor(ImGuiCol_Text, look.paint(Tone::kTextFaint));
  ImGui::TextUnformatted(ellipsized(note, room).c_str());
  ImGui::PopStyleColor();
  setItemTip(look, note);
}

// Of the current state beside those of the state compared with.
void Roofline::drawComparedFigures(const PanelContext& context) const {
  const Look& look = context.look;
  if (!comparesStates(*context.session)) return;
  const auto textOf = [&](int node) -> std::string {
    const session::RooflineView::Point* p = view_.find(node);
    if (!p || !p->has(link_)) return "";
    return say(look, words::kAtIntensity, figureText(p->tflops), figureText(view_.intensity(*p, link_)));
  };
  const std::string now = textOf(context.session->navigation().current());
  const std::string was = textOf(context.session->comparison().node());
  if (now.empty() || was.empty()) return;
  ImGui::PushStyleColor(ImGuiCol_Text, look.paint(Tone::kChanged));
  ImGui::PushFont(nullptr, window::kSecondarySize);
  drawWrapped(withPreviousValue(look, now, was));
  ImGui::PopFont();
  ImGui::PopStyleColor();
}

}  // namespace loom::panels
