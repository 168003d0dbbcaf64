#include "core/device/precision.h"

#include "core/device/operation.h"

namespace loom::device {

int factorDigitsOf(const Program& program) {
  int least = 0;
  for (const Kernel& k : program.kernels) {
    forEach(k.body, [&](const Stmt& s) {
      if (s->kind != StmtKind::Operation) return true;
      const ProductTypes* product = productOf(*as<OperationNode>(s));
      if (product && product->digits > 0 && (least == 0 || product->digits < least)) least = product->digits;
      return true;
    });
  }
  return least;
}

}  // namespace loom::device
