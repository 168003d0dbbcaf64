#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/ir/result.h"

namespace loom::document {

/// Return the dtypes that `matmulFunction` accepts for factors, and for results. uint1 (single bits) is a dtype of
/// factors only: the product of two bits is 1 if both are set.
std::span<const char* const> matmulInputs();
std::span<const char* const> matmulOutputs();

/// The matrix product Z[m, n] = Σk X · Y that a new program is to compute.
struct MatmulRequest {
  std::int64_t m = 1024, n = 1024, k = 1024;  ///< elements, 1…2^31-1
  std::string input = "float16";              ///< dtype of X and Y
  std::string output = "float32";             ///< dtype of Z and of the sum
  bool transposeX = false;                    ///< X is stored [k, m]
  bool transposeY = true;                     ///< Y is stored [n, k]
  /// For each of M, N and K the values that it is to have, or none if it is the constant `m`, `n` or `k`. A size with
  /// values is a symbol of that name, which the function takes as a parameter; the caller must then set `m`, `n` or `k`
  /// to the first of its values.
  std::array<std::vector<std::int64_t>, 3> several{};
};

/// Returns the TVMScript text of the product as a triple loop. It doesn't have the values in `several` (`matmulSizes`
/// returns them), which are checked all the same. Errors "ValueError": sizes below 1 or beyond 2^31-1, matrices of more
/// than 2^31-1 elements at the largest values, unknown dtypes. Any dtypes of factors and results go together.
Result<std::string> matmulFunction(const MatmulRequest& request);

/// Returns the values of those sizes of the product that are symbols, "M = 1000, 1024; N = 512"; empty if all sizes
/// are constants.
std::string matmulSizes(const MatmulRequest& request);

/// Reads a size that was typed, of any sign. `name` is the size's name in the error: "ValueError" if it isn't a whole
/// number of 64 bits.
Result<std::int64_t> readSize(const std::string& name, const std::string& text);
/// Reads one or several sizes, separated by commas. Errors as those of `readSize`, also for an empty text or an empty
/// place between commas.
Result<std::vector<std::int64_t>> readSizes(const std::string& name, const std::string& text);

}  // namespace loom::document
