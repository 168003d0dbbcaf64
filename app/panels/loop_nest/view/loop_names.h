#pragma once

#include <map>
#include <string>

#include "app/panels/loop_nest/view/loop_nest.h"

namespace loom::session {

/// Returns the names of the loops as the script prints them.
std::map<ir::Id, std::string> printedNames(const script::Script& script);
/// Returns the names that the lines of the path have given to loops and blocks which its last state still has: "l18",
/// "blocks[0]".
std::map<ir::Id, std::string> handleNames(const StatePath& input);

}  // namespace loom::session
