// Runs the kernels of a device program on the CPU, whole or a sample of them. An Area is the memory of one buffer. A
// Finding is a mistake of the program that the run shows, such as a race or an access outside of a buffer.
#pragma once
#include <map>
#include <set>
#include <stop_token>

#include "core/exec/bytecode.h"
#include "core/exec/findings.h"
#include "core/exec/memory.h"
#include "core/exec/pending_operations.h"

namespace loom::exec {

// A program that was compiled to bytecode.
struct Executable {
  const device::Program* program = nullptr;  // must outlive this
  std::vector<Code> codes;                   // by index in device::Program::kernels
  Writers writers;                           // the blocks of the program that write each buffer
  // Returns the ways in which the program must be run: with asynchronous operations that happen when they are started
  // (Landing::Early), and, if it has operations that must be waited for, also with operations that happen when they are
  // awaited (Landing::Late).
  std::vector<Landing> landings() const;
};
// Compiles all kernels of a program, which must have no symbols without a value (lower::instance). Error
// "NotExecutable" for what the executor has no operation for, and if a buffer in global memory has more than 2^28
// elements.
Result<Executable> prepare(const device::Program& program);

// Which blocks and loop iterations of a program to run. An empty list stands for all, and a kernel that `kernels` has
// no entry for runs whole: Plan{} is the whole program. `samplingPlan` (sampling.h) makes plans that leave something
// out, and fills all members.
struct Plan {
  struct Kernel {
    std::vector<std::int64_t> blocks;                // numbers of blocks of the grid, counted along x first, ascending
    std::vector<std::vector<std::int64_t>> samples;  // by index in Code::loops: iterations from 0, ascending
  };
  std::vector<Kernel> kernels;  // by index in device::Program::kernels
  // Data variables of the buffers that are written only in part, because the plan leaves out blocks or iterations. A
  // read of an unwritten element of these is no finding; of any other buffer it is one, so none may be missing here.
  std::set<const ir::VarNode*> restricted;
  // For each kernel and each loop of which the plan leaves out a part: how much runs, "3 of 16 blocks of main_kernel".
  // It doesn't influence the run; reports show it, and `sampled` goes by it.
  std::vector<Message> left;
  // Returns whether the plan leaves anything out.
  bool sampled() const { return !left.empty(); }
};

// The buffers in global memory, before and after a run, by their data variables.
class GlobalMemory {
 public:
  // Makes the memory of a program's buffers for one run by `plan`. `contents` has the initial contents of parameters,
  // by position, as many as the buffer has elements; other parameters begin unwritten. The arguments are copied, but
  // buffers are known by the program's nodes.
  GlobalMemory(const Executable& executable, const std::map<int, InputValues>& contents, const Plan& plan);
  // Returns the memory of the buffer with this data variable, which the program must have.
  Area& at(const ir::VarNode* data) { return areas_.at(data); }
  const Area& at(const ir::VarNode* data) const { return areas_.at(data); }

 private:
  std::map<const ir::VarNode*, Area> areas_;
};

// Runs all launches of a program in order, as far as `plan` includes them, and returns what is wrong with the program;
// empty if nothing was found. `memory` must be new and made with the same `plan`; it then has what the run wrote.
// `landing`: whether asynchronous operations happen when they are started or when they are awaited; a whole check runs
// the program with each of `landings()`, each time with new memory. Error "Cancelled" when `stop` asks for it.
Result<std::vector<Finding>> execute(const Executable& executable, const Plan& plan, GlobalMemory& memory,
                                     std::stop_token stop = {}, Landing landing = Landing::Early);

}  // namespace loom::exec
