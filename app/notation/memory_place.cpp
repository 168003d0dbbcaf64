#include "app/notation/memory_place.h"

#include <algorithm>
#include <cmath>

#include "app/panels/memory/words.h"

namespace loom::notation {

namespace words = text::memory;
using device::MemoryLevel;

LevelLook lookOf(MemoryLevel level) {
  switch (level) {
    case MemoryLevel::kGlobal: return {Tone::kGlobal, words::kGlobal};
    case MemoryLevel::kL2: return {Tone::kL2, words::kL2};
    case MemoryLevel::kShared: return {Tone::kShared, words::kShared};
    case MemoryLevel::kRegisters: return {Tone::kFragment, words::kRegisters};
    case MemoryLevel::kTensorCore: break;
  }
  return {Tone::kTensorCore, words::kTensorCore};
}

double arrowWidth(double bytes) { return 1.5 + 0.5 * std::clamp(std::log2(std::max(bytes, 1.0) / 4096), 0.0, 22.0); }

}  // namespace loom::notation
