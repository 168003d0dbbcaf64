// Lowering: from a scheduled function to a device program, by the passes of pass_table.h.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "core/device/program.h"
#include "core/ir/result.h"
#include "core/ir/stmt.h"

namespace loom::lower {

// The program after one pass, as text. From the pass "convert" on, passes run kernel by kernel: all of them on the
// first kernel, then all on the next one; the text is that of the one kernel.
struct PassResult {
  std::string pass;  // Pass::name (pass_table.h): "drop_assumptions", …, "warp_registers"; then "convert", …
  std::string text;  // the program: TVMScript before the pass "convert", from there on the printed device program
};

// Limits that no device exceeds, so that every kernel must keep them. Source: CUDA C Programming Guide, compute
// capability tables. Comments name the member of cudaDeviceProp with the same meaning, where there is one.
struct Limits {
  std::int64_t threadsPerBlock = 1024;            // maxThreadsPerBlock
  std::int64_t sharedBytesPerBlock = 232448;      // sharedMemPerBlockOptin of compute capability 9.0, 227 KiB
  std::int64_t localBytesPerThread = 512 * 1024;  // local memory of a thread
  // Threads along z (maxThreadsDim[2]); blocks along x, and along y or z (maxGridSize).
  std::int64_t blockZ = 64, gridX = 2147483647, gridYZ = 65535;
};

// Lowers a function. Error "NotAKernel" if it can't be a kernel: the error names the rule that is broken, the loops,
// blocks or buffers concerned, and, if there is one, the schedule step that would make it a kernel. To `passes`, unless
// null, the program after each pass that succeeded is appended, also on an error.
Result<device::Program> lower(const ir::Function& function, const Limits& limits = {},
                              std::vector<PassResult>* passes = nullptr);

// Lowers a function as `lower` does, and also one that `lower` refuses only because it fills or reads tensor-core
// fragments element by element. In the latter case the result is called a draft: the first lane of each warp does such
// work for the whole warp, which no GPU could run, since no lane knows which register holds which element. But the
// draft's statements read and write what the program says, and as often, so that models and views can use it. A draft
// must not be printed as CUDA. Errors as those of `lower`.
Result<device::Program> draft(const ir::Function& function, const Limits& limits = {});

// What lowering makes of a function.
struct Lowered {
  Result<device::Program> program;       // what `lower` returns for the function
  std::optional<device::Program> draft;  // what `draft` returns, if `program` is an error and there is a draft
};
// Lowers a function or, if it can't be a kernel, drafts it. Takes less time than `lower` and `draft` one after the
// other, which would fail for one reason twice.
Lowered lowerOrDraft(const ir::Function& function, const Limits& limits = {});

// Returns the buffers that the kernels would allocate, with the shapes and padded strides that lowering gives them.
// This also works for functions that only a later pass refuses. Buffers that several kernels would have to share are
// left out. Errors as those of `lower`.
Result<std::vector<ir::Buffer>> allocatedBuffers(const ir::Function& function);

}  // namespace loom::lower
