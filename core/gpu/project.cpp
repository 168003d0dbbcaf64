#include "core/gpu/project.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "core/codegen/expression.h"
#include "core/codegen/launch_call.h"
#include "core/codegen/names.h"
#include "core/gpu/data.h"
#include "core/gpu/host_text.h"
#include "core/gpu/tensor_map.h"

namespace loom::gpu {
namespace {

// The launches of one execution, in order.
std::string launches(const codegen::Source& s) {
  std::string text;
  for (const auto& l : s.launches) {
    // Needed beyond 48 KiB together with the kernel's static shared memory, whose size the launch doesn't tell.
    if (l.dynamicSharedBytes > 0) {
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

// The same of maps, after numbers: ", const TensorMap& A_map".
std::string mapParameters(const codegen::Source& s, bool types) {
  std::string text;
  for (const auto& l : s.launches)
    for (const auto& m : l.maps) text += (types ? ", const TensorMap& " : ", ") + m.name;
  return text;
}

// The maps, once the buffers are allocated.
std::string makeMaps(const codegen::Source& s) {
  std::string text;
  for (const auto& l : s.launches) {
    for (const auto& m : l.maps) {
      const auto& buffer = s.buffers[std::size_t(m.buffer)];
      const TensorMapCall call = tensorMapCall(m, buffer).value();
      text += fmt::format("  const TensorMap {} = mapOf({}, {}{}, {{{}}}, {{{}}}, {{{}}}, {}, {});\n", m.name,
                          call.element.name, buffer.name, buffer.start ? fmt::format(" + {}", buffer.start) : "",
                          fmt::join(call.extents, ", "), fmt::join(call.strides, ", "), fmt::join(call.box, ", "),
                          call.swizzle.name, call.promotion.name);
    }
  }
  return text;
}

// Says nvcc what to compile for: the GPU of its machine, or one architecture alone. Of "-arch=sm_90a" nvcc 13.0 makes
// code for all of 9.0, too, which lacks what 90a has.
std::string targetOption(const std::string& only) {
  if (only.empty()) return "-arch=native";
  return fmt::format("--generate-code=arch=compute_{0},code=sm_{0}", only.substr(std::string_view("sm_").size()));
}

constexpr const char* kMakeMap =
    R"(// The map by which the copy engine finds boxes of a matrix. Extents, strides (in bytes, without the innermost
// dimension's) and box begin with the innermost dimension. The driver's function is found at run time: nothing else
// has to be linked.
static TensorMap mapOf(CUtensorMapDataType type, void* matrix, const std::vector<cuuint64_t>& extents,
                       const std::vector<cuuint64_t>& strides, const std::vector<cuuint32_t>& box,
                       CUtensorMapSwizzle swizzle, CUtensorMapL2promotion promotion) {
  void* encode = nullptr;
  cudaDriverEntryPointQueryResult found = cudaDriverEntryPointSymbolNotFound;
#if CUDART_VERSION >= 12050
  CHECK(cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", &encode, 12000, cudaEnableDefault, &found));
#else
  CHECK(cudaGetDriverEntryPoint("cuTensorMapEncodeTiled", &encode, cudaEnableDefault, &found));
#endif
  if (found != cudaDriverEntryPointSuccess) {
    std::fprintf(stderr, "the CUDA driver is too old for the copy engine: 12.0 or newer is needed\n");
    std::exit(4);
  }
  TensorMap map;
  const std::vector<cuuint32_t> steps(box.size(), 1);
  const CUresult made = reinterpret_cast<decltype(&cuTensorMapEncodeTiled)>(encode)(
      reinterpret_cast<CUtensorMap*>(&map), type, cuuint32_t(box.size()), matrix, extents.data(), strides.data(),
      box.data(), steps.data(), CU_TENSOR_MAP_INTERLEAVE_NONE, swizzle, promotion,
      CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
  if (made != CUDA_SUCCESS) {
    std::fprintf(stderr, "cuTensorMapEncodeTiled: error %d\n", int(made));
    std::exit(6);
  }
  return map;
}

)";

constexpr const char* kTakeNumber = R"(
// name=value; false for another name. Ends the program where the value is no number of the type.
template <class T>
static bool take(const char* word, const char* name, T& value) {
  const std::size_t length = std::strlen(name);
  if (std::strncmp(word, name, length) != 0 || word[length] != '=') return false;
  char* end = nullptr;
  const double number = std::strtod(word + length + 1, &end);
  bool fits = end != word + length + 1 && *end == 0 && std::isfinite(number);
  if constexpr (std::is_integral<T>::value) fits = fits && std::fabs(number) < 9e15 && double(T(number)) == number;
  if (!fits) {
    std::fprintf(stderr, "%s: no such number\n", word);
    std::exit(64);
  }
  value = T(number);
  return true;
}
)";

constexpr const char* kSupport = R"(#include <cuda_runtime.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <type_traits>
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
    // Bytes may be of elements that share them: any bits.
    out[i] = std::is_same<T, unsigned char>::value ? T((unsigned char)(x)) : T(sizeof(T) == 1 ? uniform * 100 : uniform);
  }
}
)";

constexpr const char* kDraw = R"(
// Whole numbers from low to high, in ascending order where asked.
template <class T>
__global__ void draw(T* out, long long count, unsigned long long seed, long long low, long long high, bool ascending) {
  for (long long i = blockIdx.x * 256ll + threadIdx.x; i < count; i += gridDim.x * 256ll) {
    unsigned long long x = seed * 0x9e3779b97f4a7c15ull + i + 0x9e3779b97f4a7c15ull;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ull;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebull;
    x ^= x >> 31;
    const long long span = high - low + 1;
    const long long at = ascending ? (long long)((double)(span - 1) * i / (count > 1 ? count - 1 : 1)) : (long long)(x % span);
    out[i] = T(double(low + at));
  }
}
)";

std::map<std::string, std::string> written(const codegen::Source& s, const HostText& host, const std::string& title,
                                           const std::string& schedule) {
  std::map<std::string, std::string> files;
  files["kernel.cuh"] = "#pragma once\n" + s.text;
  files["schedule.py"] = schedule;

  const std::optional<Matmul>& m = host.types;
  const bool hasMaps = std::ranges::any_of(s.launches, [](const auto& l) { return !l.maps.empty(); });
  const std::string own = device::onlyArchitecture(s.needs), target = targetOption(own);
  const std::string passed = parameters(s, false) + host.arguments + mapParameters(s, false);
  std::string main = "// " + codegen::inComment(title) + ": checks the kernel and times it.\n" + kSupport;
  if (std::ranges::any_of(s.buffers, [](const auto& b) { return b.values.has_value(); })) main += kDraw;
  if (!host.numbers.empty()) {
    main.insert(main.find("#include <vector>"), "#include <cstring>\n");
    main += kTakeNumber;
  }
  main += "#include \"kernel.cuh\"\n\n";
  if (hasMaps) {
    main.insert(main.find("#include <cuda_runtime.h>"), "#include <cuda.h>\n");
    main += kMakeMap;
  }
  if (m)
    main += "// The product by its definition, in double precision, and the sum of the absolute products beside it.\n" +
            host.reference + "\n";
  main += fmt::format("static void run({}{}, cudaStream_t stream) {{\n{}}}\n\n", parameters(s, true),
                      host.parameters + mapParameters(s, true), launches(s));
  main += host.main + R"(  int devices = 0;
  cudaError_t status = cudaGetDeviceCount(&devices);
  if (status != cudaSuccess || devices == 0) {
    std::fprintf(stderr, "no CUDA GPU: %s\n", status == cudaSuccess ? "none is installed" : cudaGetErrorString(status));
    return 4;
  }
  cudaStream_t stream;
  CHECK(cudaStreamCreate(&stream));
)";
  int seed = 1;
  for (std::size_t i = 0; i < s.buffers.size(); ++i) {
    const auto& b = s.buffers[i];
    main += fmt::format("  {0}* {1};\n  CHECK(cudaMalloc(&{1}, {2}));\n", codegen::typeName(b.dtype), b.name,
                        host.bytes[i]);
    if (b.values)
      main += fmt::format(
          "  // It indexes, divides or shifts.\n  draw<<<1024, 256, 0, stream>>>({}, {}, {}, {}, {}, {});\n", b.name,
          host.elements[i], seed++, b.values->low, b.values->high, b.values->ascending);
    else if (!b.temporary)
      main += fmt::format("  randomize<<<1024, 256, 0, stream>>>({}, {}, {});\n", b.name, host.elements[i], seed++);
  }
  main += makeMaps(s);
  if (m) {
    const auto d = std::size_t(m->d);
    main += fmt::format("  CHECK(cudaMemsetAsync({}, 0xff, {}, stream));\n", s.buffers[d].name, host.bytes[d]);
  }
  main += fmt::format("  run({}, stream);\n  CHECK(cudaGetLastError());\n  CHECK(cudaStreamSynchronize(stream));\n\n",
                      passed);
  if (m) {
    const auto &a = s.buffers[std::size_t(m->a)], &b = s.buffers[std::size_t(m->b)], &d = s.buffers[std::size_t(m->d)];
    std::string back = fmt::format(
        fmt::runtime(m->output.isFloat() && m->output.bits < 32 ? "double(float(got[{}]))" : "double(got[{}])"),
        host.place);
    main += fmt::format(
        R"(  const long long count = {0};
  double *sums, *sizes;
  CHECK(cudaMalloc(&sums, count * sizeof(double)));
  CHECK(cudaMalloc(&sizes, count * sizeof(double)));
  reference<<<unsigned((count + 255) / 256), 256, 0, stream>>>({1}, {2}, sums, sizes{8});
  std::vector<double> expected(count), size(count);
  std::vector<{3}> got({7});
  CHECK(cudaStreamSynchronize(stream));
  CHECK(cudaMemcpy(expected.data(), sums, count * sizeof(double), cudaMemcpyDeviceToHost));
  CHECK(cudaMemcpy(size.data(), sizes, count * sizeof(double), cudaMemcpyDeviceToHost));
  CHECK(cudaMemcpy(got.data(), {4}, {7} * sizeof(got[0]), cudaMemcpyDeviceToHost));
  double worst = 0;
  for (long long i = 0; i < count; ++i) {{
    double value = {5};
    const double right = {9};
    double error = std::isfinite(value) ? std::fabs(value - right) / std::max(size[i], 1e-300) : INFINITY;
    if (value == right) error = 0;
    worst = std::max(worst, error);
  }}
  const double allowed = {6};
  std::printf("error %.3g (allowed %.3g)\n", worst, allowed);
  if (!(worst <= allowed)) {{
    std::printf("WRONG\n");
    return 5;
  }}

)",
        host.count, a.name, b.name, codegen::typeName(m->output), d.name, back, tolerance(*m), host.held,
        host.referenceArguments,
        // Of a sum that the type doesn't hold, what is left of it.
        m->output.isIntegral() && m->output.bits < 64
            ? fmt::format("double(static_cast<{}>(std::int64_t(expected[i])))", codegen::typeName(m->output))
            : "expected[i]");
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
      passed);
  main += m ? fmt::format("  std::printf(\"%.2f us  %.2f TFLOP/s\\n\", us, {} / us / 1e6);\n", host.flops)
            : std::string("  std::printf(\"%.2f us\\n\", us);\n");
  main += "  return 0;\n}\n";
  files["main.cu"] = main;

  files["CMakeLists.txt"] = "cmake_minimum_required(VERSION 3.18)\n" +
                            (own.empty() ? "# For the GPU of this machine, where"
                                         : fmt::format("# For {}, which alone has {}, where", own, s.needs.only)) +
                            R"( -DCMAKE_CUDA_ARCHITECTURES names no other: left alone, CMake takes the oldest.
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
  target_compile_options(kernel PRIVATE )" +
                            target + ")\nendif()\n";
  files["README.md"] = fmt::format(
      "# {}\n\nA kernel made by Tileloom from the schedule in `schedule.py`, with a host program that checks and times "
      "it.\n\n"
      "    cmake -B build && cmake --build build && build/kernel\n\n{}or `nvcc -O3 -std=c++17 {} main.cu -o "
      "kernel`. Registers and times that Tileloom tells of this kernel are of NVRTC's code: nvcc may allot other "
      "registers to the same text.{}\n\nExit status: 0 done, 4 no GPU, 5 the result is wrong, 6 the GPU reported an "
      "error, 64 wrong "
      "usage.\n",
      title, host.numbers, target,
      own.empty() ? "" : fmt::format(" {} exists on GPUs of that architecture alone.", s.needs.only));
  return files;
}

}  // namespace

std::map<std::string, std::string> exportProject(const codegen::Source& source, const std::optional<Matmul>& matmul,
                                                 const std::string& title, const std::string& schedule) {
  ir::VarMap none;
  const codegen::Source s = renamed(source, none);
  std::optional<Matmul> product = matmul;
  if (product) product = multipliedAs(*product, source);
  return written(s, constantText(s, product), title, schedule);
}

std::map<std::string, std::string> exportProject(const codegen::Source& source, const ir::Function& function,
                                                 const ir::Numbers& numbers, const std::string& title,
                                                 const std::string& schedule) {
  if (source.symbols.empty()) return exportProject(source, recognizeMatmul(function), title, schedule);
  ir::VarMap symbols;
  const codegen::Source s = renamed(source, symbols);
  std::vector<std::string> called;
  for (const ir::Symbol& symbol : source.symbols) called.push_back(symbol.name);
  std::optional<SymbolicMatmul> product = recognizeSymbolicMatmul(function);
  if (product) product->types = multipliedAs(product->types, source);
  return written(s, symbolicText(s, called, numbers, product, symbols), title, schedule);
}

}  // namespace loom::gpu
