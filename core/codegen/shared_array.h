// How a kernel's text declares buffers in the launch's memory, that is, in the block's dynamic shared memory, whose
// size the launch gives. Internal to core/codegen.
#pragma once
#include <cstdint>
#include <string_view>

#include "core/device/program.h"

namespace loom::codegen {

// The CUDA definition of SharedArray, an array in the launch's memory whose first element, kFirst, is added to each
// index, as TVM adds it. Of 29 kernels in which this was compared with a pointer to the first element, 9 were faster by
// more than 2 % and 5 slower (H200, 2026-11-29). Where nothing else differs from TVM's text, the machine code is TVM's.
inline constexpr std::string_view kSharedArray =
    "// An array in the launch's shared memory, from the element kFirst on.\n"
    "template <typename T, int kFirst>\n"
    "struct SharedArray {\n"
    "  T* memory;\n"
    "  __device__ __forceinline__ T& operator[](int i) const { return memory[i + kFirst]; }\n"
    "};\n";

// Returns the byte of the block's shared memory at which the launch's memory begins, after the static part; the largest
// std::int64_t for a kernel without dynamic shared memory. Here and below the allocations must have their offsets
// (lower::planSharedMemory).
std::int64_t launchMemory(const device::Kernel& kernel);

// Returns whether the text declares an allocation of the kernel as a SharedArray: one of shared.dyn that begins a whole
// number of elements, but not 0, after the first byte of the launch's memory. Other allocations in the launch's memory
// are declared as a pointer, as are all in a kernel with tensor maps or mbarriers.
bool isSharedArray(const device::Kernel& kernel, const device::Allocation& allocation);

}  // namespace loom::codegen
