// The vendor's matrix product, cuBLASLt, loaded at run time: the line to beat.
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "core/gpu/driver.h"
#include "core/gpu/workload.h"

namespace loom::gpu {

class Vendor {
 public:
  // Error "NoCublasLt" when the library isn't there. `library`: a path, or "" for the loader's own search.
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
