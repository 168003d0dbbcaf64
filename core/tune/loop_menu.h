#pragma once

#include <atomic>
#include <optional>
#include <string>
#include <vector>

#include "core/tune/step_form.h"

namespace loom::tune {

/// What can be done to loops or blocks: a primitive, or a value of its next parameter.
struct MenuEntry {
  std::string text;                 ///< the primitive's name, or the value as a step line writes it
  StepForm form;                    ///< complete where there are no choices and nothing is to be filled in
  std::optional<Error> refusal;     ///< why it can't be done, and how after all; of a choice when all are refused
  std::vector<MenuEntry> choices;   ///< values of the parameter that is still to be chosen
  bool toFillIn = false;            ///< the form has further values that no list offers: for the panel Step
  std::vector<StepForm> also = {};  ///< the same for the other loops that are chosen, one step each
};

/// The step lines of an entry, `also` included; errors as `stepLines`.
Result<std::string> linesOf(const document::History& history, int node, const MenuEntry& entry);

/// Every primitive of the table that begins with such a loop or block, tried out at the state: with its choices where
/// at most two more values are needed, else to be filled in. Of a loop also: fuse and reorder with the loops around and
/// inside it, and blocks that can be computed there. Of several loops: fuse and reorder of them in the order given, and
/// primitives that take one loop and nothing else, for each of them. Gives up early when `stop` becomes true. Some ms:
/// for another thread.
std::vector<MenuEntry> menuOf(const schedule::State& state, const schedule::Environment& environment,
                              const std::vector<ir::Id>& ids, const std::atomic<bool>& stop);
/// Of one primitive of that menu, its choices: the axes that a loop can be bound to, say.
std::vector<MenuEntry> choicesOf(const schedule::State& state, const schedule::Environment& environment, ir::Id id,
                                 const std::string& primitive, const std::atomic<bool>& stop);

/// The complete forms of that menu, with each value that it lists, that the state takes.
std::vector<StepForm> offersOf(const schedule::State& state, const schedule::Environment& environment, ir::Id id,
                               const std::atomic<bool>& stop);

}  // namespace loom::tune
