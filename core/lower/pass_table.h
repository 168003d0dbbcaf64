// The passes of lowering, in their order: what each expects and leaves. `lower` runs them and nothing else.
#pragma once
#include <span>

#include "core/lower/lowering.h"

namespace loom::lower {

struct Pass {
  // Program: over the function's body, a statement of TensorIR. Nest: over the part of it that becomes a kernel.
  // Kernel: over a device program's kernel, Lowering::kernel, of which the first makes it from the nest.
  enum class Over : std::uint8_t { Program, Nest, Kernel };
  std::string_view name;
  Over over = Over::Program;
  std::string_view expects, leaves;  // in words, for people
  unsigned form = 0;                 // what is true of a kernel from here on, which `device::verify` checks
  Result<void> (*run)(Lowering& lowering, ir::Stmt& statement) = nullptr;
};

std::span<const Pass> passes();

}  // namespace loom::lower
