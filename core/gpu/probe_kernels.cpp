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

// Chains of one mma.sync, independent of each other. What is multiplied matters to the power that it takes alone.
constexpr const char* kMmaText = R"(extern "C" __global__ void __launch_bounds__(256) {name}(int* out) {{
  {element} c[8][{sums}];
  for (int t = 0; t < 8; ++t) {{
    for (int i = 0; i < {sums}; ++i) c[t][i] = 0;
  }}
  unsigned a = threadIdx.x, b = threadIdx.x * 3;
  for (int k = 0; k < {rounds}; ++k) {{
#pragma unroll
    for (int t = 0; t < 8; ++t) asm volatile("{text}" : {results} : {operands});
  }}
  {element} sum = 0;
  for (int t = 0; t < 8; ++t) {{
    for (int i = 0; i < {sums}; ++i) sum += c[t][i];
  }}
  if (sum == ({element})-1) out[threadIdx.x] = 1;
}}
)";

// A warp-level instruction and the figure of a device that it is measured for.
struct MmaRate {
  Quantity figure;
  const char* name;
  const char* instruction;
  int from;             // compute capability · 10 that has it
  int to;               // and the last that it is measured on: a larger shape stands for it then
  int sums, a, b;       // registers of a lane
  const char* element;  // of the sums' registers
  double flops;         // of one instruction
};

constexpr MmaRate kMmaRates[] = {
    {Quantity::MmaF16F32Tflops, "mma_f16_f32", "m16n8k8.row.col.f32.f16.f16.f32", 75, 75, 4, 2, 1, "float",
     2 * 16 * 8 * 8},
    {Quantity::MmaF16F16Tflops, "mma_f16_f16", "m16n8k8.row.col.f16.f16.f16.f16", 75, 75, 2, 2, 1, "unsigned",
     2 * 16 * 8 * 8},
    {Quantity::MmaF16F32Tflops, "mma_f16_f32", "m16n8k16.row.col.f32.f16.f16.f32", 80, 999, 4, 4, 2, "float",
     2 * 16 * 8 * 16},
    {Quantity::MmaF16F16Tflops, "mma_f16_f16", "m16n8k16.row.col.f16.f16.f16.f16", 80, 999, 2, 4, 2, "unsigned",
     2 * 16 * 8 * 16},
    {Quantity::MmaBf16F32Tflops, "mma_bf16_f32", "m16n8k16.row.col.f32.bf16.bf16.f32", 80, 999, 4, 4, 2, "float",
     2 * 16 * 8 * 16},
    {Quantity::MmaTf32Tflops, "mma_tf32", "m16n8k8.row.col.f32.tf32.tf32.f32", 80, 999, 4, 4, 2, "float",
     2 * 16 * 8 * 8},
    {Quantity::MmaS8Tops, "mma_s8", "m16n8k32.row.col.s32.s8.s8.s32", 80, 999, 4, 4, 2, "int", 2 * 16 * 8 * 32},
    {Quantity::MmaS8Tops, "mma_s8", "m8n8k16.row.col.s32.s8.s8.s32", 75, 75, 2, 1, 1, "int", 2 * 8 * 8 * 16},
    {Quantity::MmaS4Tops, "mma_s4", "m8n8k32.row.col.s32.s4.s4.s32", 75, 75, 2, 1, 1, "int", 2 * 8 * 8 * 32},
    {Quantity::MmaS4Tops, "mma_s4", "m16n8k64.row.col.s32.s4.s4.s32", 80, 89, 4, 4, 2, "int", 2 * 16 * 8 * 64},
    {Quantity::MmaB1Tops, "mma_b1", "m8n8k128.row.col.s32.b1.b1.s32.xor.popc", 75, 75, 2, 1, 1, "int", 2 * 8 * 8 * 128},
    {Quantity::MmaB1Tops, "mma_b1", "m16n8k256.row.col.s32.b1.b1.s32.and.popc", 80, 99, 4, 4, 2, "int",
     2 * 16 * 8 * 256},
};

