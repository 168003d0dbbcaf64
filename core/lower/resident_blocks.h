// The number of thread blocks that are resident on a multiprocessor at a time: how many there is room for, and how many
// the annotation `tileloom.min_blocks` asks for. TVM keeps it as an annotation without meaning.
#pragma once
#include <cstdint>

#include "core/device/program.h"
#include "core/ir/result.h"

namespace loom::lower {

// An annotation of any block of a kernel, sch.annotate(block, kMinBlocks, n): n becomes the second number of the
// kernel's __launch_bounds__, by which the compiler gives each thread so few registers that n thread blocks fit.
inline constexpr const char* kMinBlocks = "tileloom.min_blocks";

// Returns how many thread blocks of a kernel with so many bytes of shared memory each, static and dynamic without the
// 1024 that the driver reserves, a multiprocessor of compute capability 9.0 has room for, by its threads, shared memory
// and most resident blocks (32), registers aside; 0 if not even one.
std::int64_t blocksThatFit(const device::Kernel& kernel, std::int64_t sharedBytes);

// Returns about how many of a kernel's thread blocks a multiprocessor of compute capability 9.0 has room for, at least
// 1: by threads, by shared memory and by registers. The compiler decides later how many registers a thread has; here it
// has those that its arrays and its part of fragments take, and some 36 for all else. The kernel's shared memory needs
// no offsets yet.
std::int64_t expectedBlocks(const device::Kernel& kernel);

// Returns how many of a kernel's thread blocks a multiprocessor has at a time, at least 1: those that one of 132 gets
// of the grid, but at most those that there is room for, registers aside. A grid that depends on symbols counts as
// large. The kernel's shared memory needs no offsets yet.
std::int64_t blocksAtOnce(const device::Kernel& kernel);

// Returns whether each thread has registers for so many bytes beside those that are known before the compiler has
// chosen (as for expectedBlocks) while so many blocks are resident on a multiprocessor, or as many as an annotation
// asks for, if these are more.
bool hasRegistersFor(const device::Kernel& kernel, std::int64_t bytes, std::int64_t blocks);

// The number of resident thread blocks by which the compiler is to divide registers.
struct ResidentBlocks {
  std::int64_t blocks = 0;  // 0: it isn't told
  bool asked = false;       // whether an annotation asks for them, even one with a wrong value
};

// Returns the number that the annotation asks for, of the first T.block that has it; 0 if the value is no whole number,
// which `checkResidentBlocks` refuses. Without the annotation, let n be the number of thread blocks that a
// multiprocessor of an H100 SXM or H200 gets at a time (devices aren't told apart here): the grid's blocks divided by
// 132 multiprocessors, rounded up, but at most those that fit (blocksThatFit). The result is n if two things hold,
// which make it worth telling the compiler: by the registers that are known here (as for expectedBlocks, but 0.8 of
// them for blocks of at most 128 threads) more than n blocks would fit, so that the compiler may save registers for
// blocks that never come; and n blocks have at most kFewThreads threads together, so that each thread may have 168
// registers. Of a kernel without operations of warps (wmma, mma.sync) or warpgroups the result is n if n is more than 1
// and the registers that are known here are 0.85 to 1 of those, at least 128, that each thread may have then: the
// compiler easily takes a few more, and one block less is resident. Else the result is 0. The kernel's shared memory
// must have its offsets (planSharedMemory).
//
// Measured for this project on an H200 (CUDA 13.0, 2026-11-29), 108 kernels, nearly all of them products of warps by
// TVM's schedules: with the number as the second one of __launch_bounds__, 1.077 times as fast in the geometric mean
// (68 by more than 2 %; 11 were slower by more). For blocks with more than kFewThreads threads together it made no
// difference in the mean (1.005, 154 kernels); nor did it in seven of the lessons' kernels, which multiply on CUDA
// cores in less than a millisecond. Two others on CUDA cores, 8 × 8 sums for each of 256 threads, are 1.24 and 1.06
// times as fast with the number (2026-12-01); where fewer registers are known, 0.78 to 1.34 times, 0.99 in the
// geometric mean of 42.
ResidentBlocks residentBlocks(const device::Kernel& kernel);
inline constexpr std::int64_t kFewThreads = 384;

// Checks the number that annotations ask for, if any, against a multiprocessor's threads, shared memory and registers.
// The kernel's shared memory must have its offsets (planSharedMemory). Error "NotAKernel", with the rule and its
// numbers, if no device can hold so many blocks, if the annotation's value is no number from 1 to 32, and if blocks of
// one kernel ask for different numbers.
Result<void> checkResidentBlocks(const device::Kernel& kernel);

}  // namespace loom::lower
