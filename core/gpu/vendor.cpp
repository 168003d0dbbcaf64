#include "core/gpu/vendor.h"

#include "core/device/precision.h"
#include "core/gpu/data.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include <limits>

namespace loom::gpu {
namespace {

// Values of cublasLt's and library_types' enumerations (cuBLAS 13 documentation).
constexpr int kTransA = 3, kTransB = 4, kFastAccumulation = 25, kMaxWorkspace = 1;
constexpr int kBatchCount = 5, kBatchOffset = 6;
constexpr int kMinAlignmentA = 5, kMinAlignmentB = 6, kMinAlignmentC = 7, kMinAlignmentD = 8;
constexpr int kOpN = 0, kOpT = 1;
constexpr int kCompute16F = 64, kCompute32F = 68, kCompute32FFastTf32 = 77, kCompute64F = 70, kCompute32I = 72;

// cublasLtMatmulHeuristicResult_t
struct HeuristicResult {
  std::uint64_t algorithm[8];
  std::size_t workspaceBytes;
  int state;
  float waves;
  int reserved[4];
};

int typeOf(ir::DType t) {
  if (t == ir::DType::Float(16)) return 2;
  if (t == ir::DType::Float(32)) return 0;
  if (t == ir::DType::Float(64)) return 1;
  if (t == ir::DType::BFloat(16)) return 14;
  if (t == ir::DType::Int(8)) return 3;
  if (t == ir::DType::Int(32)) return 10;
  if (t.code == ir::DType::Code::E4M3) return 28;
  if (t.code == ir::DType::Code::E5M2) return 29;
  return -1;
}

bool isTf32(const Matmul& m) { return m.factorDigits == device::kTf32Digits && m.input == ir::DType::Float(32); }

}  // namespace

Message whyNoVendorProduct(const Matmul& m) {
  if (typeOf(m.input) < 0 || typeOf(m.output) < 0)
    return message("cuBLASLt has no product {} × {} → {}", m.input.str(), m.input.str(), m.output.str());
  if (m.input.code == ir::DType::Code::E5M2)
    return message("cuBLASLt has no product {} × {}: one factor at least must be float8_e4m3fn", m.input.str(),
                   m.input.str());
  if (isFloat8(m.input) && (m.aTransposed || !m.bTransposed))
    return message("cuBLASLt multiplies {} only where k runs along the rows of both factors, [m, k] and [n, k]",
                   m.input.str());
  if (isFloat8(m.input) && m.k % 16 != 0)
    return message("cuBLASLt multiplies {} only where k is a multiple of 16, and it is {}", m.input.str(), m.k);
  const auto unit = [](const MatrixPlaces& p, bool transposed) { return (transposed ? p.row : p.column) == 1; };
  if (!unit(m.placesA(), m.aTransposed) || !unit(m.placesB(), m.bTransposed) || !unit(m.placesD(), false))
    return message("cuBLASLt has no product of matrices whose rows have gaps between their elements");
  if (m.batch > std::numeric_limits<std::int32_t>::max())
    return message("cuBLASLt has no batch of {} products", m.batch);
  return {};
}

std::string vendorMode(const Matmul& m) {
  return isTf32(m) ? ", CUBLAS_COMPUTE_32F_FAST_TF32" : isFloat8(m.input) ? ", CUBLASLT_MATMUL_DESC_FAST_ACCUM" : "";
}

struct Vendor::Library {
  void* handle = nullptr;
  void* lt = nullptr;
  void* description = nullptr;
  void *layoutA = nullptr, *layoutB = nullptr, *layoutD = nullptr;
  std::int64_t startA = 0, startB = 0, startD = 0;  // bytes from a buffer's pointer to its first element
  bool swapped = true;                              // the library is column-major: it computes Dᵀ = Bᵀ · Aᵀ
  int scaleType = 0;
  std::vector<HeuristicResult> algorithms;

  int (*create)(void**);
  int (*destroy)(void*);
  std::size_t (*version)();
  int (*descCreate)(void**, int, int);
  int (*descDestroy)(void*);
  int (*descSet)(void*, int, const void*, std::size_t);
  int (*layoutCreate)(void**, int, std::uint64_t, std::uint64_t, std::int64_t);
  int (*layoutSet)(void*, int, const void*, std::size_t);
  int (*layoutDestroy)(void*);
  int (*preferenceCreate)(void**);
  int (*preferenceDestroy)(void*);
  int (*preferenceSet)(void*, int, const void*, std::size_t);
  int (*heuristic)(void*, void*, void*, void*, void*, void*, void*, int, HeuristicResult*, int*);
  int (*matmul)(void*, void*, const void*, const void*, void*, const void*, void*, const void*, const void*, void*,
                void*, void*, const void*, void*, std::size_t, void*);

