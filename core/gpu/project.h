// Exports kernels as a project that runs without this program: the CUDA text, a host program that checks and times it,
// and a CMakeLists.txt. Building it needs nvcc, running it a GPU.
#pragma once
#include <map>
#include <optional>
#include <string>

#include "core/codegen/cuda.h"
#include "core/gpu/workload.h"

namespace loom::gpu {

// Returns the project's files: the content of each, by its name. The source must pass checkTensorMaps. A source with an
// operation that only one architecture has is compiled for that architecture. If `matmul` is given, the host program
// compares the result with a double-precision reference and prints TFLOP/s; without it, the program says that it can't
// check the result. `title` and `schedule`, the step lines, go into the project's description.
std::map<std::string, std::string> exportProject(const codegen::Source& source, const std::optional<Matmul>& matmul,
                                                 const std::string& title, const std::string& schedule);

// Returns the project's files for the kernels of a function whose unscheduled form is `function`. If the source has
// symbols, the host program takes their values as arguments, n=1000, and otherwise uses `numbers`.
std::map<std::string, std::string> exportProject(const codegen::Source& source, const ir::Function& function,
                                                 const ir::Numbers& numbers, const std::string& title,
                                                 const std::string& schedule);

}  // namespace loom::gpu
