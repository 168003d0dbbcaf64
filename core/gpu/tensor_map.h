// What cuTensorMapEncodeTiled takes to make the map of a matrix (codegen::TensorMapArgument), for the driver here and
// for the host programs of exported projects. Needs no driver. CUDA driver API, "Tensor Map Object Management".
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/codegen/cuda.h"
#include "core/ir/result.h"

namespace loom::gpu {

// A constant of the driver's interface, with its name in cuda.h.
struct TensorMapConstant {
  int value = 0;
  std::string_view name;
};

// The arguments of one call, by dimension, the innermost first. There is no interleaving, what lies outside of the
// matrix is read as zeros, and lines of the box are neighbours in the matrix.
struct TensorMapCall {
  TensorMapConstant element, swizzle, promotion;  // CUtensorMapDataType, CUtensorMapSwizzle, CUtensorMapL2promotion
  std::vector<std::uint64_t> extents;             // elements
  std::vector<std::uint64_t> strides;             // bytes, of all dimensions but the innermost
  std::vector<std::uint32_t> box;                 // elements
  std::vector<std::uint32_t> steps;               // of elements in the matrix: ones
  std::int64_t start = 0;                         // bytes of the buffer before the matrix
};

// Returns the call for a map of `buffer`. Error "LaunchError" with the rule that the map breaks, which the driver would
// refuse without naming it.
Result<TensorMapCall> tensorMapCall(const codegen::TensorMapArgument& map, const codegen::GlobalBuffer& buffer);

// Checks the maps of the source's launches. Returns the error of the first that breaks a rule.
Result<void> checkTensorMaps(const codegen::Source& source);

}  // namespace loom::gpu
