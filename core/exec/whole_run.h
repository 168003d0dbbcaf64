// Runs a function as it is written, one statement after another.
#pragma once
#include <map>
#include <set>

#include "core/exec/findings.h"
#include "core/exec/inputs.h"
#include "core/exec/scalar_code.h"

namespace loom::exec {

struct WholeResult {
  std::vector<Value> values;
  std::vector<std::uint8_t> written;
};

struct WholeRunOutcome {
  std::map<int, WholeResult> parameters;  // the final contents, by position
  // Of the program itself. Races only where it places its barriers itself; otherwise they are lowering's to place.
  std::vector<Finding> findings;
  bool placesBarriers = false;
};

// Whether a function means its threads, not one statement after another: it places barriers (T.tvm_storage_sync), or
// loops bound to threads hand values to each other in shared memory.
//
//     for tx in thread_binding(32, "threadIdx.x"):
//         S[tx] = A[tx]
//         T.tvm_storage_sync("shared")
//         B[tx] = S[31 - tx]
bool runsAsThreads(const ir::Function& function);

// `contents` as at the start. A function that means its threads runs statement by statement on all threads of a block,
// block by block: threads of a loop bound to threadIdx run side by side, shared memory is the block's, local memory the
// thread's. Error "NotExecutable" when the function has more than `limit` statements to run, views of buffers, or calls
// with effects.
Result<WholeRunOutcome> interpret(const ir::Function& function, const std::map<int, InputValues>& contents,
                                  std::int64_t limit);

}  // namespace loom::exec
