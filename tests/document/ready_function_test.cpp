#include "core/document/ready_function.h"

#include <gmock/gmock.h>

#include <fstream>

#include "core/document/bench.h"
#include "core/document/naive_kernel.h"
#include "core/exec/check.h"
#include "tests/compile/scratch.h"
#include "tests/document/scheduled.h"
#include "tests/process/self.h"

namespace loom::document::ready_function_test {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

const std::vector<ReadyFunction>& shipped() {
  static const std::vector<ReadyFunction> functions = readyFunctions(assets()).value();
  return functions;
}

// Few elements, of which none divides the threads of a block.
FunctionSizes small(const ReadyFunction& f) {
  const FunctionSizes few = {{"L", 2},
                             {"M", 5},
                             {"N", f.name == "softmax" || f.name == "scan" ? 7 : 2},
                             {"K", 6},
                             {"H", 5},
                             {"W", 4},
                             {"D", f.name == "dil" ? 2 : 3},
                             {"CI", 3},
                             {"CO", 2}};
  FunctionSizes sizes;
  for (const auto& size : f.sizes) {
    if (auto given = few.find(size.name); given != few.end()) sizes[size.name] = given->second;
  }
  if (f.name == "gemm") sizes["N"] = 7;
  return sizes;
}

TEST(ReadyFunctions, AreTheNineOperatorsAndSoftmaxWithWordsInBothLanguages) {
  std::vector<std::string> names;
  for (const ReadyFunction& f : shipped()) {
    names.push_back(f.name);
    EXPECT_EQ(f.title.size(), 2u) << f.name;
    EXPECT_FALSE(f.sizes.empty()) << f.name;
    for (const auto& size : f.sizes) EXPECT_EQ(size.what.size(), 2u) << f.name << " " << size.name;
    auto target = openTarget({f.name}, assets(), environment());
    ASSERT_TRUE(target) << target.error().message.english();
    EXPECT_EQ(target->title, f.name);
  }
  EXPECT_EQ(names,
            (std::vector<std::string>{"gemm", "bmm", "gemv", "c1d", "c2d", "c3d", "dil", "t2d", "scan", "softmax"}));
}

// Rows in the form of a product, its rows padded from 49 to 64 by a block that is inlined into the copy to shared
// memory; sums that the threads of a block share.
TEST(ReadyFunctions, ScheduledByHandAreKernelsThatComputeWhatTheyDoInOrder) {
  const std::pair<const char*, const char*> cases[] = {
      {"c2d:N=1,H=7,W=7,CI=16,CO=32", "convolution_on_tensor_cores"},
      {"gemv:M=20,K=100", "row_sums_by_threads"},
      {"scan:M=3,N=40", "prefix_sums_by_threads"},
      {"softmax:M=3,N=70", "softmax_by_threads"},
  };
  for (const auto& [word, schedule] : cases) {
    auto target = openTarget({word}, assets(), environment());
    ASSERT_TRUE(target) << word << ": " << target.error().message.english();
    auto applied = target->history.apply(0, tests::scheduleText(schedule), environment());
    ASSERT_TRUE(applied) << word;
    ASSERT_FALSE(applied->refusal) << word << ": " << applied->refusal->message.english();
    const auto function = [&](int node) { return target->history.node(node).state.module().functions[0]; };
    const auto report = exec::check(function(0), function(applied->node));
    ASSERT_TRUE(report) << word << ": " << report.error().message.english();
    EXPECT_EQ(report->status, exec::Report::Status::Verified) << word << ": " << exec::describe(*report).english();
    EXPECT_FALSE(report->inOrder) << word << ": " << report->inOrder->message.english();
  }
}

// What judges the kernels of functions that are no product.
TEST(ReadyFunctions, HaveANaiveKernelWithAThreadForEachElement) {
  for (const ReadyFunction& f : shipped()) {
    auto target = openReady(f, small(f), environment());
    ASSERT_TRUE(target) << f.name;
    const auto kernel = naiveKernel(target->history.node(0).state, {});
    ASSERT_TRUE(kernel) << f.name;
    for (const auto& launch : kernel->source.launches)
      EXPECT_FALSE(launch.singleThread) << f.name << " " << launch.name;
    const auto report = exec::check(target->history.node(0).state.module().functions[0], kernel->symbolic);
    ASSERT_TRUE(report) << f.name;
    EXPECT_EQ(report->status, exec::Report::Status::Verified) << f.name << ": " << exec::describe(*report).english();
  }
}

TEST(ReadyFunctions, AWrongKernelOfWhatIsNoProductIsFoundBeforeItIsTimed) {
  const ReadyFunction& softmax = shipped().back();
  const FunctionSizes sizes = small(softmax);
  ReadyFunction other = softmax;
  const std::string right = "exponential[vi, vj] / total[vi]";
  other.text.replace(other.text.find(right), right.size(), "exponential[vi, vj] / (total[vi] + T.float32(0.01))");
  const auto kernelOf = [&](const ReadyFunction& f) {
    return *naiveKernel(openReady(f, sizes, environment())->history.node(0).state, {});
  };
  const KernelText naive = kernelOf(softmax), wrong = kernelOf(other);
  BenchOptions options;
  options.workerCommand = process::selfCommand("worker cpu");
  Bench bench(options);
  const auto timed = bench.measure({{"right", &naive}, {"wrong", &wrong}}, std::nullopt, {}, &naive);
  ASSERT_TRUE(timed) << timed.error().message.english();
  ASSERT_TRUE((*timed)[0].measured()) << (*timed)[0].result->outcome.message.english();
  EXPECT_EQ((*timed)[0].measured()->error, 0);
  EXPECT_EQ((*timed)[1].result->outcome.status, gpu::Outcome::Status::Wrong);
  EXPECT_THAT((*timed)[1].result->outcome.message.english(), HasSubstr("of Y is "));
}

TEST(ReadyFunctions, TakeOtherSizesByTheirNames) {
  auto target = openTarget({"gemv:M=512,K=100"}, assets(), environment());
  ASSERT_TRUE(target) << target.error().message.english();
  EXPECT_THAT(target->history.node(0).script->text, HasSubstr("A: T.Buffer((512, 100), \"float16\")"));
  auto strided = openTarget({"c2d:H=9,S=2,P=0"}, assets(), environment());
  ASSERT_TRUE(strided) << strided.error().message.english();
  EXPECT_THAT(strided->history.node(0).script->text, HasSubstr("Y: T.Buffer((16, 4, 13, 128), \"float32\")"));
}

TEST(ReadyFunctions, RefuseSizesThatGiveNoProgram) {
  const std::pair<const char*, const char*> cases[] = {
      {"gemv:Q=4", "gemv has no size Q: it has M, K"},
      {"gemv:M", "\"M\" is no size: write NAME=NUMBER"},
      {"gemv:M=many", "\"many\" is no whole number for M"},
      {"gemv:M=-1", "M = -1 is not between 0 and 2147483647"},
      {"gemv:M=0", "these sizes leave A without elements"},
      {"c2d:R=40", "an extent is negative"},
      {"gemm:M=65536,N=65536", "C has more than 2147483647 elements"},
      {"gem", "\"gem\" is neither a file nor a lesson"},
  };
  for (const auto& [word, why] : cases) {
    auto target = openTarget({word}, assets(), environment());
    ASSERT_FALSE(target) << word;
    EXPECT_THAT(target.error().message.english(), HasSubstr(why)) << word;
  }
}

TEST(ReadyFunctions, ARowThatContradictsItsFileIsAClearError) {
  Scratch scratch;
  fs::create_directories(scratch / "functions");
  auto put = [&](const char* name, const std::string& text) { std::ofstream(scratch / "functions" / name) << text; };
  auto why = [&](const std::string& rows) {
    put("functions.json", rows);
    auto read = readyFunctions(scratch.path());
    return read ? "" : read.error().code + ": " + read.error().message.english();
  };
  put("one.py", "M = 4\nN = M\n");
  EXPECT_EQ(why(R"([{"name": "one", "sizes": {"M": {"en": "rows", "zh": "行数"}}}])"), "");
  EXPECT_THAT(why(R"([{"name": "one", "sizes": {}}])"), HasSubstr("FunctionError: "));
  EXPECT_THAT(why(R"([{"name": "one", "sizes": {"M": {}, "N": {}}}])"), HasSubstr("gives names to other sizes"));
  EXPECT_THAT(why(R"([{"sizes": {}}])"), HasSubstr("entry 1 has no \"name\""));
  EXPECT_THAT(why(R"({})"), HasSubstr("it is no list of functions"));
  EXPECT_THAT(why(R"([{"name": "two", "sizes": {}}])"), HasSubstr("NoSuchFile"));
}

}  // namespace
}  // namespace loom::document::ready_function_test
