#include "core/model/instruction_fetch.h"

namespace loom::model {

namespace {

constexpr std::int64_t kInstruction = 16;  // bytes, since Volta
// A warp does one multiplication a clock where the loop has 2,048 of them, one in 2.8 clocks where it has 4,096 to
// 8,192, and one in 5.9 where it has 9,216 and more: what 32 and 128 KB hold.
constexpr std::int64_t kInFirstCache = 2048, kInSecondCache = 8192;
constexpr double kFromSecondCache = 2.8, kFromL2 = 5.9;

}  // namespace

double clocksOfFetch(const sass::Loop& loop) {
  const std::int64_t instructions = (loop.last - loop.first) / kInstruction + 1;
  return instructions <= kInFirstCache ? 1 : instructions <= kInSecondCache ? kFromSecondCache : kFromL2;
}

}  // namespace loom::model
