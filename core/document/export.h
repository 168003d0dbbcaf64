// A state as files for elsewhere.
#pragma once
#include <map>
#include <string>
#include <vector>

#include "core/document/bench.h"
#include "core/document/target.h"

namespace loom::document {

// "tvmscript", "s_tir", "python", "trace", "cuda", "passes", "ptx", "sass", "project", "document".
const std::vector<std::string>& exportKinds();

// File name → content; a single file has the empty name. Errors: those of lowering ("NotAKernel") and compiling.
// `environment` is the one that the target was made with.
Result<std::map<std::string, std::string>> exportState(const Target& target, int node, const std::string& kind,
                                                       Bench& bench, const schedule::Environment& environment);

// A Python file that makes the state in TVM: the function, the step lines, and a line that prints the module.
std::string pythonFile(const Target& target, int node);

}  // namespace loom::document
