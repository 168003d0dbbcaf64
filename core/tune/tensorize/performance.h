#pragma once

#include <array>

#include "core/tune/tensorize/passes.h"

namespace loom::tune {

/// What makes a kernel on tensor cores faster as it makes any other faster.
enum class Speedup : std::uint8_t { TunedTiles, VectorCopies, DoubleBuffer, StorageAlign, VirtualThreads };

/// A row of the list: its name for scripts, "storage_align", and its title.
struct SpeedupRow {
  Speedup speedup;
  std::string_view id;
  Message title;
};
const std::array<SpeedupRow, 5>& speedupRows();

/// The effect of one speed-up on the end of the four passes.
struct SpeedupReport {
  Speedup speedup = Speedup::TunedTiles;
  bool done = false;  ///< the lines have it already
  Message verdict;    ///< what it does here, with its numbers; or why it can't be done
  std::string lines;  ///< all lines with it, to be applied at Tensorization::at; "": it can't be done, or is done
  std::string added;  ///< of these the ones at the end that are its own; "": it changes lines of the passes
  TensorizeRequest request;  ///< with which the passes have lines as in `lines`, `added` and those before aside
  std::optional<double> microseconds;  ///< predicted with it; nothing without a device
};

/// The list about the end of four passes that have all succeeded.
struct Performance {
  std::optional<double> microseconds;  ///< predicted of the end as it is
  std::vector<SpeedupReport> steps;    ///< a row each, in the order of `speedupRows`
};

/// Tries each row on the end of the passes, with what stands after them on the path (Tensorization::further). All
/// lines have been applied and make a kernel. `device` may be null: then nothing is predicted, and tiles aren't tuned.
/// Takes some 100 ms.
Performance performanceOf(const document::History& history, const Tensorization& passes,
                          const schedule::Environment& environment, const model::Device* device,
                          const TensorizeRequest& request);

}  // namespace loom::tune
