#pragma once

#include <cstdint>
#include <string>

#include "core/ir/result.h"

namespace loom::workbench {

/// A matrix product Z[m, n] = Σk X · Y to begin with.
struct MatmulRequest {
  std::int64_t m = 1024, n = 1024, k = 1024;  ///< elements, 1…2^31-1
  std::string input = "float16";              ///< dtype of X and Y
  std::string output = "float32";             ///< dtype of Z and of the sum
  bool transposeX = false;                    ///< X is stored [k, m]
  bool transposeY = true;                     ///< Y is stored [n, k]
};

/// TVMScript text of the product as a triple loop. "ValueError" for sizes below 1 or beyond 2^31-1, for
/// matrices of more than 2^31-1 elements, and for dtypes that there are not.
Result<std::string> matmulFunction(const MatmulRequest& request);

/// A size as it was typed. ValueError where it is no whole number of 64 bits.
Result<std::int64_t> readSize(const std::string& name, const std::string& text);

}  // namespace loom::workbench
