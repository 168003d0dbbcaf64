#include "core/document/kernel.h"

#include <chrono>

#include "core/compile/compile.h"
#include "core/compile/program_key.h"
#include "core/exec/input_ranges.h"
#include "core/lower/instance.h"
#include "core/schedule/one_line.h"

namespace loom::document {

ir::Function functionAt(const schedule::State& state, const SizeChoice& size) {
  const ir::Function& function = state.module().functions.front();
  auto at = lower::instance(function, size.numbers);
  return at ? *at : function;
}
ir::Function functionAt(const schedule::State& state, const Sizes& sizes) {
  return functionAt(state, choicesOf(sizes, *state.module().functions.front()).front());
}

KernelText makeKernel(const schedule::State& state, const std::function<std::string(ir::Id)>& describe,
                      std::size_t function, const Sizes& sizes) {
  const auto& functions = state.module().functions;
  const SizeChoice size = function < functions.size() ? choicesOf(sizes, *functions[function]).front() : SizeChoice{};
  return makeKernelAt(state, size, describe, function);
}

KernelText makeKernelAt(const schedule::State& state, const SizeChoice& size,
                        const std::function<std::string(ir::Id)>& describe, std::size_t function) {
  auto start = std::chrono::steady_clock::now();
  KernelText text;
  const auto& functions = state.module().functions;
  if (function >= functions.size()) {
    text.problem = fail("NotAKernel", message("the module has no such function"), Forbids::Input).value();
    return text;
  }
  text.function = text.symbolic = functions[function];
  text.size = size;
  auto [program, draft] = lower::lowerOrDraft(text.symbolic);
  if (auto at = lower::instance(text.symbolic, size.numbers)) text.function = std::move(*at);
  if (!program) {
    text.problem = schedule::inOneLine(program.error());
    if (!draft) return text;
    if (auto at = lower::instance(*draft, size.numbers)) text.draft = std::move(*at);
    return text;
  }
  codegen::Options options;
  options.describe = describe;
  text.source = codegen::generate(*program, options);
  if (!program->symbols.empty()) {
    auto at = lower::instance(*program, size.numbers);
    if (!at) {
      text.source = {};
      text.problem = at.error();
      return text;
    }
    text.overSymbols = text.source;
    text.source = codegen::launchedAs(std::move(text.source), *at);
    program = std::move(at);
  }
  // Runs elsewhere are filled as checks are: what indexes stays within what it indexes.
  const exec::InputRanges inputs = exec::inputRanges(text.function);
  std::size_t buffer = 0;
  for (std::size_t p = 0; p < text.function->params.size(); ++p) {
    if (!text.function->params[p].buffer || buffer == text.source.buffers.size()) continue;
    const auto range = inputs.ranges.find(int(p));
    if (range != inputs.ranges.end()) {
      const exec::InputRange& r = range->second;
      text.source.buffers[buffer].values = codegen::GlobalBuffer::Values{r.low, r.high, r.ascending};
    }
    ++buffer;
  }
  text.program = std::move(*program);
  text.milliseconds = std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
  text.key = compile::programKey(text.source, compile::optionsOf({}));
  return text;
}

}  // namespace loom::document
