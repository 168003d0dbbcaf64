#include "app/panels/roofline/labels.h"

#include <fmt/format.h>

#include "app/notation/origin_text.h"
#include "app/panels/performance/words.h"
#include "app/session/session.h"
#include "app/text/counts.h"
#include "app/ui/look.h"
#include "app/ui/quantity_text.h"
#include "app/ui/text.h"
#include "app/ui/time_text.h"
#include "app/widgets/state_text.h"

namespace loom::panels {

namespace words = text::performance;
using session::Ceiling;
using session::RooflineView;
using session::Traffic;
using window::Look;
using window::Tone;

const text::Text& nameOf(Traffic link) {
  static const text::Text* const kNames[] = {&words::kMemoryBytes, &words::kL2Bytes, &words::kSharedBytes};
  return *kNames[int(link)];
}

Tone toneOf(Traffic link) {
  constexpr Tone kTones[] = {Tone::kGlobal, Tone::kL2, Tone::kShared};
  return kTones[int(link)];
}

std::string rateText(const Ceiling& c) {
  return c.traffic ? fmt::format("{:.3g} TB/s", c.rate.value / 1000) : fmt::format("{:.0f} TFLOP/s", c.rate.value);
}

std::string countedText(const Look& look, Traffic link, bool isCompiled) {
  const char* how = look.say(isCompiled ? text::counts::kCompiled : text::counts::kWritten);
  switch (link) {
    case Traffic::kMemory: return say(look, words::kBytesCounted, look.say(text::counts::kDistinct));
    case Traffic::kL2: return say(look, words::kSectorsMissed, how, look.say(text::counts::kSectors));
    case Traffic::kShared: break;
  }
  return say(look, words::kBytesOfHow, how, look.say(text::counts::kWavefronts));
}

const text::Text& aboveText(Traffic link) {
  static const text::Text* const kNotes[] = {&words::kAboveMemory, &words::kAboveL2, &words::kAboveShared};
  return *kNotes[int(link)];
}

std::string nearestRoofText(PanelContext& context, const RooflineView& view) {
  const Look& look = context.look;
  const session::Session& session = *context.session;
  const RooflineView::Point* point = view.find(session.navigation().current());
  // Of the point's state, also while a step is previewed.
  const auto model = session.models().of(session.navigation().current(), session::ModelBasis::kSource);
  const auto nearest = point && model ? view.nearestRoof(*point, session::performanceOf(*model)) : std::nullopt;
  if (!nearest) return "";
  constexpr double kHeldBack = 0.1;  // of the nearest roof: below, something else is what takes the time
  const std::optional<Traffic> link = nearest->ceiling->traffic;
  const document::KnownTime* timed = session.results().timed(point->node);
  const auto origin = timed && timed->result ? timed->result->origin : gpu::ResultOrigin::Measured;
  // Above stands what the predicted time reaches of the lowest roof.
  return say(look, point->isPredicted ? words::kByPredicted : notation::ofOrigin(words::kByOrigin, origin),
             say(look,
                 nearest->share < kHeldBack                       ? words::kFarFromRoofs
                 : link == Traffic::kL2 && nearest->share > 1.005 ? words::kPastRoof
                                                                  : words::kNearestRoof,
                 link ? look.say(nameOf(*link)) : nearest->ceiling->name,
                 fmt::format(fmt::runtime(nearest->share < 0.1 ? "{:.2g}" : "{:.0f}"), 100 * nearest->share),
                 figureText(nearest->tflops)));
}

std::string pointText(PanelContext& context, const RooflineView& view, const RooflineView::Point& point, Traffic link) {
  const Look& look = context.look;
  session::Session& session = *context.session;
  const model::Number& bytes = point.bytes[std::size_t(link)];
  const double intensity = view.intensity(point, link);
  std::string tip = stateLabel(look, session.navigation().history(), point.node) + "\n";
  tip += say(look, words::kAtIntensity, figureText(point.tflops), figureText(intensity)) + "\n";
  if (point.isPredicted)
    tip += predictionText(look, session, point.node) + "\n";
  else if (const document::KnownTime* timed = session.results().timed(point.node); timed && timed->result)
    tip += timeText(timed->result->outcome.timing.median) + ", " + originText(look, *timed) + "\n";
  tip += say(look, words::kBytesOver, numberText(view.flops), numberText(bytes.value), look.say(nameOf(link))) +
         "\n  " + provenanceText(look, bytes.how);
  if (link == Traffic::kL2 && point.servedTogether > 0)
    tip += "\n  " + say(look, words::kServedTogetherOf, bytesText(point.servedTogether));
  if (view.isAbove(point, link)) tip += std::string("\n  ") + look.say(aboveText(link));
  for (const Ceiling& c : view.ceilings) {
    if (c.traffic != link) continue;
    const double allowed = c.at(intensity);
    tip += "\n" + say(look, words::kAllowed, look.say(nameOf(link)), figureText(allowed),
                      fmt::format("{:.3g}", 100 * point.tflops / allowed));
  }
  return tip;
}

}  // namespace loom::panels
