#pragma once

#include <vector>

#include "app/panels/memory/view/memory.h"

namespace loom::session {

/// What differs between the memory views of two states, that is, of the program after some schedule steps and of an
/// earlier program.
struct MemoryChange {
  /// For each entry of MemoryView::buffers and of MemoryView::traffic in the later view: whether it is marked as
  /// changed. A buffer is marked if the earlier view lacks it, or has another size for it or, if both states are
  /// kernels, other bank conflicts; a buffer that both views have isn't marked if only one of the views has the sizes
  /// that lowering allocates (MemoryView::allocated). Traffic is marked if the earlier view lacks it or has other bytes
  /// over the grid for it, and the earlier state is a kernel.
  std::vector<bool> buffers, traffic;
  /// For each entry of MemoryView::traffic in the later view: its bytes over the grid in the earlier view; −1 if the
  /// earlier view lacks the entry.
  std::vector<double> trafficBefore;
};

/// Compares two views. Buffers are matched by name and memory level, traffic by its two levels and its column.
MemoryChange memoryChange(const MemoryView& before, const MemoryView& after);

}  // namespace loom::session
