#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/resource.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <thread>

#include "core/compile/compiler_processes.h"
#include "tests/compile/scratch.h"
#include "tests/process/self.h"

namespace loom::compile::compiler_processes_test {
namespace {

using testing::HasSubstr;

std::string compilerCommand(const std::string& mode) { return process::selfCommand("compiler " + mode); }

CompilerProcesses::Options fake(int processes = 1, double deadline = 20) {
  CompilerProcesses::Options o;
  o.command = compilerCommand("fake");
  o.processes = processes;
  o.deadlineSeconds = deadline;
  return o;
}

Request source(std::string text) {
  Request r;
  r.source = std::move(text);
  r.architecture = "sm_90";
  return r;
}

std::string textOf(const Binary& b) { return {b.cubin.begin(), b.cubin.end()}; }

TEST(CompilerProcesses, CompileInAnotherProcessAtLowPriority) {
  CompilerProcesses compilers(fake());
  auto binary = compilers.compile(source("a kernel"));
  ASSERT_TRUE(binary) << binary.error().message.english();
  EXPECT_EQ(textOf(*binary), "cubin of a kernel");
  ASSERT_EQ(binary->kernels.size(), 1u);
  EXPECT_EQ(binary->kernels[0].registers, 32);
  ASSERT_EQ(compilers.idle().size(), 1u);
  EXPECT_NE(compilers.idle()[0], getpid());
  EXPECT_GT(getpriority(PRIO_PROCESS, id_t(compilers.idle()[0])), getpriority(PRIO_PROCESS, 0));
}

TEST(CompilerProcesses, AreAtMostOneLessThanTheCores) {
  CompilerProcesses::Options o = fake();
  o.processes = 0;
  EXPECT_EQ(CompilerProcesses(o).limit(), std::max(1, int(std::thread::hardware_concurrency()) - 1));
}

TEST(CompilerProcesses, ShareTheWorkAndKeepTheOrder) {
  CompilerProcesses compilers(fake(3));
  std::vector<Request> requests;
  for (int i = 0; i < 9; ++i) requests.push_back(source("SLOW " + std::to_string(i)));
  auto start = std::chrono::steady_clock::now();
  int told = 0;
  auto results = compilers.compileAll(requests, {}, [&](std::size_t i, const Result<Binary>& b) {
    ++told;
    EXPECT_EQ(textOf(*b), "cubin of SLOW " + std::to_string(i));
  });
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::milliseconds(2400)) << "not one after another";
  EXPECT_EQ(told, 9);
  for (int i = 0; i < 9; ++i) EXPECT_EQ(textOf(*results[std::size_t(i)]), "cubin of SLOW " + std::to_string(i));
  EXPECT_LE(compilers.idle().size(), 3u);
}

TEST(CompilerProcesses, ACrashCostsOneResult) {
  CompilerProcesses compilers(fake(2));
  auto results = compilers.compileAll({source("one"), source("CRASH"), source("three"), source("four")});
  EXPECT_TRUE(results[0]);
  EXPECT_TRUE(results[2]);
  EXPECT_TRUE(results[3]);
  ASSERT_FALSE(results[1]);
  EXPECT_EQ(results[1].error().code, "CompileError");
  EXPECT_THAT(results[1].error().message.english(), HasSubstr("signal 6"));
}

TEST(CompilerProcesses, AHangCostsOneResult) {
  CompilerProcesses compilers(fake(1, 0.5));
  auto results = compilers.compileAll({source("HANG"), source("two")});
  ASSERT_FALSE(results[0]);
  EXPECT_EQ(results[0].error().code, "CompileError");
  EXPECT_THAT(results[0].error().message.english(), HasSubstr("0.5 s"));
  EXPECT_TRUE(results[1]);
}

TEST(CompilerProcesses, AnAnswerThatIsNoneIsAnError) {
  CompilerProcesses compilers(fake());
  EXPECT_EQ(compilers.compile(source("ODD")).error().code, "CompileError");
  EXPECT_TRUE(compilers.compile(source("fine")));
}

TEST(CompilerProcesses, AreCancelledWithAllThatWaits) {
  CompilerProcesses compilers(fake(1));
  ASSERT_TRUE(compilers.compiler());
  std::stop_source stop;
  std::thread other([&] {
    usleep(200000);
    stop.request_stop();
  });
  auto start = std::chrono::steady_clock::now();
  auto results = compilers.compileAll({source("HANG"), source("HANG too"), source("three")}, stop.get_token());
  other.join();
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(10));
  for (const auto& r : results) {
    ASSERT_FALSE(r);
    EXPECT_EQ(r.error().code, "Cancelled");
  }
  EXPECT_TRUE(compilers.compile(source("after"))) << "a cancellation is for what was asked before";
}

TEST(CompilerProcesses, KilledWhileIdleAreReplaced) {
  CompilerProcesses compilers(fake());
  ASSERT_TRUE(compilers.compile(source("one")));
  kill(compilers.idle().at(0), SIGKILL);
  usleep(50000);
  auto second = compilers.compile(source("two"));
  if (!second) second = compilers.compile(source("two"));  // the loss itself may cost one result
  EXPECT_TRUE(second);
}

