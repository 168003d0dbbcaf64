#pragma once

#include <functional>

#include "app/panels/memory/view/memory.h"

namespace loom::session {

/// Returns the traffic of the machine code, as MemoryView::traffic is that of the program as written. Empty if it isn't
/// known. No instruction tells what passes between L2 and global memory: those entries are the written ones. `columnOf`
/// returns the column of a buffer's name.
std::vector<MemoryTraffic> compiledTraffic(const model::KernelModel& model, const std::vector<MemoryTraffic>& written,
                                           const std::function<int(const std::string&)>& columnOf);

/// Returns `view` with the machine code's traffic in place of that as written; unchanged if there is none.
MemoryView withCompiledTraffic(MemoryView view);

}  // namespace loom::session
