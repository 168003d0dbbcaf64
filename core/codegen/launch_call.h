// Prints the launch of a kernel as host code.
#pragma once
#include <string>

#include "core/codegen/cuda.h"

namespace loom::codegen {

// Returns the C++ expression that launches a kernel, one of `source.launches`: "main_kernel<<<dim3(64, 1, 1), dim3(32,
// 16, 1), 0>>>(X, Y, Z)". The arguments are the names of the launch's buffers, scalars and tensor maps; an extent of
// the grid that depends on symbols is written as symbolText does. `stream` is the expression of the CUDA stream; if it
// is empty, the call names no stream.
std::string launchCall(const Source& source, const KernelLaunch& launch, const std::string& stream = "");

}  // namespace loom::codegen
