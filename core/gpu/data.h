// Data of benchmarks on the host: random inputs, and the errors of results.
#pragma once
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "core/codegen/cuda.h"
#include "core/gpu/workload.h"
#include "core/ir/dtype.h"

namespace loom::gpu {

// Returns `count` random elements of a type as bytes: uniform in [-1, 1] for floats, over the whole range for 8-bit
// integers, from -7 to 7 for int32 and int64, from 0 to 14 for other wide ones, 0 or 1 for bool; or, if `values` is
// given, whole numbers in the range of `values`, in ascending order if `values` says so. Zeros alone would not do,
// because the power and so the clocks of a GPU depend on the data. The same seed gives the same bytes on every machine.
std::vector<unsigned char> randomData(ir::DType dtype, std::int64_t count, std::uint64_t seed,
                                      const std::optional<codegen::GlobalBuffer::Values>& values = {});

// Returns a scalar argument as a kernel takes it: its bytes are the lowest bytes of the result.
std::uint64_t bitsOf(double value, ir::DType dtype);

// Returns the element at `index` of an array as a double.
double element(const unsigned char* data, std::int64_t index, ir::DType dtype);

// Returns all elements of an array as doubles.
std::vector<double> elements(const std::vector<unsigned char>& data, ir::DType dtype);

// Returns what a variable of the type holds after a whole number is stored in it: an integer keeps the lowest bits. For
// a float returns the number itself; its rounding is left to the tolerance.
double held(double whole, ir::DType dtype);

// Returns whether a type is a float of 8 bits.
bool isFloat8(ir::DType dtype);
// Convert between a float and the bits of a float16.
float halfToFloat(std::uint16_t bits);
std::uint16_t floatToHalf(float value);  // rounds to nearest, ties to even

// How far a result is from the reference: its element with the largest relative error. The function that returns it
// says relative to what.
struct Accuracy {
  double worst = 0;              // the largest relative error; infinite if a result isn't finite where it should be
  std::int64_t where = -1;       // index of the worst element, 0 if all are exact; -1: none was compared
  double got = 0, expected = 0;  // the worst element in the result and in the reference
};
// Compares the result D of a product A · B with the reference. `expected` has the reference's sums, of which D's type
// keeps what `held` returns, and `size` the sums of the absolute products, Σ |a · b|. Element i of both is element
// place(i) of `result`; Accuracy::where is such an i. Accuracy::worst is relative to `size`; where that is 0, any
// difference is infinite.
Accuracy compare(const std::vector<unsigned char>& result, ir::DType dtype, const std::vector<double>& expected,
                 const std::vector<double>& size, const std::function<std::int64_t(std::int64_t)>& place);

// Compares a result with that of a naive kernel of the same function, element by element. Accuracy::worst is relative
// to the absolute value of the naive kernel's element plus the root mean square of all its elements, because the error
// of a sum grows with its terms, which may be much larger than the sum. NaNs and infinities must be the same.
Accuracy compareWithNaive(const std::vector<double>& result, const std::vector<double>& naive);
// Returns the largest Accuracy::worst of `compareWithNaive` that counts as correct for a result of type `dtype`: 0 for
// integers; else 2e-2 if `dtype` or the type of one of `temporaries`, the buffers between the naive kernels, has 16
// bits or less, because sums that differ in their last digit may round to different neighbours of such a type; else
// 1e-4.
double toleranceOfNaive(ir::DType dtype, const std::vector<ir::DType>& temporaries = {});

// Returns the largest Accuracy::worst that counts as correct for a product of random data (randomData): what may be
// lost of its sums and of its factors. 0 for integers.
//
// Sums: 1e-5 for sums in float32 or wider and 5e-3 for those of 16 bits. 1e-3 for products of 8-bit floats with sums of
// more than 16 bits up to K = 4096, and beyond it with the root of K: tensor cores align such products by the largest
// of a group and keep 13 digits of the sum, whatever its type is.
//
// Of a matrix with its transpose the diagonal has sums of squares, whose terms have one sign: tensor cores cut off what
// a float32 sum can't hold, at most 2^-23 of it every 16 terms, always to one side. That is allowed besides. (For a
// 2048 × 4096 matrix A the diagonal of Aᵀ·A was 99 · 2^-23 too small on an H200, 128 · 2^-23 being allowed.)
//
// Factors, where the product keeps fewer digits than they have (Matmul::factorDigits): with u = 2^-digits, by which a
// factor is off at most if it is cut off, a product is off by at most 2u + u² of itself, and so is the sum if all of
// them err to one side. Of data uniform in [-1, 1] they don't: sums of K independent terms, each within ±2u·|ab|, stay
// below 8 · 2u · (4/3) / √K of |A|·|B| but for one element in 10¹³ (Hoeffding's inequality, 2·exp(−8²/2); 4/3 is the
// root of the mean of (ab)² over the mean of |ab|). The smaller of the two counts: at K = 4096, of tf32, 3.3e-4, which
// a single missing term exceeds somewhere in a matrix of that size.
double tolerance(const Matmul& matmul);

}  // namespace loom::gpu
