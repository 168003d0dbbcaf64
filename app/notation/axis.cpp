#include "app/notation/axis.h"

#include "app/text/loop_nest.h"

namespace loom::notation {

namespace words = text::loop_nest;
using workbench::Axis;

Tone toneOf(Axis axis) { return static_cast<Tone>(axis); }
static_assert(static_cast<int>(Axis::kBlock) == static_cast<int>(Tone::kBlock) &&
              static_cast<int>(Axis::kReduction) == static_cast<int>(Tone::kReduction));

const char* letterOf(workbench::Level level) {
  return level == workbench::Level::kGlobal ? "G" : level == workbench::Level::kShared ? "S" : "R";
}

const text::Text& wordOf(Axis axis) {
  switch (axis) {
    case Axis::kBlock: return words::kBlockIdx;
    case Axis::kThreadX:
    case Axis::kThreadY:
    case Axis::kThreadZ: return words::kThreadIdx;
    case Axis::kVirtualThread: return words::kVirtual;
    case Axis::kVectorized: return words::kVectorized;
    case Axis::kUnrolled: return words::kUnrolled;
    case Axis::kSerial: return words::kSerial;
    case Axis::kReduction: return words::kReduction;
  }
  return words::kSerial;
}

std::string lettersOf(const workbench::NestRow& loop) {
  if (loop.axis == Axis::kReduction) return "Σ";
  std::string letters = entryOf(toneOf(loop.axis)).letter;
  if (loop.axis == Axis::kBlock && loop.component != 0) letters = std::string("b") + loop.component;
  return loop.reduction ? letters + "Σ" : letters;
}

}  // namespace loom::notation
