#pragma once

#include <string>
#include <vector>

#include "app/panels/barriers/view/waits.h"
#include "app/ui/look.h"

namespace loom::panels {

/// Returns which threads wait at `wait`, a statement of the kernel at which threads wait for others or for copies:
/// "each thread", "warps 0–3", "one thread of warp 4".
std::string waitingText(const window::Look& look, const session::Wait& wait);

/// Returns how often each of the threads waits at the statement in the life of a thread block: "16"; "at most 16" if a
/// condition may skip the wait; in any case "varies" if a loop around has no constant extent.
std::string timesText(const window::Look& look, const session::Wait& wait);

/// Returns what the threads wait for, as sentences: one for each of `wait.reasons`, which a barrier has that lowering
/// has placed; a single one if there are none.
std::vector<std::string> awaitedTexts(const window::Look& look, const session::Wait& wait);

}  // namespace loom::panels
