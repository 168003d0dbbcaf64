#include "app/panels/lesson/view/figures.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "app/notation/origin_text.h"
#include "app/notation/quantity_text.h"
#include "app/notation/time_text.h"
#include "app/panels/lesson/words.h"
#include "app/panels/memory/view/memory.h"
#include "app/panels/performance/view/performance.h"
#include "app/text/panels.h"

namespace loom::notation {

namespace {

namespace words = text::panels;
using session::ComparedFigure;
using FigureKind = ComparedFigure::Kind;

std::string measuredText(const document::KnownTime& timed, text::Language language, std::set<std::string>& told) {
  if (!timed.result || timed.result->outcome.status != gpu::Outcome::Status::Measured) return "";
  const std::string time = timeText(timed.result->outcome.timing.median);
  const text::Text& origin = notation::ofOrigin(words::kFigureFrom, timed.result->origin);
  if (!told.insert(fmt::format(fmt::runtime(origin.in(language)), "", timed.device)).second) return time;
  return fmt::format(fmt::runtime(origin.in(language)), time, timed.device);
}

// In place of a time that nobody has measured. Empty where the model has none.
std::string predictedInstead(const session::StateModel& model, text::Language language, std::set<std::string>& told) {
  const auto& estimate = session::performanceOf(model).estimate;
  if (!estimate) return "";
  const std::string time = predictedText(estimate->microseconds);
  if (!told.insert(text::lesson::kFigurePredicted.in(language)).second) return time;
  return fmt::format(fmt::runtime(text::lesson::kFigurePredicted.in(language)), time);
}

std::optional<double> figureOf(const session::StateModel& model, FigureKind kind) {
  for (const ComparedFigure& f : session::performanceOf(model).figures)
    if (f.kind == kind && (f.label.empty() || f.label == "as written")) return f.value;
  return std::nullopt;
}

// The pipe whose use a figure says, by the figure's name without its unit; empty: it is none of a pipe.
std::string_view pipeOf(std::string_view name) {
  static constexpr std::pair<std::string_view, std::string_view> kPipes[] = {{"memory", "memory instructions"},
                                                                             {"tensor", "tensor"},
                                                                             {"l2", "l2"},
                                                                             {"issue", "issue"},
                                                                             {"barrier", "barrier"},
                                                                             {"fp32", "fp32"}};
  const auto found = std::ranges::find(kPipes, name, &std::pair<std::string_view, std::string_view>::first);
  return found == std::end(kPipes) ? "" : found->second;
}

// The time in µs that a pipe alone would take, as the pages of Performance show it.
std::optional<double> aloneOf(const session::StateModel& model, std::string_view pipe) {
  for (const ComparedFigure& f : session::performanceOf(model).figures)
    if (f.kind == FigureKind::kPipe && f.label == pipe) return f.value;
  return std::nullopt;
}

std::optional<double> clocksOf(const session::StateModel& model, std::string_view pipe) {
  if (!session::performanceOf(model).estimate) return std::nullopt;
  for (const model::PipeClocks& p : session::performanceOf(model).estimate->pipes)
    if (p.pipe == pipe) return p.clocks;
  return std::nullopt;
}

// Two digits that mean something, in thousands: what a model says of clocks is no closer.
std::string clocksText(double clocks) {
  double unit = 1;
  while (clocks / unit >= 1000) unit *= 10;
  return numberText(static_cast<double>(static_cast<long long>(clocks / unit + 0.5)) * unit);
}

}  // namespace

std::string lessonFigure(const std::string& name, const session::StateModel* model, const document::KnownTime* timed,
                         text::Language language, std::set<std::string>& told) {
  if (name == "measured" && timed == nullptr) return "";
  if (name == "measured") {
    std::string text = measuredText(*timed, language, told);
    if (text.empty() && model != nullptr) text = predictedInstead(*model, language, told);
    return text;
  }
  if (model == nullptr || !session::performanceOf(*model).kernel) return "";
  const session::MemoryView& memory = session::memoryOf(*model);
  const session::PerformanceView& performance = session::performanceOf(*model);
  std::optional<double> count;
  if (name == "products") {
    const auto percent = figureOf(*model, FigureKind::kProducts);
    return percent ? fmt::format("{:.0f} %", *percent) : "";
  }
  if (name == "predicted") return performance.estimate ? timeText(performance.estimate->microseconds) : "";
  if (name == "shared") {
    const auto bytes = figureOf(*model, FigureKind::kShared);
    return bytes ? bytesText(*bytes) : "";
  }
  if (name == "l2") {
    const auto& bytes = performance.bytes[std::size_t(session::Traffic::kL2)];
    return bytes ? bytesText(bytes->value) : "";
  }
  const std::size_t unit = std::min(name.size(), name.rfind('_'));
  if (const std::string_view pipe = pipeOf(std::string_view(name).substr(0, unit)); !pipe.empty()) {
    if (name.ends_with("_clocks")) {
      const auto clocks = clocksOf(*model, pipe);
      return clocks ? clocksText(*clocks) : "";
    }
    const auto microseconds = aloneOf(*model, pipe);
    return microseconds ? timeText(*microseconds) : "";
  }
  if (name == "fit") count = figureOf(*model, FigureKind::kBlocksFit);
  if (name == "blocks") count = double(memory.blocks);
  if (name == "multiprocessors" && memory.multiprocessors > 0) count = memory.multiprocessors;
  if (name == "idle" && memory.multiprocessors > 0) count = memory.idle;
  if (name == "ways") count = figureOf(*model, FigureKind::kWays).value_or(1);
  if (name == "conflicts" && memory.blocks > 0) {
    if (const auto all = figureOf(*model, FigureKind::kConflicts)) count = *all / double(memory.blocks);
  }
  return count ? numberText(*count) : "";
}

}  // namespace loom::notation
