#include <fmt/format.h>

#include "core/gpu/probe.h"

namespace loom::gpu {
namespace {

using model::Quantity;

constexpr int kLaunches = 21;
constexpr std::int64_t kMebi = std::int64_t{1} << 20;

// Chains of fused multiply-adds, independent of each other, so that latency is hidden. The sum is stored where it has
// a value that it never has, which no compiler can know.
constexpr const char* kFmaText = R"(extern "C" __global__ void __launch_bounds__(256) fma_f32(float* out) {{
  float a[16], x = 1.0f + threadIdx.x * 1e-9f, y = threadIdx.x * 1e-7f;
  for (int i = 0; i < 16; ++i) a[i] = i;
  for (int k = 0; k < {rounds}; ++k) {{
#pragma unroll
    for (int i = 0; i < 16; ++i) a[i] = fmaf(a[i], x, y);
  }}
  float sum = 0;
  for (int i = 0; i < 16; ++i) sum += a[i];
  if (sum == -1.0f) out[threadIdx.x] = sum;
}}
)";

constexpr const char* kMmaText = R"(extern "C" __global__ void __launch_bounds__(256) mma_f16_f32(float* out) {{
  float c[8][4];
  for (int t = 0; t < 8; ++t) {{
    for (int i = 0; i < 4; ++i) c[t][i] = 0;
  }}
  unsigned a = threadIdx.x, b = threadIdx.x * 3;
  for (int k = 0; k < {rounds}; ++k) {{
#pragma unroll
    for (int t = 0; t < 8; ++t) {{
      asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {{%0,%1,%2,%3}}, {{%4,%5,%6,%7}}, {{%8,%9}}, {{%0,%1,%2,%3}};"
                   : "+f"(c[t][0]), "+f"(c[t][1]), "+f"(c[t][2]), "+f"(c[t][3])
                   : "r"(a), "r"(a), "r"(a), "r"(a), "r"(b), "r"(b));
    }}
  }}
  float sum = 0;
  for (int t = 0; t < 8; ++t) sum += c[t][0] + c[t][1] + c[t][2] + c[t][3];
  if (sum == -1.0f) out[threadIdx.x] = sum;
}}
)";

// From the first half of the buffer to the second; a thread moves 4 × 16 bytes a round.
constexpr const char* kCopyText = R"(extern "C" __global__ void __launch_bounds__(256) copy(uint4* data) {{
  const long long half = {half};
  const long long stride = (long long)gridDim.x * blockDim.x;
  for (long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x; i < half; i += 4 * stride) {{
    uint4 v[4];
#pragma unroll
    for (int k = 0; k < 4; ++k) v[k] = data[i + k * stride];
#pragma unroll
    for (int k = 0; k < 4; ++k) data[half + i + k * stride] = v[k];
  }}
}}
)";

// Every block reads the whole of a region that lies in L2, each from another place on; past L1 (.cg).
constexpr const char* kL2Text = R"(extern "C" __global__ void __launch_bounds__(1024) read_l2(uint4* data) {{
  const unsigned count = {count};
  unsigned at = (blockIdx.x * 12289u * 1024u + threadIdx.x) % count;
  uint4 sum = make_uint4(0, 0, 0, 0);
#pragma unroll 8
  for (unsigned k = 0; k < {rounds}; ++k) {{
    uint4 v = __ldcg(data + at);
    sum.x ^= v.x; sum.y ^= v.y; sum.z ^= v.z; sum.w ^= v.w;
    at += 1024;
    if (at >= count) at -= count;
  }}
  if (sum.x == 1 && sum.y == 2 && sum.z == 3 && sum.w == 4) data[threadIdx.x] = sum;
}}
)";

ProbeKernel kernel(std::string name, std::string source, std::int64_t blocks, std::int64_t threads,
                   std::int64_t bytes) {
  ProbeKernel k;
  k.name = std::move(name);
  k.source = std::move(source);
  k.grid = {blocks, 1, 1};
  k.block = {threads, 1, 1};
  k.bufferBytes = bytes;
  k.launches = kLaunches;
  return k;
}

constexpr const char* kFragmentText = R"(#include <mma.h>
extern "C" __global__ void fragment(float* out) {{
  using namespace nvcuda;
  __shared__ {element} tile[256];
  for (int i = threadIdx.x; i < 256; i += 32) tile[i] = {element}(float(i));
  __syncwarp();
  wmma::fragment<{kind}> f;
  wmma::load_matrix_sync(f, tile, 16{layout});
  static_assert(f.num_elements == {elements}, "elements of the fragment in a lane");
  for (int i = 0; i < {elements}; ++i) out[threadIdx.x * {elements} + i] = float(f.x[i]);
}}
)";

