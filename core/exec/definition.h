// How the elements of a buffer are computed, read off the one block of the program (T.block) that writes the buffer:
// `B[i, j] = init; for k: B[i, j] = update(B[i, j], i, j, k)`. The reference (reference.h) computes single elements by
// it.
#pragma once
#include "core/exec/scalar_code.h"

namespace loom::exec {

// How one element of a buffer is computed, as a function of its indices.
struct ElementDefinition {
  // For each dimension of the buffer the variable that is its index: the spatial iterator there, or one variable in
  // place of several iterators that count the index as digits. A variable is given by the number that it has in the
  // ScalarCompiler, which compiles expressions to code for a stack machine (ScalarCode).
  std::vector<int> spatial;
  struct Reduction {
    int variable = 0;
    std::int64_t extent = 0;  // the variable runs from 0 to extent - 1
  };
  std::vector<Reduction> reductions;  // the reduction iterators, outermost first
  // Whether the block has an initial value (T.init). If not, `init` is empty, and the accumulator begins with what the
  // buffer held before the program ran: its input, or 0.
  bool hasInit = false;
  ScalarCode init, update;  // the update reads the value so far as the accumulator
  // For a sum, whose update adds a term to the value so far without reading that value otherwise: the code of the term,
  // and the step that adds it. For other reductions `term` is empty, and `combine` means nothing.
  ScalarCode term;
  ScalarStep combine;
  // If the term is a product of two loads, cast or not, whose indices are iterators: the two loads; else empty.
  struct Factor {
    int access = 0;              // index in ScalarCompiler::accesses
    std::vector<int> variables;  // the iterator that is the index, by dimension
  };
  std::vector<Factor> factors;
};

// Returns the definitions of all buffers that the function writes, in the order in which it writes them, each with the
// number that the compiler gives the buffer. Returns nothing unless all of this holds for each of these buffers
// (`compiler` may then hold parts of them):
//  - One block alone writes it, with nothing but loops and blocks around it. No earlier block reads the buffer.
//  - Each iterator of the block is the variable of another loop, which runs from 0 on, and the block has no condition
//    (T.where).
//  - The block's body is a single store, or an `if` with a single store to the same element in each branch or in the
//    first alone; the element keeps its value where nothing is stored. The stored value has only operations that the
//    executor knows, and reads no other element of the buffer.
//  - The stores cover the whole buffer: the index of each dimension is a spatial iterator of its own, or several that
//    count it as digits of a number (`g * 32 + c`). No two elements lie at the same place in memory.
std::optional<std::vector<std::pair<int, ElementDefinition>>> findDefinitions(const ir::Function& function,
                                                                              ScalarCompiler& compiler);

}  // namespace loom::exec
