// The memory of the buffers of a function that is run as it is written (whole_run.h).
#pragma once
#include "core/exec/memory.h"
#include "core/ir/result.h"
#include "core/ir/stmt.h"

namespace loom::exec {

// What one thread has: its place in the block, and the block's in the cluster, and its variables.
struct RunThread {
  std::array<std::int64_t, 3> place{};
  std::int64_t block = 0;    // of those that run together (RunShape::blocks)
  std::uint16_t number = 0;  // among the threads of all these blocks
  // Iterations of the loops around that are bound to virtual threads, outermost first. Virtual threads are of one
  // thread, whose number they have.
  std::vector<std::int64_t> ofVirtual;
  std::vector<Value> variables;
};

// The elements of a buffer, in all copies that threads have of it.
struct BufferMemory {
  std::vector<Value> values;
  std::vector<std::uint8_t> written;  // whether the function has
  std::vector<std::uint8_t> unknown;  // whether the value follows from a read of what was never written
  std::vector<Touch> touches;         // of memory that threads share, where the program places its barriers
  std::int64_t elements = 0;          // of one copy
  std::vector<std::int64_t> copies;   // that a thread has, by the loops over its virtual threads around all uses
  bool own = false;                   // whether each thread has its own
  bool shared = false;                // whether it is a block's, or a cluster's
  bool ofCluster = false;             // whether it is a cluster's, whose blocks have one copy together
  bool input = false;                 // whether elements have values before the function writes them

  // Returns the place of an element, given by its offset, in the arrays above.
  std::size_t placeOf(const RunThread& t, std::int64_t offset) const {
    std::int64_t copy = own ? t.number : shared && !ofCluster ? t.block : 0;
    for (std::size_t n = 0; n < copies.size(); ++n)
      if (copies[n] > 1) copy = copy * copies[n] + t.ofVirtual[n];
    return std::size_t(copy * elements + offset);
  }
  // Gives all elements the values of an input.
  void fill(const InputValues& values);
  // Forgets what the block before has left, in memory that doesn't outlive it.
  void startBlock();
  // Makes all values of the thread's copy unknown.
  void forget(const RunThread& t);
};

// How a function is run.
struct RunShape {
  bool threaded = false;     // by its threads (runsAsThreads)
  bool barriers = false;     // that it places
  std::int64_t threads = 1;  // of a block
  std::int64_t blocks = 1;   // that run together, since they read each other's slices of buffers (cluster_slices.h)
};

// Returns the memory of a buffer. `copies` as VirtualThreads::copies returns them. Error "NotExecutable" if the buffer
// is too large, or its shape or strides aren't constant.
Result<BufferMemory> memoryOf(const ir::Buffer& buffer, const RunShape& shape, std::vector<std::int64_t> copies);

}  // namespace loom::exec
