#include "app/panels/loop_nest/view/labels.h"

#include <fmt/format.h>

#include <array>

#include "app/notation/axis.h"

namespace loom::session {

std::string lettersOf(const NestRow& loop) {
  if (loop.axis == HardwareAxis::kReduction) return "Σ";
  std::string letters = notation::entryOf(notation::toneOf(loop.axis)).letter;
  if (loop.axis == HardwareAxis::kBlock && loop.component != 0) letters = std::string("b") + loop.component;
  return loop.reduction ? letters + "Σ" : letters;
}

std::string overlapText(const NestRow& row, const char* stages, const char* stage) {
  std::string text = row.stages > 0 ? fmt::format(fmt::runtime(stages), row.stages) : "";
  std::string numbers;
  for (std::size_t n = 0; n < row.staged.size(); ++n)
    if (n == 0 || row.staged[n].stage != row.staged[n - 1].stage)
      numbers += (numbers.empty() ? "" : ", ") + std::to_string(row.staged[n].stage);
  if (!numbers.empty()) text += (text.empty() ? "" : " · ") + fmt::format(fmt::runtime(stage), numbers);
  return text;
}

std::string routeText(const NestRow& row) {
  if (row.copy) return std::string(notation::letterOf(row.source)) + "→" + notation::letterOf(row.target);
  if (row.bytes < 0) return "";
  std::array<bool, device::kMemoryLevels> read{}, written{};
  for (const MovedBytes& moved : row.moved) (moved.write ? written : read)[std::size_t(moved.level)] = true;
  constexpr auto kRegister = std::size_t(MemoryLevel::kRegisters);
  if (read[std::size_t(MemoryLevel::kGlobal)] || read[std::size_t(MemoryLevel::kShared)]) read[kRegister] = false;
  auto letters = [](const std::array<bool, device::kMemoryLevels>& levels) {
    std::string all;
    for (std::size_t level = 0; level < levels.size(); ++level)
      if (levels[level]) all += (all.empty() ? "" : "+") + std::string(notation::letterOf(MemoryLevel(level)));
    return all;
  };
  const std::string from = letters(read), to = letters(written);
  if (from == to) return from;  // no way from one level to another
  return from.empty() || to.empty() ? "" : from + "→" + to;
}

}  // namespace loom::session
