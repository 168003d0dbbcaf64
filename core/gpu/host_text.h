// Parts of the C++ text of an exported project's host program, which launches, checks and times the kernels. Sizes in
// this text are constants, or expressions over the program's command-line arguments.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "core/codegen/cuda.h"
#include "core/gpu/workload.h"
#include "core/ir/substitute.h"

namespace loom::gpu {

// The parts of a project's host program that depend on whether sizes are arguments.
struct HostText {
  std::string main;  // the beginning of `main`: from `int main(` until the arguments have been read and checked
  // The parameters and the arguments of the function `run` for the symbols that launches use, after its buffers:
  // ", int n" and ", n"; empty if there are none.
  std::string parameters, arguments;
  std::vector<std::string> elements, bytes;  // for each buffer of the source, its size in elements and in bytes
  std::string numbers;  // a paragraph for the README on the program's arguments; empty where there are none
  // The matrix product that the kernels compute, with sizes of 0 where these are arguments; nothing, and the texts
  // below are empty, if they compute none.
  std::optional<Matmul> types;
  // `reference` is the CUDA text of the reference kernel, and `referenceArguments` its arguments after the buffers. The
  // others are C++ expressions: `count` the number of elements of the result, `place` the index in the result's buffer
  // of element `i` of the result, counted row by row and product by product, `held` the number of elements of that
  // buffer, and `flops` the number of floating-point operations of the product.
  std::string reference, referenceArguments, count, place, held, flops;
};

// Returns the source with its buffers and symbols renamed where the host program uses their names for something else.
// Adds to `symbols`, for every symbol, its old variable with its new one.
codegen::Source renamed(const codegen::Source& source, ir::VarMap& symbols);

// Returns the host program's text for a source without symbols, as returned by `renamed`. `matmul` is the product that
// it computes; nothing for other programs.
HostText constantText(const codegen::Source& source, const std::optional<Matmul>& matmul);

// Returns the host program's text for a source with symbols, as returned by `renamed` together with `symbols`. `called`
// has, in the order of the source's symbols, the name that the user types for each: the argument n=1000 gives n its
// value. `numbers` has by these names the values of symbols for which the user gives no argument; 1 for a name that is
// missing there. `product` is in terms of the symbols' variables before renaming; nothing for other programs.
HostText symbolicText(const codegen::Source& source, const std::vector<std::string>& called, const ir::Numbers& numbers,
                      const std::optional<SymbolicMatmul>& product, const ir::VarMap& symbols);

}  // namespace loom::gpu
