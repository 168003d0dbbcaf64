#pragma once
#include <string>

#include "core/codegen/cuda.h"

namespace loom::codegen {

// Returns a launch as a C++ expression: "main_kernel<<<dim3(64, 1, 1), dim3(32, 16, 1), 0>>>(X, Y, Z)". The arguments
// are the names of the source's buffers, scalars and maps. `stream` is the fourth launch argument; empty: there is
// none.
std::string launchCall(const Source& source, const KernelLaunch& launch, const std::string& stream = "");

}  // namespace loom::codegen
