#pragma once

#include <optional>
#include <vector>

#include "core/tune/step_form.h"

namespace loom::tune {

/// Returns the longest chain of perfectly nested loops that contains `loop`: each loop but the last has the next one as
/// its only child. Fuse and reorder can work on these. The outermost loop comes first. Returns an empty vector if
/// `loop` is no loop of the state.
std::vector<ir::Id> chainOf(const schedule::State& state, ir::Id loop);

/// Returns the complete form of a step, which is a call of a scheduling primitive with typed values: of `primitive`,
/// "fuse" or "reorder", with these loops as its arguments, in order.
StepForm formOfLoops(const char* primitive, const std::vector<ir::Id>& loops);

/// The place, relative to a target loop, where a dragged loop is dropped: directly outside the target (kBefore), onto
/// it (kOnto), or directly inside it (kAfter).
enum class DropEdge : std::uint8_t { kBefore, kOnto, kAfter };

/// Returns the step that a drop stands for. A drop onto a loop fuses these two loops, the outer one first. A drop
/// before or after a loop reorders the two loops and those between them, with `dragged` at its new place; loops that
/// keep their places at either end aren't named. Returns nothing if the order would stay the same, or if one of the ids
/// is no loop, or if both are the same loop. If neither loop is nested in the other, or two that are to be fused have
/// others between, the function returns a step that the primitive will refuse, so that the user reads why.
std::optional<StepForm> dropStep(const schedule::State& state, ir::Id dragged, ir::Id target, DropEdge edge);

}  // namespace loom::tune
