// A state as a kernel: lowered and as CUDA text, or why it can't be one.
#pragma once
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "core/codegen/cuda.h"
#include "core/document/sizes.h"
#include "core/lower/lower.h"
#include "core/schedule/state.h"

namespace loom::document {

struct KernelText {
  ir::Function function;  // of the state, at `size`
  ir::Function symbolic;  // of the state as it is; the same where it has no symbols
  SizeChoice size;        // what `program`, the launches and buffers of `source`, and so models and times are for
  std::optional<device::Program> program;
  std::optional<device::Program> draft;  // lower::draft's, where that alone comes to something
  codegen::Source source;                // empty text when there is no kernel
  codegen::Source overSymbols;           // of a function with symbols: the same source, launched over them
  std::optional<Error> problem;          // why there is none
  double milliseconds = 0;               // program to CUDA text
  std::string key;                       // compile::programKey of it: what results, profiles and proposals go by

  // What a host program is made of that takes the sizes as arguments.
  const codegen::Source& forHost() const { return overSymbols.text.empty() ? source : overSymbols; }
  // The statements on their threads, for whoever counts or draws them; null where lowering comes to none.
  const device::Program* statements() const { return program ? &*program : draft ? &*draft : nullptr; }
};

// `describe` says what made a block, for comments. `function` selects one of a module's functions. The CUDA text is one
// for all sizes; the rest is at the first of `sizes`' choices.
KernelText makeKernel(const schedule::State& state, const std::function<std::string(ir::Id)>& describe = {},
                      std::size_t function = 0, const Sizes& sizes = {});
// At another of the choices.
KernelText makeKernelAt(const schedule::State& state, const SizeChoice& size,
                        const std::function<std::string(ir::Id)>& describe = {}, std::size_t function = 0);

// A state's first function at a choice of sizes: with constant shapes where that is possible, else as it is.
ir::Function functionAt(const schedule::State& state, const SizeChoice& size);
ir::Function functionAt(const schedule::State& state, const Sizes& sizes);  // at the first choice

}  // namespace loom::document
