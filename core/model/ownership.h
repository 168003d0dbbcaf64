// Which elements of a buffer a block, warp or lane accesses in a statement, and which threads access an element (its
// owners). The index of a scheduled program is a sum of parts that have no variable in common, so that elements and
// owners are found by adding and searching short tables, not by walking the iteration space. KernelAccesses
// is the list of a kernel's accesses and loops, an Access one of them, Chosen the values of some variables.
#pragma once
#include <map>
#include <span>

#include "core/arith/integer_runs.h"
#include "core/layout/layout.h"
#include "core/model/separated_index.h"

namespace loom::model {

// Returns the offsets, in elements from the first one and ascending, of the elements that one execution of the access
// touches: those of its vector, or of all rows of its tile. For a buffer of wmma fragments, whose elements have no
// index, an element is a whole fragment in all functions of this header. Error "NotSeparable" for a tile whose rows are
// an unknown distance apart.
Result<std::vector<std::int64_t>> spanOf(const Access& access);

// Set blockIdx in `chosen` to that of the block with this number in the grid, or threadIdx to that of the thread with
// this number in its block. Numbers are counted along x first.
void chooseBlock(Chosen& chosen, const device::Kernel& kernel, std::int64_t block);
void chooseThread(Chosen& chosen, const device::Kernel& kernel, std::int64_t thread);

// Returns the offsets, in the flat buffer and ascending, of the elements that the access touches when the variables in
// `chosen` have their values and all others take every value. A vector or tile counts as a whole. A wmma tile belongs
// to its warp as a whole, whatever thread is chosen. Guards are evaluated if `chosen` and the access's own variables
// decide them; other guards, and those with very many values, are taken to hold. Errors: "NotSeparable" if a term of
// the index joins too many variables or reads memory, "TooMany" if the elements lie in a range of more than `atMost`
// places.
Result<std::vector<std::int64_t>> elementsOf(const KernelAccesses& kernel, const Access& access, const Chosen& chosen,
                                             std::int64_t atMost = 1 << 22);

// Returns the elements that `elementsOf` returns as runs of consecutive offsets, of which there are few even if there
// are millions of elements. Errors: "NotSeparable"; "TooMany" if more than `atMost` runs would have to be looked at.
Result<arith::Runs> elementRuns(const KernelAccesses& kernel, const Access& access, const Chosen& chosen,
                                std::int64_t atMost = 1 << 22);

// Returns the number of elements that `elementsOf` returns, without listing them. Errors: those of `elementsOf`, but
// "TooMany" only if the elements can't be counted by runs or digits.
Result<std::int64_t> footprint(const KernelAccesses& kernel, const Access& access, const Chosen& chosen,
                               std::int64_t atMost = 1 << 26);

// How many elements several accesses to one buffer touch.
struct Footprints {
  std::vector<std::int64_t> each;  // as `footprint` returns it, in the order of the accesses
  // Of all together, each element counted once. Errors: those of `footprint`, and "NotSeparable" for accesses that lie
  // in too many places apart (more than 131,072 runs of elements), unless their indices differ by a constant or in one
  // loop, as do the copies of a statement that pipelining and unrolling make.
  Result<std::int64_t> together;
};
// Counts what each of several accesses to one buffer touches, and all together. Errors: those of `footprint` for the
// first access that has one.
Result<Footprints> footprintsOf(const KernelAccesses& kernel, std::span<const Access* const> accesses,
                                const Chosen& chosen, std::int64_t atMost = 1 << 26);

// Returns the number of units of `bytesPerUnit` bytes (32: sectors, 128: lines) of global memory in which the elements
// lie that `elementsOf` returns. The buffer is taken to begin at the border of a unit. Errors: those of `elementsOf`.
Result<std::int64_t> touchedUnits(const KernelAccesses& kernel, const Access& access, const Chosen& chosen,
                                  int bytesPerUnit, std::int64_t atMost = 1 << 26);

// A thread, in one iteration of its loops, that accesses an element.
struct Owner {
  // blockIdx and threadIdx along x, y and z; for a wmma tile, of the first thread of its warp.
  std::array<std::int64_t, 3> block{}, thread{};
  // Index into KernelAccesses::loops → value of the loop's variable, for the loops on which the index depends.
  std::map<int, std::int64_t> loops;
};
// The owners of an element. Variables on which the index doesn't depend are 0 in all of them.
struct Owners {
  std::vector<Owner> owners;  // by block, then by thread
  bool complete = true;       // false: there are more owners than were asked for
  // The number of tuples (block, thread, iteration) that each owner stands for: the product of the extents of the
  // variables on which the index doesn't depend.
  double repeated = 1;
};
// Returns the owners of the element with this offset in the flat buffer, at most `atMost` of them; none if no thread
// accesses it. A guard that depends on a variable on which the index doesn't depend is taken to hold. Errors:
// "NotSeparable", "TooMany".
Result<Owners> ownersOf(const KernelAccesses& kernel, const Access& access, std::int64_t element,
                        std::int64_t atMost = 4096);

}  // namespace loom::model
