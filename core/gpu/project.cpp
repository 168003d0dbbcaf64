#include "core/gpu/project.h"

#include <fmt/format.h>

#include "core/codegen/expression.h"
#include "core/codegen/launch_call.h"
#include "core/codegen/names.h"
#include "core/gpu/data.h"

namespace loom::gpu {
namespace {

// The launches of one execution, in order.
std::string launches(const codegen::Source& s) {
  std::string text;
  for (const auto& l : s.launches) {
    if (l.dynamicSharedBytes > 48 * 1024) {
      text += fmt::format("  CHECK(cudaFuncSetAttribute({}, cudaFuncAttributeMaxDynamicSharedMemorySize, {}));\n",
                          l.name, l.dynamicSharedBytes);
    }
    text += "  " + codegen::launchCall(s, l, "stream") + ";\n";
  }
  return text;
}

std::string parameters(const codegen::Source& s, bool types) {
  std::string text;
  for (const auto& b : s.buffers) {
    text += text.empty() ? "" : ", ";
    text += types ? fmt::format("{}* {}", codegen::typeName(b.dtype), b.name) : b.name;
  }
  return text;
}

constexpr const char* kSupport = R"(#include <cuda_runtime.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

#define CHECK(call)                                                                      \
  do {                                                                                   \
    cudaError_t status = (call);                                                         \
    if (status != cudaSuccess) {                                                         \
      std::fprintf(stderr, "%s: %s\n", #call, cudaGetErrorString(status));               \
      std::exit(6);                                                                      \
    }                                                                                    \
  } while (0)

// Uniform in [-1, 1] (integers: small), the same for the same seed. Never zeros: the clocks depend on the data.
template <class T>
__global__ void randomize(T* out, long long count, unsigned long long seed) {
  for (long long i = blockIdx.x * 256ll + threadIdx.x; i < count; i += gridDim.x * 256ll) {
    unsigned long long x = seed * 0x9e3779b97f4a7c15ull + i + 0x9e3779b97f4a7c15ull;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ull;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebull;
    x ^= x >> 31;
    float uniform = float(x >> 40) * (2.0f / 16777216.0f) - 1.0f;
    out[i] = T(sizeof(T) == 1 ? uniform * 100 : uniform);
  }
}
)";

}  // namespace

std::map<std::string, std::string> exportProject(const codegen::Source& source, const std::optional<Matmul>& m,
                                                 const std::string& title, const std::string& schedule) {
  codegen::Source s = source;
  // Pointers in the host program must not hide names of its own.
  codegen::Names names;
  for (const char* own :
       {"stream",   "run",  "reference", "randomize", "main",  "devices", "count", "sums",  "sizes", "size",
        "expected", "got",  "worst",     "value",     "error", "allowed", "start", "stop",  "once",  "repeats",
        "graph",    "many", "samples",   "ms",        "us",    "i",       "std",   "CHECK", "argc",  "status"}) {
    names.reserve(own);
  }
  for (const auto& l : s.launches) names.reserve(l.name);
  for (auto& b : s.buffers) b.name = names.unique(b.name);

  std::map<std::string, std::string> files;
  files["kernel.cuh"] = "#pragma once\n" + s.text;
  files["schedule.py"] = schedule;

  std::string main = "// " + codegen::inComment(title) + ": checks the kernel and times it.\n" + kSupport +
                     "#include \"kernel.cuh\"\n\n";
  if (m)
    main += "// The product by its definition, in double precision, and the sum of the absolute products beside it.\n" +
            referenceSource(*m) + "\n";
  main += fmt::format("static void run({}, cudaStream_t stream) {{\n{}}}\n\n", parameters(s, true), launches(s));
  main += R"(int main(int argc, char**) {
  if (argc > 1) {
    std::fprintf(stderr, "usage: kernel\nChecks the kernel, then times it.\n");
    return 64;
  }
  int devices = 0;
  cudaError_t status = cudaGetDeviceCount(&devices);
  if (status != cudaSuccess || devices == 0) {
    std::fprintf(stderr, "no CUDA GPU: %s\n", status == cudaSuccess ? "none is installed" : cudaGetErrorString(status));
    return 4;
  }
  cudaStream_t stream;
  CHECK(cudaStreamCreate(&stream));
)";
  int seed = 1;
  for (const auto& b : s.buffers) {
    main +=
        fmt::format("  {0}* {1};\n  CHECK(cudaMalloc(&{1}, {2}ll));\n", codegen::typeName(b.dtype), b.name, b.bytes());
    if (!b.temporary)
      main += fmt::format("  randomize<<<1024, 256, 0, stream>>>({}, {}ll, {});\n", b.name, b.elements(), seed++);
  }
  if (m) {
    const auto& d = s.buffers[std::size_t(m->d)];
    main += fmt::format("  CHECK(cudaMemsetAsync({}, 0xff, {}ll, stream));\n", d.name, d.bytes());
  }
  main += fmt::format("  run({}, stream);\n  CHECK(cudaGetLastError());\n  CHECK(cudaStreamSynchronize(stream));\n\n",
                      parameters(s, false));
  if (m) {
    const auto &a = s.buffers[std::size_t(m->a)], &b = s.buffers[std::size_t(m->b)], &d = s.buffers[std::size_t(m->d)];
    // Element i of the product, row by row, lies elsewhere where the result has strides of its own.
    const MatrixPlaces p = m->placesD();
    const bool rowByRow = !m->ownD;
    const std::string place =
        rowByRow ? "i" : fmt::format("{} + i / {} * {} + i % {} * {}", p.start, m->n, p.row, m->n, p.column);
    std::string back = fmt::format(
        fmt::runtime(m->output.isFloat() && m->output.bits < 32 ? "double(float(got[{}]))" : "double(got[{}])"), place);
    const std::string held = rowByRow ? "count" : fmt::format("{}ll", d.elements());
    main += fmt::format(R"(  const long long count = {0}ll;
  double *sums, *sizes;
  CHECK(cudaMalloc(&sums, count * sizeof(double)));
  CHECK(cudaMalloc(&sizes, count * sizeof(double)));
  reference<<<unsigned((count + 255) / 256), 256, 0, stream>>>({1}, {2}, sums, sizes);
  std::vector<double> expected(count), size(count);
  std::vector<{3}> got({7});
  CHECK(cudaStreamSynchronize(stream));
  CHECK(cudaMemcpy(expected.data(), sums, count * sizeof(double), cudaMemcpyDeviceToHost));
  CHECK(cudaMemcpy(size.data(), sizes, count * sizeof(double), cudaMemcpyDeviceToHost));
  CHECK(cudaMemcpy(got.data(), {4}, {7} * sizeof(got[0]), cudaMemcpyDeviceToHost));
  double worst = 0;
  for (long long i = 0; i < count; ++i) {{
    double value = {5};
    double error = std::isfinite(value) ? std::fabs(value - expected[i]) / std::max(size[i], 1e-300) : INFINITY;
    if (value == expected[i]) error = 0;
    worst = std::max(worst, error);
  }}
  const double allowed = {6};
  std::printf("error %.3g (allowed %.3g)\n", worst, allowed);
  if (!(worst <= allowed)) {{
    std::printf("WRONG\n");
    return 5;
  }}

)",
                        m->m * m->n, a.name, b.name, codegen::typeName(m->output), d.name, back,
                        tolerance(m->accumulator), held);
  } else {
    main += "  std::printf(\"not checked: the function is no matrix product\\n\");\n\n";
  }
  main += fmt::format(
      R"(  // Many launches in one graph, so that the host's launch rate doesn't count; the median of 21 samples.
  cudaEvent_t start, stop;
  CHECK(cudaEventCreate(&start));
  CHECK(cudaEventCreate(&stop));
  float once = 0;
  CHECK(cudaEventRecord(start, stream));
  run({0}, stream);
  CHECK(cudaEventRecord(stop, stream));
  CHECK(cudaEventSynchronize(stop));
  CHECK(cudaEventElapsedTime(&once, start, stop));
  const int repeats = std::max(1, std::min(500, int(2.0f / std::max(once, 1e-3f))));
  cudaGraph_t graph;
  cudaGraphExec_t many;
  CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
  for (int i = 0; i < repeats; ++i) run({0}, stream);
  CHECK(cudaStreamEndCapture(stream, &graph));
  CHECK(cudaGraphInstantiate(&many, graph, 0));
  std::vector<float> samples;
  for (int i = 0; i < (once > 100 ? 2 : 22); ++i) {{
    CHECK(cudaEventRecord(start, stream));
    CHECK(cudaGraphLaunch(many, stream));
    CHECK(cudaEventRecord(stop, stream));
    CHECK(cudaEventSynchronize(stop));
    float ms = 0;
    CHECK(cudaEventElapsedTime(&ms, start, stop));
    if (i > 0) samples.push_back(ms * 1000 / repeats);
  }}
  std::sort(samples.begin(), samples.end());
  const double us = samples[samples.size() / 2];
)",
      parameters(s, false));
  main += m ? fmt::format("  std::printf(\"%.2f us  %.2f TFLOP/s\\n\", us, {} / us / 1e6);\n", m->flops())
            : std::string("  std::printf(\"%.2f us\\n\", us);\n");
  main += "  return 0;\n}\n";
  files["main.cu"] = main;

  files["CMakeLists.txt"] = R"(cmake_minimum_required(VERSION 3.18)