TEST(CompilerProcesses, WithoutACommandSaySo) {
  CompilerProcesses none({});
  EXPECT_EQ(none.compile(source("x")).error().code, "NoWorker");
  // What the architecture hasn't is refused before anyone is asked.
  Request request = source("x");
  request.architecture = "sm_75";
  request.needs = {80, "an operation"};
  EXPECT_EQ(none.compile(request).error().code, "OldArchitecture");
  EXPECT_EQ(none.ptx(request).error().code, "OldArchitecture");
  codegen::Source program;
  program.needs = request.needs;
  EXPECT_EQ(none.compile(requestFor(program, "sm_75")).error().code, "OldArchitecture");
  EXPECT_EQ(none.compile(requestFor(program, "sm_80")).error().code, "NoWorker");
  EXPECT_EQ(none.compile(requestFor(program.text, "sm_75")).error().code, "NoWorker") << "others' texts are compiled";
  CompilerProcesses::Options o;
  o.command = "nonsense 2>/dev/null";
  CompilerProcesses missing(o);
  EXPECT_EQ(missing.compile(source("x")).error().code, "CompileError");
  EXPECT_THAT(missing.compile(source("x")).error().message.english(), HasSubstr("nonsense"));
}

TEST(CompilerProcesses, WithoutNvrtcSaySoAndWhereTheyLooked) {
  CompilerProcesses::Options o;
  o.command = compilerCommand("none");
  CompilerProcesses compilers(o);
  auto info = compilers.compiler();
  ASSERT_FALSE(info);
  EXPECT_EQ(info.error().code, "NoNvrtc");
  EXPECT_THAT(info.error().message.english(), HasSubstr("/nowhere"));
  EXPECT_EQ(compilers.compile(source("x")).error().code, "NoNvrtc");
}

TEST(CompilerProcesses, HaveTheCacheInFront) {
  Scratch folder;
  CompilerProcesses::Options o = fake();
  o.cache = folder.path();
  {
    CompilerProcesses compilers(o);
    ASSERT_TRUE(compilers.compile(source("a kernel")));
    EXPECT_FALSE(compilers.compile(source("another"))->cached);
  }
  CompilerProcesses compilers(o);
  auto again = compilers.compile(source("a kernel"));
  ASSERT_TRUE(again);
  EXPECT_TRUE(again->cached);
  EXPECT_EQ(textOf(*again), "cubin of a kernel");
}

class Nvrtc : public testing::Test {
 protected:
  void SetUp() override {
    CompilerProcesses::Options o;
    o.command = compilerCommand("nvrtc");
    o.processes = 2;
    compilers = std::make_unique<CompilerProcesses>(o);
    if (auto info = compilers->compiler(); !info) GTEST_SKIP() << info.error().message.english();
  }
  std::unique_ptr<CompilerProcesses> compilers;
};

constexpr const char* kKernel =
    "extern \"C\" __global__ void __launch_bounds__(64) twice(float* x) {\n  x[threadIdx.x] *= 2.0f;\n}\n";

TEST_F(Nvrtc, GivesCubinResourcesAndPtx) {
  auto binary = compilers->compile(source(kKernel));
  ASSERT_TRUE(binary) << binary.error().message.english();
  EXPECT_EQ(std::string(binary->cubin.begin(), binary->cubin.begin() + 4),
            "\x7f"
            "ELF");
  ASSERT_EQ(binary->kernels.size(), 1u);
  EXPECT_EQ(binary->kernels[0].name, "twice");
  EXPECT_GT(binary->kernels[0].registers, 0);
  auto ptx = compilers->ptx(source(kKernel));
  ASSERT_TRUE(ptx) << ptx.error().message.english();
  EXPECT_THAT(*ptx, HasSubstr(".entry twice"));
}

TEST_F(Nvrtc, CompilesForAllArchitecturesItKnows) {
  const CompilerInfo info = *compilers->compiler();
  EXPECT_FALSE(info.architectures.empty());
  for (const std::string& a : info.architectures) {
    Request r = source(kKernel);
    r.architecture = a;
    EXPECT_TRUE(compilers->compile(r)) << a;
  }
}

TEST_F(Nvrtc, RefusesWithTheLineOfTheError) {
  auto broken = compilers->compile(source("// one\n// two\nextern \"C\" __global__ void f() { y = 1; }\n"));
  ASSERT_FALSE(broken);
  EXPECT_EQ(broken.error().code, "CompileError");
  EXPECT_EQ(broken.error().place.line, 3);
  EXPECT_THAT(broken.error().message.english(), HasSubstr("y"));
  Request unknown = source(kKernel);
  unknown.architecture = "sm_1";
  for (const Request& r :
       {unknown, source(std::string("\0\x01\xff", 3)), source("{{{ \xe5"), source("#include <absent.h>")}) {
    auto refused = compilers->compile(r);
    ASSERT_FALSE(refused) << r.source;
    EXPECT_EQ(refused.error().code, "CompileError");
  }
}

}  // namespace
}  // namespace loom::compile::compiler_processes_test
