#pragma once

#include <functional>

#include "app/panels/memory/view/memory.h"

namespace loom::session {

/// Returns the traffic between memory levels as counted from the machine code (SASS). `written` is the traffic of the
/// program as written: its entries are taken where the machine code doesn't determine the bytes, that is, between L2
/// and global memory, and for what the copy engine (TMA) and tensor cores move by themselves. `columnOf` gets the name
/// of a buffer, or "" for accesses that belong to no known buffer, and returns the column of its operand, which becomes
/// MemoryTraffic::column: as MemoryBuffer::column says, the last column for "" and for a name that no column has.
/// Returns no entries if `model` has no counts of the machine code.
std::vector<MemoryTraffic> compiledTraffic(const model::KernelModel& model, const std::vector<MemoryTraffic>& written,
                                           const std::function<int(const std::string&)>& columnOf);

/// Returns `view` with MemoryView::traffic replaced by MemoryView::compiledTraffic; unchanged if the latter is empty.
MemoryView withCompiledTraffic(MemoryView view);

}  // namespace loom::session
