// From coordinates to the numbers of elements: the one place that knows where an element lies.
#pragma once
#include <unordered_map>

#include "core/arith/analyzer.h"
#include "core/device/program.h"
#include "core/ir/substitute.h"
#include "core/ir/symbols.h"

namespace loom::lower {

// Returns the row-major layout of an allocation with these strides, in elements.
layout::Layout rowsOf(const std::vector<std::int64_t>& extents, const std::vector<std::int64_t>& strides);

// The addresses of one kernel's accesses, which outlives this, and whose allocations stay as they are meanwhile.
// Buffers that the kernel allocates lie as their `Allocation::layout` says, others as the buffer's own strides and
// offset do.
class Addressing {
 public:
  // `flat` maps the kernel's buffers to the flat buffers that loads are to be of; empty: loads stay of the kernel's own
  // buffers.
  Addressing(const device::Kernel& kernel, const std::vector<ir::Symbol>& symbols, ir::BufferMap flat = {});

  // Makes a variable's values known. A walk calls it for each loop that it enters.
  void enter(const device::LoopNode& loop);
  void enter(const ir::Var& var, const ir::Range& range);
  arith::Analyzer& analyzer() { return analyzer_; }

  // Returns the offset of the element in its buffer, in elements, simplified. Loads within it are flat, too. The result
  // is a Ramp if the place has several lanes.
  ir::Expr offset(const device::BufferPlace& place);
  // Returns the same for the indices of a load.
  ir::Expr offset(const ir::LoadNode& load);
  // Returns the expression with every load by its offset; loads from other blocks' slices become calls
  // (cluster_memory.h).
  ir::Expr flat(const ir::Expr& e);

 private:
  struct Allocated {
    const device::Allocation* allocation;
    std::vector<std::int64_t> strides;
  };
  // `allocated` is null for buffers that the kernel doesn't allocate.
  ir::Expr ofCoordinates(const ir::Buffer& buffer, const Allocated* allocated, std::vector<ir::Expr> at);
  ir::Expr throughLayout(const device::Allocation& allocation, ir::Expr sum);

  const device::Kernel& kernel_;
  arith::Analyzer analyzer_;
  ir::BufferMap flat_;
  std::unordered_map<ir::Var, ir::Expr> extents_;  // of the loops that were entered, by their variables
  std::unordered_map<const ir::BufferNode*, Allocated> allocated_;
  // What was computed before, by a hash of the buffer and the indices' nodes; statements share them.
  struct Known {
    device::BufferPlace place;
    ir::Expr offset;
  };
  std::unordered_map<std::size_t, std::vector<Known>> known_;
};

// Returns whether an index needs 64 bits, judged by the dtypes of its parts without those of loaded values.
bool isWideIndex(const ir::Expr& index);

}  // namespace loom::lower
