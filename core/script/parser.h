// Reads TVMScript: one @T.prim_func or one @I.ir_module, in the dialect of TVM 0.22 (`tir`, T.block) or of current TVM
// (`tirx`, T.sblock). The inverse of printer.h.
#pragma once
#include <string_view>
#include <vector>

#include "core/ir/result.h"
#include "core/ir/stmt.h"

namespace loom::script {

// Parses a text as TVM does into a module: a Python constant beside a typed operand takes the operand's dtype, regions
// that a block reads and writes are derived where the text doesn't give them, and a root block is added if there is
// none. A text of a single function makes a module of that one. Functions of Relax in a module are left out, so the
// result may have no function. Other functions are ordered by name, "main" last, as TVM prints them. Loops, blocks and
// buffers are numbered as they follow one another in the text, through all of its functions (ir::Id with step 0). The
// text itself tells its dialect. `file` only names the text in errors. Any text may be given: what can't be parsed is
// the error "ParseError" with its place in the text; what forbids it is the input (Forbids::Input).
Result<ir::Module> parseModule(std::string_view text, std::string_view file);

// Parses all functions of a text and returns them in its order: like parseModule, with the same errors, but several
// @T.prim_func may follow one another, as a tensor intrinsic's description and implementation do. Empty for a module
// without functions; a text with neither a function nor a module is an error.
Result<std::vector<ir::Function>> parseFunctions(std::string_view text, std::string_view file);

}  // namespace loom::script