std::string mmaSource(const MmaRate& rate, int rounds) {
  int next = 0;
  auto registers = [&](int count) {
    std::string text;
    for (int i = 0; i < count; ++i) text += fmt::format("{}%{}", i == 0 ? "{" : ",", next++);
    return text + "}";
  };
  const std::string d = registers(rate.sums), a = registers(rate.a), b = registers(rate.b);
  std::string results, operands;
  const char constraint = std::string_view(rate.element) == "float" ? 'f' : 'r';
  for (int i = 0; i < rate.sums; ++i) results += fmt::format("{}\"+{}\"(c[t][{}])", i == 0 ? "" : ", ", constraint, i);
  for (int i = 0; i < rate.a + rate.b; ++i)
    operands += fmt::format("{}\"r\"({})", i == 0 ? "" : ", ", i < rate.a ? 'a' : 'b');
  return fmt::format(
      kMmaText, fmt::arg("name", rate.name), fmt::arg("element", rate.element), fmt::arg("sums", rate.sums),
      fmt::arg("rounds", rounds), fmt::arg("results", results), fmt::arg("operands", operands),
      fmt::arg("text", fmt::format("mma.sync.aligned.{} {}, {}, {}, {};", rate.instruction, d, a, b, d)));
}

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

// Every lane reads 16 bytes beside its neighbour's: a warp's request is 4 wavefronts of 128 bytes. Volatile, in PTX:
// what doesn't change is otherwise read only once, by the compiler or by ptxas.
constexpr const char* kSharedText = R"(extern "C" __global__ void __launch_bounds__(1024) read_shared(unsigned* out) {{
  __shared__ uint4 tile[2048];
  for (int i = threadIdx.x; i < 2048; i += 1024) tile[i] = make_uint4(i, i, i, i);
  __syncthreads();
  const unsigned at = (unsigned)__cvta_generic_to_shared(tile + threadIdx.x);
  uint4 sum = make_uint4(0, 0, 0, 0);
  for (int k = 0; k < {rounds}; ++k) {{
#pragma unroll
    for (int i = 0; i < 8; ++i) {{
      uint4 v;
      asm volatile("ld.volatile.shared.v4.u32 {{%0,%1,%2,%3}}, [%4];"
                   : "=r"(v.x), "=r"(v.y), "=r"(v.z), "=r"(v.w) : "r"(at + i % 2 * 16384));
      sum.x ^= v.x; sum.y ^= v.y; sum.z ^= v.z; sum.w ^= v.w;
    }}
  }}
  if ((sum.x ^ sum.y ^ sum.z ^ sum.w) == 1) out[threadIdx.x] = 1;
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
  for (const MmaRate& rate : kMmaRates) {
    const int capability = device.major * 10 + device.minor;
    if (capability < rate.from || capability > rate.to) continue;
    constexpr int kRounds = 2048;
    const std::string_view shape =
        std::string_view(rate.instruction).substr(0, std::string_view(rate.instruction).find('.'));
    probes.push_back({rate.figure, fmt::format("8 chains of mma.sync.{} a warp, 64 warps a multiprocessor", shape),
                      double(warps) * 8 * rate.flops * kRounds, 1e12,
                      kernel(rate.name, mmaSource(rate, kRounds), blocks, 256, 4096)});
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
  {
    constexpr int kRounds = 2048;
    const std::int64_t readers = std::int64_t{device.multiprocessors} * 2;
    probes.push_back(
        {Quantity::SharedGbPerSMeasured,
         "16-byte reads without bank conflicts, 2 blocks of 1024 threads a multiprocessor",
         double(readers) * 1024 * 16 * 8 * kRounds, 1e9,
         kernel("read_shared", fmt::format(kSharedText, fmt::arg("rounds", kRounds)), readers, 1024, 4096)});
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