  template <class F>
  bool bind(F& f, const char* name) {
    f = reinterpret_cast<F>(dlsym(handle, name));
    return f != nullptr;
  }
  void clear() {
    for (void** layout : {&layoutA, &layoutB, &layoutD}) {
      if (*layout) layoutDestroy(*layout);
      *layout = nullptr;
    }
    if (description) descDestroy(description);
    description = nullptr;
    algorithms.clear();
  }
};

Vendor::Vendor() : library_(std::make_unique<Library>()) {}
Vendor::~Vendor() {
  if (!library_->lt) return;
  library_->clear();
  library_->destroy(library_->lt);
}

Result<std::unique_ptr<Vendor>> Vendor::load(const std::string& library) {
  std::unique_ptr<Vendor> vendor(new Vendor());
  Library& l = *vendor->library_;
  for (std::string name : {library, std::string("libcublasLt.so.13"), std::string("libcublasLt.so.12")}) {
    if (!l.handle && !name.empty()) l.handle = dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL);
  }
  if (!l.handle) return fail("NoCublasLt", message("cuBLASLt isn't found: no vendor's line"), Forbids::Environment);
  bool all =
      l.bind(l.create, "cublasLtCreate") && l.bind(l.destroy, "cublasLtDestroy") &&
      l.bind(l.version, "cublasLtGetVersion") && l.bind(l.descCreate, "cublasLtMatmulDescCreate") &&
      l.bind(l.descDestroy, "cublasLtMatmulDescDestroy") && l.bind(l.descSet, "cublasLtMatmulDescSetAttribute") &&
      l.bind(l.layoutCreate, "cublasLtMatrixLayoutCreate") && l.bind(l.layoutSet, "cublasLtMatrixLayoutSetAttribute") &&
      l.bind(l.layoutDestroy, "cublasLtMatrixLayoutDestroy") &&
      l.bind(l.preferenceCreate, "cublasLtMatmulPreferenceCreate") &&
      l.bind(l.preferenceDestroy, "cublasLtMatmulPreferenceDestroy") &&
      l.bind(l.preferenceSet, "cublasLtMatmulPreferenceSetAttribute") &&
      l.bind(l.heuristic, "cublasLtMatmulAlgoGetHeuristic") && l.bind(l.matmul, "cublasLtMatmul");
  if (!all || l.create(&l.lt) != 0) return fail("NoCublasLt", message("cuBLASLt can't start"), Forbids::Environment);
  return vendor;
}

std::string Vendor::version() const {
  std::size_t v = library_->version();
  return fmt::format("{}.{}.{}", v / 10000, v / 100 % 100, v % 100);
}

