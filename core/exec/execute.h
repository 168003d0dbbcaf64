// Runs the kernels of a device program, whole or a sample of them.
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
  std::vector<Code> codes;                   // by kernel
  Writers writers;
  // Returns the ways in which the program must be run: with asynchronous operations completing early, and, if it has
  // any that complete tokens, also late.
  std::vector<Landing> landings() const;
};
// Compiles a program. Error "NotExecutable" as `compile`.
Result<Executable> prepare(const device::Program& program);

// What of a program is to be run. Empty lists stand for everything.
struct Plan {
  struct Kernel {
    std::vector<std::int64_t> blocks;                // of the grid, x fastest, ascending
    std::vector<std::vector<std::int64_t>> samples;  // by loop of the code: the iterations, ascending
  };
  std::vector<Kernel> kernels;
  std::set<const ir::VarNode*> restricted;  // data of the buffers that aren't written everywhere because of that
  std::vector<Message> left;                // what was left out, a phrase each
  bool sampled() const { return !left.empty(); }
};

// Global memory before and after a run, by data variable.
class GlobalMemory {
 public:
  // `contents` is by parameter of the program; other parameters begin unwritten.
  GlobalMemory(const Executable& executable, const std::map<int, InputValues>& contents, const Plan& plan);
  Area& at(const ir::VarNode* data) { return areas_.at(data); }
  const Area& at(const ir::VarNode* data) const { return areas_.at(data); }

 private:
  std::map<const ir::VarNode*, Area> areas_;
};

// Runs all launches in order. Error "Cancelled" when `stop` asks for it.
Result<std::vector<Finding>> execute(const Executable& executable, const Plan& plan, GlobalMemory& memory,
                                     std::stop_token stop = {}, Landing landing = Landing::Early);

}  // namespace loom::exec
