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
  ir::Module module;                    // with the ids and order that parseModule gives to TVM's printed text of it
  std::vector<std::string> passedOver;  // the names of functions that were left out, because they aren't TIR (Relax)
};

// Reads the module, or the single function, that was saved in the JSON. `file` only names the text in errors. Error
// "ParseError" if the JSON is no saved module or function, has no function of TIR, or has something that can't be
// written in TVMScript here; the message names it.
Result<SavedProgram> readSavedProgram(std::string_view json, std::string_view file);

}  // namespace loom::script
