// Counts the sectors, wavefronts and bank conflicts of a kernel's accesses by evaluating the addresses of warps. The
// names of ncu's counters stand beside the members that are equal to them if the compiler emits the accesses as they
// are written. Requests to global memory are counted whether or not the L1 cache has the data.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "core/device/lane_values.h"
#include "core/layout/request.h"
#include "core/model/access.h"

namespace loom::model {

// One memory instruction of a warp.
struct WarpRequest {
  layout::Request request;  // for each lane its address in bytes and whether it is active
  bool ldmatrix = false;    // whether the instruction is ldmatrix, whose lanes name rows of matrices
};

// Returns the instructions of a warp that an access needs with the variables' values in `state`: one for up to 16 bytes
// of each thread. For a tile they are those that compilers were seen to use: an ldmatrix, or one instruction for each
// register or element of the fragment. Bit l of `active` says whether lane l takes part. Returns nothing if the address
// can't be evaluated, or if the instructions for a tile aren't known.
std::optional<std::vector<WarpRequest>> requestsOf(const Access& access, const device::WarpState& state,
                                                   std::uint32_t active);

// Returns a mask of the lanes (bit l: lane l) in which all guards hold. Lanes in which a condition can't be evaluated
// count as active, and `known` becomes false; otherwise `known` isn't changed.
std::uint32_t activeLanes(const std::vector<Guard>& guards, const device::WarpState& state, bool& known);

// The counts of one access or one piece of arithmetic: sums over all warps of the grid and all iterations. Accesses to
// local memory and fragments have no sectors, lines and wavefronts, and arithmetic has only executions and lanes.
struct AccessCost {
  double executions = 0;  // executions of the statement by warps with an active lane
  double lanes = 0;       // active lanes, summed
  double requests = 0;    // instructions: l1tex__t_requests_pipe_lsu_mem_global_op_{ld,st}
  double bytes = 0;       // bytes that lanes request
  double sectors = 0;     // global: l1tex__t_sectors_pipe_lsu_mem_global_op_{ld,st}
  double lines = 0;       // global: 128-byte lines, one tag each
  double wavefronts = 0;  // shared: l1tex__data_pipe_lsu_wavefronts_mem_shared_op_{ld,st}
  double conflicts = 0;   // shared: l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_{ld,st}
  // The fewest and the most sectors of a request (global), or ways of the worst bank conflict of a request (shared).
  int least = 0, most = 0;
  // Returns the sectors per request (global) or the wavefronts per request (shared); 0 without requests.
  double mean() const { return requests > 0 ? (sectors > 0 ? sectors : wavefronts) / requests : 0; }
  bool counted = false;  // false: the addresses can't be evaluated, and all counts are zero
  // Whether every distinct pattern was evaluated, each guard could be, and each loop has a constant extent; otherwise
  // the counts are those of a sample, scaled, or depend on an assumption.
  bool exact = false;
  Message how;  // how the counts were obtained: "64 patterns of 2048 warp requests evaluated"
};

// The limits of counting.
struct CountOptions {
  // The most patterns (executions by a warp with different effects) that are evaluated for one access; if it has more,
  // a random sample of them is evaluated, the same one each time.
  std::int64_t patternsAtMost = 8192;
};
// Returns the counts of an access, one of `kernel.accesses`.
AccessCost countAccess(const KernelAccesses& kernel, const Access& access, const CountOptions& options = {});

// Returns how often arithmetic is done over the whole grid: by threads (`lanes`) and by warps (`executions`).
AccessCost countWork(const KernelAccesses& kernel, const Work& work, const CountOptions& options = {});

// What a kernel does over the whole grid, as written.
struct KernelCount {
  std::vector<AccessCost> accesses;   // one for each of KernelAccesses::accesses
  std::vector<AccessCost> work;       // one for each of KernelAccesses::work
  double flops = 0, tensorFlops = 0;  // floating-point operations of threads, and of tensor cores
  // Sums over all accesses, by the names of ncu's counters.
  double globalLoadRequests = 0, globalLoadSectors = 0, globalStoreRequests = 0, globalStoreSectors = 0;
  double sharedLoadRequests = 0, sharedLoadWavefronts = 0, sharedLoadConflicts = 0;
  double sharedStoreRequests = 0, sharedStoreWavefronts = 0, sharedStoreConflicts = 0;
  bool exact = true;  // whether the counts of all accesses to global and shared memory are exact
};
// Returns the counts of a kernel.
KernelCount countKernel(const KernelAccesses& kernel, const CountOptions& options = {});

}  // namespace loom::model
