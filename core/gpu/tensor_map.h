// The arguments of cuTensorMapEncodeTiled, the function of the CUDA driver that makes the tensor map of a matrix
// (codegen::TensorMapArgument). This program calls it, and so do the host programs of exported projects. Computing the
// arguments needs no driver. Source: CUDA driver API, "Tensor Map Object Management".
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/codegen/cuda.h"
#include "core/ir/result.h"

namespace loom::gpu {

// A constant of the driver's interface, with its name in cuda.h (a literal).
struct TensorMapConstant {
  int value = 0;
  std::string_view name;
};

// The arguments of one call. Lists have an entry for each dimension, the innermost first. Arguments that are the same
// for all calls are left out: there is no interleaving, and elements outside of the matrix are read as zeros.
struct TensorMapCall {
  TensorMapConstant element, swizzle, promotion;  // CUtensorMapDataType, CUtensorMapSwizzle, CUtensorMapL2promotion
  std::vector<std::uint64_t> extents;             // elements
  std::vector<std::uint64_t> strides;             // bytes; without an entry for the innermost dimension
  std::vector<std::uint32_t> box;                 // elements
  std::vector<std::uint32_t> steps;               // element strides of the box in the matrix: all are 1
  std::int64_t start = 0;                         // bytes from the buffer's start, for the address of the matrix
};

// Returns the call for `map`, a map of `buffer`. Error "LaunchError" if the map breaks a rule of the driver, which the
// message names.
Result<TensorMapCall> tensorMapCall(const codegen::TensorMapArgument& map, const codegen::GlobalBuffer& buffer);

// Checks the maps of all launches of the source. Error "LaunchError" for the first map that breaks a rule.
Result<void> checkTensorMaps(const codegen::Source& source);

}  // namespace loom::gpu
