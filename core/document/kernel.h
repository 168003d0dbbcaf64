// The kernel of a state (a module after some schedule steps): the state lowered to a device program and printed as
// CUDA, or the reason why it can't be a kernel.
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

// A state's function may have symbols, that is, sizes and scalars without a value. Its CUDA text is then the same for
// all values; everything else here is for the values of `size`.
struct KernelText {
  ir::Function function;                   // the state's function at the values of `size`; null if there is none
  ir::Function symbolic;                   // the state's function as it is; equal to `function` without symbols
  SizeChoice size;                         // the values of the symbols
  std::optional<device::Program> program;  // the lowered program; nothing if the state is no kernel
  // If the state is no kernel only because it accesses elements of tensor-core fragments one by one: the lowered
  // program in which the first lane of a warp does that for all. It serves models and views, and can't be printed as
  // CUDA.
  std::optional<device::Program> draft;
  codegen::Source source;        // CUDA text and launches; its text is empty if the state is no kernel
  codegen::Source overSymbols;   // for a function with symbols: the same text, with launches over the symbols
  std::optional<Error> problem;  // why the state is no kernel
  double milliseconds = 0;       // time that lowering and printing took; 0 if the state is no kernel
  std::string key;  // compile::programKey, by which results (times, profiles) are stored; empty without a kernel

  // Returns the source for a host program that takes the sizes as arguments.
  const codegen::Source& forHost() const { return overSymbols.text.empty() ? source : overSymbols; }
  // Returns the device program to count or draw: `program`, or else `draft`. Null if lowering made neither.
  const device::Program* statements() const { return program ? &*program : draft ? &*draft : nullptr; }
};

// Makes the kernel of a state, for the first choice of `sizes`: the first of the values that are given for each symbol,
// and defaults for symbols without values. `describe` returns what made a block ("cache_read, step 21"), for the
// comments of the CUDA text; it may be empty. `function` is the index of one of the module's functions; if there is no
// such function, KernelText::problem is "NotAKernel".
KernelText makeKernel(const schedule::State& state, const std::function<std::string(ir::Id)>& describe = {},
                      std::size_t function = 0, const Sizes& sizes = {});
// Makes the kernel for a given choice of sizes. If it lacks a symbol's value or has one that doesn't fit
// (lower::instance), KernelText::problem says so.
KernelText makeKernelAt(const schedule::State& state, const SizeChoice& size,
                        const std::function<std::string(ir::Id)>& describe = {}, std::size_t function = 0);

// Returns a state's first function, which must exist, with the values of `size` in place of its symbols; unchanged if a
// value is missing or doesn't fit.
ir::Function functionAt(const schedule::State& state, const SizeChoice& size);
// Returns the function with the values of the first choice of `sizes`.
ir::Function functionAt(const schedule::State& state, const Sizes& sizes);

}  // namespace loom::document
