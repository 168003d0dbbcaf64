// The text of values and of calls as step lines, the lines of a schedule, write them.
#pragma once
#include <functional>
#include <string>

#include "core/schedule/instruction.h"

namespace loom::schedule {

// Returns the expression by which a step line refers to the loop or block with this id, or an error if there is none.
// Never empty.
using NameOf = std::function<Result<std::string>(Id)>;

// Returns the text of a value in a step line. Errors: "ValueError" for expressions of the program, which have no name,
// and what `nameOf` returns.
Result<std::string> valueText(const Value& value, const NameOf& nameOf);
// Returns the text of the value as the argument of a parameter. For a parameter of type Buffer, a list ("read" or
// "write", index) is written as a tuple. Errors as those above.
Result<std::string> valueText(const Parameter& parameter, const Value& value, const NameOf& nameOf);
// Returns the text between the parentheses of a call of the primitive `row`; `values` has a value for each of its
// parameters. Arguments equal to their default are left out. Parameters that have a default, and all after one that is
// left out, are written with their name. Errors as those of `valueText`.
Result<std::string> argumentsText(const Instruction& row, const std::vector<Value>& values, const NameOf& nameOf);

}  // namespace loom::schedule
