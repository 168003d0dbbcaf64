// The statements of a function with their expressions compiled: what a whole run walks.
#pragma once
#include <optional>

#include "core/exec/scalar_code.h"

namespace loom::exec {

// A statement of a function, with expressions compiled to scalar code.
struct StatementNode {
  enum class Kind : std::uint8_t { For, Block, Store, If, Seq, Let, Barrier };
  Kind kind = Kind::Seq;
  int variable = 0;               // For, Let
  std::string name;               // For: the variable's. Block: its own
  int axis = -1;                  // For: 0 to 2 bound to threadIdx.x to .z, 3 to 5 to blockIdx; -1 otherwise
  std::int64_t extent = -1;       // For, where it is constant
  ir::Id block;                   // Block
  std::vector<ScalarCode> codes;  // For: min, extent. If: condition. Let: value. Store: value, then indices
  ScalarAccess target;            // Store
  std::vector<int> iterators;     // Block; codes: values, predicate, minima of the reductions
  std::vector<int> reductions;    // their variables
  bool hasInit = false;           // Block: the first child
  std::uint16_t site = 0;         // a number of its own
  std::vector<StatementNode> children;
};

// Returns the function as a tree of statements. Errors "NotExecutable": views of buffers, calls with effects, a while
// loop, and those of ScalarCompiler.
Result<StatementNode> statementTree(const ir::Function& function, ScalarCompiler& compiler);

}  // namespace loom::exec
