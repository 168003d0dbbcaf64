// A definition in TVMScript that stands among other Python: its module, with the names around it that it uses.
#pragma once
#include <string>
#include <utility>
#include <vector>

#include "core/ir/stmt.h"
#include "core/script/python_ast.h"
#include "core/script/step_line.h"

namespace loom::script {

// The names that a script defines outside of a function, which the function may use.
struct Surroundings {
  std::vector<std::pair<std::string, char>> aliases;         // what T ('T'), I ('I') and R ('R') are called
  std::vector<std::pair<std::string, StepValue>> constants;  // numbers, texts, and lists of them, by name
};

// Returns the name of a definition's decorator after the last dot: "prim_func", "ir_module", "function" (of Relax);
// empty without a decorator.
std::string decoratorOf(const Statement& definition);

// A function of Relax in a module, which is no TensorIR.
struct RelaxFunction {
  std::string name;
  int line = 0;  // of its `def`, from 1
};

// Returns the module of a function with @T.prim_func or of a class with @I.ir_module. The functions of Relax in it are
// left out and added to `passedOver`.
Result<ir::Module> readDefinition(const SourceText& source, const Statement& definition, const Surroundings& around,
                                  std::vector<RelaxFunction>& passedOver);

}  // namespace loom::script
