// Exports of a state as files for other programs.
#pragma once
#include <map>
#include <string>
#include <vector>

#include "core/document/bench.h"
#include "core/document/target.h"

namespace loom::document {

// Returns the kinds of export: "tvmscript", "s_tir", "python", "trace", "cuda", "passes", "ptx", "sass", "project",
// "document", "database".
const std::vector<std::string>& exportKinds();

// Returns the files of an export of state `node` of the target's history: the content of each by its name; a single
// file has an empty name. `kind` is one of `exportKinds`, and `environment` has the tensor intrinsics that the target
// was opened with. Errors: those of lowering ("NotAKernel") and of compiling.
Result<std::map<std::string, std::string>> exportState(const Target& target, int node, const std::string& kind,
                                                       Bench& bench, const schedule::Environment& environment);

// Returns a Python file that makes state `node` of the target's history in TVM: the function, the tensor intrinsics
// that TVM lacks (the target's own, and those of `environment` that its steps use), the step lines, and a line that
// prints the module.
std::string pythonFile(const Target& target, int node, const schedule::Environment& environment = {});

}  // namespace loom::document
