// A pool over real processes that misbehave.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>

#include <nlohmann/json.hpp>

#include "core/process/worker_pool.h"
#include "core/process/worker_processes.h"
#include "tests/process/self.h"

namespace loom::process::worker_processes_test {
namespace {

using testing::HasSubstr;

const std::string kServe = selfCommand("child serve");
Frame asking(const std::string& verb) { return {nlohmann::json{{"do", verb}}.dump(), ""}; }

TEST(WorkerProcesses, AreKilledAtDeadlinesAndStartedAgain) {
  WorkerProcesses processes({{kServe, kServe}, asking("echo"), 20});
  PoolLimits limits;
  limits.jobSeconds = 0.4;
  limits.backoffSeconds = 0.01;
  WorkerPool pool(processes, limits);
  std::vector<Frame> jobs(12, asking("echo"));
  jobs[1] = asking("hang");
  jobs[2] = asking("die");
  jobs[5] = asking("refuse");
  for (int round = 0; round < 2; ++round) {
    const auto results = pool.run(jobs);
    for (std::size_t n = 0; n < jobs.size(); ++n) {
      const std::string code = results[n].answer ? "" : results[n].answer.error().code;
      EXPECT_EQ(code, n == 1 ? "Deadline" : n == 2 ? "WorkerLost" : n == 5 ? "CompileError" : "") << n;
    }
    EXPECT_THAT(results[2].answer.error().message.english(), HasSubstr("killed by signal 6"));
  }
  EXPECT_EQ(pool.tallies()[0].lost + pool.tallies()[1].lost, 8);
}

TEST(WorkerProcesses, ThatNeverStartAreSaidWithTheirLastWords) {
  const std::string broken = "sh -c 'echo some banner >&2; echo no such partition >&2; exit 5'";
  WorkerProcesses processes({{broken, kServe, selfCommand("child garbage")}, asking("echo"), 20});
  PoolLimits limits;
  limits.backoffSeconds = 0.01;
  WorkerPool pool(processes, limits);
  // Until the broken ones have had their starts.
  while (pool.tallies()[0].out.empty() || pool.tallies()[2].out.empty())
    for (const JobResult& result : pool.run({asking("echo")})) EXPECT_EQ(result.worker, 1);
  EXPECT_THAT(pool.tallies()[0].out.english(), HasSubstr(broken));
  EXPECT_THAT(pool.tallies()[0].out.english(), HasSubstr("exit status 5: no such partition"));
}

TEST(WorkerProcesses, ThatRefuseToIntroduceThemselvesAreNotUsed) {
  WorkerProcesses processes({{kServe}, asking("refuse"), 20});
  PoolLimits limits;
  limits.backoffSeconds = 0.01;
  WorkerPool pool(processes, limits);
  EXPECT_THAT(pool.first().error().message.english(), HasSubstr("can't be used"));
}

TEST(WorkerProcesses, KilledWhileTheyHaveNothingToDoCostNoAttempt) {
  WorkerProcesses processes({{kServe}, asking("echo"), 20});
  PoolLimits limits;
  limits.backoffSeconds = 0.01;
  WorkerPool pool(processes, limits);
  const auto hello = pool.run({asking("hello")}).front();
  ASSERT_TRUE(hello.answer);
  const int process = nlohmann::json::parse(hello.answer->text)["process"];
  ASSERT_GT(process, 1) << "a number below is no single process to kill()";
  ASSERT_EQ(kill(process, SIGKILL), 0);
  siginfo_t end = {};
  ASSERT_EQ(waitid(P_PID, id_t(process), &end, WEXITED | WNOWAIT), 0) << "until it has ended; the pool reaps it";
  EXPECT_TRUE(pool.run({asking("echo")}).front().answer);
  EXPECT_EQ(pool.tallies()[0].lost, 0);
  EXPECT_EQ(pool.tallies()[0].started, 2);
}

}  // namespace
}  // namespace loom::process::worker_processes_test
