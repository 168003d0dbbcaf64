#include "core/profile/profiler.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <stdlib.h>

#include <chrono>
#include <thread>

#include "tests/compile/scratch.h"
#include "tests/gpu/programs.h"
#include "tests/profile/recorded.h"

namespace loom::profile::profiler_test {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

const std::string kFake = std::string(TILELOOM_SOURCE_DIR) + "/tests/profile/fake_ncu";

class Profiler : public testing::Test {
 protected:
  void SetUp() override {
    setenv("FAKE_NCU", "", 1);
    setenv("FAKE_NCU_LOG", (scratch / "called").c_str(), 1);
    request.ncu = {kFake, "2025.3.1.0"};
    request.workerCommand = gpu::workerCommand("cpu");
    request.job = gpu::productJob(8, 8, 8);
    request.job.candidates = {gpu::candidate("one", gpu::product(8, 8, 8))};
    request.seconds = 30;
    printed(recorded("scale.csv"));
  }
  // What ncu will print of its report; the kernel there gets the candidate's name.
  void printed(std::string csv) {
    const std::string name = "scale_kernel";
    if (auto at = csv.find(name); at != std::string::npos)
      csv.replace(at, name.size(), request.job.candidates[0].launches[0].name);
    std::ofstream(scratch / "printed.csv") << csv;
    setenv("FAKE_NCU_CSV", (scratch / "printed.csv").c_str(), 1);
  }
  Error refused() {
    auto sampled = sampleStalls(request);
    EXPECT_FALSE(sampled);
    return sampled ? Error{} : sampled.error();
  }
  std::string called() {
    std::ifstream in(scratch / "called");
    return {std::istreambuf_iterator<char>(in), {}};
  }
  Scratch scratch;
  SampleRequest request;
};

TEST_F(Profiler, RunsTheWorkerAndReadsTheReport) {
  std::vector<std::string> said;
  auto sampled = sampleStalls(request, [&](const std::string& what) { said.push_back(what); });
  ASSERT_TRUE(sampled) << sampled.error().code << ": " << sampled.error().message.english();
  ASSERT_EQ(sampled->kernels.size(), 1U);
  EXPECT_EQ(sampled->kernels[0].total().samples, 367);
  EXPECT_THAT(sampled->csv, HasSubstr("stall_long_sb"));
  EXPECT_THAT(said, testing::Contains("check one"));
  EXPECT_THAT(said, testing::Contains("ncu writes its report"));
}

TEST_F(Profiler, ClocksComeWithTheSamplesWhereNcuCountsThem) {
  auto sampled = sampleStalls(request);
  ASSERT_TRUE(sampled);
  EXPECT_FALSE(sampled->kernels[0].clocks);
  std::ofstream(scratch / "raw.csv") << "\"Kernel Name\",\"smsp__cycles_active.avg\",\"smsp__cycles_elapsed.avg\"\n\""
                                     << request.job.candidates[0].launches[0].name << "\",\"30\",\"40\"\n";
  setenv("FAKE_NCU_RAW", (scratch / "raw.csv").c_str(), 1);
  sampled = sampleStalls(request);
  unsetenv("FAKE_NCU_RAW");
  ASSERT_TRUE(sampled);
  EXPECT_EQ(sampled->kernels[0].clocks, (WarpClocks{30, 40}));
  StateProfile state{"", "", sampled->kernels};
  EXPECT_THAT(state.occupiedShare(), testing::Optional(0.75));
  state.kernels.push_back({"another", {}});
  EXPECT_EQ(state.occupiedShare(), std::nullopt);
}

TEST_F(Profiler, AsksForOneLaunchOfEachKernelAfterTheFirst) {
  gpu::Candidate& c = request.job.candidates[0];
  const std::string name = c.launches[0].name;
  ASSERT_TRUE(sampleStalls(request));
  const std::string command = called();
  EXPECT_THAT(command, HasSubstr("-k regex:^(" + name + ")$ -s 1 -c 1 /bin/sh -c exec "));
  EXPECT_THAT(command, HasSubstr("--section SourceCounters"));
  EXPECT_THAT(command, HasSubstr("--metrics smsp__cycles_active.avg,smsp__cycles_elapsed.avg"));
  EXPECT_THAT(command, HasSubstr("--cache-control none --clock-control none"));
  EXPECT_EQ(std::count(command.begin(), command.end(), '\n'), 1);
  EXPECT_THAT(command, testing::Not(HasSubstr("sampling-interval"))) << "ncu chooses it";
  request.interval = 3;
  const auto often = sampleStalls(request);
  ASSERT_TRUE(often);
  EXPECT_THAT(called(), HasSubstr("--warp-sampling-interval 3 "));
  EXPECT_THAT(often->how, HasSubstr("a sample every 256 clocks"));
}

TEST_F(Profiler, LeavesNothingBehind) {
  setenv("TMPDIR", scratch.path().c_str(), 1);
  EXPECT_TRUE(sampleStalls(request));
  unsetenv("TMPDIR");
  for (const auto& entry : fs::directory_iterator(scratch.path()))
    EXPECT_THAT(entry.path().filename().string(), testing::AnyOf("called", "printed.csv"));
}

TEST_F(Profiler, CountersForAdministratorsOnlyAreSaidWithTheRemedy) {
  setenv("FAKE_NCU", "refused", 1);
  const Error e = refused();
  EXPECT_EQ(e.code, "NoCounters");
  EXPECT_THAT(e.message.english(), HasSubstr("ERR_NVGPUCTRPERM"));
  EXPECT_THAT(e.remedy.english(), HasSubstr("NVreg_RestrictProfilingToAdminUsers=0"));
}

TEST_F(Profiler, NcusOwnErrorIsPassedOn) {
  setenv("FAKE_NCU", "broken", 1);
  const Error e = refused();
  EXPECT_EQ(e.code, "ProfilerFailed");
  EXPECT_EQ(e.message.english(), "ncu can't profile: No such option");
}

TEST_F(Profiler, KernelsThatWerentSeenAreNamed) {
  setenv("FAKE_NCU", "blind", 1);
  EXPECT_EQ(refused().code, "NotSampled");
  setenv("FAKE_NCU", "", 1);
  std::ofstream(scratch / "printed.csv") << recorded("scale.csv");
  const Error e = refused();
  EXPECT_EQ(e.code, "NotSampled");
  EXPECT_THAT(e.message.english(), HasSubstr(request.job.candidates[0].launches[0].name));
}

TEST_F(Profiler, AReportThatIsNoTableIsRefused) {
  printed("nothing\n");
  EXPECT_EQ(refused().code, "ParseError");
}

TEST_F(Profiler, WhatNcuPrintsDoesNotReachTheFrames) {
  setenv("FAKE_NCU", "chatty", 1);
  auto sampled = sampleStalls(request);
  ASSERT_TRUE(sampled) << sampled.error().message.english();
  EXPECT_EQ(sampled->kernels.size(), 1U);
}

TEST_F(Profiler, AWrongResultIsntSampled) {
  request.job.candidates = {
      gpu::candidate("wrong", gpu::product(8, 8, 8, "C[vi, vj] + A[vi, vk] * B[vk, vj] + T.float32(1)"))};
  const Error e = refused();
  EXPECT_EQ(e.code, "WrongResult");
  EXPECT_THAT(e.message.english(), HasSubstr("instead of"));
}

TEST_F(Profiler, AHangingWorkerIsATimeout) {
  request.workerCommand = gpu::workerCommand("hangs");
  request.seconds = 1;
  EXPECT_EQ(refused().code, "Timeout");
}

TEST_F(Profiler, CanBeCancelled) {
  request.workerCommand = gpu::workerCommand("hangs");
  std::stop_source stop;
  std::thread later([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(500));
    stop.request_stop();
  });
  auto sampled = sampleStalls(request, {}, stop.get_token());
  later.join();
  ASSERT_FALSE(sampled);
  EXPECT_EQ(sampled.error().code, "Cancelled");
}

