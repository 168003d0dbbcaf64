#include "app/panels/lesson/scatter.h"

#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <cmath>

#include "app/notation/time_text.h"
#include "app/panels/lesson/words.h"
#include "app/session/session.h"
#include "app/ui/dot.h"
#include "app/ui/labelled_id.h"
#include "app/ui/look.h"
#include "app/ui/number_field.h"
#include "app/ui/quantity_text.h"
#include "app/ui/small_button.h"
#include "app/ui/text.h"

namespace loom::panels {

namespace words = text::lesson;
using session::ConfiguredSchedule;
using session::ConfiguredTimes;
using window::Look;
using window::Tone;

namespace {

// A span of times on a logarithmic scale, or of the values of a decision, which stand at equal distances.
struct Axis {
  float from = 0, to = 0;  // px of the screen
  double low = 0, high = 1;

  float at(double value) const { return from + static_cast<float>((value - low) / (high - low)) * (to - from); }
};

// A dot of the plot.
struct Dot {
  const ConfiguredSchedule* schedule = nullptr;
  double x = 0, y = 0;  // on the axes
};

std::string tickText(double microseconds) {
  return microseconds < 1 ? fmt::format("{:g}", microseconds) : notation::numberText(microseconds);
}

class Plot {
 public:
  Plot(PanelContext& context, const ConfiguredTimes& times, int over)
      : context_(context), look_(context.look), times_(times), over_(over) {}

  // Returns the schedule that was clicked; null: none was.
  const ConfiguredSchedule* draw() {
    place();
    if (dots_.empty()) return nullptr;
    const ImVec2 size = {ImGui::GetContentRegionAvail().x, look_.px(230)};
    const ImVec2 corner = ImGui::GetCursorScreenPos();
    const bool clicked = ImGui::InvisibleButton("###scatter", size);
    x_.from = corner.x + look_.px(44), x_.to = corner.x + size.x - look_.px(10);
    y_.from = corner.y + size.y - look_.px(34), y_.to = corner.y + look_.px(16);
    drawAxes(corner);
    const Dot* nearest = ImGui::IsItemHovered() ? under(ImGui::GetMousePos()) : nullptr;
    drawDots(nearest);
    if (nearest == nullptr) return nullptr;
    ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
    drawWrappedTip(look_, tip(*nearest->schedule));
    return clicked ? nearest->schedule : nullptr;
  }

 private:
  void place() {
    double lowX = 1e300, highX = -1e300, lowY = 1e300, highY = -1e300;
    for (const ConfiguredSchedule& one : times_.schedules) {
      if (!one.measured || (over_ < 0 && !one.predicted)) continue;
      double x = 0;
      if (over_ < 0) {
        x = std::log10(*one.predicted);
      } else {
        const auto d = static_cast<std::size_t>(over_);
        // Those of one value stand side by side in their order, so that equal times don't hide each other.
        const auto n = static_cast<double>(&one - times_.schedules.data());
        x = tune::valueIndexOf(times_.sketch.space.decisions[d], one.values[d]) +
            0.6 * (n / static_cast<double>(times_.schedules.size()) - 0.5);
      }
      dots_.push_back({&one, x, std::log10(*one.measured)});
      lowX = std::min(lowX, x), highX = std::max(highX, x);
      lowY = std::min(lowY, dots_.back().y), highY = std::max(highY, dots_.back().y);
    }
    constexpr double kRim = 0.06;
    if (over_ >= 0) {
      lowX = -0.5;
      highX = static_cast<double>(times_.sketch.space.decisions[static_cast<std::size_t>(over_)].values.size()) - 0.5;
    }
    x_.low = over_ < 0 ? lowX - kRim : lowX, x_.high = over_ < 0 ? highX + kRim : highX;
    y_.low = lowY - kRim, y_.high = highY + kRim;
  }

