// What it costs that blocks of a cluster bring together what each has in its shared memory: loads over the network
// between multiprocessors of a GPC ("distributed shared memory"), and barriers of the cluster that say when.
#pragma once
#include "core/model/count.h"

namespace loom::model {

// Clocks of a multiprocessor. *Luo* is Luo et al., "Benchmarking and Dissecting the Nvidia Hopper GPU Architecture via
// Microbenchmarking", arXiv 2402.13499 (2024), of one H800 PCIe (114 multiprocessors at 1755 MHz). Nothing was fitted
// to a kernel that has slices.
struct ClusterNetwork {
  double latency = 180;  // from a load of another block's shared memory to its answer, where L2's takes 263: Luo
  // That a multiprocessor gets in a clock, by the blocks of a cluster: all of them together copied 3.27 TB/s in
  // clusters of 2 and 2.65 TB/s in clusters of 4, at most (Luo). Of larger clusters nothing was told; the same stands.
  double bytesOfTwo = 16.3, bytesOfFour = 13.2;
  // What a launch in clusters and one barrier of the cluster take together: an empty kernel ran 0.29 µs longer with
  // them, at 1980 MHz (measured for this project on one H200, CUDA 13.0, 2026-11).
  double launchAndMeeting = 574;
  // Another barrier: its message goes to the other blocks as a load's does.
  double meeting = 180;
  // A barrier that releases what was written begins with MEMBAR.ALL.GPU, which waits until all of it is known to L2: at
  // least as long as an answer of L2 takes (290 clocks by a pointer chase on an H200).
  double release = 290;

  double bytes(std::int64_t blocks) const { return blocks <= 2 ? bytesOfTwo : bytesOfFour; }
};

// Returns the share (0 to 1) of what an access reads that lies in other blocks' shared memory; 0 for every access that
// names no block of the cluster, and if the block can't be computed.
double shareOfOthers(const KernelAccesses& kernel, const Access& access);

// Returns the clocks that a synchronisation takes because of the cluster; 0 for one inside a block. If blocks read
// nothing of each other's shared memory, barriers of the cluster stand at the ends of the kernel and take none.
double meetingClocks(const device::Kernel& kernel, const device::SyncNode& sync, const ClusterNetwork& network = {});
// Returns the same, summed over all synchronisations that one block executes.
double meetingClocks(const KernelAccesses& kernel, const ClusterNetwork& network = {});

}  // namespace loom::model
