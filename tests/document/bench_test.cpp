#include <gmock/gmock.h>
#include <stdlib.h>
#include <unistd.h>

#include <chrono>
#include <fstream>
#include <iostream>
#include <set>
#include <thread>

#include "core/document/bench.h"
#include "tests/compile/scratch.h"
#include "tests/document/awaiting_recording.h"
#include "tests/document/scheduled.h"
#include "tests/process/self.h"
#include "tests/schedules/schedule_text.h"

namespace loom::document::bench_test {
namespace {

namespace fs = std::filesystem;
using gpu::ResultOrigin;
using testing::HasSubstr;

std::string workerCommand(const std::string& mode) { return process::selfCommand("worker " + mode); }

// Assets with one recording, of the product's bound state, "on an NVIDIA H200".
class Benches : public testing::Test {
 protected:
  void SetUp() override {
    fs::create_directories(scratch / "recorded");
    setenv("TILELOOM_TALLY", (scratch / "tally").c_str(), 1);
    gpu::Recording r;
    r.device.name = "NVIDIA H200";
    r.device.major = 9;
    r.workload = gpu::workloadKey(*matmul());
    r.vendor.available = true;
    r.vendor.timing.median = 50;
    r.vendor.timing.samples = 21;
    gpu::Outcome o;
    o.status = gpu::Outcome::Status::Measured;
    o.timing.median = 77;
    r.entries = {{kernel.key, o}};
    record(gpu::writeRecording(r));
  }
  void record(const std::string& text) { std::ofstream(scratch / "recorded/r.json") << text; }
  std::optional<gpu::Matmul> matmul() const {
    return gpu::recognizeMatmul(target.history.node(0).state.module().functions.front());
  }
  BenchOptions options(const std::string& mode) {
    BenchOptions o;
    o.assets = scratch.path();
    o.database = scratch / "results.db";
    if (!mode.empty()) o.workerCommand = o.compilerCommand = workerCommand(mode);
    return o;
  }
  Result<std::vector<KnownTime>> measure(Bench& bench) { return bench.measure({{"bound", &kernel}}, matmul()); }
  // How often something was compiled ('c') or measured ('m').
  int tally(char what) const {
    auto text = readFile(scratch / "tally");
    return text ? int(std::count(text->begin(), text->end(), what)) : 0;
  }

