// A definition in TVMScript that stands among other Python: its module, with the names around it that it uses.
#pragma once
#include <string>
#include <utility>
#include <vector>

#include "core/ir/stmt.h"
#include "core/script/python_ast.h"
#include "core/script/step_line.h"

namespace loom::script {

struct Surroundings {
  std::vector<std::pair<std::string, char>> aliases;         // what T ('T'), I ('I') and R ('R') are called
  std::vector<std::pair<std::string, StepValue>> constants;  // numbers, texts, and lists of them, by name
};

// "prim_func", "ir_module", "function" (of Relax): what the decorator of a definition is called, whatever stands before
// the last dot; empty without a decorator.
std::string decoratorOf(const Statement& definition);

// The module of a function with @T.prim_func or a class with @I.ir_module. What of a module is no TensorIR is told in
// `passedOver`, as the names and lines of its functions.
Result<ir::Module> readDefinition(const SourceText& source, const Statement& definition, const Surroundings& around,
                                  std::vector<std::string>& passedOver);

}  // namespace loom::script
