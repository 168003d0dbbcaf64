// How often the elements of a buffer are touched, how much of that is touched again, and what lies between two touches:
// as the program is written, before a cache or the compiler answers any of it.
#pragma once
#include <optional>

#include "core/model/ownership.h"

namespace loom::model {

// Whose touches are counted. A wmma tile is touched by its warp as a whole: once, not by 32 lanes.
enum class Scope : std::uint8_t { Lane, Warp, Block, Grid };
inline constexpr int kScopes = 4;

// Counts by element offset in the flat buffer: of element low + i.
struct Counts {
  std::int64_t low = 0;
  std::vector<std::uint32_t> of;
};

// One scope's touches of a buffer in one direction, by some statements, over the whole kernel.
struct Touches {
  Counts touches;      // by lanes: every lane that loads an element counts
  Counts times;        // moments at which the scope touches it; lanes of one execution are one moment
  double total = 0;    // lanes' touches
  double moments = 0;  // elements × the moments at which each is touched
  std::int64_t distinct = 0;
  std::uint32_t least = 0, most = 0;  // moments, of the elements that are touched at all
  // Of the moments, those at which the element had been touched before: moments − distinct.
  double again() const { return moments - double(distinct); }
  // A guard that depends on memory was taken to hold, or a loop to run as often as it can.
  bool upperBound = false;
};

// The statements (indices into KernelAccesses::accesses) must be of one buffer and direction. `block` and `thread`
// choose the block, and in it the lane, or its warp; the grid asks for neither. Blocks of a grid are moments of their
// own. Errors: "NotSeparable"; "TooMany" where elements or conditions are more than `atMost`.
Result<Touches> touchesOf(const KernelAccesses& kernel, const std::vector<int>& statements, Scope scope,
                          std::int64_t block, std::int64_t thread, std::int64_t atMost = 1 << 24);

// What a loop brings back.
struct Reuse {
  int loop = 0;      // index in KernelAccesses::loops: its iterations touch what earlier ones touched
  double again = 0;  // moments that do, over the whole of the scope's life
  // Distinct bytes of the same memory that the scope touches from one touch to the next: those of an iteration of the
  // loop, without the element itself. None where they are too many to tell, or where it isn't the next iteration that
  // touches it again.
  std::optional<double> between;
};
// By loop, outermost first; loops that bring nothing back are left out. All `again` together are the statement's
// moments less its distinct elements. Conditions on loops are taken to hold. Not for Scope::Grid, whose blocks run in
// no order: none. Errors as above.
Result<std::vector<Reuse>> reuseOf(const KernelAccesses& kernel, int statement, Scope scope, std::int64_t block,
                                   std::int64_t thread, std::int64_t atMost = 1 << 24);

// The statements that touch the buffer of this one in its direction.
std::vector<int> statementsLike(const KernelAccesses& kernel, int statement);

}  // namespace loom::model
