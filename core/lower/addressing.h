// From the coordinates of an access to the offset of the element in its buffer: the one place that knows where an
// element lies. A BufferPlace is a buffer with the indices of an element, or of the first of several lanes.
#pragma once
#include <unordered_map>

#include "core/arith/analyzer.h"
#include "core/device/program.h"
#include "core/ir/substitute.h"
#include "core/ir/symbols.h"

namespace loom::lower {

// Returns the row-major layout of an allocation with these extents and strides, one for each dimension, in elements.
layout::Layout rowsOf(const std::vector<std::int64_t>& extents, const std::vector<std::int64_t>& strides);

// Computes the offsets of one kernel's accesses. The kernel must outlive this object, and its allocations must not
// change meanwhile. A buffer that the kernel allocates has the layout `Allocation::layout`, any other the buffer's own
// strides and offset.
class Addressing {
 public:
  // `symbols` are the function's. `flat` maps every buffer that the kernel loads from to the flat buffer that the
  // rewritten load reads; if it is empty, loads keep their buffers.
  Addressing(const device::Kernel& kernel, const std::vector<ir::Symbol>& symbols, ir::BufferMap flat = {});

  // Make the values known that a variable may have. Whoever walks the kernel calls this for each loop before it asks
  // for offsets inside; there is nothing to call when the loop ends. The constructor does it for the symbols and for
  // the kernel's threadIdx and blockIdx.
  void enter(const device::LoopNode& loop);
  void enter(const ir::Var& var, const ir::Range& range);
  // Returns the analyzer that knows the ranges of the variables entered.
  arith::Analyzer& analyzer() { return analyzer_; }

  // Returns the offset of an element in its buffer, in elements, simplified. Loads within the offset have one index,
  // too. The result is a Ramp if the place has several lanes.
  ir::Expr offset(const device::BufferPlace& place);
  // Returns the offset of the element that a load reads, in elements, as for a place.
  ir::Expr offset(const ir::LoadNode& load);
  // Returns the expression with every load having the offset as its only index. Loads from the shared memory of other
  // blocks of the cluster become calls (cluster_memory.h). Null stays null.
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

// Returns whether an index makes its offset 64 bits wide: whether it has 64 bits and doesn't depend on loaded values.
bool isWideIndex(const ir::Expr& index);

}  // namespace loom::lower
