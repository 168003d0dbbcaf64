// The numbers that a function takes in addition to its buffers: scalar parameters, and the variables in the shapes,
// strides and offsets of its buffers.
#pragma once
#include <map>
#include <string>
#include <vector>

#include "core/ir/stmt.h"

namespace loom::ir {

// What the function uses the number for: in a buffer's shape (also if it is used elsewhere, too), in its strides, or as
// its offset. Extents are at least 1, strides and offsets at least 0; Number is a scalar parameter with none of these
// uses.
enum class SymbolRole : std::uint8_t { Extent, Stride, Offset, Number };

// A number that a function is given when it is called: a size, a stride, an offset or a scalar parameter.
struct Symbol {
  Var var;
  SymbolRole role = SymbolRole::Number;
  Buffer buffer;              // the first parameter in which it has this role; null for Number
  std::size_t dimension = 0;  // the dimension of `buffer` in whose extent or stride it occurs; else 0
  std::string name;           // its name for users: the variable's, made unique among the symbols
};

// Returns the symbols of a function in the order of the parameters in which they first occur; empty if there are none.
std::vector<Symbol> symbolsOf(const FunctionNode& function);

// A value for each symbol, by Symbol::name; a whole number if the symbol's dtype is an integer.
using Numbers = std::map<std::string, double>;

// Returns whether the expression has no variables but the given symbols, and no loads, calls or lets.
bool isOver(const Expr& e, const std::vector<Symbol>& symbols);

}  // namespace loom::ir
