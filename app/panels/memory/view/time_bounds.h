#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/model/model.h"

namespace loom::session {

/// The time that a kernel would take if one link or unit were all it used. If a time is predicted, this is the figure
/// that the prediction has for the link, so that all panels agree; otherwise it follows from the rate.
struct MemoryTimeBound {
  std::string roof;         ///< name of the model::Roof; without shared memory that of the memory instructions' pipe
  std::string pipe;         ///< name of the model::PipeClocks; empty: nothing is predicted
  double microseconds = 0;  ///< for links and units of a multiprocessor, of the busiest one
  double bytes = 0;         ///< over the link; 0 for arithmetic
  double once = 0;          ///< for L2: bytes over the link if each block fetched every byte only once; else 0
  double rate = 0;          ///< GB/s, or TFLOP/s for arithmetic, that the launch's whole waves can reach; 0: not known
  double atRate = 0;        ///< µs that the bytes or the arithmetic take at `rate`
  Message how;              ///< how the time was obtained
  model::Rate device;       ///< the rate of the whole device

  /// Returns whether the bound is that of a cold L2, which is no part of the predicted time.
  bool isCold() const { return pipe == model::kColdMemory; }
};

/// Returns the bounds of a kernel that is launched with `blocks` thread blocks on a device of so many multiprocessors
/// (0: not known), one for each roof of its roofline whose rate is known, and, if it uses no shared memory, that of the
/// memory instructions. Rates of arithmetic and shared memory count as far as multiprocessors have blocks.
std::vector<MemoryTimeBound> memoryTimeBounds(const model::KernelModel& m, const model::Device& device,
                                              int multiprocessors, std::int64_t blocks);

}  // namespace loom::session
