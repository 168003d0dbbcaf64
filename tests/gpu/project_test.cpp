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

std::string nvcc() {
  for (const char* candidate : {"nvcc", "/usr/local/cuda/bin/nvcc"}) {
    if (std::system((std::string(candidate) + " --version > /dev/null 2>&1").c_str()) == 0) return candidate;
  }
  return "";
}

// A project, built; its program run with arguments.
class Built {
 public:
  explicit Built(const std::map<std::string, std::string>& files) {
    static int count = 0;
    folder_ =
        fs::temp_directory_path() / ("tileloom_project_" + std::to_string(::getpid()) + "_" + std::to_string(++count));
    fs::create_directories(folder_);
    for (const auto& [name, text] : files) std::ofstream(folder_ / name) << text;
    EXPECT_EQ(std::system((in() + nvcc() +
                           " -O1 -std=c++17 -arch=sm_80 -Xcompiler -Wall,-Wextra,-Werror main.cu -o kernel "
                           "> log 2>&1")
                              .c_str()),
              0)
        << text("log");
    EXPECT_EQ(text("log"), "");
  }
  ~Built() { fs::remove_all(folder_); }
  int run(const std::string& arguments) const {
    return WEXITSTATUS(std::system((in() + "./kernel " + arguments + " > out 2> err").c_str()));
  }
  std::string text(const char* name) const {
    std::ifstream file(folder_ / name);
    return std::string(std::istreambuf_iterator<char>(file), {});
  }

 private:
  std::string in() const { return "cd " + folder_.string() + " && "; }
  fs::path folder_;
};

// With a GPU the program checks and times; without one it says so.
void expectRuns(const Built& built, const std::string& arguments) {
  const int status = built.run(arguments);
  if (status == 0) {
    EXPECT_THAT(built.text("out"), HasSubstr("us"));
  } else {
    EXPECT_EQ(status, 4) << built.text("out") << built.text("err");
    EXPECT_THAT(built.text("err"), HasSubstr("no CUDA GPU"));
  }
}

TEST(Project, BuildsWithNvccAndSaysWhenThereIsNoGpu) {
  if (nvcc().empty()) GTEST_SKIP() << "no nvcc on this machine";
  const Built built(project());
  expectRuns(built, "");
  EXPECT_EQ(built.run("x"), 64);
  EXPECT_THAT(built.text("err"), HasSubstr("usage"));
}

// Sizes and a scalar that have names of the host program; one size is in the grid alone.
std::map<std::string, std::string> symbolicProject() {
  auto module = script::parseModule(R"(
@T.prim_func
def main(a: T.handle, b: T.handle, c: T.handle, alpha: T.float32):
    count = T.int32()
    stream = T.int32()
    A = T.match_buffer(a, (count, 16), "float16")
    B = T.match_buffer(b, (16, stream * 8), "float16")
    C = T.match_buffer(c, (count, stream * 8), "float32")
    for i, j, k in T.grid(count, stream * 8, 16):
        with T.block("C"):
            vi, vj, vk = T.axis.remap("SSR", [i, j, k])
            with T.init():
                C[vi, vj] = T.float32(0)
            C[vi, vj] = C[vi, vj] + T.Cast("float32", A[vi, vk]) * T.Cast("float32", B[vk, vj])
)",
                                    "test.py");
  if (!module) throw std::runtime_error(module.error().message.english());
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
  const auto last = schedule::replay(schedule::State::create(*module).value(), *calls, {}).last;
  const auto program = lower::lower(last.module().functions.front()).value();
  return exportProject(codegen::generate(program), module->functions.front(),
                       {{"count", 1000}, {"stream", 128}, {"alpha", 2}}, "sizes", "# none\n");
}

TEST(Project, TakesSizesAsArgumentsAndAllocatesAndChecksByThem) {
  const auto files = symbolicProject();
  const std::string& main = files.at("main.cu");
  EXPECT_THAT(main, HasSubstr("int count_1 = 1000;"));
  EXPECT_THAT(main, HasSubstr("take(argv[a], \"count\", count_1)"));
  EXPECT_THAT(main, HasSubstr("<<<dim3(stream_1, (count_1 + 7) >> 3, 1), dim3(8, 8, 1), 0, stream>>>(A, B, C, count_1, "
                              "stream_1)"));
  EXPECT_THAT(main, HasSubstr("rows = (long long)count_1, columns = (long long)stream_1 * 8ll, depth = 16ll;"));
  EXPECT_LT(main.find("WRONG"), main.find("cudaGraphLaunch")) << "it is checked at the sizes that it runs at";
  EXPECT_THAT(files.at("README.md"), HasSubstr("build/kernel [count=1000] [stream=128] [alpha=2]"));
  if (nvcc().empty()) GTEST_SKIP() << "no nvcc on this machine";
  const Built built(files);
  expectRuns(built, "");
  expectRuns(built, "count=77 stream=5 alpha=0.5");
  for (const char* bad :
       {"x", "count", "count=", "count=0", "count=1.5", "count=3000000000", "rows=4", "count=1000000 stream=1000000"}) {
    EXPECT_EQ(built.run(bad), 64) << bad;
    EXPECT_NE(built.text("err"), "") << bad;
  }
}

}  // namespace
}  // namespace loom::gpu