  void drawAxes(ImVec2 corner) {
    auto* list = ImGui::GetWindowDrawList();
    const ImU32 line = look_.paint(Tone::kLine), faint = look_.paint(Tone::kTextSecond);
    list->AddLine({x_.from, y_.from}, {x_.to, y_.from}, line, look_.px(1));
    list->AddLine({x_.from, y_.from}, {x_.from, y_.to}, line, look_.px(1));
    ImGui::PushFont(nullptr, window::kUnitSize);
    const float row = ImGui::GetTextLineHeight();
    const auto label = [&](float x, float y, const std::string& text, float align) {
      list->AddText({std::floor(x - align * ImGui::CalcTextSize(text.c_str()).x), std::floor(y)}, faint, text.c_str());
    };
    for (const double tick : ticks(y_)) {
      const float y = y_.at(std::log10(tick));
      list->AddLine({x_.from, y}, {x_.to, y}, look_.paint(Tone::kLine, 0.5F), look_.px(1));
      label(x_.from - look_.px(4), y - row / 2, tickText(tick), 1);
    }
    if (over_ < 0) {
      for (const double tick : ticks(x_)) label(x_.at(std::log10(tick)), y_.from + look_.px(3), tickText(tick), 0.5F);
      const double low = std::max(x_.low, y_.low), high = std::min(x_.high, y_.high);
      if (low < high) {
        drawDashedLine(*list, {x_.at(low), y_.at(low)}, {x_.at(high), y_.at(high)}, line, look_.px(5), look_.px(1));
      }
    } else {
      const tune::Decision& decision = times_.sketch.space.decisions[static_cast<std::size_t>(over_)];
      for (std::size_t v = 0; v < decision.values.size(); ++v) {
        label(x_.at(static_cast<double>(v)), y_.from + look_.px(3), std::to_string(decision.values[v]), 0.5F);
      }
    }
    label(corner.x, corner.y, look_.say(words::kMeasuredAxis), 0);
    const std::string below = over_ < 0
                                  ? look_.say(words::kPredictedAxis)
                                  : look_.tell(times_.sketch.space.decisions[static_cast<std::size_t>(over_)].words);
    label(x_.to, y_.from + look_.px(4) + row, below, 1);
    ImGui::PopFont();
  }

  // 1, 2 and 5 times powers of ten that lie on an axis, in µs; on a short one all multiples.
  static std::vector<double> ticks(const Axis& axis) {
    constexpr double kShort = 0.7;
    std::vector<double> found;
    for (double power = std::pow(10, std::floor(axis.low)); power <= std::pow(10, axis.high); power *= 10) {
      for (const double digit : {1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0}) {
        const double at = std::log10(power * digit);
        const bool isRound = digit == 1 || digit == 2 || digit == 5;
        if (at >= axis.low && at <= axis.high && (isRound || axis.high - axis.low < kShort)) {
          found.push_back(power * digit);
        }
      }
    }
    return found;
  }

  const Dot* under(ImVec2 mouse) const {
    const Dot* nearest = nullptr;
    float least = look_.px(9) * look_.px(9);
    for (const Dot& dot : dots_) {
      const float dx = x_.at(dot.x) - mouse.x, dy = y_.at(dot.y) - mouse.y;
      if (dx * dx + dy * dy > least) continue;
      least = dx * dx + dy * dy;
      nearest = &dot;
    }
    return nearest;
  }

  void drawDots(const Dot* nearest) {
    auto* list = ImGui::GetWindowDrawList();
    const session::Session& session = *context_.session;
    const auto program = session.programs().of(session.navigation().current());
    const std::string shown = program ? program->kernel.key : "";
    const double best = times_.best().value_or(0);
    for (const Dot& dot : dots_) {
      const ImVec2 at = {x_.at(dot.x), y_.at(dot.y)};
      const bool isShown = !shown.empty() && dot.schedule->key == shown;
      const Tone tone = isShown ? Tone::kSelected : Tone::kGlobal;
      if (&dot == nearest) list->AddCircle(at, look_.px(8), look_.paint(Tone::kText), 0, look_.px(1.5F));
      if (*dot.schedule->measured <= best) {
        drawStar(*list, at, look_.px(7), look_.paint(isShown ? Tone::kSelected : Tone::kOk));
      } else {
        drawDot(look_, *list, at, look_.px(isShown ? 5 : 3.5F), look_.paint(tone, isShown ? 1 : 0.8F));
      }
    }
  }

