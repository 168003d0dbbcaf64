#pragma once

#include "app/panels/iteration_space/view/space.h"
#include "app/panels/loop_nest/view/loop_nest.h"

namespace loom::session {

/// The level (−1: the box is whole) that shows a state best to someone who hasn't chosen one: of those whose loops its
/// step made or changed, the deepest whose piece is more than 1 along every axis, else the first that is so along all
/// but one; where there is none, the deepest of all levels that is more than 1 along every axis. `view` has all cuts of
/// `space`, `nest` is the state's.
int levelToStartWith(const IterationSpace& space, const IterationView& view, const LoopNest& nest);

}  // namespace loom::session
