// Exports kernels as a project that runs without this program: the CUDA text, a host program that checks and times it,
// and a CMakeLists.txt. Building it needs nvcc, running it a GPU.
#pragma once
#include <map>
#include <optional>
#include <string>

#include "core/codegen/cuda.h"
#include "core/gpu/workload.h"

namespace loom::gpu {

// Returns the content of each file by its name. The source's maps must be such as the driver takes (checkTensorMaps);
// a source with an operation that one architecture alone has is compiled for that one. With a matrix product, the host
// program compares the result with a double-precision reference and prints TFLOP/s; without one it says that it can't
// check. `title` and `schedule`, the step lines, go into the project's description.
std::map<std::string, std::string> exportProject(const codegen::Source& source, const std::optional<Matmul>& matmul,
                                                 const std::string& title, const std::string& schedule);

// Returns the project's files for the kernels of a function whose unscheduled form is `function`. If the source has
// symbols, the host program takes their values as arguments, n=1000, and otherwise uses `numbers`.
std::map<std::string, std::string> exportProject(const codegen::Source& source, const ir::Function& function,
                                                 const ir::Numbers& numbers, const std::string& title,
                                                 const std::string& schedule);

}  // namespace loom::gpu