Result<int> Vendor::prepare(const Matmul& m, int most) {
  Library& l = *library_;
  l.clear();
  int input = typeOf(m.input), output = typeOf(m.output);
  int compute = m.accumulator == ir::DType::Float(64)   ? kCompute64F
                : m.accumulator == ir::DType::Int(32)   ? kCompute32I
                : m.accumulator == ir::DType::Float(16) ? kCompute16F
                : isTf32(m)                             ? kCompute32FFastTf32
                                                        : kCompute32F;
  l.scaleType = compute == kCompute64F ? 1 : compute == kCompute32I ? 10 : compute == kCompute16F ? 2 : 0;
  if (Message why = whyNoVendorProduct(m); !why.empty())
    return fail("NoVendorKernel", std::move(why), Forbids::Environment);
  Failure none = fail("NoVendorKernel",
                      message("cuBLASLt offers no algorithm for {} × {} → {} of these sizes and orders", m.input.str(),
                              m.input.str(), m.output.str()),
                      Forbids::Environment);
  bool made = l.descCreate(&l.description, compute, l.scaleType) == 0;
  // The first operand of the column-major product is our B, the second our A.
  int first = m.bTransposed ? kOpT : kOpN, second = m.aTransposed ? kOpT : kOpN;
  made = made && l.descSet(l.description, kTransA, &first, sizeof first) == 0 &&
         l.descSet(l.description, kTransB, &second, sizeof second) == 0;
  if (const std::int8_t fast = 1; isFloat8(m.input))
    made = made && l.descSet(l.description, kFastAccumulation, &fast, sizeof fast) == 0;
  auto layout = [&](void** out, int type, std::int64_t rows, std::int64_t columns, const MatrixPlaces& p,
                    bool transposed) {
    // Row-major [rows, columns] is column-major [columns, rows]; without gaps the leading dimension is `columns`.
    const std::int64_t leading = transposed ? p.column : p.row;
    if (l.layoutCreate(out, type, std::uint64_t(columns), std::uint64_t(rows), leading) != 0) return false;
    const auto count = std::int32_t(m.batch);
    return count == 1 || (l.layoutSet(*out, kBatchCount, &count, sizeof count) == 0 &&
                          l.layoutSet(*out, kBatchOffset, &p.batch, sizeof p.batch) == 0);
  };
  made = made &&
         layout(&l.layoutB, input, m.bTransposed ? m.n : m.k, m.bTransposed ? m.k : m.n, m.placesB(), m.bTransposed) &&
         layout(&l.layoutA, input, m.aTransposed ? m.k : m.m, m.aTransposed ? m.m : m.k, m.placesA(), m.aTransposed) &&
         layout(&l.layoutD, output, m.m, m.n, m.placesD(), false);
  l.startA = m.placesA().start * m.input.bytes();
  l.startB = m.placesB().start * m.input.bytes();
  l.startD = m.placesD().start * m.output.bytes();
  void* preference = nullptr;
  std::size_t workspace = std::size_t(kWorkspaceBytes);
  made = made && l.preferenceCreate(&preference) == 0 &&
         l.preferenceSet(preference, kMaxWorkspace, &workspace, sizeof workspace) == 0;
  // It takes pointers to be multiples of 256 bytes, as those of buffers are, unless it is told otherwise.
  const std::pair<int, std::int64_t> starts[] = {
      {kMinAlignmentA, l.startB}, {kMinAlignmentB, l.startA}, {kMinAlignmentC, l.startD}, {kMinAlignmentD, l.startD}};
  for (const auto& [attribute, start] : starts) {
    const auto alignment = std::uint32_t(start & -start);
    if (start % 256 == 0) continue;
    made = made && l.preferenceSet(preference, attribute, &alignment, sizeof alignment) == 0;
  }
  if (!made) return none;
  l.algorithms.resize(std::size_t(most));
  int count = 0;
  int status = l.heuristic(l.lt, l.description, l.layoutB, l.layoutA, l.layoutD, l.layoutD, preference, most,
                           l.algorithms.data(), &count);
  l.preferenceDestroy(preference);
  l.algorithms.resize(status == 0 ? std::size_t(count) : 0);
  std::erase_if(l.algorithms, [](const HeuristicResult& r) { return r.state != 0; });
  if (l.algorithms.empty()) return none;
  return int(l.algorithms.size());
}

Result<void> Vendor::run(int algorithm, Address a, Address b, Address d, Address workspace, void* stream) {
  Library& l = *library_;
  // alpha and beta in the scale type: float, double, int or half (0x3c00 is 1).
  union Scale {
    float f;
    double d;
    int i;
    std::uint16_t h;
  } alpha{}, beta{};
  switch (l.scaleType) {
    case 1: alpha.d = 1; break;
    case 10: alpha.i = 1; break;
    case 2: alpha.h = 0x3c00; break;
    default: alpha.f = 1; break;
  }
  auto pointer = [](Address at) { return reinterpret_cast<void*>(at); };
  a += Address(l.startA), b += Address(l.startB), d += Address(l.startD);
  int status = l.matmul(l.lt, l.description, &alpha, pointer(b), l.layoutB, pointer(a), l.layoutA, &beta, pointer(d),
                        l.layoutD, pointer(d), l.layoutD, l.algorithms.at(std::size_t(algorithm)).algorithm,
                        pointer(workspace), std::size_t(kWorkspaceBytes), stream);
  if (status != 0)
    return fail("LaunchError", message("cublasLtMatmul failed with status {}", status), Forbids::Environment);
  return {};
}

}  // namespace loom::gpu
