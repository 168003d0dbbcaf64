// Runs an unscheduled or scheduled function as it is written, one statement after another, on the CPU, without lowering
// it.
#pragma once
#include <map>
#include <set>

#include "core/exec/findings.h"
#include "core/exec/inputs.h"
#include "core/exec/scalar_code.h"

namespace loom::exec {

// The final contents of a parameter.
struct WholeResult {
  std::vector<Value> values;          // for each element, by its offset
  std::vector<std::uint8_t> written;  // for each element: whether the function has written it
  // For each element: whether its value, or whether it is written, follows from a read of what was never written.
  std::vector<std::uint8_t> unknown;
};

// The outcome of running a function.
struct WholeRunOutcome {
  std::map<int, WholeResult> parameters;  // by position; only those that the function uses
  // What is wrong with the function itself (Finding::ofOriginal). Races are only looked for if it places its own
  // barriers; otherwise lowering places them.
  std::vector<Finding> findings;
  bool placesBarriers = false;  // whether the function places its own barriers
};

// Runs a function. `contents` has the initial contents of its parameters, by position; the others hold zeros, whose
// reads before a write are Uninitialised if the function runs as threads. It runs as threads if runsAsThreads
// (runs_as_threads.h) is true of it: blocks one after another, and in each block a statement for all threads before the
// next one. Otherwise loops over threads are run like serial loops, and neither reads of what was never written nor
// races are looked for. Shared memory belongs to the block and local memory to the thread. With a buffer of scope
// shared.cluster, the blocks along blockIdx.z share it and run together. Virtual threads run as further threads
// (virtual_threads.h). Error "NotExecutable" if more than `limit` statements would have to be run, each counted for
// every thread that runs it; if a buffer is too large or has no constant layout; and for views of buffers, calls with
// effects and operations that the executor doesn't know.
Result<WholeRunOutcome> interpret(const ir::Function& function, const std::map<int, InputValues>& contents,
                                  std::int64_t limit);

}  // namespace loom::exec
