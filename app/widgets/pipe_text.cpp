#include "app/widgets/pipe_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/panels/playback/view/playback.h"
#include "app/panels/playback/words.h"
#include "app/ui/look.h"
#include "app/ui/quantity_text.h"
#include "app/ui/text.h"

namespace loom::panels {

namespace words = text::playback;
using model::Track;
using window::Look;
using window::Tone;

TrackLook lookOf(const model::Timeline& timeline, Track track) {
  switch (track) {
    case Track::Copy: return {Tone::kGlobal, window::entryOf(Tone::kGlobal).letter, words::kCopy, words::kCopies};
    case Track::Shared:
      return {Tone::kShared, window::entryOf(Tone::kShared).letter, words::kSharedMemory, words::kSharedLong};
    case Track::Arithmetic:
      if (timeline.unit == model::Unit::Tensor)
        return {Tone::kTensorCore, window::entryOf(Tone::kTensorCore).letter, words::kTensor, words::kTensorLong};
      if (converts(timeline))
        return {Tone::kFragment, window::entryOf(Tone::kFragment).letter, words::kConvert, words::kConvertLong};
      if (timeline.unit == model::Unit::Half)
        return {Tone::kFragment, window::entryOf(Tone::kFragment).letter, words::kHalf, words::kHalfLong};
      return {Tone::kFragment, window::entryOf(Tone::kFragment).letter, words::kFma, words::kFmaLong};
    case Track::Issue: break;
  }
  return {Tone::kTextSecond, "I", words::kIssue, words::kIssueLong};
}

bool converts(const model::Timeline& t) {
  return t.unit == model::Unit::Half && std::any_of(t.actions.begin(), t.actions.end(), [](const auto& a) {
           return a.kind == model::TimelineAction::Kind::Multiply && a.demand.fma > 0;
         });
}

std::string clocksIn(const model::Budget& budget, double clocks) {
  const double unit = session::unitOf(budget);
  if (std::round(clocks / unit) == 0) return "0";
  if (unit < 1) return fmt::format("{:.1f}", clocks);
  return unit > 1 ? numberText(clocks / unit) + " k" : numberText(clocks);
}

std::string busyText(const Look& look, const model::Budget& budget, const model::TrackClocks& added, std::size_t i) {
  const double unit = session::unitOf(budget);
  const double waits = std::min(added[i], std::round(budget.waits[i] / unit) * unit);
  // What it adds may have been rounded up so that all come to the whole: it is busy for no less.
  const std::string busy = clocksIn(budget, std::max(budget.busy[i], added[i] - waits));
  if (waits < unit) return say(look, words::kBusyExposed, busy, clocksIn(budget, added[i]));
  return say(look, words::kBusyWaits, busy, clocksIn(budget, added[i] - waits), clocksIn(budget, waits));
}

}  // namespace loom::panels
