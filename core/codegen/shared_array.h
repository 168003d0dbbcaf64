// How a kernel's text declares buffers in the launch's shared memory. Internal to core/codegen.
#pragma once
#include <cstdint>
#include <string_view>

#include "core/device/program.h"

namespace loom::codegen {

// An array of shared.dyn that doesn't begin where the launch's memory does. Its first element is added to each index,
// as TVM adds it: of 29 kernels in which this was compared with a pointer to the first element, 9 were faster by more
// than 2 % and 5 slower (H200, 2026-11-29), and where nothing else differs from TVM's text, the machine code is TVM's.
inline constexpr std::string_view kSharedArray =
    "// An array in the launch's shared memory, from the element kFirst on.\n"
    "template <typename T, int kFirst>\n"
    "struct SharedArray {\n"
    "  T* memory;\n"
    "  __device__ __forceinline__ T& operator[](int i) const { return memory[i + kFirst]; }\n"
    "};\n";

// Returns the byte of the block's shared memory at which the launch's part begins; the largest std::int64_t for a
// kernel whose launch gives no shared memory.
std::int64_t launchMemory(const device::Kernel& kernel);

// Returns whether the text declares an allocation of the kernel as a SharedArray: one of shared.dyn that doesn't begin
// where the launch's memory does. What the copy engine fills is declared by its address instead.
bool isSharedArray(const device::Kernel& kernel, const device::Allocation& allocation);

}  // namespace loom::codegen
