// A kernel as a project of its own: CUDA text, a host program that checks and times it, a CMakeLists.txt. Needs nvcc
// and a GPU, and nothing of this program.
#pragma once
#include <map>
#include <optional>
#include <string>

#include "core/codegen/cuda.h"
#include "core/gpu/workload.h"

namespace loom::gpu {

// File name → content. With a matmul, the host program compares with a double-precision reference and prints TFLOP/s;
// without one it says that it can't check.
std::map<std::string, std::string> exportProject(const codegen::Source& source, const std::optional<Matmul>& matmul,
                                                 const std::string& title, const std::string& schedule);

// The same of the kernels of `function`, unscheduled. Where the source has symbols, the host program takes their values
// as arguments, n=1000, and `numbers` where it is given none.
std::map<std::string, std::string> exportProject(const codegen::Source& source, const ir::Function& function,
                                                 const ir::Numbers& numbers, const std::string& title,
                                                 const std::string& schedule);

}  // namespace loom::gpu