  Scratch scratch;
  Target target = scheduled(kBound);
  KernelText kernel = makeKernel(target.history.node(target.history.current()).state);
};

TEST_F(Benches, WithoutAWorkerShowWhatIsRecordedAndSayWhere) {
  Bench bench(options(""));
  EXPECT_EQ(bench.device().error().code, "NoWorker");
  KnownTime t = bench.known(kernel);
  ASSERT_TRUE(t.result);
  EXPECT_EQ(t.result->origin, ResultOrigin::Recorded);
  EXPECT_EQ(t.device, "NVIDIA H200");
  EXPECT_EQ(t.result->outcome.timing.median, 77);
  EXPECT_EQ(bench.knownVendor(*matmul())->origin, ResultOrigin::Recorded);
  EXPECT_FALSE(measure(bench));
}

TEST_F(Benches, ARecordingOfAnotherTextIsNotOfThisState) {
  Bench bench(options(""));
  KernelText other = makeKernel(target.history.node(2).state);
  EXPECT_FALSE(bench.known(other).result);
  EXPECT_EQ(bench.known(other).problem->code, "NotMeasured");
}

// The text of a kernel doesn't tell how many blocks are launched: with M = 512 it is the one with M = 2048.
KernelText tiledProduct(int m) {
  auto target = openFunction(tests::programText("product", {{"M", m}, {"N", 512}, {"K", 64}}), "product.py").value();
  auto applied =
      target.history.apply(0, tests::scheduleText("tiles_of_threads", {{"BLOCK", "C"}}), environment(), "steps");
  EXPECT_TRUE(applied && !applied->refusal);
  return makeKernel(target.history.node(target.history.current()).state);
}

TEST_F(Benches, ATimeOf512RowsIsNoneOf2048) {
  const KernelText small = tiledProduct(512), large = tiledProduct(2048);
  ASSERT_EQ(small.source.text, large.source.text) << "or this tests nothing";
  EXPECT_EQ(small.source.launches[0].grid, (std::array<std::int64_t, 3>{32, 32, 1}));
  EXPECT_EQ(large.source.launches[0].grid, (std::array<std::int64_t, 3>{32, 128, 1}));
  EXPECT_NE(small.key, large.key);
  gpu::Recording r;
  r.device.name = "NVIDIA H200";
  r.entries = {{small.key, {}}};
  record(gpu::writeRecording(r));
  {
    Bench recorded(options(""));
    EXPECT_TRUE(recorded.known(small).result);
    EXPECT_FALSE(recorded.known(large).result);
  }
  Bench bench(options("gpu"));
  ASSERT_TRUE(bench.measure({{"large", &large}}, std::nullopt));
  Bench later(options("gpu"));
  ASSERT_TRUE(later.device());
  EXPECT_EQ(later.known(large).result->origin, ResultOrigin::Measured);
  EXPECT_EQ(later.known(small).result->origin, ResultOrigin::Recorded);
}

TEST_F(Benches, AMalformedRecordingIsPassedOverWithAWord) {
  record("{\"recording\": 1, \"entr");
  Bench bench(options(""));
  EXPECT_FALSE(bench.known(kernel).result);
  EXPECT_THAT(bench.remarks(), testing::ElementsAre(HasSubstr("r.json")));
  record("{\"recording\": 9}");
  Bench newer(options(""));
  EXPECT_THAT(newer.remarks(), testing::ElementsAre(HasSubstr("newer")));
}

TEST_F(Benches, ARecordingOfAnotherDeviceIsPassedOverWithAWord) {
  Bench bench(options("other_gpu"));
  ASSERT_TRUE(bench.device());
  EXPECT_FALSE(bench.known(kernel).result);
  EXPECT_FALSE(bench.knownVendor(*matmul()));
  EXPECT_THAT(bench.remarks(), testing::ElementsAre(HasSubstr("NVIDIA H200")));
}

TEST_F(Benches, AMeasurementBeatsTheRecordingAndIsTakenOnce) {
  {
    Bench bench(options("gpu"));
    auto timed = measure(bench);
    ASSERT_TRUE(timed) << timed.error().message.english();
    EXPECT_EQ(timed->front().result->origin, ResultOrigin::Measured);
    EXPECT_EQ(timed->front().result->outcome.timing.median, 123);
    ASSERT_TRUE(measure(bench));
  }
  Bench again(options("gpu"));
  ASSERT_TRUE(measure(again));
  EXPECT_EQ(tally('m'), 1);
  EXPECT_EQ(again.knownVendor(*matmul())->outcome.timing.median, 100);
  again.setAgain(true);
  ASSERT_TRUE(measure(again));
  EXPECT_EQ(tally('m'), 2);
}

TEST_F(Benches, TheCpuExecutorsTimesAreNamedSoAndNeverStored) {
  {
    Bench bench(options("cpu"));
    ASSERT_TRUE(bench.device()) << bench.device().error().message.english();
    auto timed = measure(bench);
    ASSERT_TRUE(timed) << timed.error().message.english();
    ASSERT_TRUE(timed->front().result);
    EXPECT_EQ(timed->front().result->origin, ResultOrigin::Executed);
    EXPECT_STREQ(gpu::originName(ResultOrigin::Executed), "executed on the CPU");
    EXPECT_EQ(timed->front().device, "CPU executor");
    EXPECT_EQ(timed->front().result->outcome.status, gpu::Outcome::Status::Measured);
    EXPECT_EQ(timed->front().result->outcome.error, 0);
    EXPECT_FALSE(bench.knownVendor(*matmul())) << "nothing to stand beside";
    EXPECT_EQ(bench.known(kernel).result->origin, ResultOrigin::Executed) << "but known in this session";
  }
  Bench later(options("gpu"));
  ASSERT_TRUE(later.device());
  EXPECT_EQ(later.known(kernel).result->origin, ResultOrigin::Recorded);
  EXPECT_EQ(tally('c'), 0) << "nothing was compiled for the executor";
}

TEST_F(Benches, ACompilerThatFailsIsTheStatesProblem) {
  Bench bench(options("no_compiler"));
  auto timed = measure(bench);
  ASSERT_TRUE(timed) << timed.error().message.english();
  EXPECT_FALSE(timed->front().result);
  EXPECT_EQ(timed->front().problem->code, "CompileError");
}

// What was known of it is no more, its device neither.
TEST_F(Benches, WhatNoLongerCompilesHasNoDevice) {
  BenchOptions o = options("gpu");
  o.compilerCommand = workerCommand("no_compiler");
  Bench bench(o);
  EXPECT_EQ(bench.known(kernel).device, "NVIDIA H200");
  auto timed = measure(bench);
  ASSERT_TRUE(timed) << timed.error().message.english();
  EXPECT_FALSE(timed->front().result);
  EXPECT_EQ(timed->front().device, "");
}

TEST_F(Benches, AreCancelledWhileCompiling) {
  Bench bench(options("slow"));
  ASSERT_TRUE(bench.device());
  ASSERT_TRUE(bench.compiler());
  std::thread other([&] {
    while (tally('c') == 0) usleep(5000);
    bench.cancel();
  });
  auto start = std::chrono::steady_clock::now();
  auto timed = measure(bench);
  other.join();
  ASSERT_FALSE(timed);
  EXPECT_EQ(timed.error().code, "Cancelled");
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(10));
}

TEST_F(Benches, ACancellationWithNothingUnderWayCancelsNothing) {
  Bench bench(options("gpu"));
  ASSERT_TRUE(bench.device());
  bench.cancel();
  EXPECT_TRUE(measure(bench));
}

TEST_F(Benches, OnAReadOnlyPlaceMeasureAndSayThatItWontLast) {
  std::ofstream(scratch / "file") << "not a folder";
  BenchOptions o = options("gpu");
  o.database = scratch / "file/results.db";
  o.cubinCache = scratch / "file/cubin";
  Bench bench(o);
  auto timed = measure(bench);
  ASSERT_TRUE(timed) << timed.error().message.english();
  EXPECT_TRUE(timed->front().result);
  EXPECT_EQ(bench.known(kernel).result->origin, ResultOrigin::Measured);
  EXPECT_THAT(bench.remarks(), testing::Contains(HasSubstr("won't be kept")));
}

TEST_F(Benches, ADamagedDatabaseIsSetAsideWithAWord) {
  std::ofstream(scratch / "results.db") << std::string(5000, 'x');
  Bench bench(options("gpu"));
  ASSERT_TRUE(measure(bench));
  EXPECT_THAT(bench.remarks(), testing::Contains(HasSubstr("set aside")));
  EXPECT_TRUE(fs::exists(scratch / "results.db.broken"));
}

TEST_F(Benches, ADeviceThatIsNoneIsAClearLine) {
  for (const char* device : {"7", "-1", "H200", "0x"}) {
    BenchOptions o = options("gpu");
    o.device = device;
    Bench bench(o);
    ASSERT_FALSE(bench.device()) << device;
    EXPECT_EQ(bench.device().error().code, "NoDevice");
    EXPECT_THAT(bench.device().error().message.english(), HasSubstr(device));
  }
  BenchOptions o = options("");
  o.workerCommand = "nonsense 2>/dev/null";
  Bench bench(o);
  EXPECT_EQ(bench.device().error().code, "WorkerLost");
}

TEST(Recordings, AreAsTheProgramWroteThem) {
  for (const auto& entry : fs::directory_iterator(assets() / "recorded")) {
    if (entry.path().extension() != ".json") continue;
    auto text = readFile(entry.path());
    ASSERT_TRUE(text);
    auto recording = gpu::readRecording(*text, entry.path().string());
    ASSERT_TRUE(recording) << recording.error().message.english();
    EXPECT_EQ(gpu::writeRecording(*recording), *text) << entry.path() << " was changed by hand";
  }
}

// A change of the generated text makes recordings stale: this names the states that have lost theirs. Only a lesson's
// last state must have one; the rest is for whoever records next.
TEST(Recordings, BelongToThePresentTextOfTheLessons) {
  BenchOptions o;
  o.assets = assets();
  Bench bench(o);
  EXPECT_THAT(bench.remarks(), testing::IsEmpty());
  for (const std::string& name : lessonNames(assets())) {
    auto target = openTarget({name}, assets(), environment());
    ASSERT_TRUE(target) << target.error().message.english();
    const History& h = target->history;
    const auto lesson = loadLesson(assets() / "lessons" / name).value();
    std::set<int> last;
    for (std::size_t c = 0; c < target->chapterNodes.size(); ++c) {
      const int node = target->chapterNodes[c];
      if (h.node(node).children.empty() && !tests::awaitsRecording(lesson, c)) last.insert(node);
    }
    if (tests::awaitsRecording(lesson, lesson.chapters.size() - 1)) {
      EXPECT_FALSE(bench.known(makeKernel(h.node(target->chapterNodes.back()).state)).result)
          << name << " has been recorded: take it off the list of those that await it";
    }
    std::string stale;
    for (int i = 0; i < int(h.nodes().size()); ++i) {
      KernelText k = makeKernel(h.node(i).state);
      if (k.problem) continue;
      if (bench.known(k).result) continue;
      stale += " " + std::to_string(h.node(i).number);
      EXPECT_FALSE(last.count(i)) << name << ": the last state, step " << h.node(i).number
                                  << ", has no recorded result";
    }
    if (!stale.empty()) std::cerr << "note: " << name << " has no recorded result for steps" << stale << "\n";
  }
}

}  // namespace
}  // namespace loom::document::bench_test
