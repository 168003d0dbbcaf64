#pragma once

#include <optional>
#include <vector>

#include "core/tune/step_form.h"

namespace loom::tune {

/// Steps between loops that stand in one another.
///
/// The loops from the outermost that has only one loop inside it down to the last of them, around or below `loop`: what
/// fuse and reorder can work on. Outermost first; `loop` is one of them. Empty for what is no loop.
std::vector<ir::Id> chainOf(const schedule::State& state, ir::Id loop);

/// A complete fuse or reorder of these loops, in this order.
StepForm formOfLoops(const char* primitive, const std::vector<ir::Id>& loops);

/// Where a loop that is dragged is let go.
enum class DropEdge : std::uint8_t { kBefore, kOnto, kAfter };

/// The step that a drop is: onto a loop, fuse of both; before or after it, reorder of all loops between, with `dragged`
/// at its new place. Nothing where it would stay where it is. Loops that don't stand in one another give the reorder
/// whose refusal says so.
std::optional<StepForm> dropStep(const schedule::State& state, ir::Id dragged, ir::Id target, DropEdge edge);

}  // namespace loom::tune
