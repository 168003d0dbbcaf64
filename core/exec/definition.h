// How the elements of a buffer are computed, read off the one block of the program (T.block) that writes the buffer:
// `B[i, j] = init; for k: B[i, j] = update(B[i, j], i, j, k)`. The reference (reference.h) computes single elements by
// it.
#pragma once
#include "core/exec/scalar_code.h"

namespace loom::exec {

// How one element of a buffer is computed, as a function of its indices.
struct ElementDefinition {
  // The spatial iterators, by dimension of the buffer. Variables are numbers that the ScalarCompiler gives them, the
  // compiler of expressions to code for a stack machine (ScalarCode).
  std::vector<int> spatial;
  struct Reduction {
    int variable = 0;
    std::int64_t extent = 0;  // the variable runs from 0 to extent - 1
  };
  std::vector<Reduction> reductions;  // the reduction iterators, outermost first
  bool hasInit = false;               // whether the block has an initial value; else `init` is empty
  ScalarCode init, update;            // the update reads the value so far as the accumulator
  // For a sum, whose update adds a term to the value so far without reading that value otherwise: the code of the term,
  // and the step that adds it. For other reductions `term` is empty.
  ScalarCode term;
  ScalarStep combine;
  // If the term is a product of two loads, cast or not, whose indices are iterators: the two loads; else empty.
  struct Factor {
    int access = 0;              // index in ScalarCompiler::accesses
    std::vector<int> variables;  // the iterator that is the index, by dimension
  };
  std::vector<Factor> factors;
};

// Returns the definitions of all buffers that the function writes, each with the number that the compiler gives the
// buffer. Returns nothing if a buffer has no definition: if several blocks write it, if the block that writes it
// doesn't store over the whole buffer, each dimension by a spatial iterator of its own or by several as digits of a
// number (`g * 32 + c`), or stores more than one of two values at this place, if two elements lie at the same place in
// memory, if a block's update reads the buffer before the block that writes it, or if anything but loops and blocks
// stands around that block.
std::optional<std::vector<std::pair<int, ElementDefinition>>> findDefinitions(const ir::Function& function,
                                                                              ScalarCompiler& compiler);

}  // namespace loom::exec
