// What a program's operations need of the GPU that runs it.
#pragma once
#include <string>

#include "core/device/program.h"
#include "core/ir/result.h"

namespace loom::device {

// The newest operation of a program: `operation` is what people call it ("wmma.mma of uint8"), `since` the compute
// capability, times ten, of the oldest GPUs that have it. 0 and "" where every GPU has all of them.
struct Requirement {
  int since = 0;
  std::string operation;
  std::string only = {};  // an operation that GPUs of that compute capability have and no newer ones; empty for none
};
Requirement requirementOf(const Program& program);

// Returns the only architecture that a program with such needs can be compiled for, "sm_90a"; empty where newer GPUs
// have all of its operations, too.
std::string onlyArchitecture(const Requirement& needs);

// Checks that a GPU of an architecture ("sm_75", "sm_90a") has the operations. Error "OldArchitecture" if it hasn't. An
// architecture written in any other way is taken to have all operations.
Result<void> checkArchitecture(const Requirement& needs, const std::string& architecture);

}  // namespace loom::device
