// The statements of a function with their expressions compiled to scalar code (scalar_code.h), so that the function can
// be run statement by statement (whole_run.h).
#pragma once
#include <optional>

#include "core/exec/scalar_code.h"
#include "core/exec/virtual_threads.h"

namespace loom::exec {

// A statement of a function. The words before a colon say which kinds have a member.
struct StatementNode {
  enum class Kind : std::uint8_t { For, Block, Store, If, Seq, Let, Barrier };
  Kind kind = Kind::Seq;
  int variable = 0;  // For, Let: the number of the variable in the ScalarCompiler given to `statementTree`
  std::string name;  // For: the name of the variable. Block: the name of the block
  // For: 0 to 2 bound to threadIdx.x to .z, 3 to 5 to blockIdx, kVirtualAxis to virtual threads; -1 otherwise.
  static constexpr int kVirtualAxis = 6;
  int axis = -1;
  std::int64_t extent = -1;       // For: the number of iterations; -1 if it isn't constant
  ir::Id block;                   // Block: its id
  std::vector<ScalarCode> codes;  // For: min, extent. If: condition. Let: value. Store: value, then indices
  ScalarAccess target;            // Store: the buffer and its layout
  // Block: the numbers of its iterators' variables. `codes` has their values, then the predicate, then the minima of
  // the reduction iterators.
  std::vector<int> iterators;
  std::vector<int> reductions;  // Block: the variables of the reduction iterators
  bool hasInit = false;         // Block: whether the first child is its T.init
  std::uint16_t site = 0;       // the number of the statement in the function, in the order of the text, from 1
  // Bit n is for the n-th of the loops over virtual threads around the statement, counted from 0 for the outermost one.
  // If it is set, the statement with all inside it is run to its end for one iteration of that loop after another.
  // Otherwise it is run for all iterations together: what is inside, one statement for all iterations before the next,
  // unless that statement's own bits say otherwise (VirtualThreads::dependsOn).
  std::uint32_t apart = 0;
  // For, Let: the body. Block: T.init if `hasInit`, then the body. If: what is run if the condition holds, and if not.
  // Seq: the statements in their order. A missing statement is an empty Seq.
  std::vector<StatementNode> children;
};

// Returns the function as a tree of statements. `virtualThreads` must be of the same function; `compiler` gets its
// variables and buffers. Error "NotExecutable" for views of buffers, calls with effects other than barriers, while
// loops, expressions that ScalarCompiler can't compile, more than 65535 statements, and more than 32 loops over virtual
// threads in each other.
Result<StatementNode> statementTree(const ir::Function& function, const VirtualThreads& virtualThreads,
                                    ScalarCompiler& compiler);

}  // namespace loom::exec
