#include "core/sass/loop.h"

#include <algorithm>
#include <tuple>

namespace loom::sass {

LoopIteration loopIteration(const Kernel& sass, int loop) {
  LoopIteration trip;
  bool known = true;
  int clocks = 0;
  for (const Instruction& i : sass.instructions) {
    if (i.loop != loop) continue;
    auto share =
        std::find_if(trip.lines.begin(), trip.lines.end(), [&](const LoopShare& s) { return s.line == i.line; });
    if (share == trip.lines.end()) share = trip.lines.insert(share, {i.line, 0, 0, 0});
    ++trip.instructions;
    ++share->instructions;
    known = known && i.control;
    if (!i.control) continue;
    const int stall = std::max(1, i.control->stall);  // to issue takes a clock
    clocks += stall;
    share->clocks += stall;
    share->waits += i.control->waits != 0;
    trip.waits += i.control->waits != 0;
  }
  if (known && trip.instructions > 0) trip.clocks = clocks;
  std::stable_sort(trip.lines.begin(), trip.lines.end(), [](const LoopShare& a, const LoopShare& b) {
    return std::tuple(a.clocks, a.instructions, -a.line) > std::tuple(b.clocks, b.instructions, -b.line);
  });
  return trip;
}

}  // namespace loom::sass
