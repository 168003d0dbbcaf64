// Who touches what: the elements of a buffer that a block, warp or lane reads or writes in a statement, and the owners
// of an element. Both questions rest on one fact: the index of a scheduled program is a sum of parts that share no
// variable (`separated_index.h`), so that elements and owners are found by adding and searching short tables, not by
// walking the iteration space.
#pragma once
#include <map>
#include <span>

#include "core/arith/integer_runs.h"
#include "core/layout/layout.h"
#include "core/model/separated_index.h"

namespace loom::model {

// Offsets from the first element of the access, ascending: of its vector, or its tile's rows. A buffer of wmma
// fragments has no elements that a program could name: here and below its elements are whole fragments, as in the CUDA
// text's array. Error "NotSeparable" for a tile whose rows are an unknown distance apart.
Result<std::vector<std::int64_t>> spanOf(const Access& access);

// Fix blockIdx, or threadIdx, to those of the block or thread with this number, counted along x first.
void chooseBlock(Chosen& chosen, const device::Kernel& kernel, std::int64_t block);
void chooseThread(Chosen& chosen, const device::Kernel& kernel, std::int64_t thread);

// Returns the element offsets (in the flat buffer) that the access touches, ascending: those of its whole vector or
// tile. A wmma tile belongs to its warp as a whole, whatever thread is chosen. Guards are evaluated if `chosen` and the
// access's own variables decide them; others, and those of very many values, are taken to be true. Errors:
// "NotSeparable", "TooMany" beyond `atMost`.
Result<std::vector<std::int64_t>> elementsOf(const KernelAccesses& kernel, const Access& access, const Chosen& chosen,
                                             std::int64_t atMost = 1 << 22);

// Returns the same elements as runs of neighbours: of a block that takes tile after tile these are few where the
// elements are millions. Errors: "NotSeparable", "TooMany" where more than `atMost` runs would have to be looked at.
Result<arith::Runs> elementRuns(const KernelAccesses& kernel, const Access& access, const Chosen& chosen,
                                std::int64_t atMost = 1 << 22);

// Returns how many elements these are, without listing them. Errors as above.
Result<std::int64_t> footprint(const KernelAccesses& kernel, const Access& access, const Chosen& chosen,
                               std::int64_t atMost = 1 << 26);

// How many elements several accesses of one buffer touch together, each counted once, whose indices differ by a
// constant or in one loop: the copies of a statement that pipelining and unrolling make. Errors: those of `footprint`,
// and "NotSeparable" for others.
Result<std::int64_t> footprintTogether(const KernelAccesses& kernel, std::span<const Access* const> accesses,
                                       const Chosen& chosen, std::int64_t atMost = 1 << 26);

// Sectors (32) or lines (128) of global memory that those elements lie in.
Result<std::int64_t> touchedUnits(const KernelAccesses& kernel, const Access& access, const Chosen& chosen,
                                  int bytesPerUnit, std::int64_t atMost = 1 << 26);

// A thread, in one iteration of its loops, that accesses an element.
struct Owner {
  std::array<std::int64_t, 3> block{}, thread{};  // of a wmma tile: its warp's first thread
  std::map<int, std::int64_t> loops;              // those on which the index depends
};
// Everyone who touches the element, at most `atMost` of them, in the order of blocks, then threads. A variable on which
// the index does not depend is 0 and `repeated` counts its values.
struct Owners {
  std::vector<Owner> owners;
  bool complete = true;
  double repeated = 1;  // each owner stands for so many (block, thread, iteration) tuples
};
Result<Owners> ownersOf(const KernelAccesses& kernel, const Access& access, std::int64_t element,
                        std::int64_t atMost = 4096);

}  // namespace loom::model
