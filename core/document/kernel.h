// A state as a kernel: lowered and as CUDA text, or why it can't be one.
#pragma once
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "core/codegen/cuda.h"
#include "core/lower/lower.h"
#include "core/schedule/state.h"

namespace loom::document {

struct KernelText {
  ir::Function function;  // of the state
  std::optional<device::Program> program;
  std::optional<device::Program> draft;  // lower::draft's, where that alone comes to something
  codegen::Source source;                // empty text when there is no kernel
  std::optional<Error> problem;          // why there is none
  double milliseconds = 0;               // program to CUDA text
  std::string key;                       // compile::programKey of it: what results, profiles and proposals go by

  // The statements on their threads, for whoever counts or draws them; null where lowering comes to none.
  const device::Program* statements() const { return program ? &*program : draft ? &*draft : nullptr; }
};

// `describe` says what made a block, for comments. `function` selects one of a module's functions.
KernelText makeKernel(const schedule::State& state, const std::function<std::string(ir::Id)>& describe = {},
                      std::size_t function = 0);

}  // namespace loom::document
