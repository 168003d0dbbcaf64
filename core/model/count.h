// What accesses cost, by evaluating the addresses of warps. Names of ncu's counters stand beside what equals them when
// the compiler emits the accesses as written (global ones: before the L1 cache answers any of them).
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
  layout::Request request;
  bool ldmatrix = false;
};

// Returns the instructions that an access takes with the variables' values in `state`: one for up to 16 bytes of a
// thread; for wmma tiles of 16-bit operands and their accumulators ldmatrix, or one for each register
// (fragment_code.h). `active` has a bit for each lane that takes part. Returns nothing if the address can't be
// evaluated, or if the instructions of such a tile aren't known.
std::optional<std::vector<WarpRequest>> requestsOf(const Access& access, const device::WarpState& state,
                                                   std::uint32_t active);

// Returns a bit for each lane in which all guards hold. Lanes in which a condition can't be evaluated count as active,
// and `known` becomes false.
std::uint32_t activeLanes(const std::vector<Guard>& guards, const device::WarpState& state, bool& known);

// Sums over all warps and iterations of the grid.
struct AccessCost {
  double executions = 0;    // of the statement by warps with an active lane
  double lanes = 0;         // active lanes, summed
  double requests = 0;      // instructions: l1tex__t_requests_pipe_lsu_mem_global_op_{ld,st}
  double bytes = 0;         // asked for by lanes
  double sectors = 0;       // global: l1tex__t_sectors_pipe_lsu_mem_global_op_{ld,st}
  double lines = 0;         // global: 128-byte lines, one tag each
  double wavefronts = 0;    // shared: l1tex__data_pipe_lsu_wavefronts_mem_shared_op_{ld,st}
  double conflicts = 0;     // shared: l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_{ld,st}
  int least = 0, most = 0;  // sectors of a request (global), ways of its worst phase (shared)
  double mean() const { return requests > 0 ? (sectors > 0 ? sectors : wavefronts) / requests : 0; }
  bool counted = false;  // false: the addresses can't be evaluated, all is zero
  bool exact = false;    // every distinct pattern was evaluated; else a sample, scaled
  Message how;           // "64 patterns of 2048 warp requests evaluated"
};

// The limits of counting.
struct CountOptions {
  std::int64_t patternsAtMost = 8192;  // warp evaluations per access; beyond, a sample
};

AccessCost countAccess(const KernelAccesses& kernel, const Access& access, const CountOptions& options = {});

// Returns how often arithmetic is done over the whole grid: by threads (`lanes`) and by warps (`executions`).
AccessCost countWork(const KernelAccesses& kernel, const Work& work, const CountOptions& options = {});

// What a kernel does over the whole grid, as written.
struct KernelCount {
  std::vector<AccessCost> accesses;  // by access of KernelAccesses
  std::vector<AccessCost> work;      // by work
  double flops = 0, tensorFlops = 0;
  // Sums by ncu's names.
  double globalLoadRequests = 0, globalLoadSectors = 0, globalStoreRequests = 0, globalStoreSectors = 0;
  double sharedLoadRequests = 0, sharedLoadWavefronts = 0, sharedLoadConflicts = 0;
  double sharedStoreRequests = 0, sharedStoreWavefronts = 0, sharedStoreConflicts = 0;
  bool exact = true;  // all of them
};
KernelCount countKernel(const KernelAccesses& kernel, const CountOptions& options = {});

}  // namespace loom::model
