#include "core/model/timeline_position.h"

#include <algorithm>

namespace loom::model {

bool TimelinePosition::Touch::isBy(const Access& access) const {
  return access.block == block && access.buffer->name == buffer && access.write == write;
}

const TimelinePosition::Loop* TimelinePosition::find(ir::Id loop) const {
  for (const Loop& l : loops)
    if (l.id == loop) return &l;
  return nullptr;
}

bool TimelinePosition::isRunning(ir::Id block) const {
  return std::find(blocks.begin(), blocks.end(), block) != blocks.end();
}

bool TimelinePosition::isMoved(ir::Id block, device::MemoryLevel from, device::MemoryLevel to) const {
  return std::any_of(moves.begin(), moves.end(),
                     [&](const Move& m) { return m.block == block && m.from == from && m.to == to; });
}

bool TimelinePosition::isTouched(const std::string& buffer) const {
  return std::any_of(touches.begin(), touches.end(), [&](const Touch& t) { return t.buffer == buffer; });
}

std::map<int, std::int64_t> TimelinePosition::standingLoops(const KernelAccesses& kernel, const Access& access) const {
  std::map<int, std::int64_t> values;
  for (int l : access.loops)
    for (const Loop& loop : loops)
      if (!loop.runs && loop.var == kernel.loops[std::size_t(l)].var) values[l] = loop.value;
  return values;
}

}  // namespace loom::model
