#include "core/model/instruction_fetch.h"

#include <algorithm>

namespace loom::model {

namespace {

// A warp does one multiplication a clock where the loop has 2,048 of them, one in 2.8 clocks where it has 4,096 to
// 8,192, and one in 5.9 where it has 9,216 and more: the caches hold 32 and 128 KB, 16 bytes an instruction.
constexpr std::int64_t kInFirstCache = 2048, kInSecondCache = 8192;
constexpr double kFromSecondCache = 2.8, kFromL2 = 5.9;

}  // namespace

std::vector<double> clocksOfFetch(const sass::Kernel& sass) {
  std::vector<double> clocks;
  for (const sass::Loop& loop : sass.loops) {
    const auto instructions = std::ranges::count_if(sass.instructions, [&](const sass::Instruction& i) {
      return i.address >= loop.first && i.address <= loop.last;
    });
    clocks.push_back(instructions <= kInFirstCache ? 1 : instructions <= kInSecondCache ? kFromSecondCache : kFromL2);
  }
  return clocks;
}

}  // namespace loom::model
