// The exported project is a program of its own: nvcc builds it without a warning, and it says so where there is no GPU.
#include "core/gpu/project.h"

#include <gmock/gmock.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "core/device/operation.h"
#include "core/lower/lower.h"
#include "core/schedule/replay.h"
#include "core/script/parser.h"
#include "tests/device/warpgroup_program.h"
#include "tests/schedules/schedule_text.h"

namespace loom::gpu::project_test {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

// A matmul whose tiles don't divide, and whose operands have names of the host program, of its headers and of CUDA.
std::map<std::string, std::string> project() {
  auto module = script::parseModule(tests::programText("operands_of_host_names"), "test.py");
  auto calls = script::parseSchedule(tests::scheduleText("tiles_of_eight"), "test.sched.py");
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
  auto module = script::parseModule(tests::programText("strided_product"), "test.py");
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
  explicit Built(const std::map<std::string, std::string>& files, const std::string& target = "-arch=sm_80") {
    static int count = 0;
    folder_ =
        fs::temp_directory_path() / ("tileloom_project_" + std::to_string(::getpid()) + "_" + std::to_string(++count));
    fs::create_directories(folder_);
    for (const auto& [name, text] : files) std::ofstream(folder_ / name) << text;
    EXPECT_EQ(std::system((in() + nvcc() + " -O1 -std=c++17 " + target +
                           " -Xcompiler -Wall,-Wextra,-Werror main.cu -o kernel "
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
  auto module = script::parseModule(tests::programText("sizes_of_host_names"), "test.py");
  if (!module) throw std::runtime_error(module.error().message.english());
  auto calls = script::parseSchedule(tests::scheduleText("tiles_of_eight"), "test.sched.py");
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

// A product of a warpgroup as a project: the text of its host program.
std::map<std::string, std::string> wgmmaProject() {
  device::WarpgroupProgram one;
  one.add(*device::findOperation("wgmma.m64n128k16.f32_f16.column"));
  Matmul m;
  m.m = m.k = 64;
  m.n = 128;
  m.bTransposed = true;
  m.input = ir::DType::Float(16);
  m.output = m.accumulator = ir::DType::Float(32);
  return exportProject(codegen::generate(one.program), m, "wgmma", "# none\n");
}

TEST(Project, MakesTheMapsOfTheCopyEngine) {
  const auto files = wgmmaProject();
  const std::string& main = files.at("main.cu");
  EXPECT_THAT(main, HasSubstr("const TensorMap A_map = mapOf(CU_TENSOR_MAP_DATA_TYPE_FLOAT16, A, {64, 64}, {128}, "
                              "{64, 64}, CU_TENSOR_MAP_SWIZZLE_128B"));
  EXPECT_THAT(main, HasSubstr("const TensorMap B_map = mapOf(CU_TENSOR_MAP_DATA_TYPE_FLOAT16, B, {64, 128}, {128}, "
                              "{64, 128}, CU_TENSOR_MAP_SWIZZLE_128B"));
  EXPECT_LT(main.find("cudaMalloc(&B,"), main.find("B_map = mapOf")) << "a map has the address";
  EXPECT_THAT(main, HasSubstr("static void run(half* A, half* B, float* C, const TensorMap& A_map, "
                              "const TensorMap& B_map, cudaStream_t stream)"));
  EXPECT_THAT(main, HasSubstr("24576, stream>>>(A, B, C, A_map, B_map)"));
  const std::string target = "--generate-code=arch=compute_90a,code=sm_90a";
  EXPECT_THAT(files.at("CMakeLists.txt"), HasSubstr("PRIVATE " + target));
  EXPECT_THAT(files.at("README.md"), HasSubstr(target));
  if (nvcc().empty()) GTEST_SKIP() << "no nvcc on this machine";
  const Built built(files, target);
  expectRuns(built, "");
}

}  // namespace
}  // namespace loom::gpu::project_test
