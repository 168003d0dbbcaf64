#pragma once

#include <string>

#include "app/notation/palette.h"
#include "app/text/text.h"
#include "core/model/timeline.h"

namespace loom::window {
struct Look;
}

/// Names and clocks of the pipes of a multiprocessor, as Playback and Memory show them.
namespace loom::panels {

/// The colour and the name of a pipe.
struct TrackLook {
  notation::Tone tone;
  const char* letter;
  const text::Text& name;      ///< of its row
  const text::Text& longName;  ///< in a sentence
};
TrackLook lookOf(const model::Timeline& timeline, model::Track track);
/// Returns whether the pipe of the arithmetic row converts the operands from float16, which are multiplied as float32.
bool converts(const model::Timeline& timeline);

/// Returns clocks in the unit of the whole budget, so that the parts add up to the whole: "1113 k", "231", "4.0".
std::string clocksIn(const model::Budget& budget, double clocks);
/// Returns the clocks of a pipe in a budget and what the pipe adds to its time: while nothing else runs, and in waits
/// for it. `i`: the track's index; `added`: session::addedClocks of the budget.
std::string busyText(const window::Look& look, const model::Budget& budget, const model::TrackClocks& added,
                     std::size_t i);

}  // namespace loom::panels
