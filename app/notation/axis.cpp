#include "app/notation/axis.h"

#include "app/panels/loop_nest/words.h"

namespace loom::notation {

namespace words = text::loop_nest;
using device::HardwareAxis;

Tone toneOf(HardwareAxis axis) { return static_cast<Tone>(axis); }
static_assert(static_cast<int>(HardwareAxis::kBlock) == static_cast<int>(Tone::kBlock) &&
              static_cast<int>(HardwareAxis::kReduction) == static_cast<int>(Tone::kReduction));

const char* letterOf(device::MemoryLevel level) {
  return level == device::MemoryLevel::kGlobal ? "G" : level == device::MemoryLevel::kShared ? "S" : "R";
}

const text::Text& wordOf(HardwareAxis axis) {
  switch (axis) {
    case HardwareAxis::kBlock: return words::kBlockIdx;
    case HardwareAxis::kThreadX:
    case HardwareAxis::kThreadY:
    case HardwareAxis::kThreadZ: return words::kThreadIdx;
    case HardwareAxis::kVirtualThread: return words::kVirtual;
    case HardwareAxis::kVectorized: return words::kVectorized;
    case HardwareAxis::kUnrolled: return words::kUnrolled;
    case HardwareAxis::kSerial: return words::kSerial;
    case HardwareAxis::kReduction: return words::kReduction;
  }
  return words::kSerial;
}

const text::Text& wordOf(device::MemoryLevel level) {
  return level == device::MemoryLevel::kGlobal   ? words::kGlobal
         : level == device::MemoryLevel::kShared ? words::kShared
                                                 : words::kRegisters;
}

}  // namespace loom::notation
