// The text of values and of calls as step lines write them.
#pragma once
#include <functional>
#include <string>

#include "core/schedule/instruction.h"

namespace loom::schedule {

// Returns the expression by which a line refers to a loop or block, or an error if it has none.
using NameOf = std::function<Result<std::string>(Id)>;

// Returns the text of a value in a step line. Error "ValueError" for expressions, which have no name.
Result<std::string> valueText(const Value& value, const NameOf& nameOf);
// Returns the text of a parameter's argument: what names a buffer is a tuple, not a list.
Result<std::string> valueText(const Parameter& parameter, const Value& value, const NameOf& nameOf);
// Returns the text between the parentheses for a value of each of the row's parameters. Defaults are left out, and
// arguments after one that is left out, or that have a default, are written with their name.
Result<std::string> argumentsText(const Instruction& row, const std::vector<Value>& values, const NameOf& nameOf);

}  // namespace loom::schedule
