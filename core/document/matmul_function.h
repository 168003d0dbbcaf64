#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/ir/result.h"

namespace loom::document {

/// The dtypes of factors and of results that `matmulFunction` takes. Elements of less than a byte are factors alone:
/// uint1, whose products count the bits that both have.
std::span<const char* const> matmulInputs();
std::span<const char* const> matmulOutputs();

/// A matrix product Z[m, n] = Σk X · Y to begin with.
struct MatmulRequest {
  std::int64_t m = 1024, n = 1024, k = 1024;  ///< elements, 1…2^31-1
  std::string input = "float16";              ///< dtype of X and Y
  std::string output = "float32";             ///< dtype of Z and of the sum
  bool transposeX = false;                    ///< X is stored [k, m]
  bool transposeY = true;                     ///< Y is stored [n, k]
  /// Of M, N and K where the product is for several sizes: then it is a number M, N or K that the function takes, and
  /// m, n or k its first value. Empty for a constant.
  std::array<std::vector<std::int64_t>, 3> several{};
};

/// TVMScript text of the product as a triple loop. "ValueError" for sizes below 1 or beyond 2^31-1, for
/// matrices of more than 2^31-1 elements, and for dtypes that there are not.
Result<std::string> matmulFunction(const MatmulRequest& request);

/// "M = 1000, 1024", what of the product's sizes is named; empty where all are constant.
std::string matmulSizes(const MatmulRequest& request);

/// A size as it was typed. ValueError where it is no whole number of 64 bits.
Result<std::int64_t> readSize(const std::string& name, const std::string& text);
/// One or several, parted by commas. Errors as of `readSize`.
Result<std::vector<std::int64_t>> readSizes(const std::string& name, const std::string& text);

}  // namespace loom::document
