#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include <chrono>
#include <thread>
#include <tuple>

#include "core/gpu/cpu_device.h"
#include "tests/gpu/programs.h"

namespace loom::gpu::worker_test {
namespace {

using testing::HasSubstr;
using Status = Outcome::Status;

WorkerOptions options(const std::string& mode, double deadline = 60) { return {workerCommand(mode), deadline, 20}; }

// For the pretending worker, which doesn't look at anything but the text.
Job job(std::vector<std::string> scripts) {
  Job j;
  for (std::size_t i = 0; i < scripts.size(); ++i) {
    Candidate c;
    c.label = "same label";
    c.script = scripts[i];
    j.candidates.push_back(c);
  }
  return j;
}

std::vector<Status> statuses(const Result<Report>& r) {
  std::vector<Status> all;
  if (r) {
    for (const Outcome& o : r->outcomes) all.push_back(o.status);
  }
  return all;
}

TEST(CpuDevice, CallsItselfWhatItIs) {
  Worker worker(options("cpu"));
  auto devices = worker.devices();
  ASSERT_TRUE(devices) << devices.error().message.english();
  ASSERT_EQ(devices->size(), 1u);
  EXPECT_TRUE(devices->front().cpu);
  EXPECT_EQ(devices->front().name, "CPU executor");
  EXPECT_NE(worker.process(), getpid());
}

TEST(CpuDevice, HasNoPipesToProbe) {
  Worker worker(options("cpu"));
  auto answer = worker.probe(0, fragmentProbes().front().kernel, {});
  ASSERT_FALSE(answer);
  EXPECT_EQ(answer.error().code, "NoDevice");
  EXPECT_TRUE(worker.devices());
}

TEST(CpuDevice, FindsRightResultsRightAndWrongOnesWrong) {
  Worker worker(options("cpu"));
  Job j = productJob(16, 32, 24);
  j.candidates = {candidate("right", product(16, 32, 24)),
                  candidate("wrong", product(16, 32, 24, "C[vi, vj] + A[vi, vk] * B[vk, vj] + T.float32(1)")),
                  candidate("out of bounds", product(16, 32, 24, "C[vi, vj] + A[vi, vk + 1000] * B[vk, vj]")),
                  candidate("right again", product(16, 32, 24))};
  std::vector<std::string> said;
  auto report = worker.measure(0, j, [&](const std::string& what) { said.push_back(what); });
  ASSERT_TRUE(report) << report.error().message.english();
  EXPECT_EQ(statuses(report), (std::vector{Status::Measured, Status::Wrong, Status::Wrong, Status::Measured}));
  EXPECT_EQ(report->outcomes[0].error, 0);
  EXPECT_GT(report->outcomes[0].timing.median, 0);
  EXPECT_THAT(report->outcomes[1].message.english(), HasSubstr("instead of"));
  EXPECT_THAT(report->outcomes[2].message.english(), HasSubstr("out of bounds"));
  EXPECT_THAT(said, testing::Contains("check right again"));
  EXPECT_EQ(report->outcomes[2].label, "out of bounds");
}

TEST(CpuDevice, FindsNaNsWrong) {
  Worker worker(options("cpu"));
  Job j = productJob(8, 8, 8);
  j.candidates = {candidate("NaN", product(8, 8, 8, "C[vi, vj] + A[vi, vk] * B[vk, vj] + T.sqrt(T.float32(-1))"))};
  auto report = worker.measure(0, j);
  ASSERT_TRUE(report) << report.error().message.english();
  EXPECT_EQ(statuses(report), std::vector{Status::Wrong});
}

TEST(CpuDevice, NeverStandsBesideTheVendor) {
  Worker worker(options("cpu"));
  Job j = productJob(8, 8, 8);
  j.candidates = {candidate("right", product(8, 8, 8))};
  auto report = worker.measure(0, j);
  ASSERT_TRUE(report);
  EXPECT_TRUE(report->device.cpu);
  EXPECT_FALSE(report->vendor.available);
  EXPECT_FALSE(report->vendor.message.english().empty());
}

TEST(CpuDevice, RefusesWhatIsNoProgram) {
  Worker worker(options("cpu"));
  Job j = productJob(8, 8, 8);
  Candidate none;
  none.label = "none";
  none.script = "import os\n";
  Candidate empty;
  empty.label = "empty";
  j.candidates = {none, candidate("right", product(8, 8, 8)), empty};
  auto report = worker.measure(0, j);
  ASSERT_TRUE(report) << report.error().message.english();
  EXPECT_EQ(statuses(report), (std::vector{Status::Failed, Status::Measured, Status::Failed}));
  EXPECT_THAT(report->outcomes[0].message.english(), HasSubstr("ParseError"));
}

TEST(Worker, AKernelThatNeverEndsCostsOnlyItself) {
  Worker worker(options("cpu", 1.5));
  Job j = productJob(8, 8, 8);
  j.candidates = {candidate("before", product(8, 8, 8)), endless("endless"), candidate("after", product(8, 8, 8))};
  j.matmul.reset();
  std::vector<std::string> said;
  auto report = worker.measure(0, j, [&](const Message& what) { said.push_back(what.english()); });
  ASSERT_TRUE(report) << report.error().message.english();
  EXPECT_EQ(statuses(report), (std::vector{Status::Measured, Status::Deadline, Status::Measured}));
  EXPECT_THAT(said, testing::ElementsAre("check before", "check endless", "check after"))
      << "what was done is not done again";
  EXPECT_EQ(report->outcomes[1].message.english(), "ran longer than 1.5 s");
  EXPECT_TRUE(worker.running());
}

TEST(Worker, KilledInMidKernelCostsOnlyThatKernel) {
  Worker worker(options("cpu"));
  ASSERT_TRUE(worker.devices());
  Job j = productJob(8, 8, 8);
  j.matmul.reset();
  j.candidates = {candidate("before", product(8, 8, 8)), endless("endless"), candidate("after", product(8, 8, 8))};
  std::thread killer;
  auto report = worker.measure(0, j, [&](const std::string& what) {
    if (what != "check endless") return;
    killer = std::thread([process = worker.process()] {
      usleep(200000);
      kill(process, SIGKILL);
    });
  });
  killer.join();
  ASSERT_TRUE(report) << report.error().message.english();
  EXPECT_EQ(statuses(report), (std::vector{Status::Measured, Status::Lost, Status::Measured}));
  EXPECT_THAT(report->outcomes[1].message.english(), HasSubstr("signal 9"));
  EXPECT_TRUE(worker.running());
}

TEST(Worker, CancelledInMidKernelIsReadyForMore) {
  Worker worker(options("cpu"));
  Job j;
  j.candidates = {endless("endless")};
  std::stop_source stop;
  auto start = std::chrono::steady_clock::now();
  auto report = worker.measure(
      0, j, [&](const std::string&) { stop.request_stop(); }, stop.get_token());
  ASSERT_FALSE(report);
  EXPECT_EQ(report.error().code, "Cancelled");
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(10));
  EXPECT_FALSE(worker.running());
  j.candidates = {candidate("short", product(8, 8, 8))};
  EXPECT_EQ(statuses(worker.measure(0, j)), std::vector{Status::Measured});
}

TEST(Worker, ThatDiesInACandidateKnowsWhichOneWhereLabelsRepeat) {
  Worker worker(options("pretend"));
  auto report = worker.measure(0, job({"a", "#die", "c", "#die", "e"}));
  ASSERT_TRUE(report) << report.error().message.english();
  EXPECT_EQ(statuses(report),
            (std::vector{Status::Measured, Status::Lost, Status::Measured, Status::Lost, Status::Measured}));
  EXPECT_EQ(report->outcomes[1].label, "same label");
}

TEST(Worker, AFaultSpoilsTheProcessAndNotTheRest) {
  Worker worker(options("pretend"));
  auto report = worker.measure(0, job({"a", "#fault", "c", "d"}));
  ASSERT_TRUE(report) << report.error().message.english();
  EXPECT_EQ(statuses(report), (std::vector{Status::Measured, Status::Failed, Status::Measured, Status::Measured}));
  EXPECT_THAT(report->outcomes[1].message.english(), HasSubstr("ILLEGAL_ADDRESS"));
  for (int i : {0, 2, 3}) EXPECT_GT(report->outcomes[std::size_t(i)].timing.samples, 0) << i;
}

TEST(Worker, LostInARoundOfAllIsAskedOnceMore) {
  std::string mark = testing::TempDir() + "tileloom-died-" + std::to_string(getpid());
  Worker worker(options("die_in_rounds:" + mark));
  auto report = worker.measure(0, job({"a", "b"}));
  EXPECT_EQ(statuses(report), (std::vector{Status::Measured, Status::Measured}));
  unlink(mark.c_str());

  Worker hopeless(options("die_always_in_rounds"));
  report = hopeless.measure(0, job({"a", "b"}));
  ASSERT_TRUE(report) << report.error().message.english();
  EXPECT_EQ(statuses(report), (std::vector{Status::Lost, Status::Lost}));
  EXPECT_THAT(report->outcomes[0].message.english(), HasSubstr("signal 6"));
}

TEST(Worker, ThatAnswersSomethingElseIsAnError) {
  Worker few(options("too_few"));
  auto report = few.measure(0, job({"a", "b"}));
  ASSERT_TRUE(report) << report.error().message.english();
  EXPECT_EQ(report->outcomes[1].status, Status::Lost);
  Worker odd(options("odd_devices"));
  EXPECT_EQ(odd.devices().error().code, "ProtocolError");
  Worker none(options("pretend"));
  EXPECT_EQ(none.devices().error().code, "NoDriver");
}

// A time that nothing can take is nobody's time, and no other figure of the same answer is believed either.
TEST(Worker, ThatSendsWhatCannotBeIsNotBelieved) {
  for (const auto& [path, value, said] : std::vector<std::tuple<std::string, std::string, std::string>>{
           {"/outcomes/1/timing/median_us", "-3.5", "\"median_us\" is -3.5: no launch takes that long"},
           {"/outcomes/1/timing/median_us", "0", "\"median_us\" is 0"},
           {"/outcomes/1/timing/median_us", "null", "type must be number, but is null"},
           {"/outcomes/1/timing/median_us", "1e300", "\"median_us\" is 1e+300"},
           {"/outcomes/1/timing/median_us", "1e-30", "\"median_us\" is 1e-30"},
           {"/outcomes/1/timing/low_us", "1e9", "\"low_us\""},
           {"/outcomes/1/timing/high_us", "0.5", "\"high_us\""},
           {"/outcomes/1/timing/cold_us", "-1", "\"cold_us\""},
           {"/outcomes/1/timing/all_us", "[3, -1]", "\"all_us\" is -1"},
           {"/outcomes/1/timing/samples", "-5", "\"samples\" is -5"},
           {"/outcomes/1/timing/samples", "1e300", "\"samples\" is 1e+300"},
           {"/outcomes/1/registers", "4294967297", "\"registers\" is 4294967297: no such whole number"},
           {"/outcomes/1/status", "\"splendid\"", "\"status\" is \"splendid\": no such status"}}) {
    Worker worker(options("says:[{\"op\":\"replace\",\"path\":\"" + path + "\",\"value\":" + value + "}]"));
    auto report = worker.measure(0, job({"a", "bb"}));
    ASSERT_TRUE(report) << path << report.error().message.english();
    EXPECT_EQ(statuses(report), (std::vector{Status::Lost, Status::Lost})) << path << value;
    EXPECT_THAT(report->outcomes[1].message.english(), HasSubstr("the worker's answer can't be believed: "));
    EXPECT_THAT(report->outcomes[1].message.english(), HasSubstr(said));
    EXPECT_EQ(report->outcomes[1].timing.samples, 0);
  }
  Worker untimed(options("says:[{\"op\":\"replace\",\"path\":\"/vendor/available\",\"value\":true}]"));
  auto report = untimed.measure(0, job({"a"}));
  ASSERT_TRUE(report) << report.error().message.english();
  EXPECT_FALSE(report->vendor.available) << "there is no time of it";
  Worker odd(options("devices_before_0"));
  ASSERT_FALSE(odd.devices());
  EXPECT_THAT(odd.devices().error().message.english(), HasSubstr("\"ordinal\" is -1"));
}

TEST(Worker, ThatCantBeStartedIsAnErrorAndNoResult) {
  for (const char* command : {"nonsense 2>/dev/null", "true", "echo hello", "exit 1"}) {
    Worker worker({command, 5, 5});
    EXPECT_FALSE(worker.devices()) << command;
    auto report = worker.measure(0, job({"a"}));
    ASSERT_FALSE(report) << command;
    EXPECT_FALSE(report.error().message.english().empty());
  }
}

}  // namespace
}  // namespace loom::gpu::worker_test
