// Exports kernels as a project that runs without this program: the CUDA text, a host program that checks and times it,
// and a CMakeLists.txt. Building it needs nvcc, running it a GPU.
#pragma once
#include <map>
#include <optional>
#include <string>

#include "core/codegen/cuda.h"
#include "core/gpu/workload.h"

namespace loom::gpu {

// Returns the project's files, the content of each by its name: "kernel.cuh" (the CUDA text), "main.cu" (the host
// program), "CMakeLists.txt", "schedule.py" and "README.md". The source must have no symbols, and its tensor maps must
// keep the driver's rules: checkTensorMaps (tensor_map.h) must find none broken. A source with an operation that only
// one architecture has is compiled for that architecture, another for the GPU of the machine that builds it. If
// `matmul` is given, the host program compares the result with a double-precision reference and prints the time in µs
// and TFLOP/s; without it, the program prints the time and says that it didn't check the result. `title`, one line,
// heads the description, and `schedule`, the step lines, is the content of "schedule.py".
std::map<std::string, std::string> exportProject(const codegen::Source& source, const std::optional<Matmul>& matmul,
                                                 const std::string& title, const std::string& schedule);

// Returns the same files for the kernels of a function whose unscheduled form is `function`: with a reference if that
// is a matrix product. The source may have symbols, whose values the host program takes as arguments of the form
// "n=1000". One that isn't given has its value in `numbers`, or else is 1.
std::map<std::string, std::string> exportProject(const codegen::Source& source, const ir::Function& function,
                                                 const ir::Numbers& numbers, const std::string& title,
                                                 const std::string& schedule);

}  // namespace loom::gpu
