// Programs as TVM saves them (`tvm.ir.save_json(mod)`), as a tuner's database holds its workloads.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "core/ir/result.h"
#include "core/ir/stmt.h"

namespace loom::script {

// A program that TVM saved.
struct SavedProgram {
  ir::Module module;                    // as TVM prints and parses it again: ids and order are those of parseModule
  std::vector<std::string> passedOver;  // names of the functions that aren't TIR's (Relax)
};

// Reads the module, or the one function, that the JSON is a graph of. `file` only names the text in errors. Errors
// "ParseError": no such graph, no function of TIR, or something that TVMScript has no words for here; the message names
// it.
Result<SavedProgram> readSavedProgram(std::string_view json, std::string_view file);

}  // namespace loom::script
