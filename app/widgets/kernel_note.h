#pragma once

#include <string>

#include "app/session/state_model.h"
#include "app/text/program_parts.h"
#include "app/ui/look.h"
#include "app/ui/text.h"

namespace loom::panels {

/// Returns the name of the kernel that a panel tells of, which tells of one alone; empty for a program of one kernel.
inline std::string kernelOf(const session::StateModel& model) {
  const device::Program* program = model.text ? model.text->statements() : nullptr;
  return program && program->kernels.size() > 1 ? program->kernels[model.which].name : std::string();
}

/// Draws of which kernel a panel tells, which tells of one alone: a line. Draws nothing for a program of one kernel.
inline void drawKernelNote(const window::Look& look, const session::StateModel& model) {
  if (const std::string only = kernelOf(model); !only.empty())
    drawSecond(look, say(look, text::parts::kOneKernel, model.text->statements()->kernels.size(), only));
}

}  // namespace loom::panels
