// The text of values and of calls as step lines write them.
#pragma once
#include <functional>
#include <string>

#include "core/schedule/instruction.h"

namespace loom::schedule {

// Returns the expression by which a line refers to a loop or block, or an error if it has none.
using NameOf = std::function<Result<std::string>(Id)>;

// "ValueError" for expressions, which have no name.
Result<std::string> valueText(const Value& value, const NameOf& nameOf);
// The same of a parameter's argument: what names a buffer is a tuple, not a list.
Result<std::string> valueText(const Parameter& parameter, const Value& value, const NameOf& nameOf);
// What stands between the parentheses, for a value of each of the row's parameters: fallbacks are left out, what
// follows one that is left out, or has a fallback, goes by its name.
Result<std::string> argumentsText(const Instruction& row, const std::vector<Value>& values, const NameOf& nameOf);

}  // namespace loom::schedule
