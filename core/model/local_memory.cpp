#include "core/model/local_memory.h"

#include <algorithm>
#include <charconv>
#include <string_view>

#include "core/layout/request.h"

namespace loom::model {
namespace {

// "[R1+0x998]" and "[R1]" lie 0x998 and 0 bytes from the start of what the thread has; of what is indexed by a value
// the offset is where it begins.
int offsetOf(std::string_view operands) {
  const std::size_t open = operands.find('['), close = operands.find(']', open);
  if (open == std::string_view::npos || close == std::string_view::npos) return 0;
  const std::string_view inside = operands.substr(open + 1, close - open - 1);
  const std::size_t at = inside.find("+0x");
  int offset = 0;
  if (at != std::string_view::npos) std::from_chars(inside.data() + at + 3, inside.data() + inside.size(), offset, 16);
  return offset;
}

}  // namespace

LocalTraffic localTrafficOf(const sass::Kernel& sass, const CompiledCount& compiled) {
  LocalTraffic all;
  for (std::size_t n = 0; n < sass.instructions.size(); ++n) {
    const sass::Instruction& i = sass.instructions[n];
    const bool load = i.pipe == sass::Pipe::LocalLoad;
    if (!load && i.pipe != sass::Pipe::LocalStore) continue;
    all.bytesOfThread = std::max(all.bytesOfThread, double(offsetOf(i.operands) + i.bytes));
    // The same word of all lanes lies side by side.
    const double sectors = compiled.executions[n] * i.bytes * layout::kLanes / layout::kSectorBytes;
    (load ? all.loaded : all.stored) += sectors;
  }
  return all;
}

double shareBeyond(double bytes, double capacity) {
  return bytes > std::max(0.0, capacity) ? 1 - std::max(0.0, capacity) / bytes : 0;
}

}  // namespace loom::model
