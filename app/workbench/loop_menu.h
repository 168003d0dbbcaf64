#pragma once

#include <atomic>
#include <optional>
#include <string>
#include <vector>

#include "app/workbench/step_form.h"

namespace loom::workbench {

/// What can be done to one loop or block: a primitive, or a value of its next parameter.
struct MenuEntry {
  std::string text;                ///< the primitive's name, or the value as a step line writes it
  StepForm form;                   ///< complete where there are no choices
  std::optional<Error> refusal;    ///< why it can't be done; of the first choice when all are refused
  std::vector<MenuEntry> choices;  ///< values of the parameter that is still to be chosen
};

/// Every primitive of the table that begins with such a loop or block and needs at most two more values, tried out at
/// the state. Gives up early when `stop` becomes true. Some ms: for another thread.
std::vector<MenuEntry> menuOf(const schedule::State& state, const schedule::Environment& environment, ir::Id id,
                              const std::atomic<bool>& stop);

}  // namespace loom::workbench
