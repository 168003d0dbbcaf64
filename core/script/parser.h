// Reads TVMScript: one @T.prim_func or one @I.ir_module, in the dialect of TVM 0.22 (`tir`, T.block) or of current TVM
// (`tirx`, T.sblock). The inverse of printer.h.
#pragma once
#include <string_view>
#include <vector>

#include "core/ir/result.h"
#include "core/ir/stmt.h"

namespace loom::script {

// Parses a text as TVM reads it into a module: mixed constants take the other operand's dtype, reads and writes that
// aren't given are found, a root block is added if there is none. Ids are those of step 0, in program order. A single
// function makes a module of one. `file` only names the text in errors. Errors have the code "ParseError",
// Forbids::Input and the place; it never crashes, whatever the text.
Result<ir::Module> parseModule(std::string_view text, std::string_view file);

// Parses all functions of a text in its order: as parseModule, but several @T.prim_func may stand at the top, as a
// tensor intrinsic's description and implementation do. There must be at least one.
Result<std::vector<ir::Function>> parseFunctions(std::string_view text, std::string_view file);

}  // namespace loom::script
