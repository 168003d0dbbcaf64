// lower::remarksOnStep of a history's steps.
#pragma once
#include "core/document/history.h"
#include "core/lower/step_remarks.h"

namespace loom::document {

// Of the step that led to the node; none of the start. Where `lowered`, also what kernels say (some ms).
std::vector<lower::StepRemark> remarksOnStep(const History& history, int node, bool lowered = false);

}  // namespace loom::document
