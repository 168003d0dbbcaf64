// Reads a function or module in TVMScript that stands among other Python, whose names it may use.
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
  // Further names of the modules T ('T'), I ('I') and R ('R'): {"tt", 'T'} for `from tvm.script import tir as tt`; T, I
  // and R themselves are known without.
  std::vector<std::pair<std::string, char>> aliases;
  std::vector<std::pair<std::string, StepValue>> constants;  // numbers, texts, and lists of them, by name
};

// Returns the name of a definition's first decorator, after the last dot and without arguments: "prim_func",
// "ir_module", "function" (of Relax); empty without a decorator.
std::string decoratorOf(const Statement& definition);

// A function of Relax in a module, which is no TensorIR.
struct RelaxFunction {
  std::string name;
  int line = 0;  // the line of its `def`, from 1
};

// Reads a function with @T.prim_func or a class with @I.ir_module into a module. `definition` is its syntax tree, and
// `source` the text that the tree was parsed from. Functions of Relax in it are left out of the module and appended to
// `passedOver`. Error "ParseError" with its place, also for other definitions and for a class that has functions of
// Relax only; for the latter `passedOver` has them all the same.
Result<ir::Module> readDefinition(const SourceText& source, const Statement& definition, const Surroundings& around,
                                  std::vector<RelaxFunction>& passedOver);

}  // namespace loom::script
