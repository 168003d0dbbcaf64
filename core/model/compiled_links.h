// The traffic over each link of the memory hierarchy that the instructions of the machine code make. (Hierarchy::links
// is the traffic that the program makes as it is written, before compilation.)
#pragma once
#include <map>

#include "core/model/compiled.h"
#include "core/model/hierarchy.h"

namespace loom::model {

// The traffic of one buffer from one place to another, as the machine code makes it.
struct CompiledLink {
  // Global memory is Place::L2, where requests go. A copy from global to shared memory counts as two links, to
  // registers and from them, even if it is asynchronous (cp.async) and doesn't pass through registers.
  Place from = Place::L2, to = Place::Registers;
  ir::Buffer buffer;    // the buffer whose data travels; null if the machine code doesn't tell
  double bytes = 0;     // bytes that lanes request, or hand to tensor cores and get back, over the whole grid
  double perBlock = 0;  // `bytes` of a block, the mean over blocks
  // Bytes that the link carries, over the whole grid. A request to global memory carries 32 for each sector, whether or
  // not L1 has it; one to shared memory 128 for each wavefront. 0 for links between registers and tensor cores.
  double moved = 0;
  // Bytes that an instruction moves for one lane → number of such instructions that warps execute, over the grid.
  std::map<int, double> widths;
  // Returns the number of instructions of all widths that warps execute, over the grid.
  double instructions() const;
  Message how;  // words on how the numbers were obtained
};

// Returns one element for each pair of places and each buffer that travels between them, in the order in which the code
// first moves it. What the copy engine moves, and what tensor cores read from shared memory by themselves, isn't
// included, since the code has only its descriptors; nor are local memory (spills) and atomics. If an instruction may
// be one of several accesses (CompiledAccess), each gets an equal part of all numbers, so that the counts in `widths`
// may be fractions. `kernel` lists the accesses of the program as written, and `compiled` has the counts of the machine
// code `sass`.
std::vector<CompiledLink> compiledLinks(const KernelAccesses& kernel, const sass::Kernel& sass,
                                        const CompiledCount& compiled);

}  // namespace loom::model
