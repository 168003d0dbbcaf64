// The vendor's library for matrix products, cuBLASLt, loaded at run time, to compare kernels with. It may be as inexact
// as the kernels that it is compared with: a float32 product whose kernels multiply as tf32 is computed with
// CUBLAS_COMPUTE_32F_FAST_TF32, and a product of 8-bit floats, whose kernels accumulate in the tensor cores, with
// CUBLASLT_MATMUL_DESC_FAST_ACCUM.
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "core/gpu/driver.h"
#include "core/gpu/workload.h"

namespace loom::gpu {

// Returns a sentence on why cuBLASLt has no product of these types, orders and sizes, or of matrices whose rows have
// gaps between their elements; empty where it has one, or where only its heuristics can tell. Source: cuBLAS 13
// documentation, cublasLtMatmul, "Supported data types".
Message whyNoVendorProduct(const Matmul& matmul);
// Returns the text that labels have after cuBLASLt's version if it multiplies float32 as tf32:
// ", CUBLAS_COMPUTE_32F_FAST_TF32"; else empty.
std::string vendorMode(const Matmul& matmul);

// The vendor's library for matrix products, cuBLASLt.
class Vendor {
 public:
  // Loads cuBLASLt, which works on the device whose context is current: Driver::open must come first. `library` is a
  // path; where it is "" or can't be loaded, the dynamic loader searches for version 13, then 12. Error "NoCublasLt" if
  // none is found, or if it can't start.
  static Result<std::unique_ptr<Vendor>> load(const std::string& library);
  ~Vendor();

  // Prepares the product, in place of one that was prepared before, and returns the number of algorithms that the
  // library's heuristics offer for it, at most `most`. Error "NoVendorKernel" if the library has none for these types,
  // orders and sizes; no product is prepared then.
  Result<int> prepare(const Matmul& matmul, int most = 16);
  // Puts one execution of the prepared product, D = A · B, all of a batch, in the CUstream `stream`. `algorithm` is
  // less than what `prepare` returned; `a`, `b` and `d` are the starts of the matrices' buffers, and `workspace` is
  // device memory of kWorkspaceBytes. Error "LaunchError" if the library refuses the call.
  Result<void> run(int algorithm, Address a, Address b, Address d, Address workspace, void* stream);

  static constexpr std::int64_t kWorkspaceBytes = 64 << 20;
  std::string version() const;  // the version of cuBLASLt

 private:
  struct Library;
  Vendor();
  std::unique_ptr<Library> library_;
};

}  // namespace loom::gpu
