#pragma once

#include <atomic>
#include <optional>
#include <string>
#include <vector>

#include "core/tune/step_form.h"

namespace loom::tune {

/// An entry of the menu of a loop or block: a scheduling primitive, or, in the submenu of an entry, a value of the next
/// parameter. The step of an entry is a call of the primitive.
struct MenuEntry {
  std::string text;  ///< the name of the primitive, or the value as a step line writes it
  StepForm form;     ///< the step; complete, unless the entry has `choices` or is `toFillIn`
  /// Why the step, or the first of `form` and `also` that is refused, is refused; nothing: it is accepted. An entry
  /// with choices is refused if all its choices are. Error::remedy has step lines that do it after all, if some are
  /// found.
  std::optional<Error> refusal;
  std::vector<MenuEntry> choices;   ///< values of the next parameter; empty: there is nothing to choose
  bool toFillIn = false;            ///< whether further values must be typed, which the panel Step asks for
  std::vector<StepForm> also = {};  ///< the same step for the other selected loops
};

/// Returns the step lines of an entry for state `node` of a history, the tree of a program's states (a state is the
/// program after some steps), those of `also` included. Fails with "ValueError" if a form isn't complete, or if one of
/// its loops can't be looked up in the schedule.
Result<std::string> linesOf(const document::History& history, int node, const MenuEntry& entry);

/// Returns the menu of the selected loops and blocks `ids` of the program `state`. Each complete step has been tried.
/// - For one loop or block: every primitive whose first parameter takes it, with choices if at most two more values are
///   needed and these can be listed, else to be filled in. For a loop also fuse and reorder with the loops around and
///   inside it, and the blocks that can be computed at it.
/// - For several loops: fuse of these, reorder to the order given or to the reverse of the present order, and every
///   primitive whose only parameter is a loop, applied to each.
///
/// Empty if `ids` is, one of them isn't in the state, or there are several that aren't all loops. When `stop` becomes
/// true, the function returns the entries made so far. Takes some milliseconds, and up to 100 ms more to find the
/// remedies of refused steps, so it must run on a background thread.
std::vector<MenuEntry> menuOf(const schedule::State& state, const schedule::Environment& environment,
                              const std::vector<ir::Id>& ids, const std::atomic<bool>& stop);
/// Returns the choices of one primitive in the menu of one loop or block, such as the axes that a loop can be bound to.
/// Empty if there is nothing to choose, the primitive doesn't take the loop or block, or `id` isn't in the state.
std::vector<MenuEntry> choicesOf(const schedule::State& state, const schedule::Environment& environment, ir::Id id,
                                 const std::string& primitive, const std::atomic<bool>& stop);

/// Returns all complete forms of the menu of one loop or block, with each value that the menu lists, that the state
/// accepts. Empty if there are none, or `id` isn't in the state.
std::vector<StepForm> offersOf(const schedule::State& state, const schedule::Environment& environment, ir::Id id,
                               const std::atomic<bool>& stop);

}  // namespace loom::tune
