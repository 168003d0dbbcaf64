#pragma once

#include <string>

#include "app/notation/palette.h"
#include "app/text/text.h"
#include "core/model/timeline.h"

namespace loom::window {
struct Look;
}

/// Names and clocks of the pipes of a multiprocessor, as Playback and Memory show them. A budget (model::Budget) says
/// how the clocks of a part of a thread block's life are spent.
namespace loom::panels {

/// How a pipe of the multiprocessor (model::Track) is shown. All members refer to constants.
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

/// Returns a number of clocks of a budget as text, "1113 k", "231", "4.0". It is rounded to 1000, 1 or 0.1 clocks, by
/// the budget's total (session::unitOf); "0" if it is rounded to 0.
std::string clocksIn(const model::Budget& budget, double clocks);
/// Returns a text, in the language of `look`, with the clocks for which a pipe is busy, those that it adds to the time
/// of a budget while it is the busiest, and, if there are any, those for which the block waits for it. `i` is the index
/// of the pipe's model::Track. `added` has the clocks that each track adds in all, rounded (session::addedClocks of the
/// budget).
std::string busyText(const window::Look& look, const model::Budget& budget, const model::TrackClocks& added,
                     std::size_t i);

}  // namespace loom::panels
