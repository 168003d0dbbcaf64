#pragma once

#include <functional>

#include "app/panels/memory/view/memory.h"

namespace loom::session {

/// The arrows of the machine code: what MemoryView::traffic is as written. Empty where it isn't known. What comes from
/// and goes to global memory beyond L2 no instruction tells: those arrows are the written ones. `columnOf` says the
/// column of a buffer's name.
std::vector<MemoryTraffic> compiledTraffic(const model::KernelModel& model, const std::vector<MemoryTraffic>& written,
                                           const std::function<int(const std::string&)>& columnOf);

/// `view` with the machine code's arrows in place of the written ones; as it is where there are none.
MemoryView withCompiledTraffic(MemoryView view);

}  // namespace loom::session
