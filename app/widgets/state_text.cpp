#include "app/widgets/state_text.h"

#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <string_view>

#include "app/notation/origin_text.h"
#include "app/notation/quantity_text.h"
#include "app/panels/performance/view/performance.h"
#include "app/panels/performance/words.h"
#include "app/session/session.h"
#include "app/text/comparing.h"
#include "app/text/counts.h"
#include "app/text/panels.h"
#include "app/ui/look.h"
#include "app/ui/markdown.h"
#include "app/ui/short_step.h"
#include "app/ui/text.h"
#include "app/ui/time_text.h"
#include "app/widgets/context.h"
#include "core/document/branches.h"
#include "core/document/chapter_order.h"
#include "core/model/rate.h"

namespace loom::panels {

namespace words = text::performance;

std::string figureText(double value) {
  constexpr double kWhole = 999.95;  // from here on the first place behind the point is rounded away
  return value >= kWhole ? notation::numberText(value)
         : value >= 1    ? notation::significantText(value, 4, 2)
                         : fmt::format("{:#.3g}", value);
}

std::string percentText(double share) {
  constexpr double kOne = 0.9995;  // from here on three places would say "1.000"
  return share * 100 < 0.001  ? "<0.001"
         : share * 100 < kOne ? fmt::format("{:.3f}", share * 100)
                              : figureText(share * 100);
}

std::string originText(const window::Look& look, gpu::ResultOrigin from, const std::string& device,
                       const std::string& date) {
  return say(look, notation::ofOrigin(words::kOrigins, from), device, date);
}

std::string originText(const window::Look& look, const document::KnownTime& timed) {
  return timed.result ? originText(look, timed.result->origin, timed.device, timed.result->date) : "";
}

std::string figureLabel(const window::Look& look, const std::string& label) {
  constexpr std::string_view kArrow = " → ";
  if (const std::size_t at = label.find(kArrow); at != std::string::npos)
    return figureLabel(look, label.substr(0, at)) + std::string(kArrow) +
           figureLabel(look, label.substr(at + kArrow.size()));
  for (const words::FigureLabel& known : words::kFigureLabels)
    if (label == known.label) return look.say(known.words);
  return label;
}

std::string predictedText(const window::Look& look, const session::PerformanceView& view) {
  return say(look, words::kTimeFrom, timeText(view.estimate->microseconds),
             look.say(view.estimate->asCompiled ? words::kFromCode : words::kFromProgram));
}

std::string modelErrorText(const window::Look& look, const session::PerformanceView& view,
                           const document::KnownTime* timed) {
  // A time of another device says nothing of the model.
  const gpu::Outcome* outcome = timed != nullptr && timed->device == view.device ? timed->measured() : nullptr;
  const double error = outcome != nullptr ? session::modelErrorOf(view, outcome->timing.median) : 0;
  if (error == 0) return "";
  const bool times = error >= 1;  // "996 % more" is hard to read
  const std::string far =
      times ? notation::significantText(1 + error, 2, 1) : fmt::format("{:.0f}", 100 * std::abs(error));
  return say(look,
             times       ? words::kPredictsTimes
             : error > 0 ? words::kPredictsMore
                         : words::kPredictsLess,
             predictedText(look, view), far,
             say(look, notation::ofOrigin(words::kKnownTimes, timed->result->origin), timeText(outcome->timing.median)),
             fmt::format("{:.0f}", 100 * session::kUsualError));
}

const char* rateWord(const window::Look& look, const model::Rate& rate) {
  return look.say(rate.measured ? text::counts::kMeasured : text::counts::kStated);
}

std::string stateTitle(const window::Look& look, const document::Node& node) {
  if (!node.name.empty()) return node.name;
  return node.step() != nullptr ? abbreviatedStep(node.step()->source) : look.say(words::kStart);
}

std::string stateLabel(const window::Look& look, const document::History& history, int node) {
  const document::Node& of = history.node(node);
  const std::string name = fmt::format("{}  {}", of.number, stateTitle(look, of));
  const int branch = document::firstOfBranch(history, node);
  if (branch < 0) return name;
  const document::Node& first = history.node(branch);
  const int from = history.node(first.parent).number;
  // The branch's own first step has been named.
  if (branch == node) return say(look, words::kBranch, from, name);
  return name + " · " + say(look, words::kBranch, from, stateTitle(look, first));
}

namespace {

// The chapter whose end stands for the state; −1: none.
int chapterOf(const session::Session& session, int node) {
  const document::Target* target = session.documents().target();
  const document::Node& state = session.navigation().history().node(node);
  if (target == nullptr || state.step() == nullptr || !state.name.empty()) return -1;
  return document::chapterEndingAt(*target, node);
}

// Its title; else empty.
std::string chapterTitle(const window::Look& look, const session::Session& session, int node) {
  const int chapter = chapterOf(session, node);
  if (chapter < 0) return "";
  const document::Target* target = session.documents().target();
  return document::in(target->lesson->chapters[std::size_t(chapter)].title, text::codeOf(look.language));
}

}  // namespace

std::string comparedTitle(const window::Look& look, const session::Session& session, int node) {
  const std::string chapter = chapterTitle(look, session, node);
  return chapter.empty() ? stateTitle(look, session.navigation().history().node(node)) : chapter;
}

std::string comparedLabel(const window::Look& look, const session::Session& session, int node) {
  const std::string chapter = chapterTitle(look, session, node);
  const document::History& history = session.navigation().history();
  return chapter.empty() ? stateLabel(look, history, node) : chapter + " · " + stateNumber(look, session, node);
}

std::string stateNumber(const window::Look& look, const session::Session& session, int node) {
  const int chapter = chapterOf(session, node);
  return chapter < 0 ? say(look, words::kStateNumber, session.navigation().history().node(node).number)
                     : say(look, words::kChapterNumber, chapter + 1);
}

std::string predictionText(const window::Look& look, const session::Session& session, int node) {
  const bool others = session.results().areFromAnotherDevice();
  const std::optional<double> time = others ? session.models().modelledTime(node) : session.models().prediction(node);
  const auto device = session.modelDevice().figures();
  const auto model = session.models().of(node, session::ModelBasis::kMachineCode);
  if (!time || !model || !device || !*device) return "";
  const bool compiled = model->basis == session::ModelBasis::kMachineCode;
  const document::KnownTime* timed = session.results().timed(node);
  const bool ran = timed != nullptr && timed->result;
  return say(look, ran ? text::panels::kPredictedOn : text::panels::kPredictedFor, predictedText(*time),
             (*device)->name, look.say(compiled ? text::panels::kFromMachineCode : text::panels::kFromProgram));
}

std::string timeAfterName(const session::Session& session, int node) {
  const auto* measured = session.results().measured(node);
  return measured ? ", " + timeText(measured->timing.median) : "";
}

bool comparesStates(const session::Session& session) {
  return session.comparison().node() >= 0 && session.comparison().node() != session.navigation().current() &&
         session.preview().step() == nullptr;
}

std::string withPreviousValue(const window::Look& look, const std::string& now, const std::string& was) {
  return was.empty() || was == now ? now : say(look, text::comparing::kWas, now, was);
}

void drawComparedValue(const PanelContext& context, const std::string& what, int node) {
  const session::Session& session = *context.session;
  ImGui::PushStyleColor(ImGuiCol_Text, context.look.paint(window::Tone::kChanged));
  ImGui::PushFont(nullptr, window::kSecondarySize);
  drawWrapped(say(context.look, text::comparing::kInOther,
                  session.navigation().history().node(node >= 0 ? node : session.comparison().node()).number, what));
  ImGui::PopFont();
  ImGui::PopStyleColor();
}

}  // namespace loom::panels
