// The vendor's matrix product, cuBLASLt, loaded at run time: the line to beat. It is given the decisions of the kernels
// that it stands beside where these cost exactness: a float32 product whose kernels keep tf32's digits of the factors
// is asked for as CUBLAS_COMPUTE_32F_FAST_TF32, and one of 8-bit floats, whose sums kernels leave to the tensor cores,
// with CUBLASLT_MATMUL_DESC_FAST_ACCUM.
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "core/gpu/driver.h"
#include "core/gpu/workload.h"

namespace loom::gpu {

// Returns why cuBLASLt has no product of these types and orders, as a sentence; empty where it has one, or where only
// its heuristics can tell. cuBLAS 13 documentation, cublasLtMatmul, "Supported data types".
Message whyNoVendorProduct(const Matmul& matmul);
// Returns what labels say behind cuBLASLt's version of how it is asked to multiply: ", CUBLAS_COMPUTE_32F_FAST_TF32".
// Empty where it is asked for the operands' own precision.
std::string vendorMode(const Matmul& matmul);

// The vendor's library for matrix products, cuBLASLt.
class Vendor {
 public:
  // Loads cuBLASLt. `library` is a path, or "" for the loader's own search. Error "NoCublasLt" if it isn't there.
  static Result<std::unique_ptr<Vendor>> load(const std::string& library);
  ~Vendor();

  // Prepares the product; gives the number of algorithms its heuristics offer (at most `most`). Error "NoVendorKernel"
  // when the library has none for these dtypes and layouts.
  Result<int> prepare(const Matmul& matmul, int most = 16);
  // Runs one of them on the driver's stream.
  Result<void> run(int algorithm, Address a, Address b, Address d, Address workspace, void* stream);

  static constexpr std::int64_t kWorkspaceBytes = 64 << 20;
  std::string version() const;

 private:
  struct Library;
  Vendor();
  std::unique_ptr<Library> library_;
};

}  // namespace loom::gpu
