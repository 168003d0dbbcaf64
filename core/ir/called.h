// Recognizes calls of external functions.
#pragma once

#include <string_view>

#include "core/ir/expr.h"

namespace loom::ir {

// Returns whether the call is T.call_extern or T.call_pure_extern of the external function `name`, such as "__dp4a" in
// T.call_pure_extern("int32", "__dp4a", …).
inline bool isCallOf(const CallNode& call, std::string_view name) {
  if ((call.op != "call_extern" && call.op != "call_pure_extern") || call.args.empty()) return false;
  return call.args[0]->kind == ExprKind::StringImm && as<StringImmNode>(call.args[0])->value == name;
}

}  // namespace loom::ir
