#pragma once

#include <map>
#include <string>

#include "app/panels/loop_nest/view/loop_nest.h"

namespace loom::session {

/// Returns, by the id of a loop, the name of its variable as the script prints it.
std::map<ir::Id, std::string> printedNames(const script::Script& script);
/// Returns, by the id of a loop or block of the last state of `input` (the states from the start to one of them, with
/// the step lines that led to each), the schedule variable that stands for it now: "l18", or "blocks[0]" for an element
/// of a list; of several, the one that a line assigned last. Loops and blocks without a variable are left out.
std::map<ir::Id, std::string> handleNames(const StatePath& input);

}  // namespace loom::session
