// The cost of distributed shared memory: blocks of a cluster load from each other's shared memory over the network
// between the multiprocessors of a GPC, and synchronise by barriers of the cluster before and after that.
#pragma once
#include "core/model/count.h"

namespace loom::model {

// The figures of that network; times are in clocks of a multiprocessor. *Luo* is Luo et al., "Benchmarking and
// Dissecting the Nvidia Hopper GPU Architecture via Microbenchmarking", arXiv 2402.13499 (2024), of one H800 PCIe (114
// multiprocessors at 1755 MHz). Nothing was fitted to a kernel that uses distributed shared memory.
struct ClusterNetwork {
  // Clocks from a load of another block's shared memory to its answer (Luo; a load from L2 took 263).
  double latency = 180;
  // Bytes that a multiprocessor receives per clock in clusters of 2 blocks, and in clusters of 4: all multiprocessors
  // together copied at most 3.27 TB/s and 2.65 TB/s (Luo). Larger clusters weren't measured; `bytesOfFour` is used.
  double bytesOfTwo = 16.3, bytesOfFour = 13.2;
  // Clocks that a launch in clusters and one barrier of the cluster take together: an empty kernel ran 0.29 µs longer
  // with them, at 1980 MHz (measured for this project on one H200, CUDA 13.0, 2026-11). Counted once for each block.
  double launchAndMeeting = 574;
  // Clocks of each further barrier of the cluster: its message goes to the other blocks as a load does.
  double meeting = 180;
  // Clocks that a barrier takes besides if blocks see each other's writes after it (Token::ClusterExchange), since its
  // arrival has release semantics: it begins with MEMBAR.ALL.GPU, which waits until L2 has all earlier writes, at least
  // as long as an answer of L2 takes (290 clocks by a pointer chase on an H200).
  double release = 290;

  // Returns the bytes that a multiprocessor receives per clock in clusters of `blocks` blocks.
  double bytes(std::int64_t blocks) const { return blocks <= 2 ? bytesOfTwo : bytesOfFour; }
};

// Returns how much of the data that an access reads comes from other blocks' shared memory, as a share from 0 to 1. An
// access that names no block of the cluster has 0; so has one whose block can't be computed, as if it were a local one.
double shareOfOthers(const KernelAccesses& kernel, const Access& access);

// Returns the clocks that one execution of a synchronisation takes because of the cluster. A wait at a
// Token::ClusterExchange, after which blocks see each other's writes, takes `meeting` and `release`. A wait at a
// Token::ClusterBarrier takes `launchAndMeeting` in a kernel with slices (cluster_slices.h), which are all that blocks
// read of each other's shared memory: such a kernel has one, at its end, and the launch is counted with it. Everything
// else takes 0: a barrier of one block, whose time isn't the cluster's; an arrival without a wait; and a
// Token::ClusterBarrier in a kernel without slices.
double meetingClocks(const device::Kernel& kernel, const device::SyncNode& sync, const ClusterNetwork& network = {});
// Returns the clocks that one block takes because of the cluster: those of all synchronisations that it executes; the
// barrier at the end counts once, with the launch (`launchAndMeeting`). 0 for a kernel without slices.
double meetingClocks(const KernelAccesses& kernel, const ClusterNetwork& network = {});

}  // namespace loom::model
