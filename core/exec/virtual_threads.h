// What virtual threads, of which one thread does the work of several, have of their own.
#pragma once
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "core/ir/stmt.h"

namespace loom::exec {

// Returns how many copies of a buffer virtual threads have, as in TVM: for each loop that is bound to them and has all
// uses of the buffer inside, outermost first, the number of its iterations, or 1 if they share a copy, since they all
// store the same values at the same places. Buffers without such loops are left out.
//
//     for vx in thread_binding(2, "vthread.x"):
//         X_shared[tx] = X[vx, tx]
//         T_shared[tx] = Y[tx]                    X_shared: {2}, T_shared: {1}, S_shared: {}
//         S_shared[vx, tx] = X_shared[31 - tx]
//     Z[tx] = S_shared[0, tx] + S_shared[1, tx]
std::unordered_map<const ir::BufferNode*, std::vector<std::int64_t>> virtualCopies(const ir::Function& function);

}  // namespace loom::exec
