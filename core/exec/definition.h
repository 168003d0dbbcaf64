// What the elements of a buffer are by definition: `B[i, j] = init; for k: B[i, j] = update(B[i, j], i, j, k)`.
#pragma once
#include "core/exec/scalar_code.h"

namespace loom::exec {

struct ElementDefinition {
  std::vector<int> spatial;  // variables, by dimension of the buffer
  struct Reduction {
    int variable = 0;
    std::int64_t extent = 0;  // from 0
  };
  std::vector<Reduction> reductions;
  bool hasInit = false;
  ScalarCode init, update;  // the update reads the value so far as the accumulator
};

// The definitions of all buffers that the function writes, by the compiler's number; nothing where a buffer has none:
// several blocks write it, or a block that doesn't store at its plain spatial iterators over the whole buffer,
// or elements share a place.
std::optional<std::vector<std::pair<int, ElementDefinition>>> findDefinitions(const ir::Function& function,
                                                                              ScalarCompiler& compiler);

}  // namespace loom::exec
