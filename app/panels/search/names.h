#pragma once

#include <string>
#include <vector>

#include "app/session/search_run.h"
#include "app/ui/look.h"

namespace loom::panels {

/// Return the name of a search strategy, the text of its tooltip, and its colour in the plot.
const text::Text& nameOf(tune::Strategy strategy);
const text::Text& tipOf(tune::Strategy strategy);
window::Tone toneOf(tune::Strategy strategy);
/// Return the name of how a search arrived at a schedule (drawn at random, derived from another one, …), and its colour
/// in the plot.
const text::Text& nameOf(tune::Origin origin);
window::Tone toneOf(tune::Origin origin);

/// Returns a text with the tile (m × n × k elements), the threads of a block and the stages of the pipeline of a
/// schedule: "128 × 64 × 32 · 256 threads · 3 stages". The schedule is `sketch` (a schedule with open decisions) with
/// the values of `assignment` for its decisions. What the sketch doesn't define is left out; if it defines none of
/// them, returns the sketch's name.
std::string whatText(const window::Look& look, const tune::Sketch& sketch, const tune::Assignment& assignment);

/// Returns `whatText` of each schedule, and behind it, where some schedules of its sketch have the same, at most three
/// decisions that tell these apart, the same for all of the sketch: "128 threads · results that a block makes: 4".
/// `schedules` are of `sketches`; none is null.
std::vector<std::string> distinctTexts(const window::Look& look, const std::vector<tune::Sketch>& sketches,
                                       const std::vector<const session::SearchedSchedule*>& schedules);

/// Returns a text with the best known time of a schedule, its unit included: the measured time, or else the predicted
/// one, marked with "≈"; "–" if there is neither.
std::string bestTimeText(const session::SearchedSchedule& schedule);

}  // namespace loom::panels
