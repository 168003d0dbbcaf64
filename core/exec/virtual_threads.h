// Virtual threads ("vthread.x"), of which one thread of the GPU does the work of several: which statements it runs for
// one virtual thread after another, and of which buffers each virtual thread has a copy. core/lower/vthread.cpp decides
// the same for the device program. It is decided once more here, from the function as it is written, so that a mistake
// of lowering doesn't also get into the results that lowered programs are compared with.
#pragma once
#include <cstdint>
#include <span>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "core/ir/stmt.h"

namespace loom::exec {

// A loop over virtual threads, and which expressions and buffers depend on its iteration (are touched, as TVM 0.22
// calls it in inject_virtual_thread.cc, VarTouchedAnalysis).
class VirtualLoop {
 public:
  explicit VirtualLoop(const ir::ForNode& loop);
  // Returns the number of iterations; 1 if it isn't constant.
  std::int64_t iterations() const { return iterations_; }
  // Returns whether a store to the buffer inside the loop has a value or an index that depends on the iteration; for
  // memory that each thread has for itself, also whether the store stands inside the loop under a condition, or in a
  // loop with bounds, that depend on the iteration.
  bool touches(const ir::BufferNode& buffer) const { return buffers_.contains(&buffer); }
  // Returns whether the value of an expression may depend on the iteration.
  bool touches(const ir::Expr& e) const;

 private:
  class Collector;
  std::int64_t iterations_;
  std::unordered_set<const ir::VarNode*> variables_;
  std::unordered_set<const ir::BufferNode*> buffers_;
};

// The loops over virtual threads of a function, which must outlive this object.
class VirtualThreads {
 public:
  explicit VirtualThreads(const ir::Function& function);

  // Returns how many copies of a buffer of shared or local memory virtual threads have: for each loop over them that
  // has all uses of the buffer inside, outermost first, the number of its iterations, or 1 if they share a copy. Each
  // has a copy of local memory; of shared memory only if they may store different values or at different places
  // (VirtualLoop::touches).
  //
  //     for vx in thread_binding(2, "vthread.x"):
  //         X_shared[tx] = X[vx, tx]
  //         T_shared[tx] = Y[tx]                    X_shared: {2}, T_shared: {1}, S_shared: {}
  //         S_shared[vx, tx] = X_shared[31 - tx]
  //     Z[tx] = S_shared[0, tx] + S_shared[1, tx]
  std::vector<std::int64_t> copies(const ir::BufferNode& buffer) const;

  // Returns on which of the loops over virtual threads around a statement its own expressions depend: bit n is set for
  // around[n], of which the outermost loop comes first; loops from the 33rd on are ignored. `expressions` are the value
  // and indices of a store, a condition, the bounds of a loop or the like. Every statement is run for all iterations of
  // all these loops; the bits only say in which order. If bit n is set, the statement with all inside it is run for one
  // iteration of around[n] after another. Else it is run for all iterations together: each statement inside, or the
  // store itself, for all of them before the next statement.
  std::uint32_t dependsOn(std::span<const ir::ForNode* const> around, std::span<const ir::Expr> expressions) const;

 private:
  std::unordered_map<const ir::BufferNode*, std::vector<const ir::ForNode*>> around_;  // all uses of a buffer
  std::unordered_map<const ir::ForNode*, VirtualLoop> loops_;
};

// Returns whether a loop is over virtual threads.
bool isOverVirtualThreads(const ir::ForNode& loop);

}  // namespace loom::exec
