// How often the elements of a buffer are accessed, how many of these accesses are repeated, and how many bytes are
// accessed between two accesses to an element. Accesses are counted in the program as written, also those that the
// compiler makes unnecessary or a cache answers. KernelAccesses lists a kernel's accesses and loops.
#pragma once
#include <optional>

#include "core/model/ownership.h"

namespace loom::model {

// The group of threads whose accesses are counted. A wmma tile is accessed once by its warp, not by 32 lanes; for Lane,
// once by the lane.
enum class Scope : std::uint8_t { Lane, Warp, Block, Grid };
inline constexpr int kScopes = 4;

// A count for each element of a flat buffer: of[i] is that of element low + i.
struct Counts {
  std::int64_t low = 0;
  std::vector<std::uint32_t> of;
};

// How often one scope (a lane, a warp, a block or the grid) reads or writes the elements of a buffer over the whole
// kernel. A *moment* is one execution of a statement, in one iteration of the loops around it, by all threads of the
// scope, which are taken to execute it at once: if 8 warps of a block load the same element there, it has one moment
// and no repeated access. In the grid each block has moments of its own.
struct Touches {
  Counts touches;                     // accesses to each element, by every lane or, for a tile, by its warp
  Counts times;                       // moments at which each element is accessed
  double total = 0;                   // sum of `touches`
  double moments = 0;                 // sum of `times`
  std::int64_t distinct = 0;          // number of elements that are accessed
  std::uint32_t least = 0, most = 0;  // fewest and most moments, of the elements that are accessed
  // Returns the number of repeated accesses: moments at which the element had been accessed before.
  double again() const { return moments - double(distinct); }
  // Whether the counts are upper bounds, because a guard that depends on memory was taken to hold, or a loop to run as
  // often as it can.
  bool upperBound = false;
};

// Counts the accesses of a scope by `statements`, which are indices into KernelAccesses::accesses of one buffer and one
// direction. `block` and `thread` are the numbers of the block and of the thread in it that the scope contains; both
// are ignored for the grid. Errors: "NotSeparable" if an index reads memory or isn't a sum of terms that depend on one
// variable each; "TooMany" if the elements lie in a range of more than `atMost` places, if the guards would have to be
// evaluated for more than `atMost` / 16 cases, or if an access is repeated more than 10^9 times by variables on which
// neither its index nor its guards depend.
Result<Touches> touchesOf(const KernelAccesses& kernel, const std::vector<int>& statements, Scope scope,
                          std::int64_t block, std::int64_t thread, std::int64_t atMost = 1 << 24);

// The repeated accesses that one loop causes, because its iterations access elements that earlier iterations accessed.
struct Reuse {
  int loop = 0;      // index into KernelAccesses::loops
  double again = 0;  // number of repeated accesses, in moments, over the whole kernel
  // The different bytes that the scope accesses between two accesses to an element: those that it loads and stores in
  // one iteration of the loop, of all buffers in the same kind of memory (all global ones, or all shared ones, say),
  // without the element itself. Nothing if they can't be counted, or if successive iterations have no element in
  // common.
  std::optional<double> between;
};
// Returns the repeated accesses that each loop around a statement causes, outermost loop first; loops that cause none
// are left out. Conditions on the variables of loops are taken to hold; if there are none, the sum of all `again` is
// Touches::again of this statement alone. Empty for Scope::Grid, whose blocks run in no order. Errors: "NotSeparable",
// and "TooMany" for elements in a range of more than `atMost` places.
Result<std::vector<Reuse>> reuseOf(const KernelAccesses& kernel, int statement, Scope scope, std::int64_t block,
                                   std::int64_t thread, std::int64_t atMost = 1 << 24);

// Returns the accesses to the same buffer in the same direction as `statement`, itself included.
std::vector<int> statementsLike(const KernelAccesses& kernel, int statement);

}  // namespace loom::model
