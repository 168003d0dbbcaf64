// What the host program of an exported project knows of sizes: constants, or expressions over its arguments.
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
  std::string main;                          // from `int main(` on, until the arguments are read and checked
  std::string parameters, arguments;         // of `run`, after the buffers: ", int n" and ", n"
  std::vector<std::string> elements, bytes;  // by buffer
  std::string numbers;                       // what the arguments are, a paragraph; empty where there are none
  // With a product: the reference's text and further arguments, the product's elements, where element i of them, row by
  // row, lies, the elements of the result's memory, and floating-point operations.
  std::optional<Matmul> types;
  std::string reference, referenceArguments, count, place, held, flops;
};

// Returns the source with names of buffers and symbols that the host program doesn't use itself. `symbols` is set to
// what stands for each symbol now.
codegen::Source renamed(const codegen::Source& source, ir::VarMap& symbols);

// Returns the host program's text for a source without symbols whose names were made valid ones.
HostText constantText(const codegen::Source& source, const std::optional<Matmul>& matmul);

// Returns the same for a source with symbols. `called` are their names for people: the argument n=1000 gives n its
// value, and `numbers` has the values of those that aren't given. `product` is in terms of the symbols before renaming,
// which `symbols` maps.
HostText symbolicText(const codegen::Source& source, const std::vector<std::string>& called, const ir::Numbers& numbers,
                      const std::optional<SymbolicMatmul>& product, const ir::VarMap& symbols);

}  // namespace loom::gpu
