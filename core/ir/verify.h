// Checks the invariants that hold for every program between two schedule steps. A broken invariant is a bug of a
// primitive or of a parser, not of the user.
#pragma once
#include <optional>
#include <string>

#include "core/ir/stmt.h"

namespace loom::ir {

// Whether variables may be used out of scope. TVM's transform_layout and a few other primitives leave variables of an
// inner block in the regions of an outer one. `InRegions` accepts such variables in T.reads and T.writes; programs that
// equal TVM's need it.
enum class Dangling { Refused, InRegions };
// Return nothing if no broken rule is found. Else return a sentence on the first one with its function or block. Of a
// module each function is checked. Broken rules are, among others: a variable used out of scope; an iteration variable
// without exactly one value; use of a buffer that is neither a parameter nor an allocation or view in scope; a number
// of indices other than the buffer's number of dimensions; operands of different dtypes; a sequence inside a sequence,
// or of a single statement; a loop, block or buffer without an id or with the id of another one in its function; two
// functions of one name.
std::optional<std::string> verify(const Function& f, Dangling dangling = Dangling::Refused);
std::optional<std::string> verify(const Module& m, Dangling dangling = Dangling::Refused);

}  // namespace loom::ir
