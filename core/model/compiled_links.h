// What travels over each link as the machine code has it: by which instructions, how wide, and what the link carries
// for them. The counterpart of Hierarchy::links, which are as written.
#pragma once
#include <map>

#include "core/model/compiled.h"
#include "core/model/hierarchy.h"

namespace loom::model {

// Traffic between two places, as the machine code makes it.
struct CompiledLink {
  Place from = Place::L2, to = Place::Registers;  // a copy to shared memory passes registers: two links
  ir::Buffer buffer;                              // whose; null where the code doesn't tell
  double bytes = 0;                               // that lanes ask for, over the grid
  double perBlock = 0;                            // the mean of them
  // Over the grid: 32 B a sector of global requests (before L1 answers any), 128 B a wavefront of shared ones. 0 of
  // tensor cores.
  double moved = 0;
  std::map<int, double> widths;  // bytes of a lane → instructions that warps execute, over the grid
  double instructions() const;
  Message how;
};

// Returns the traffic on each link, in the order in which the code first uses it. What the copy engine and tensor cores
// move by themselves isn't included, since the code has only its descriptors. If an instruction may be one of several
// accesses (CompiledAccess), each gets an equal part.
std::vector<CompiledLink> compiledLinks(const KernelAccesses& kernel, const sass::Kernel& sass,
                                        const CompiledCount& compiled);

}  // namespace loom::model
