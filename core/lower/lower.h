// Lowering: scheduled program → device program.
#pragma once
#include <string>
#include <vector>

#include "core/device/program.h"
#include "core/ir/result.h"
#include "core/ir/stmt.h"

namespace loom::lower {

// The program after one pass, for people who want to look.
struct PassResult {
  std::string pass;  // "init", "bind_iterators", …, "simplify"; then "convert", …, "hoist_conditions"
  std::string text;  // TVMScript; from "convert" on the device program
};

// Limits that a kernel must keep whatever the device; sources: CUDA C Programming Guide, compute capability tables.
struct Limits {
  std::int64_t threadsPerBlock = 1024;
  std::int64_t sharedBytesPerBlock = 232448;  // 227 KiB, compute capability 9.0, dynamic
  std::int64_t localBytesPerThread = 512 * 1024;
  std::int64_t blockZ = 64, gridX = 2147483647, gridYZ = 65535;
};

// Errors: code "NotAKernel", with the rule, the loops, blocks or buffers concerned and, where one exists, the step that
// would make it a kernel. `passes`, if given, receives the program after each pass, and
// on an error those that ran.
Result<device::Program> lower(const ir::Function& function, const Limits& limits = {},
                              std::vector<PassResult>* passes = nullptr);

// The program's statements on its threads where `lower` refuses it for nothing but fragments that are filled or read
// element by element: the first lane of each warp does that, once for the warp. No GPU could run it (no lane knows
// which register holds what), but what its statements read, write and how often is what the program says: for models
// and views, which is why it has no CUDA text. Its fragments are indexed by elements where no tensor intrinsic stands.
// Errors as of `lower`.
Result<device::Program> draft(const ir::Function& function, const Limits& limits = {});

// The buffers that the program allocates for itself, as small as they would be (with padded strides); also of programs
// that a later pass refuses, without those that kernels would have to share. Errors as of `lower`.
Result<std::vector<ir::Buffer>> allocatedBuffers(const ir::Function& function);

}  // namespace loom::lower
