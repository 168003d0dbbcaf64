// What a kernel's text needs beside its own lines.
#include <algorithm>
#include <limits>

#include "core/codegen/expression.h"
#include "core/codegen/kernel_writer.h"
#include "core/codegen/shared_array.h"
#include "core/device/effects.h"
#include "core/ir/operation.h"
#include "core/ir/visit.h"

namespace loom::codegen {

using namespace device;

std::int64_t launchMemory(const Kernel& k) {
  std::int64_t begin = std::numeric_limits<std::int64_t>::max();
  for (const Allocation& a : k.allocations)
    if (a.dynamic) begin = std::min(begin, a.offset);
  return begin;
}

bool isSharedArray(const Kernel& k, const Allocation& a) {
  return a.memory == Memory::SharedDynamic && k.maps.empty() && k.mbarriers.empty() && a.offset > launchMemory(k) &&
         (a.offset - launchMemory(k)) % a.buffer->dtype.bytes() == 0;
}

KernelUses usesOf(const Kernel& k) {
  const BufferUses buffers = device::usesOf(k.body);
  KernelUses uses{{buffers.read.begin(), buffers.read.end()},
                  {buffers.written.begin(), buffers.written.end()},
                  {},
                  preamblesOf(k.body)};
  if (std::ranges::any_of(k.allocations, [&](const Allocation& a) { return isSharedArray(k, a); }))
    uses.preambles.push_back(kSharedArray);
  forEach(k.body, [&](const Stmt& s) {
    for (const Expr& e : expressionsOf(s)) {
      ir::forEachExpr(e, [&](const Expr& x) {
        if (auto* c = ir::asCall(x)) uses.called.merge(calledNames(*c));
      });
    }
    return true;
  });
  return uses;
}

}  // namespace loom::codegen
