// Evaluates calls of operations on scalars (ir/operation.h) as TVM's parser does. Internal to core/script.
#pragma once
#include <optional>
#include <string>

#include "core/script/evaluator.h"

namespace loom::script {

// Returns the value of the call T.name(…), whose arguments are `arguments`; nothing, with no argument taken, if no
// scalar operation has the name, and for if_then_else, likely and operations with any number of operands. `evaluator`
// evaluates the text that the call stands in. Throws a Refusal, which holds the error, at the call for operands that
// TVM refuses, too few, or too many; that no other argument is left, the caller asks by Arguments::finish.
std::optional<Value> scalarCall(const std::string& name, Evaluator& evaluator, Arguments& arguments);

}  // namespace loom::script
