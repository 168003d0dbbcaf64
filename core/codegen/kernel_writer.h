#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "core/codegen/cuda.h"

/// Writes the text of one kernel. Internal to core/codegen; others use `generate` of cuda.h.
namespace loom::codegen {

/// The buffers, functions and preambles that a kernel's body uses.
struct KernelUses {
  std::set<const ir::BufferNode*> read, written;
  std::set<std::string> called;             ///< the names of all functions that may be called
  std::vector<std::string_view> preambles;  ///< the definitions of CUDA device functions that the body needs, each once
};
/// Returns what the kernel uses. The buffers are nodes of the kernel, which must outlive the result; the preambles are
/// texts that live as long as the process.
KernelUses usesOf(const device::Kernel& kernel);

/// Appends the definition of the kernel's function to `out.text` and, for every line of it, the loops, block and
/// statement that it comes from to `out.lines`. Of `launch` it sets only `dynamicSharedBytes`, the bytes of dynamic
/// shared memory of a block. `uses` is usesOf(kernel), which says which parameters are const and which names are taken;
/// its preambles are not written: the caller writes those of all kernels, each once, before the first kernel. `options`
/// says which step comments the text has. `symbols` are the program's sizes that get their values only at the launch;
/// their ranges simplify the printed indices.
void writeKernel(const device::Kernel& kernel, const KernelUses& uses, const std::vector<ir::Symbol>& symbols,
                 const Options& options, Source& out, KernelLaunch& launch);

}  // namespace loom::codegen
