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
// TVM's transform_layout and a few others leave variables of an inner block in the regions of an outer one; programs
// that are TVM's to the letter need `InRegions`, which accepts such variables in T.reads and T.writes.
enum class Dangling { Refused, InRegions };
std::optional<std::string> verify(const Function& f, Dangling dangling = Dangling::Refused);
std::optional<std::string> verify(const Module& m, Dangling dangling = Dangling::Refused);

}  // namespace loom::ir
