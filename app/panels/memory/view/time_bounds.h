#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/model/model.h"

namespace loom::session {

/// The time that a kernel would take if one link (between memory levels) or one unit were its only limit. If the
/// kernel's time is predicted, this is the figure that the prediction has for the link, so that all panels agree;
/// otherwise it follows from the rate.
struct MemoryTimeBound {
  std::string roof;         ///< name of the model::Roof, or "memory instructions" for the bound of their pipe
  std::string pipe;         ///< name of the model::PipeClocks that the time is of; empty: it follows from the rate
  double microseconds = 0;  ///< the time; for links and units of a multiprocessor, that of the busiest one
  /// Bytes over the link and the whole grid: of device memory each distinct byte once; of shared memory whole
  /// wavefronts; of L2 each byte once per block or, with a predicted time, whole sectors. 0 for arithmetic and memory
  /// instructions.
  double bytes = 0;
  /// For L2 with a predicted time: what `bytes` would be without one, each byte once per block; boxes (TMA) count as in
  /// `bytes`. Else 0.
  double once = 0;
  /// GB/s, or TFLOP/s for arithmetic: the rate of the device, for arithmetic and shared memory only the share that the
  /// multiprocessors with blocks have, on average over the waves; 0 for memory instructions.
  double rate = 0;
  double atRate = 0;  ///< µs that the bytes or the arithmetic take at `rate`, `microseconds` if `pipe` is empty; 0 for
                      ///< memory instructions
  Message how;        ///< how the predicted time was obtained; empty if `pipe` is
  model::Rate device;  ///< the rate of the whole device; empty for memory instructions

  /// Returns whether the bound is that of device memory ("memory") with a cold L2, which the prediction lists but
  /// doesn't count.
  bool isCold() const { return pipe == model::kColdMemory; }
};

/// Returns the bounds of the kernel of `m`, which is launched with `blocks` thread blocks, at least one, on `device`
/// with so many `multiprocessors`: one for each roof of its roofline whose rate is known, and, if its time is predicted
/// and none of these roofs is that of shared memory, one for the pipe of memory instructions (the predicted time of
/// shared memory is that of the same pipe). Returns an empty list if no rate is known. The rates of arithmetic and of
/// shared memory are reduced to the share of multiprocessors that have blocks, on average over the waves, but not if
/// `multiprocessors` is 0 (not known).
std::vector<MemoryTimeBound> memoryTimeBounds(const model::KernelModel& m, const model::Device& device,
                                              int multiprocessors, std::int64_t blocks);

}  // namespace loom::session
