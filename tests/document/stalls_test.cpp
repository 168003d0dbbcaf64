#include "core/document/stalls.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <stdlib.h>

#include <fstream>

#include "core/document/file.h"
#include "tests/compile/scratch.h"
#include "tests/document/scheduled.h"
#include "tests/process/self.h"
#include "tests/profile/recorded.h"

namespace loom::document::stalls_test {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

StateStalls stalls(const std::string& source, const std::string& device, const std::string& date) {
  auto file = std::make_shared<profile::ProfileFile>();
  file->device = device;
  file->date = date;
  file->states = {{source, "", {profile::scaleProfile()}}};
  return file;
}

class Stalls : public testing::Test {
 protected:
  void ship(const profile::ProfileFile& file, const std::string& name = "a.json") {
    fs::create_directories(scratch / "profiled");
    std::ofstream(scratch / "profiled" / name) << profile::writeProfiles(file);
  }
  StallStore store() { return {scratch.path(), scratch / "kept"}; }
  Scratch scratch;
};

TEST_F(Stalls, WhatIsPutIsFoundByANewStore) {
  ASSERT_TRUE(store().put(stalls("0123", "NVIDIA H200", "2026-11-22")));
  StallStore fresh = store();
  const StateStalls found = fresh.find("0123", "");
  ASSERT_TRUE(found);
  EXPECT_EQ(found->states[0].kernels[0], profile::scaleProfile());
  EXPECT_FALSE(found->shipped);
  EXPECT_FALSE(fresh.find("012", ""));
  EXPECT_TRUE(fresh.find("0123", "NVIDIA H200"));
  EXPECT_FALSE(fresh.find("0123", "Other GPU"));
}

TEST_F(Stalls, ALaterOneTakesThePlaceOfTheSameDevices) {
  StallStore s = store();
  ASSERT_TRUE(s.put(stalls("0123", "NVIDIA H200", "2026-11-21")));
  ASSERT_TRUE(s.put(stalls("0123", "NVIDIA H200", "2026-11-22")));
  ASSERT_TRUE(s.put(stalls("0123", "Other GPU", "2026-11-20")));
  EXPECT_EQ(s.find("0123", "")->date, "2026-11-22");
  EXPECT_EQ(s.find("0123", "Other GPU")->date, "2026-11-20");
  EXPECT_EQ(std::distance(fs::directory_iterator(scratch / "kept"), {}), 2);
}

TEST_F(Stalls, OnesOwnComeBeforeShippedOnes) {
  ship(*stalls("0123", "NVIDIA H200", "2026-12-01"));
  StallStore s = store();
  ASSERT_TRUE(s.find("0123", ""));
  EXPECT_TRUE(s.find("0123", "")->shipped);
  ASSERT_TRUE(s.put(stalls("0123", "NVIDIA H200", "2026-11-22")));
  EXPECT_FALSE(s.find("0123", "")->shipped);
  EXPECT_EQ(s.find("0123", "")->date, "2026-11-22");
}

TEST_F(Stalls, ADamagedFileIsPassedOverAndNamed) {
  ship(*stalls("0123", "NVIDIA H200", "2026-11-22"));
  fs::create_directories(scratch / "kept");
  std::ofstream(scratch / "kept" / "0123_x.json") << "{\"profiles\"";
  StallStore s = store();
  EXPECT_TRUE(s.find("0123", ""));
  ASSERT_EQ(s.remarks().size(), 1U);
  EXPECT_THAT(s.remarks()[0], HasSubstr("0123_x.json is no file of profiles"));
}

TEST_F(Stalls, WhatCantBeWrittenIsKeptInMemory) {
  std::ofstream(scratch / "file") << "no folder";
  StallStore s(scratch.path(), scratch / "file" / "kept");
  EXPECT_FALSE(s.put(stalls("0123", "NVIDIA H200", "2026-11-22")));
  EXPECT_TRUE(s.find("0123", ""));
  StallStore none(scratch.path(), {});
  EXPECT_TRUE(none.put(stalls("0123", "NVIDIA H200", "2026-11-22")));
  EXPECT_TRUE(none.find("0123", ""));
}

// Sampling, with the program that pretends to be a GPU's worker under the script that pretends to be ncu.
class Sampling : public Stalls {
 protected:
  void SetUp() override {
    const std::string fake = std::string(TILELOOM_SOURCE_DIR) + "/tests/profile/fake_ncu";
    fs::create_directories(scratch / "cuda/bin");
    fs::create_symlink(fake, scratch / "cuda/bin/ncu");
    setenv("TILELOOM_CUDA", (scratch / "cuda").c_str(), 1);
    setenv("FAKE_NCU", "", 1);
    setenv("FAKE_NCU_LOG", (scratch / "called").c_str(), 1);
    setenv("FAKE_NCU_CSV", (scratch / "printed.csv").c_str(), 1);
    std::string csv = profile::recorded("scale.csv");
    csv.replace(csv.find("scale_kernel"), 12, kernel.source.launches[0].name);
    std::ofstream(scratch / "printed.csv") << csv;
    request.label = "3 bind";
    request.kernel = &kernel;
    request.workerCommand = process::selfCommand("worker gpu");
    request.seconds = 30;
  }
  void TearDown() override { unsetenv("TILELOOM_CUDA"); }
  Result<SampledState> sample(const std::string& mode) {
    BenchOptions options;
    options.assets = scratch.path();
    options.workerCommand = options.compilerCommand = process::selfCommand("worker " + mode);
    Bench bench(options);
    return sampleStalls(bench, request);
  }
  Target target = scheduled(kBound);
  KernelText kernel = makeKernel(target.history.node(target.history.current()).state);
  StallRequest request;
};

TEST_F(Sampling, AStateIsSampledWithWhatItWasTakenWith) {
  auto made = sample("gpu");
  ASSERT_TRUE(made) << made.error().code << ": " << made.error().message.english();
  EXPECT_EQ(made->file.device, "NVIDIA H200");
  EXPECT_EQ(made->file.tool, "ncu 2025.3.1.0");
  EXPECT_EQ(made->file.driver, "13.0");
  ASSERT_EQ(made->file.states.size(), 1U);
  EXPECT_EQ(made->file.states[0].source, kernel.key);
  EXPECT_EQ(made->file.states[0].label, "3 bind");
  EXPECT_EQ(made->file.states[0].kernels[0].total().samples, 367);
  EXPECT_THAT(made->csv, HasSubstr("stall_long_sb"));
}

TEST_F(Sampling, TheCpuDeviceHasNothingToSample) {
  auto made = sample("cpu");
  ASSERT_FALSE(made);
  EXPECT_EQ(made.error().code, "NoDevice");
}

TEST_F(Sampling, AWorkerElsewhereCantBeSampled) {
  request.workerCommand.clear();
  auto made = sample("gpu");
  ASSERT_FALSE(made);
  EXPECT_EQ(made.error().code, "NoProfiler");
  EXPECT_THAT(made.error().message.english(), HasSubstr("--worker"));
}

TEST_F(Sampling, WhatIsNoKernelIsRefused) {
  kernel.problem = fail("NotAKernel", verbatim("it has no threads")).value();
  auto made = sample("gpu");
  ASSERT_FALSE(made);
  EXPECT_EQ(made.error().code, "NotAKernel");
}

}  // namespace
}  // namespace loom::document::stalls_test
