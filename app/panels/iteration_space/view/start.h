#pragma once

#include "app/panels/iteration_space/view/space.h"
#include "app/panels/loop_nest/view/loop_nest.h"

namespace loom::session {

/// Returns the level at which the panel opens while the user has chosen none; −1 shows the box whole. The box has the
/// iterations of one block. At each level, a group of loops, it is partitioned further into children, one of which is
/// chosen to be partitioned at the next level.
///
/// A level is changed if the last schedule step created or changed one of its loops. Axes of the box with extent 1
/// don't count below. The function returns the first of these that exists, −1 if none does:
/// 1. the innermost changed level whose chosen child is a tile, that is, longer than 1 along every axis;
/// 2. the outermost changed level whose chosen child is a sheet, that is, longer than 1 along all axes but one;
/// 3. the innermost level of all whose chosen child is a tile.
///
/// `view` must have the partitions of all levels of `space`; `nest` is the loop nest of the same state.
int levelToStartWith(const IterationSpace& space, const IterationView& view, const LoopNest& nest);

}  // namespace loom::session
