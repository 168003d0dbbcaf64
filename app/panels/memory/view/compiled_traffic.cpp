#include "app/panels/memory/view/compiled_traffic.h"

#include <algorithm>

#include "core/model/compiled_links.h"

namespace loom::session {

std::vector<MemoryTraffic> compiledTraffic(const model::KernelModel& model, const std::vector<MemoryTraffic>& written,
                                           const std::function<int(const std::string&)>& columnOf) {
  std::vector<MemoryTraffic> all;
  if (!model.compiled || !model.sass) return all;
  // What moves by itself has no addresses in the code: it is as written.
  const auto byItself = [](const MemoryTraffic& t) { return device::isBeside(t.agent); };
  for (const MemoryTraffic& t : written)
    if (t.from == MemoryLevel::kGlobal || t.to == MemoryLevel::kGlobal || byItself(t)) all.push_back(t);
  for (const model::CompiledLink& l : model::compiledLinks(model.accesses, *model.sass, *model.compiled)) {
    MemoryTraffic next;
    next.from = model::levelOf(l.from), next.to = model::levelOf(l.to);
    next.column = columnOf(l.buffer ? l.buffer->name : "");
    next.how = model.compiled->how;
    auto same = std::find_if(all.begin(), all.end(), [&](const MemoryTraffic& t) {
      return t.from == next.from && t.to == next.to && t.column == next.column;
    });
    if (same == all.end()) {
      for (const MemoryTraffic& t : written)
        if (t.from == next.from && t.to == next.to && t.column == next.column) next.by = t.by;
      // Loads and stores of the machine code are arrows of their own.
      if (next.from == MemoryLevel::kL2 && next.to == MemoryLevel::kShared) next.agent = device::Agent::AsyncCopy;
      same = all.insert(all.end(), std::move(next));
    }
    same->bytes += l.bytes;
    same->perBlock += l.perBlock;
    same->moved += l.moved;
    for (const auto& [width, n] : l.widths) same->widths[width] += n;
    for (const model::Access& a : model.accesses.accesses) {
      const bool write = l.from == model::Place::Registers;
      if (!l.buffer || a.buffer != l.buffer || a.write != write || !a.block) continue;
      if (std::find(same->ids.begin(), same->ids.end(), a.block) == same->ids.end()) same->ids.push_back(a.block);
    }
  }
  return all;
}

MemoryView withCompiledTraffic(MemoryView view) {
  if (!view.compiledTraffic.empty()) view.traffic = view.compiledTraffic;
  return view;
}

}  // namespace loom::session
