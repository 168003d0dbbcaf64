#pragma once

#include <vector>

#include "app/panels/playback/view/playback.h"

namespace loom::session {

/// Lays a phase (an item of the timeline) out in time. A phase is as long as its busiest pipe and its waits, so
/// nothing runs during a wait: loads go from the beginning, then the waits that nobody hides, then what needs the
/// loaded values, up to the end. Where all that the phase does comes again in each of more than a few passes of one
/// loop, each pass is laid out so; of several nests one behind the other, each, where each has time enough. In no pipe
/// do two bars overlap.
std::vector<PlaybackBar> layOutPhase(const model::Timeline& timeline, int phaseItem);

}  // namespace loom::session
