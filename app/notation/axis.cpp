#include "app/notation/axis.h"

#include <array>

#include "app/panels/loop_nest/words.h"

namespace loom::notation {

namespace words = text::loop_nest;
using workbench::Axis;

Tone toneOf(Axis axis) { return static_cast<Tone>(axis); }
static_assert(static_cast<int>(Axis::kBlock) == static_cast<int>(Tone::kBlock) &&
              static_cast<int>(Axis::kReduction) == static_cast<int>(Tone::kReduction));

const char* letterOf(workbench::Level level) {
  return level == workbench::Level::kGlobal ? "G" : level == workbench::Level::kShared ? "S" : "R";
}

std::string routeText(const workbench::NestRow& row) {
  if (row.copy) return std::string(letterOf(row.source)) + "→" + letterOf(row.target);
  if (row.bytes < 0) return "";
  std::array<bool, 3> read{}, written{};
  for (const workbench::MovedBytes& moved : row.moved) (moved.write ? written : read)[std::size_t(moved.level)] = true;
  constexpr auto kRegister = std::size_t(workbench::Level::kRegister);
  if (read[std::size_t(workbench::Level::kGlobal)] || read[std::size_t(workbench::Level::kShared)])
    read[kRegister] = false;
  auto letters = [](const std::array<bool, 3>& levels) {
    std::string all;
    for (std::size_t level = 0; level < levels.size(); ++level)
      if (levels[level]) all += (all.empty() ? "" : "+") + std::string(letterOf(workbench::Level(level)));
    return all;
  };
  const std::string from = letters(read), to = letters(written);
  if (from == to) return from;  // no way from one level to another
  return from.empty() || to.empty() ? "" : from + "→" + to;
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