  std::string tip(const ConfiguredSchedule& one) const {
    std::string text = one.name + "\n" + notation::timeText(*one.measured);
    if (one.predicted) text += "  " + notation::predictedText(*one.predicted);
    text += "\n" + say(look_, words::kTimesBest, notation::ratioText(*one.measured / *times_.best()));
    return text + "\n" + look_.say(words::kClickDot);
  }

  PanelContext& context_;
  const Look& look_;
  const ConfiguredTimes& times_;
  int over_;
  std::vector<Dot> dots_;
  Axis x_, y_;
};

// What the fastest is, and what one would have got by taking the model's word for it.
std::string findings(const Look& look, const ConfiguredTimes& times) {
  const auto measured = [](const ConfiguredSchedule& one) { return one.measured.value_or(1e300); };
  const auto predicted = [](const ConfiguredSchedule& one) {
    return one.measured ? one.predicted.value_or(1e300) : 1e300;
  };
  const ConfiguredSchedule& best = *std::ranges::min_element(times.schedules, {}, measured);
  const ConfiguredSchedule& chosen = *std::ranges::min_element(times.schedules, {}, predicted);
  std::string text = say(look, words::kFastest, best.name, notation::timeText(*best.measured));
  if (chosen.predicted && chosen.measured) {
    text += " " + say(look, words::kModelsChoice, chosen.name, notation::timeText(*chosen.measured),
                      times.fasterThan(*chosen.measured));
  }
  return text;
}

}  // namespace

void Scatter::draw(PanelContext& context, const session::ChapterTimes& chapter) {
  const Look& look = context.look;
  if (chapter.chapter() == nullptr || chapter.chapter()->guess) return;
  if (chapter.problem()) return drawSecond(look, look.tell(chapter.problem()->message));
  const ConfiguredTimes* times = chapter.times();
  if (times == nullptr) return drawSecond(look, look.say(words::kMakingAll));
  ImGui::Spacing();
  drawSecond(look, say(look, words::kKernels, times->schedules.size(), times->kernels));
  if (!times->best()) return drawSecond(look, look.say(words::kNoTimes));
  const auto& decisions = times->sketch.space.decisions;
  over_ = std::min(over_, static_cast<int>(decisions.size()) - 1);
  for (int d = -1; d < static_cast<int>(decisions.size()); ++d) {
    const std::string label = d < 0 ? look.say(words::kOverPredicted) : decisions[static_cast<std::size_t>(d)].name;
    if (d >= 0) flowOn(look, ImGui::CalcTextSize(label.c_str()).x + look.px(16));
    ImGui::PushStyleColor(ImGuiCol_Text, look.paint(d == over_ ? Tone::kSelected : Tone::kTextSecond));
    if (window::smallButton(window::windowName(label.c_str(), fmt::format("over{}", d).c_str()).c_str())) over_ = d;
    ImGui::PopStyleColor();
    if (d >= 0) drawWrappedTip(look, look.tell(decisions[static_cast<std::size_t>(d)].words));
  }
  const ConfiguredSchedule* clicked = Plot(context, *times, over_).draw();
  drawSecond(look, findings(look, *times));
  drawSecond(look, say(look, words::kRun, times->device, times->driver, times->date));
  if (clicked == nullptr) return;
  context.session->navigation().select(0);
  context.session->edits().apply(clicked->lines, {message("A configuration of the lesson: {}", clicked->name), {}});
}

}  // namespace loom::panels
