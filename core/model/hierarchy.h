// The memory hierarchy of a kernel as its statements use it: buffers in their memories with sizes and lifetimes, and
// the bytes that travel over each link between memories, per block and over the whole grid. All numbers are "as
// written": they count every access of the program, also those that the compiler saves by keeping values in registers
// or that a cache answers.
#pragma once
#include <optional>

#include "core/device/memory_level.h"
#include "core/model/count.h"

namespace loom::model {

// A number, and words on how it was obtained.
struct Number {
  double value = 0;
  Message how;
};

// A buffer in its memory, and how it is used.
struct BufferLifetime {
  ir::Buffer buffer;
  device::Memory memory = device::Memory::Global;
  // The size: of the whole buffer in global memory; of one thread block's copy in shared memory; of the copies of all
  // threads of one block in local memory and in fragments.
  double bytes = 0;
  // How many copies `bytes` contains: one for each thread of a block (local memory), one for each warp that uses the
  // buffer (fragment), else 1.
  double holders = 1;
  // The first and the last access to the buffer in program order, as indices into KernelAccesses::accesses, and the
  // names of the program's blocks that they stand in; -1 and "" for a buffer that is never accessed.
  int first = -1, last = -1;
  std::string firstBlock, lastBlock;
  double written = 0, read = 0;  // bytes, over the whole grid
  // The distinct bytes of a parameter that block 0 accesses, and that the whole grid accesses. Nothing for other
  // buffers, and if the elements of one of the accesses can't be counted (`footprint`, ownership.h). If several
  // accesses overlap in a way that can't be counted, those of the largest access alone (Number::how says so).
  std::optional<Number> footprint;
  std::optional<Number> gridFootprint;
  // Bytes read per byte written (shared, local, fragments), or per distinct byte (global). Nothing without such a
  // quotient.
  std::optional<Number> reuse;
  // Whether a block writes all elements of the buffer that it accesses before it reads any, so that nothing of the
  // buffer has to be fetched from memory.
  bool own = false;
};

// A place of the memory hierarchy. `Memory` is DRAM; `Global` is global memory as threads address it, in front of L2.
enum class Place : std::uint8_t { Memory, L2, Global, Shared, Registers, TensorCore };
const char* nameOf(Place place);  // "memory", "l2", "global", "shared", "registers", "tensor_core"

// Returns the memory level of a place. For global memory this is L2, because that is where threads' requests go.
device::MemoryLevel levelOf(Place place);

// The way that the data of an access takes.
struct Route {
  Place from = Place::Global, to = Place::Registers;
  // Who moves the data. Data that the copy engine or tensor cores move don't pass through registers of threads.
  device::Agent agent = device::Agent::Threads;
};
// Returns between which places an access moves data. Returns nothing for a store of a value that the same statement has
// loaded from another memory, because the load's route includes the store, and for data that stays in registers, as do
// operands that a tensor-core product takes from registers. Operands that it takes from memory go to the tensor cores.
std::optional<Route> routeOf(const KernelAccesses& kernel, const Access& access);

// The traffic between two places of the memory hierarchy, as written.
struct Link {
  Place from = Place::Global, to = Place::Registers;
  double bytes = 0;     // over the whole grid
  double perBlock = 0;  // bytes, the mean over blocks
  Message how;          // words on how the bytes were obtained
  // The accesses that make the traffic, as indices into KernelAccesses::accesses; empty for traffic that is computed
  // from footprints.
  std::vector<int> accesses;
};

// The buffers of a kernel and the traffic between their places.
struct Hierarchy {
  std::vector<BufferLifetime> residents;  // the kernel's parameters, then its allocations
  std::vector<Link> links;
  // Returns the traffic from one place to another; null if there is none.
  const Link* find(Place from, Place to) const;
};
// Returns the hierarchy of a kernel. `count` is what was counted of these accesses.
Hierarchy hierarchyOf(const KernelAccesses& kernel, const KernelCount& count);
// Returns the bytes that have to pass between DRAM and L2 over the whole grid: the distinct bytes of each buffer that
// is fetched (read, and not `own`), and those of each buffer that is written; a buffer that is both counts twice.
// Returns nothing if the distinct bytes of a parameter that the kernel accesses aren't known.
std::optional<Number> memoryBytes(const Hierarchy& hierarchy);

}  // namespace loom::model
