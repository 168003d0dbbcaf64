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

/// How a pipe of the multiprocessor (model::Track) is shown.
struct TrackLook {
  notation::Tone tone;
  const char* letter;          ///< a letter or sign that stands for the pipe's colour
  const text::Text& name;      ///< short name, for a row
  const text::Text& longName;  ///< name in a sentence
};
/// Returns how a pipe is shown; the row of arithmetic has the name of the unit that the kernel computes with.
TrackLook lookOf(const model::Timeline& timeline, model::Track track);
/// Returns whether the row of arithmetic stands for the pipe that converts operands from float16 to float32, since the
/// kernel multiplies float16 operands as float32.
bool converts(const model::Timeline& timeline);

/// Returns a number of clocks as text, rounded as session::unitOf says for the whole budget, so that the displayed
/// parts add up to the whole: "1113 k", "231", "4.0".
std::string clocksIn(const model::Budget& budget, double clocks);
/// Returns a text with the clocks for which a pipe is busy, and with those that it adds to the time of a budget: while
/// it is the busiest, and while the block waits for it. `i` is the index of the pipe's model::Track, `added` is
/// session::addedClocks of the budget.
std::string busyText(const window::Look& look, const model::Budget& budget, const model::TrackClocks& added,
                     std::size_t i);

}  // namespace loom::panels
