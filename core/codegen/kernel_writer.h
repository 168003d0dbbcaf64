#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "core/codegen/cuda.h"

/// The text of one kernel. Private to the room: `generate` of cuda.h is the way in.
namespace loom::codegen {

/// What a kernel's body needs to be declared.
struct KernelUses {
  std::set<const ir::BufferNode*> read, written;  ///< buffers
  std::set<std::string> called;                   ///< functions, under every name that their calls may be printed with
  std::vector<std::string_view> preambles;        ///< device::preamblesOf
};
KernelUses usesOf(const device::Kernel& kernel);

/// Appends the kernel's text to `out`, with the origin of every line, and sets the dynamic shared memory of `launch`.
/// `uses` are the kernel's, `symbols` the program's.
void writeKernel(const device::Kernel& kernel, const KernelUses& uses, const std::vector<ir::Symbol>& symbols,
                 const Options& options, Source& out, KernelLaunch& launch);

}  // namespace loom::codegen
