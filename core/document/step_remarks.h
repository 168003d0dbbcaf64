// Remarks on the steps of a history, the tree of states (programs after some schedule steps) of a document: warnings if
// a step breaks something, and notes if it has no effect.
#pragma once
#include "core/document/history.h"
#include "core/lower/step_remarks.h"

namespace loom::document {

// Returns the remarks on the step that led to the state `node`; none for the start. With `lowered`, if the state has
// only one function, the state and its parent are also lowered (some milliseconds), and remarks on the changes of the
// kernel are added; a state that can't be lowered has no kernel to compare.
std::vector<lower::StepRemark> remarksOnStep(const History& history, int node, bool lowered = false);

}  // namespace loom::document
