#pragma once

#include <string>

#include "app/session/search_run.h"
#include "app/ui/look.h"

namespace loom::panels {

/// Return the name and the colour of a strategy, and of the origin of a candidate.
const text::Text& nameOf(tune::Strategy strategy);
const text::Text& tipOf(tune::Strategy strategy);
window::Tone toneOf(tune::Strategy strategy);
const text::Text& nameOf(tune::Origin origin);
window::Tone toneOf(tune::Origin origin);

/// Returns a schedule's tile, threads and stages: "128×64×32 · 256 threads · 3 stages"; without them, the sketch's
/// name.
std::string whatText(const window::Look& look, const tune::Sketch& sketch, const tune::Assignment& assignment);

/// Returns the best known time of a schedule: measured, or else predicted with "≈"; "–" where there is none.
std::string bestTimeText(const session::SearchedSchedule& schedule);

}  // namespace loom::panels
