#pragma once

#include <vector>

#include "app/panels/memory/view/memory.h"

namespace loom::session {

/// What differs between the views of two states.
struct MemoryChange {
  /// Whether a buffer or traffic of the later view is new or has other numbers: one entry for each of
  /// MemoryView::buffers and MemoryView::traffic.
  std::vector<bool> buffers, traffic;
  std::vector<double> trafficBefore;  ///< bytes over the grid in the earlier view; −1: it had no such traffic
};

/// Compares two views. Buffers are matched by name and level, traffic by its levels and its column.
MemoryChange memoryChange(const MemoryView& before, const MemoryView& after);

}  // namespace loom::session
