// Data of benchmarks on the host: random inputs, and how far a result is off.
#pragma once
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "core/codegen/cuda.h"
#include "core/ir/dtype.h"

namespace loom::gpu {

// `count` numbers, uniform in [-1, 1] for floats, over the whole range for 8-bit integers, small for wider ones. Never
// zeros only: power, and so clocks, depend on the data. The same for the same seed on every machine.
// Where the buffer names `values`, whole numbers of those instead.
std::vector<unsigned char> randomData(ir::DType dtype, std::int64_t count, std::uint64_t seed,
                                      const std::optional<codegen::GlobalBuffer::Values>& values = {});

// The value's bytes as a kernel takes it by value, in the lowest ones.
std::uint64_t bitsOf(double value, ir::DType dtype);

// The element as a double.
double element(const unsigned char* data, std::int64_t index, ir::DType dtype);

// What a variable of the type holds of a whole number: integers keep their lowest bits, floats all of it.
double held(double whole, ir::DType dtype);

float halfToFloat(std::uint16_t bits);
std::uint16_t floatToHalf(float value);  // rounds to nearest, ties to even

struct Accuracy {
  double worst = 0;              // max of |d| / (|A| · |B|) over all elements; infinite where a result is not finite
  std::int64_t where = -1;       // of the worst element
  double got = 0, expected = 0;  // there
};
// `result` against the reference's sums, or what its type holds of them, and sums of absolute products, element i of which lies at place(i) of the
// result's memory.
Accuracy compare(const std::vector<unsigned char>& result, ir::DType dtype, const std::vector<double>& expected,
                 const std::vector<double>& size, const std::function<std::int64_t(std::int64_t)>& place);

// What the measure above may be: 1e-5 for a float32 accumulator, 5e-3 for float16, 0 for integers.
double tolerance(ir::DType accumulator);

}  // namespace loom::gpu
