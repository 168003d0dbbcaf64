// The exported project is a program of its own: nvcc builds it without a warning, and it says so where there is no GPU.
#include "core/gpu/project.h"

#include <gmock/gmock.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "core/lower/lower.h"
#include "core/schedule/replay.h"
#include "core/script/parser.h"

namespace loom::gpu {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

// A matmul whose tiles don't divide, and whose operands have names of the host program, of its headers and of CUDA.
std::map<std::string, std::string> project() {
  auto module = script::parseModule(R"(
@T.prim_func
def main(NULL: T.Buffer((37, 13), "float32"), stream: T.Buffer((13, 29), "float32"), cudaMalloc: T.Buffer((37, 29), "float32")):
    for i, j, k in T.grid(37, 29, 13):
        with T.block("C"):
            vi, vj, vk = T.axis.remap("SSR", [i, j, k])
            with T.init():
                cudaMalloc[vi, vj] = T.float32(0)
            cudaMalloc[vi, vj] = cudaMalloc[vi, vj] + NULL[vi, vk] * stream[vk, vj]
)",
                                    "test.py");
  auto calls = script::parseSchedule(R"(
b = sch.get_block("C")
i, j, k = sch.get_loops(b)
i0, i1 = sch.split(i, [None, 8])
j0, j1 = sch.split(j, [None, 8])
sch.reorder(i0, j0, i1, j1)
sch.bind(i0, "blockIdx.y")
sch.bind(j0, "blockIdx.x")
sch.bind(i1, "threadIdx.y")
sch.bind(j1, "threadIdx.x")
)",
                                     "test.sched.py");
  auto state = schedule::State::create(*module).value();
  auto last = schedule::replay(state, *calls, {}).last;
  auto program = lower::lower(last.module().functions.front()).value();
  return exportProject(codegen::generate(program), recognizeMatmul(module->functions.front()), "odd", "# none\n");
}

TEST(Project, ChecksBeforeItTimesAndNamesItsStatuses) {
  auto files = project();
  const std::string& main = files.at("main.cu");
  EXPECT_LT(main.find("WRONG"), main.find("cudaGraphLaunch"));
  EXPECT_THAT(main, HasSubstr("no CUDA GPU"));
  EXPECT_THAT(main, HasSubstr("stream_1"));
  EXPECT_THAT(files.at("README.md"), HasSubstr("Exit status"));
  const std::string& cmake = files.at("CMakeLists.txt");
  EXPECT_THAT(cmake, HasSubstr("LANGUAGES CUDA"));
  EXPECT_LT(cmake.find("set(CMAKE_CUDA_ARCHITECTURES OFF)"), cmake.find("project(")) << "project() would choose sm_75";
  EXPECT_THAT(cmake, HasSubstr("-arch=native"));
}

TEST(Project, AllocatesAndChecksByStrides) {
  auto module = script::parseModule(R"(
@T.prim_func
def main(a: T.handle, b: T.handle, c: T.handle):
    A = T.match_buffer(a, (64, 32), "float32", strides=(40, 1))
    B = T.match_buffer(b, (64, 32), "float32", strides=(1, 64), elem_offset=4)
    C = T.match_buffer(c, (64, 64), "float32", strides=(1, 64), elem_offset=8)
    for i, j, k in T.grid(64, 64, 32):
        with T.block("C"):
            vi, vj, vk = T.axis.remap("SSR", [i, j, k])
            with T.init():
                C[vi, vj] = T.float32(0)
            C[vi, vj] = C[vi, vj] + A[vi, vk] * B[vj, vk]
)",
                                    "test.py");
  const ir::Function f = module->functions.front();
  const auto main =
      exportProject(codegen::generate(lower::lower(f).value()), recognizeMatmul(f), "strided", "").at("main.cu");
  EXPECT_THAT(main, HasSubstr("cudaMalloc(&A, 10208ll)")) << "63 rows of 40 and one of 32, 4 bytes each";
  EXPECT_THAT(main, HasSubstr("cudaMalloc(&B, 8208ll)")) << "4 before the first element";
  EXPECT_THAT(main, HasSubstr("randomize<<<1024, 256, 0, stream>>>(A, 2552ll, 1)"));
  EXPECT_THAT(main, HasSubstr("double(A[i * 40 + p]) * double(B[4 + p * 64 + j])"));
  EXPECT_THAT(main, HasSubstr("got[8 + i / 64 * 1 + i % 64 * 64]"));
}

TEST(Project, BuildsWithNvccAndSaysWhenThereIsNoGpu) {
  std::string nvcc;
  for (const char* candidate : {"nvcc", "/usr/local/cuda/bin/nvcc"}) {
    if (std::system((std::string(candidate) + " --version > /dev/null 2>&1").c_str()) == 0) {
      nvcc = candidate;
      break;
    }
  }
  if (nvcc.empty()) GTEST_SKIP() << "no nvcc on this machine";
  fs::path folder = fs::temp_directory_path() / ("tileloom_project_" + std::to_string(::getpid()));
  fs::create_directories(folder);
  for (const auto& [name, text] : project()) std::ofstream(folder / name) << text;
  std::string in = "cd " + folder.string() + " && ";
  EXPECT_EQ(std::system((in + nvcc +
                         " -O1 -std=c++17 -arch=sm_80 -Xcompiler -Wall,-Wextra,-Werror main.cu -o kernel "
                         "> log 2>&1")
                            .c_str()),
            0);
  auto text = [&](const char* name) {
    std::ifstream file(folder / name);
    return std::string(std::istreambuf_iterator<char>(file), {});
  };
  EXPECT_EQ(text("log"), "");
  int status = WEXITSTATUS(std::system((in + "./kernel > out 2> err").c_str()));
  if (status == 0) {
    EXPECT_THAT(text("out"), HasSubstr("us"));
  } else {
    EXPECT_EQ(status, 4) << text("out") << text("err");
    EXPECT_THAT(text("err"), HasSubstr("no CUDA GPU"));
  }
  EXPECT_EQ(WEXITSTATUS(std::system((in + "./kernel x 2> err").c_str())), 64);
  EXPECT_THAT(text("err"), HasSubstr("usage"));
  fs::remove_all(folder);
}

}  // namespace
}  // namespace loom::gpu
