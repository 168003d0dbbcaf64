#pragma once

#include <vector>

#include "app/panels/playback/view/playback.h"

namespace loom::session {

/// Lays out a phase of a block's life in time and returns its bars (a bar: the time during which a pipe works on an
/// action, that is, one statement, or waits). `phaseItem` is the index of the phase in Timeline::items. A phase is as
/// long as its busiest track (pipe) and its waits together, so nothing runs during a wait: first come the loads, then
/// the waits that nothing hides, then what needs the loaded values, up to the end. If the phase consists of more than a
/// few passes of one loop, each pass is laid out in this way; if it consists of several loop nests after one another,
/// each of them is, provided it is long enough. Bars of one track never overlap.
std::vector<PlaybackBar> layOutPhase(const model::Timeline& timeline, int phaseItem);

}  // namespace loom::session
