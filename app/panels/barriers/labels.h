#pragma once

#include <string>
#include <vector>

#include "app/panels/barriers/view/waits.h"
#include "app/ui/look.h"

namespace loom::panels {

/// Returns which threads wait in `wait`: "each thread", "warps 0–3", "one thread of warp 4".
std::string waitingText(const window::Look& look, const session::Wait& wait);

/// Returns how often each of them waits in the life of a thread block: "16", "at most 16", "varies".
std::string timesText(const window::Look& look, const session::Wait& wait);

/// Returns what the threads wait for, as one sentence for each row of the table; at least one.
std::vector<std::string> awaitedTexts(const window::Look& look, const session::Wait& wait);

}  // namespace loom::panels