TEST_F(Profiler, ACommandThatIsNoneIsALostWorker) {
  request.ncu.program = "/no/such/ncu";
  EXPECT_EQ(refused().code, "WorkerLost");
}

TEST_F(Profiler, NothingToLaunchIsRefused) {
  request.job.candidates[0].launches.clear();
  EXPECT_EQ(refused().code, "DeviceError");
}

class FindNcu : public testing::Test {
 protected:
  void SetUp() override {
    fs::create_directories(scratch / "cuda/bin");
    path = std::getenv("PATH");
  }
  void TearDown() override { setenv("PATH", path.c_str(), 1); }
  Scratch scratch;
  std::string path;
};

TEST_F(FindNcu, LooksInToolkitsAndOnThePath) {
  fs::create_symlink(kFake, scratch / "cuda/bin/ncu");
  auto found = findNcu({{scratch / "cuda"}, {}});
  ASSERT_TRUE(found) << found.error().message.english();
  EXPECT_EQ(found->program, scratch / "cuda/bin/ncu");
  EXPECT_EQ(found->version, "2025.3.1.0");
  setenv("PATH", ("/nowhere:" + (scratch / "cuda/bin").string() + ":" + path).c_str(), 1);
  EXPECT_TRUE(findNcu({}));
}

TEST_F(FindNcu, AProgramThatIsntItIsPassedOver) {
  std::ofstream(scratch / "cuda/bin/ncu") << "no program";
  auto found = findNcu({{scratch / "cuda"}, {}});
  if (found) {
    EXPECT_NE(found->program, scratch / "cuda/bin/ncu");
  } else {
    EXPECT_EQ(found.error().code, "NoProfiler");
    EXPECT_FALSE(found.error().remedy.english().empty());
  }
}

}  // namespace
}  // namespace loom::profile::profiler_test
