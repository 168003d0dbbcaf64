// What generated CUDA names things must mean that and nothing else to NVRTC, whatever a program calls its buffers and
// variables.
#include "core/codegen/names.h"

#include <gmock/gmock.h>

#include <array>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "core/codegen/cuda.h"
#include "core/compile/compiler_processes.h"
#include "core/compile/toolkit.h"
#include "core/lower/lower.h"
#include "core/schedule/state.h"
#include "core/script/parser.h"
#include "tests/compile/scratch.h"
#include "tests/process/self.h"
#include "tests/schedules/schedule_text.h"

namespace loom::compile::names_test {
namespace {

// Macros, keywords, types, functions and variables of C++, of CUDA and of its headers.
const std::vector<std::string> kNames = {"NULL",
                                         "EOF",
                                         "errno",
                                         "assert_",
                                         "INT_MAX",
                                         "M_PI",
                                         "M_PIf32",
                                         "NAN",
                                         "INFINITY",
                                         "stdin",
                                         "stderr",
                                         "linux",
                                         "CUDART_INF_FP16",
                                         "cudaHostAllocDefault",
                                         "BUFSIZ",
                                         "P_tmpdir",
                                         "asm",
                                         "auto",
                                         "char8_t",
                                         "consteval",
                                         "co_await",
                                         "double",
                                         "xor_eq",
                                         "typename",
                                         "main",
                                         "std",
                                         "min",
                                         "max",
                                         "fminf",
                                         "exp",
                                         "expf",
                                         "hexp",
                                         "half",
                                         "half2",
                                         "__half",
                                         "__half2",
                                         "uint4",
                                         "float4",
                                         "wmma",
                                         "nvcuda",
                                         "threadIdx",
                                         "blockIdx",
                                         "warpSize",
                                         "dim3",
                                         "__syncthreads",
                                         "__shared__",
                                         "__CUDA_ARCH__",
                                         "__FILE__",
                                         "shared_memory",
                                         "bx",
                                         "tx",
                                         "size_t",
                                         "printf",
                                         "memcpy",
                                         "main_kernel",
                                         "NV_IS_DEVICE",
                                         "_GNU_SOURCE",
                                         "a__b",
                                         "result",
                                         "lane",
                                         "B_lanes",
                                         "offsetof",
                                         "va_start",
                                         "__global__"};

// B[…] = exp(n0) + n1 + …, where every name is a buffer; once more where every name is a loop and an iteration
// variable.
std::string asBuffers() {
  std::string parameters, sum;
  for (const std::string& name : kNames) {
    parameters += name + ": T.Buffer((64,), \"float16\"), ";
    sum += sum.empty() ? "T.exp(" + name + "[vi])" : " + " + name + "[vi]";
  }
  return tests::programText("sum_of_named_buffers", {{"PARAMETERS", parameters}, {"SUM", sum}});
}
std::string asVariables(std::size_t from, std::size_t count) {
  std::string loops, extents, axes, indices, letters, variables;
  for (std::size_t i = from; i < from + count; ++i) {
    const std::string comma = i == from ? "" : ", ";
    loops += comma + kNames[i];
    extents += comma + "2";
    variables += comma + "v" + std::to_string(i);
    letters += "S";
  }
  return "@T.prim_func\ndef main(B: T.Buffer((" + extents + "), \"float16\")):\n    for " + loops + " in T.grid(" +
         extents + "):\n        with T.block(\"B\"):\n            " + variables + " = T.axis.remap(\"" + letters +
         "\", [" + loops + "])\n            B[" + variables + "] = T.exp(B[" + variables + "])\n";
}

std::string cudaOf(const std::string& function) {
  auto module = script::parseModule(function, "names.py");
  if (!module) throw std::runtime_error(module.error().message.english() + "\n" + module.error().place.text);
  auto program = lower::lower(module->functions.front());
  if (!program) throw std::runtime_error(program.error().message.english());
  return codegen::generate(*program).text;
}

TEST(NamesForNvrtc, OfOtherThingsCompile) {
  CompilerProcesses::Options o;
  o.command = process::selfCommand("compiler nvrtc");
  o.processes = 2;
  CompilerProcesses compilers(o);
  if (auto info = compilers.compiler(); !info) GTEST_SKIP() << info.error().message.english();
  std::vector<Request> requests;
  auto add = [&](const std::string& function) {
    Request r;
    r.source = cudaOf(function);
    r.architecture = "sm_90";
    requests.push_back(r);
  };
  add(asBuffers());
  constexpr std::size_t kLoops = 16;
  for (std::size_t i = 0; i < kNames.size(); i += kLoops) add(asVariables(i, std::min(kLoops, kNames.size() - i)));
  for (const Request& r : requests) {
    auto binary = compilers.compile(r);
    EXPECT_TRUE(binary) << binary.error().message.english() << "\n" << r.source;
  }
}

std::string outputOf(const std::string& command) {
  std::string text;
  FILE* out = popen(command.c_str(), "r");
  std::array<char, 4096> part;
  while (std::size_t n = out ? std::fread(part.data(), 1, part.size(), out) : 0) text.append(part.data(), n);
  if (out) pclose(out);
  return text;
}

// Every macro that takes no arguments, of the standard library and the toolkit that are here: a name that is one would
// be replaced. (One with arguments is only replaced before a parenthesis, which names of buffers and variables aren't.)
TEST(NamesForNvrtc, AreNoMacroOfAnyHeader) {
  Scratch folder;
  std::ofstream(folder / "all.cpp") << R"(
#include <algorithm>
#include <cassert>
#include <cerrno>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>
#if __has_include(<cuda_runtime.h>)
#include <cuda_runtime.h>
#endif
#if __has_include(<cuda_fp16.h>)
#include <cuda_fp16.h>
#include <cuda_bf16.h>
#include <cuda_fp8.h>
#endif
)";
  std::string command = "c++ -std=c++17 -E -dM";
  if (auto toolkit = findToolkit(defaultSearchPath())) {
    for (const auto& include : toolkit->includes) command += " -isystem '" + include.string() + "'";
  }
  std::istringstream lines(outputOf(command + " '" + (folder / "all.cpp").string() + "' 2>&1"));
  int macros = 0;
  for (std::string define, name; lines >> define >> name && std::getline(lines, define);) {
    if (name.find('(') != std::string::npos) continue;
    ++macros;
    EXPECT_NE(codegen::identifier(name), name);
  }
  if (macros == 0) GTEST_SKIP() << "no c++ on this machine";
  EXPECT_GT(macros, 300);
}

}  // namespace
}  // namespace loom::compile::names_test
