// What a program's operations need of the GPU that runs it.
#pragma once
#include <string>

#include "core/device/program.h"
#include "core/ir/result.h"

namespace loom::device {

// What GPU a program needs, which follows from the newest of its operations: `operation` is the name of that operation
// for users ("wmma.mma of uint8"; "barrier.cluster" for a kernel with clusters), `since` the compute capability, times
// ten, of the oldest GPUs that have it. 0 and "" where every GPU has all operations of the program.
struct Requirement {
  int since = 0;
  std::string operation;
  // An operation that only GPUs of exactly that compute capability have, such as wgmma; empty for none.
  std::string only = {};
};
// Returns what a program needs.
Requirement requirementOf(const Program& program);

// Returns the only architecture that a program with such needs can be compiled for, such as "sm_90a"; empty if newer
// GPUs have all operations of the program, too.
std::string onlyArchitecture(const Requirement& needs);

// Checks that code for an architecture ("sm_75", "sm_90a") can have all operations of a program with such needs. Error
// "OldArchitecture" if it can't, also for a newer GPU without `only`, or for "sm_90" without the "a". An architecture
// that is written in any other way is taken to have all operations.
Result<void> checkArchitecture(const Requirement& needs, const std::string& architecture);

}  // namespace loom::device
