// Calls of operations on scalars (ir/operation.h) as TVM's parser makes them. Private to the room.
#pragma once
#include <optional>
#include <string>

#include "core/script/evaluator.h"

namespace loom::script {

// Returns the value of T.name(…); nothing if the name is no operation's. What TVM refuses is refused at the call.
std::optional<Value> scalarCall(const std::string& name, Evaluator& evaluator, Arguments& arguments);

}  // namespace loom::script
