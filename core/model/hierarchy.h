// The memory hierarchy of a kernel as its statements use it: buffers at their levels with sizes and lifetimes, and what
// travels over each link, per block and in all. As written: before the compiler keeps anything in registers and before
// any cache answers.
#pragma once
#include <optional>

#include "core/device/memory_level.h"
#include "core/model/count.h"

namespace loom::model {

// A number and how it was obtained, for whoever asks.
struct Number {
  double value = 0;
  Message how;
};

// A buffer in its memory, and how it is used.
struct BufferLifetime {
  ir::Buffer buffer;
  device::Memory memory = device::Memory::Global;
  double bytes = 0;           // global: of the whole buffer; shared: of a block; local, fragment: of a block's threads
  double holders = 1;         // of `bytes`: threads of a block that have it (local), or warps (fragment); else 1
  int first = -1, last = -1;  // accesses in program order that begin and end its life; -1: never used
  std::string firstBlock, lastBlock;
  double written = 0, read = 0;         // bytes, over the whole grid
  std::optional<Number> footprint;      // distinct bytes that one block touches
  std::optional<Number> gridFootprint;  // that the grid touches
  // Bytes read per byte written (shared, local, fragments), or per distinct byte (global).
  std::optional<Number> reuse;
  bool own = false;  // all that is read of it the kernel has written before: nothing must come
};

enum class Place : std::uint8_t { Memory, L2, Global, Shared, Registers, TensorCore };
const char* nameOf(Place place);  // "memory", "l2", "global", "shared", "registers", "tensor_core"

// Returns the memory level of a place. For global memory this is L2, because that is where threads' requests go.
device::MemoryLevel levelOf(Place place);

// The way of what an access moves.
struct Route {
  Place from = Place::Global, to = Place::Registers;
  // Who moves it. Others than the threads move it past their registers.
  device::Agent agent = device::Agent::Threads;
};
// Returns between which places an access moves data. Returns nothing for a store of what its own statement has read in
// another memory, because it is part of the load's route, and for what stays in registers. Operands that a product
// takes from registers are no accesses with a route; those that it takes from memory go to the tensor cores.
std::optional<Route> routeOf(const KernelAccesses& kernel, const Access& access);

// The traffic between two places of the memory hierarchy, as written.
struct Link {
  Place from = Place::Global, to = Place::Registers;
  double bytes = 0;  // over the whole grid
  double perBlock = 0;
  Message how;
  std::vector<int> accesses;  // that make it
};

// The buffers of a kernel and the traffic between their places.
struct Hierarchy {
  std::vector<BufferLifetime> residents;  // parameters, then allocations
  std::vector<Link> links;
  const Link* find(Place from, Place to) const;
};
Hierarchy hierarchyOf(const KernelAccesses& kernel, const KernelCount& count);
// Returns the bytes that have to pass between DRAM and L2 over the whole grid: each distinct byte once, read and
// written. Returns nothing if an index can't be separated.
std::optional<Number> memoryBytes(const Hierarchy& hierarchy);

}  // namespace loom::model