FragmentProbe fragment(const char* name, layout::Operand operand, int elements, const char* element, const char* kind,
                       const char* layout) {
  FragmentProbe probe;
  probe.kind.operand = operand;
  probe.kind.element = ir::DType::Float(std::string_view(element) == "float" ? 32 : 16);
  probe.fragment = name;
  probe.elements = elements;
  probe.kernel.name = "fragment";
  probe.kernel.source = fmt::format(kFragmentText, fmt::arg("element", element), fmt::arg("kind", kind),
                                    fmt::arg("layout", layout), fmt::arg("elements", elements));
  probe.kernel.bufferBytes = probe.kernel.answerBytes = std::int64_t{32} * elements * 4;
  return probe;
}

}  // namespace

std::vector<CeilingProbe> ceilingProbes(const DeviceInfo& device) {
  std::vector<CeilingProbe> probes;
  const std::int64_t blocks = std::int64_t{device.multiprocessors} * 8, warps = blocks * 8;
  {
    constexpr int kRounds = 4096;
    probes.push_back({Quantity::Fp32TflopsMeasured,
                      "16 chains of fused multiply-adds a thread, 64 warps a multiprocessor",
                      double(blocks) * 256 * 16 * 2 * kRounds, 1e12,
                      kernel("fma_f32", fmt::format(kFmaText, fmt::arg("rounds", kRounds)), blocks, 256, 4096)});
  }
  if (device.major >= 8) {
    constexpr int kRounds = 2048;
    constexpr double kFlops = 2 * 16 * 8 * 16;
    probes.push_back({Quantity::MmaF16F32Tflops, "8 chains of mma.sync.m16n8k16 a warp, 64 warps a multiprocessor",
                      double(warps) * 8 * kFlops * kRounds, 1e12,
                      kernel("mma_f16_f32", fmt::format(kMmaText, fmt::arg("rounds", kRounds)), blocks, 256, 4096)});
  }
  {
    // A multiple of what one round of the grid moves, many times the L2 cache.
    const std::int64_t round = blocks * 256 * 4 * 16;
    const std::int64_t bytes = (1024 * kMebi / round + 1) * round;
    probes.push_back({Quantity::MemoryGbPerSMeasured,
                      fmt::format("copy of {} MiB in 16-byte accesses, bytes read and written", bytes / kMebi),
                      2.0 * double(bytes), 1e9,
                      kernel("copy", fmt::format(kCopyText, fmt::arg("half", bytes / 16)), blocks, 256, 2 * bytes)});
  }
  if (device.l2Bytes > 0) {
    // A third of L2, which lies in two halves on large devices: what is read from the far one may be kept twice.
    const std::int64_t bytes = device.l2Bytes / 3 / (16 * 1024) * (16 * 1024);
    constexpr int kRounds = 2048;
    const std::int64_t readers = std::int64_t{device.multiprocessors} * 2;
    probes.push_back(
        {Quantity::L2GbPerS,
         fmt::format("16-byte reads past L1 of {:.1f} MiB, 2 blocks of 1024 threads a multiprocessor",
                     double(bytes) / double(kMebi)),
         double(readers) * 1024 * 16 * kRounds, 1e9,
         kernel("read_l2", fmt::format(kL2Text, fmt::arg("count", bytes / 16), fmt::arg("rounds", kRounds)), readers,
                1024, bytes)});
  }
  return probes;
}

std::vector<FragmentProbe> fragmentProbes() {
  using layout::Operand;
  return {fragment("a", Operand::A, 16, "half", "wmma::matrix_a, 16, 16, 16, half, wmma::row_major", ""),
          fragment("b", Operand::B, 16, "half", "wmma::matrix_b, 16, 16, 16, half, wmma::row_major", ""),
          fragment("accumulator_f16", Operand::Accumulator, 8, "half", "wmma::accumulator, 16, 16, 16, half",
                   ", wmma::mem_row_major"),
          fragment("accumulator_f32", Operand::Accumulator, 8, "float", "wmma::accumulator, 16, 16, 16, float",
                   ", wmma::mem_row_major")};
}

}  // namespace loom::gpu
