// Dot products of packed vectors, which a thread computes in one instruction. CUDA C++ Programming Guide, "Integer
// intrinsics": __dp4a.
#include <array>

#include "core/device/operation.h"
#include "core/ir/called.h"

namespace loom::device {
namespace {

// CUDA C++ Programming Guide, "Integer intrinsics": from compute capability 6.1 on.
constexpr std::array<DotRow, 1> kDots{{{"__dp4a", 4, 8, 61}}};

}  // namespace

const DotRow* dotOf(const ir::CallNode& call) {
  for (const DotRow& row : kDots)
    if (ir::isCallOf(call, row.call) && int(call.args.size()) == row.sum + 1) return &row;
  return nullptr;
}

Message whyNoDot(const DotRow& row, const ir::CallNode& call) {
  if (call.args[std::size_t(row.a)]->dtype.isUInt() == call.args[std::size_t(row.b)]->dtype.isUInt()) return {};
  return message("CUDA has no {} of a signed and an unsigned operand", row.call);
}

bool isPackedVector(ir::DType loaded) {
  for (const DotRow& row : kDots)
    if (loaded.bits == row.bits && loaded.lanes == row.length) return true;
  return false;
}

}  // namespace loom::device
