// Reads programs that TVM saved with `tvm.ir.save_json(mod)`, as the databases of its tuner hold them.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "core/ir/result.h"
#include "core/ir/stmt.h"

namespace loom::script {

// A program that TVM saved.
struct SavedProgram {
  // The program as parsing its TVMScript text gives it: ids of loops and blocks are numbered along the text, and
  // functions are ordered by name, "main" last. A function that was saved alone has the name in its "global_symbol",
  // else "main".
  ir::Module module;
  std::vector<std::string> passedOver;  // the names of functions that were left out, because they aren't TIR (Relax)
};

// Reads the module, or the single function, that was saved in the JSON. `file` only names the text in errors. Error
// "ParseError" if the JSON is no saved module or function, has no function of TIR, or has something that Tileloom's
// TVMScript has no form for; the message names it.
Result<SavedProgram> readSavedProgram(std::string_view json, std::string_view file);

}  // namespace loom::script
