// Blocks that are to be resident on a multiprocessor at a time: `tileloom.min_blocks`, which TVM keeps as an annotation
// without meaning.
#pragma once
#include <cstdint>

#include "core/device/program.h"
#include "core/ir/result.h"

namespace loom::lower {

// Of any block of a kernel, by sch.annotate(block, kMinBlocks, n): the second number of the kernel's launch bounds, by
// which the compiler gives a thread so few registers that n blocks fit.
inline constexpr const char* kMinBlocks = "tileloom.min_blocks";

// Returns the number of resident blocks that the kernel's blocks ask for (__launch_bounds__); 0 if none asks.
std::int64_t minBlocks(const device::Kernel& kernel);

// Checks the number against a multiprocessor's threads, shared memory and registers; the kernel's memory is planned.
// Error "NotAKernel", with the rule and its numbers, where so many blocks can't be resident on any device, where the
// values are no such number, and where blocks of one kernel ask for different ones.
Result<void> checkResidentBlocks(const device::Kernel& kernel);

}  // namespace loom::lower
