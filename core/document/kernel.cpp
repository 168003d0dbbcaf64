#include "core/document/kernel.h"

#include <chrono>

#include "core/compile/compile.h"
#include "core/compile/program_key.h"
#include "core/schedule/one_line.h"

namespace loom::document {

KernelText makeKernel(const schedule::State& state, const std::function<std::string(ir::Id)>& describe,
                      std::size_t function) {
  auto start = std::chrono::steady_clock::now();
  KernelText text;
  const auto& functions = state.module().functions;
  if (function >= functions.size()) {
    text.problem = fail("NotAKernel", "the module has no such function", Forbids::Input).value();
    return text;
  }
  text.function = functions[function];
  auto program = lower::lower(text.function);
  if (!program) {
    text.problem = schedule::inOneLine(program.error());
    if (auto draft = lower::draft(text.function)) text.draft = std::move(*draft);
    return text;
  }
  codegen::Options options;
  options.describe = describe;
  text.source = codegen::generate(*program, options);
  text.program = std::move(*program);
  text.milliseconds = std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
  text.key = compile::programKey(text.source, compile::optionsOf({}));
  return text;
}

}  // namespace loom::document
