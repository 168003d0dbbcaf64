#pragma once

#include <array>

#include "core/tune/tensorize/passes.h"

namespace loom::tune {

/// The optimizations that are tried on a kernel for tensor cores: the division among warps and tiles that is predicted
/// fastest, vectorized copies, double buffering, padded rows in shared memory, and virtual threads.
enum class Speedup : std::uint8_t { TunedTiles, VectorCopies, DoubleBuffer, StorageAlign, VirtualThreads };

/// An optimization with its name for scripts, "storage_align", and its title.
struct SpeedupRow {
  Speedup speedup;
  std::string_view id;
  Message title;
};
/// Returns the rows of all optimizations, in the order of Speedup.
const std::array<SpeedupRow, 5>& speedupRows();

/// The effect of one optimization on the schedule at which the four passes end that take a matrix product to tensor
/// cores.
struct SpeedupReport {
  Speedup speedup = Speedup::TunedTiles;
  bool done = false;  ///< whether the schedule has the optimization already, or has no need of it
  Message verdict;    ///< the effect of the optimization here, with its numbers, or why it isn't possible
  std::string lines;  ///< all step lines with it, in place of those from Tensorization::at on; "": impossible, or done
  std::string added;  ///< the last of `lines`, which the optimization adds; "": it changes lines of the passes instead
  TensorizeRequest request;  ///< the request for the passes with it; the present division if the division stays
  std::optional<double> microseconds;  ///< time predicted with the optimization; nothing: not known, or no `lines`
};

/// The optimizations of a schedule at which the four passes end.
struct Performance {
  std::optional<double> microseconds;  ///< time predicted for the schedule as it is; nothing: not known, or no device
  std::vector<SpeedupReport> steps;    ///< one for each optimization, in the order of `speedupRows`
};

/// Tries each optimization on the schedule at which the passes, which must all have succeeded, end, including the lines
/// after them on the path (Tensorization::further). All lines in the result have been applied and make a kernel.
/// `device` may be null: then nothing is predicted, and tiles aren't tuned. `request` is the one for which the passes
/// were run. Takes some 100 ms.
Performance performanceOf(const document::History& history, const Tensorization& passes,
                          const schedule::Environment& environment, const model::Device* device,
                          const TensorizeRequest& request);

}  // namespace loom::tune
