// What the elements of a buffer are by definition: `B[i, j] = init; for k: B[i, j] = update(B[i, j], i, j, k)`.
#pragma once
#include "core/exec/scalar_code.h"

namespace loom::exec {

// How one element of a buffer is computed, as a function of its indices.
struct ElementDefinition {
  std::vector<int> spatial;  // variables, by dimension of the buffer
  struct Reduction {
    int variable = 0;
    std::int64_t extent = 0;  // from 0
  };
  std::vector<Reduction> reductions;
  bool hasInit = false;
  ScalarCode init, update;  // the update reads the value so far as the accumulator
  // Of sums, whose update adds a term to the value so far without reading it otherwise: the term; else empty. And the
  // operation that adds it.
  ScalarCode term;
  ScalarStep combine;
  // Where the term is a product of two elements at plain iterators, however they are cast: both; else empty.
  struct Factor {
    int access = 0;              // ScalarCompiler::accesses
    std::vector<int> variables;  // by dimension
  };
  std::vector<Factor> factors;
};

// Returns the definitions of all buffers that the function writes, by the compiler's number. Returns nothing if a
// buffer has none: if several blocks write it, or a block that doesn't store at its plain spatial iterators over the
// whole buffer, or if elements share a place.
std::optional<std::vector<std::pair<int, ElementDefinition>>> findDefinitions(const ir::Function& function,
                                                                              ScalarCompiler& compiler);

}  // namespace loom::exec
