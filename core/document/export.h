// Exports of a state (the program after some schedule steps) as files for other programs. A target is a program that
// was opened, with its history: the tree of its states, each with an index (`node`).
#pragma once
#include <map>
#include <string>
#include <vector>

#include "core/document/bench.h"
#include "core/document/target.h"

namespace loom::document {

// Returns the kinds of export: "tvmscript" and "s_tir" (the module as TVMScript, in the dialect of TVM 0.22 and in that
// of current TVM), "python" (see `pythonFile`), "trace" (TVM's trace of the schedule, in JSON), "cuda" (the kernel's
// text), "passes" (the program after each pass of lowering, up to the error if there is one), "ptx", "sass" (the
// disassembled machine code), "project" (files to build and run the kernel without this program), "document" (the whole
// target as a file NAME.tileloom), "database" (a tuner's database).
const std::vector<std::string>& exportKinds();

// Returns the files of an export of state `node` of the target's history: the content of each by its name; a single
// file has an empty name. `kind` must be one of `exportKinds` and `node` an index of the history; `bench` compiles
// kernels, for Bench::architecture(), and `environment` has the tensor intrinsics beside the target's own. A kernel,
// and "passes", is that of the module's first function. Errors: for "cuda", "ptx", "sass" and "project", KernelText's
// `problem`, mostly "NotAKernel", if the state is no kernel; for "cuda" and "project", "LaunchError" if a tensor map
// breaks a rule of the driver; for "ptx" and "sass" also those of compiling ("NoNvrtc", "NoCudaHeaders", "NoWorker",
// "CompileError"), for "sass" "NoNvdisasm", too; for "trace" and "database", why a step is refused when the steps are
// applied anew; for "database", "NoSuchTarget" if the target wasn't opened from a tuner's database.
Result<std::map<std::string, std::string>> exportState(const Target& target, int node, const std::string& kind,
                                                       Bench& bench, const schedule::Environment& environment);

// Returns a Python file that makes state `node` of the target's history in TVM: the function, the tensor intrinsics
// that TVM lacks (the target's own, and those of `environment` that its steps use), the step lines, and a line that
// prints the module.
std::string pythonFile(const Target& target, int node, const schedule::Environment& environment = {});

}  // namespace loom::document
