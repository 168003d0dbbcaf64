// Calls of operations on scalars (ir/operation.h) as TVM's parser makes them. Private to the room.
#pragma once
#include <optional>
#include <string>

#include "core/script/evaluator.h"

namespace loom::script {

// The value of T.name(…); nothing where the name is no operation's. Refuses at the call what TVM refuses.
std::optional<Value> scalarCall(const std::string& name, Evaluator& evaluator, Arguments& arguments);

}  // namespace loom::script
