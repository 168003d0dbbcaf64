#pragma once

#include <string>

#include "app/session/state_model.h"
#include "app/text/program_parts.h"
#include "app/ui/look.h"
#include "app/ui/text.h"

namespace loom::panels {

/// Returns the name of the kernel that a performance model describes, for a panel that shows only one of a program's
/// kernels. Returns "" if the program has one kernel, or none because it can't be lowered.
inline std::string kernelOf(const session::StateModel& model) {
  const device::Program* program = model.text ? model.text->statements() : nullptr;
  return program && program->kernels.size() > 1 ? program->kernels[model.which].name : std::string();
}

/// Draws a line that says which of the program's kernels a panel shows. Draws nothing if `kernelOf` returns "".
inline void drawKernelNote(const window::Look& look, const session::StateModel& model) {
  if (const std::string only = kernelOf(model); !only.empty())
    drawSecond(look, say(look, text::parts::kOneKernel, model.text->statements()->kernels.size(), only));
}

}  // namespace loom::panels