# For the GPU of this machine, where -DCMAKE_CUDA_ARCHITECTURES names no other: left alone, CMake takes the oldest.
if(NOT DEFINED CMAKE_CUDA_ARCHITECTURES AND NOT DEFINED ENV{CUDAARCHS})
  set(CMAKE_CUDA_ARCHITECTURES OFF)
endif()
project(kernel LANGUAGES CUDA)
set(CMAKE_CUDA_STANDARD 17)
if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release)
endif()
add_executable(kernel main.cu)
if(NOT CMAKE_CUDA_ARCHITECTURES)
  target_compile_options(kernel PRIVATE -arch=native)
endif()
)";
  files["README.md"] = fmt::format(
      "# {}\n\nA kernel made by Tileloom from the schedule in `schedule.py`, with a host program that checks and times "
      "it.\n\n"
      "    cmake -B build && cmake --build build && build/kernel\n\nor `nvcc -O3 -std=c++17 -arch=native main.cu -o "
      "kernel`. Registers and times that Tileloom tells of this kernel are of NVRTC's code: nvcc may allot other "
      "registers to the same text.\n\nExit status: 0 done, 4 no GPU, 5 the result is wrong, 6 the GPU reported an "
      "error, 64 wrong "
      "usage.\n",
      title);
  return files;
}

}  // namespace loom::gpu
