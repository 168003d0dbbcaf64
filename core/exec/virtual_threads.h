// What virtual threads, of which one thread does the work of several, do one after another and have of their own.
// core/lower/vthread.cpp decides the same of the device program; it is decided here once more, of the function as it is
// written, so that a fault of lowering isn't one of what its programs are compared with.
#pragma once
#include <cstdint>
#include <span>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "core/ir/stmt.h"

namespace loom::exec {

// A loop over virtual threads, and what depends on its iteration, as TVM 0.22 says (inject_virtual_thread.cc,
// VarTouchedAnalysis): values and places that are stored, not the conditions under which they are. Of memory that a
// thread has for itself these count, too: each virtual thread has what it stores there.
class VirtualLoop {
 public:
  explicit VirtualLoop(const ir::ForNode& loop);
  std::int64_t iterations() const { return iterations_; }
  bool touches(const ir::BufferNode& buffer) const { return buffers_.contains(&buffer); }
  // Returns whether the value of an expression may depend on the iteration.
  bool touches(const ir::Expr& e) const;

 private:
  class Collector;
  std::int64_t iterations_;
  std::unordered_set<const ir::VarNode*> variables_;
  std::unordered_set<const ir::BufferNode*> buffers_;
};

// The loops over virtual threads of a function.
class VirtualThreads {
 public:
  explicit VirtualThreads(const ir::Function& function);

  // Returns how many copies of a buffer of shared or local memory virtual threads have: for each loop over them that
  // has all uses of the buffer inside, outermost first, the number of its iterations, or 1 if they share a copy. Local
  // memory each has for itself; shared memory, if they may store different values or at different places.
  //
  //     for vx in thread_binding(2, "vthread.x"):
  //         X_shared[tx] = X[vx, tx]
  //         T_shared[tx] = Y[tx]                    X_shared: {2}, T_shared: {1}, S_shared: {}
  //         S_shared[vx, tx] = X_shared[31 - tx]
  //     Z[tx] = S_shared[0, tx] + S_shared[1, tx]
  std::vector<std::int64_t> copies(const ir::BufferNode& buffer) const;

  // Returns on which of the loops around it, outermost first, a statement's own expressions depend: a bit each. Such a
  // statement is run with all that is inside of it for one of their iterations after another; others are run for all at
  // once, their parts each by itself.
  std::uint32_t dependsOn(std::span<const ir::ForNode* const> around, std::span<const ir::Expr> expressions) const;

 private:
  std::unordered_map<const ir::BufferNode*, std::vector<const ir::ForNode*>> around_;  // all uses of a buffer
  std::unordered_map<const ir::ForNode*, VirtualLoop> loops_;
};

// Returns whether a loop is over virtual threads.
bool isOverVirtualThreads(const ir::ForNode& loop);

}  // namespace loom::exec
