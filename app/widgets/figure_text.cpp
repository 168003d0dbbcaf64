#include "app/widgets/figure_text.h"

#include <fmt/format.h>

#include "app/panels/performance/words.h"
#include "app/ui/quantity_text.h"
#include "app/ui/time_text.h"
#include "app/widgets/state_text.h"

namespace loom::panels {

namespace words = text::performance;
using Kind = session::ComparedFigure::Kind;
using window::Look;

namespace {

const text::Text& nameOf(Kind kind) {
  static const text::Text* const kNames[] = {
      &words::kTimeFigures[0],    &words::kPredictedFigure, &words::kClockFigure,    &words::kPipeFigure,
      &words::kProductsFigure,    &words::kLaunchFigure,    &words::kBlocksFigure,   &words::kThreadsFigure,
      &words::kRegistersFigure,   &words::kSpillsFigure,    &words::kSharedFigure,   &words::kOccupancyFigure,
      &words::kFitFigure,         &words::kWavesFigure,     &words::kTrafficFigure,  &words::kIntensityFigure,
      &words::kLoadFigure,        &words::kStoreFigure,     &words::kConflictFigure, &words::kWaysFigure,
      &words::kInstructionsFigure};
  return *kNames[int(kind)];
}

}  // namespace

std::string figureName(const Look& look, Kind kind, const std::string& label) {
  const std::string name = look.say(nameOf(kind));
  if (label.empty()) return name;
  const std::string of = figureLabel(look, label);
  return kind == Kind::kPipe      ? say(look, words::kPipeFigure, of)
         : kind == Kind::kTraffic ? fmt::format("{}, {}", of, name)
                                  : name + " " + of;
}

std::string figureValue(Kind kind, const std::optional<double>& value) {
  if (!value) return "–";
  switch (kind) {
    case Kind::kMeasured:
    case Kind::kPredicted:
    case Kind::kPipe:
    case Kind::kLaunch: return timeText(*value);
    case Kind::kSpills:
    case Kind::kShared:
    case Kind::kTraffic: return bytesText(*value);
    case Kind::kClock: return fmt::format("{:.0f} MHz", *value);
    case Kind::kProducts:
    case Kind::kOccupancy: return fmt::format("{:.0f} %", *value);
    case Kind::kIntensity:
    case Kind::kLoadSectors:
    case Kind::kStoreSectors:
    case Kind::kWaves: return figureText(*value);
    default: return countText(*value);
  }
}

}  // namespace loom::panels
