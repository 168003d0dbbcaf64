#pragma once

#include <functional>

#include "app/panels/memory/view/memory.h"

namespace loom::session {

/// Returns the traffic between memory levels as counted from the machine code (SASS). `written` is the traffic of the
/// program as written: its entries are taken where the machine code doesn't determine the bytes, that is, between L2
/// and global memory, and for what the copy engine (TMA) and tensor cores move by themselves. `columnOf` returns the
/// column of the operand for the name of a buffer, which is "" for an access that belongs to no known buffer. Returns
/// no entries if `model` has no counts of the machine code.
std::vector<MemoryTraffic> compiledTraffic(const model::KernelModel& model, const std::vector<MemoryTraffic>& written,
                                           const std::function<int(const std::string&)>& columnOf);

/// Returns `view` with MemoryView::traffic replaced by MemoryView::compiledTraffic; unchanged if the latter is empty.
MemoryView withCompiledTraffic(MemoryView view);

}  // namespace loom::session
