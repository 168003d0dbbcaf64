// The numbers that a function takes beside its buffers: scalar parameters, and symbols in shapes, strides and offsets.
#pragma once
#include <map>
#include <string>
#include <vector>

#include "core/ir/stmt.h"

namespace loom::ir {

// What the number is to the function. Extents are at least 1, strides and offsets at least 0.
enum class SymbolRole : std::uint8_t { Extent, Stride, Offset, Number };

// A number that a function is given when it is called: a size, a stride, an offset or a scalar parameter.
struct Symbol {
  Var var;
  SymbolRole role = SymbolRole::Number;
  Buffer buffer;              // of Extent, Stride and Offset: the first parameter that has it; else null
  std::size_t dimension = 0;  // of Extent and Stride
  std::string name;           // what people call it by: the variable's, unless another symbol has that already
};

// Returns the symbols of a function in the order of its parameters: a scalar at its own place, a size at that of the
// buffer that has it.
std::vector<Symbol> symbolsOf(const FunctionNode& function);

// A value for each symbol, by Symbol::name. Whole numbers where the symbol is one.
using Numbers = std::map<std::string, double>;

// Returns whether the expression has only symbols, constants and arithmetic.
bool isOver(const Expr& e, const std::vector<Symbol>& symbols);

}  // namespace loom::ir
