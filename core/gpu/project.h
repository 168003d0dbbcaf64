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
// program), "CMakeLists.txt", "schedule.py" and "README.md". The tensor maps of the source must keep the driver's rules
// (checkTensorMaps finds none broken). A source with an operation that only one architecture has is compiled for that
// architecture. If `matmul` is given, the host program compares the result with a double-precision reference and prints
// the time in µs and TFLOP/s; without it, the program prints the time and says that it didn't check the result.
// `title`, one line, heads the description, and `schedule`, the step lines, is the content of "schedule.py".
std::map<std::string, std::string> exportProject(const codegen::Source& source, const std::optional<Matmul>& matmul,
                                                 const std::string& title, const std::string& schedule);

// Returns the project's files, as above, for the kernels of a function whose unscheduled form is `function`: with a
// reference if that is a matrix product. If the source has symbols, the host program takes their values as arguments,
// n=1000. One that isn't given has its value in `numbers`, or else is 1.
std::map<std::string, std::string> exportProject(const codegen::Source& source, const ir::Function& function,
                                                 const ir::Numbers& numbers, const std::string& title,
                                                 const std::string& schedule);

}  // namespace loom::gpu
