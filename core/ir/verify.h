// What must hold of every program between two steps. Broken invariants are bugs of a primitive or of a parser, not of
// the user.
#pragma once
#include <optional>
#include <string>

#include "core/ir/stmt.h"

namespace loom::ir {

// Nothing when sound. Else the first broken rule, with the place: variables used out of scope; an iteration variable
// without exactly one value; a buffer used that is neither parameter, allocation nor view in scope; an index count
// other than the buffer's rank; operands of different dtypes; a Seq inside a Seq or of one; two loops, blocks or
// buffers with one id.
std::optional<std::string> verify(const Function& f);
std::optional<std::string> verify(const Module& m);

}  // namespace loom::ir
