// The memory of the buffers of a function that is run as it is written (whole_run.h).
#pragma once
#include "core/exec/memory.h"
#include "core/ir/result.h"
#include "core/ir/stmt.h"

namespace loom::exec {

// One thread of a run, or one virtual thread of a thread.
struct RunThread {
  std::array<std::int64_t, 3> place{};  // threadIdx.x, .y, .z
  std::int64_t block = 0;               // number of its block among those that run together (RunShape::blocks)
  std::uint16_t number = 0;             // number of the thread among the threads of all these blocks
  // The current iterations of the loops over virtual threads that the statement being run stands in, outermost first.
  // All virtual threads of a thread have the thread's number.
  std::vector<std::int64_t> ofVirtual;
  std::vector<Value> variables;  // values, by the numbers of variables (scalar_code.h)
};

// The elements of a buffer, in all copies of it that threads or blocks have, one copy after the other.
struct BufferMemory {
  std::vector<Value> values;
  std::vector<std::uint8_t> written;  // by element: whether the function has written it
  // By element: whether nobody can tell its value, because it follows from a read of what was never written, or because
  // of `forget`.
  std::vector<std::uint8_t> unknown;
  // By element: its last accesses, by which races are found. Empty where no races are looked for: if each thread has
  // the memory for itself (`own`); if a cluster has it (`ofCluster`), whose barriers the function doesn't have yet,
  // since lowering places them; or if the function doesn't place its own barriers.
  std::vector<Touch> touches;
  std::int64_t elements = 0;  // number of elements of one copy
  // For each loop over virtual threads that has all uses of the buffer inside, outermost first (the first of
  // RunThread::ofVirtual): how many copies the virtual threads of this loop have, 1 if they share one. The product of
  // these numbers is the number of copies that each thread (`own`), each block (`shared`) or the cluster (`ofCluster`)
  // has. Empty for other memory, of which there is one copy.
  std::vector<std::int64_t> copies;
  bool own = false;        // whether each thread has copies of its own
  bool shared = false;     // whether the buffer is in shared memory, of a block or a cluster
  bool ofCluster = false;  // whether the blocks of a cluster have one copy together
  bool input = false;      // whether elements have values before the function writes them

  // Returns the index, in the vectors above, of the element with this offset in the copy that the thread uses.
  std::size_t placeOf(const RunThread& t, std::int64_t offset) const {
    std::int64_t copy = own ? t.number : shared && !ofCluster ? t.block : 0;
    for (std::size_t n = 0; n < copies.size(); ++n)
      if (copies[n] > 1) copy = copy * copies[n] + t.ofVirtual[n];
    return std::size_t(copy * elements + offset);
  }
  // Gives all elements the values of an input and sets `input`, so that they may be read before the function writes
  // them. There must be one copy only, as there is of a parameter; that isn't checked.
  void fill(const InputValues& values);
  // Notes that another block, or cluster, begins: all elements of shared memory and of threads' own memory become
  // unwritten; other memory stays as it is.
  void startBlock();
  // Makes all values of the copy that the thread uses unknown, because nobody can tell whether the thread has stored to
  // the buffer, or where. `written` stays as it is.
  void forget(const RunThread& t);
};

// How a function is run.
struct RunShape {
  // Whether each statement is run for all threads before the next one (runsAsThreads). Otherwise loops over threads are
  // run like serial loops, and there is one copy of each buffer.
  bool threaded = false;
  bool barriers = false;     // whether the function places its own barriers
  std::int64_t threads = 1;  // number of threads of a block
  std::int64_t blocks = 1;   // number of blocks that run together: those of a cluster (cluster_slices.h), else 1
};

// Returns the memory of a buffer, of which no element is written. `copies` as VirtualThreads::copies returns them.
// Error "NotExecutable" if all copies together have more than 2^27 elements, or the buffer's shape or strides aren't
// constant.
Result<BufferMemory> memoryOf(const ir::Buffer& buffer, const RunShape& shape, std::vector<std::int64_t> copies);

}  // namespace loom::exec
