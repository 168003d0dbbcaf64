#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <thread>

#include "core/process/child.h"
#include "tests/process/self.h"

namespace loom::process::child_test {
namespace {

using testing::HasSubstr;

std::string self(const std::string& mode) { return selfCommand("child " + mode); }
ChildOptions serving(const std::string& mode = "serve", double startSeconds = 20) {
  return {self(mode), startSeconds, 0};
}

Frame request(const std::string& verb) { return {nlohmann::json{{"do", verb}}.dump(), ""}; }

// A process that has ended but whom nobody has reaped yet isn't alive.
bool alive(int process) {
  std::ifstream in("/proc/" + std::to_string(process) + "/stat");
  std::string stat;
  if (!std::getline(in, stat)) return false;
  std::size_t name = stat.rfind(") ");
  return name != std::string::npos && stat[name + 2] != 'Z';
}

bool endsSoon(int process) {
  for (int i = 0; i < 300 && alive(process); ++i) usleep(10000);
  return !alive(process);
}

TEST(Child, AnswersWithBytesLargerThanAPipe) {
  Child child(serving());
  Frame big = request("echo");
  big.blob.resize(5 << 20);
  for (std::size_t i = 0; i < big.blob.size(); ++i) big.blob[i] = char(i * 7);
  auto answer = child.ask(big, 20);
  ASSERT_TRUE(answer) << answer.error().message.english();
  EXPECT_EQ(answer->blob, big.blob);
  EXPECT_EQ(nlohmann::json::parse(answer->text)["size"], big.blob.size());
}

TEST(Child, ReportsWhatTheProcessRefuses) {
  Child child(serving());
  auto answer = child.ask(request("refuse"), 20);
  ASSERT_FALSE(answer);
  EXPECT_EQ(answer.error().code, "CompileError");
  EXPECT_EQ(answer.error().place.line, 7);
  EXPECT_EQ(child.ask(request("throw"), 20).error().code, "WorkerError");
  EXPECT_EQ(child.ask(request("lack"), 20).error().code, "ProtocolError");
  EXPECT_EQ(child.ask(request("unheard of"), 20).error().code, "ProtocolError");
  EXPECT_EQ(child.ask({"not JSON", ""}, 20).error().code, "ProtocolError");
  EXPECT_TRUE(child.ask(request("echo"), 20)) << "one process has answered all of it";
}

TEST(Child, ThatDiesSaysHowAndIsStartedAgain) {
  Child child(serving());
  std::string last;
  auto answer = child.ask(request("die"), 20, [&](const std::string& what) { last = what; });
  ASSERT_FALSE(answer);
  EXPECT_EQ(answer.error().code, "WorkerLost");
  EXPECT_THAT(answer.error().message.english(), HasSubstr("killed by signal 6"));
  EXPECT_EQ(last, "about to die");
  EXPECT_FALSE(child.running());
  EXPECT_TRUE(child.ask(request("echo"), 20));
  EXPECT_THAT(child.ask(request("leave"), 20).error().message.english(), HasSubstr("exit status 3"));
  EXPECT_TRUE(child.ask(request("echo"), 20));
}

TEST(Child, KilledFromOutsideIsNoticedAtOnce) {
  Child child(serving());
  ASSERT_TRUE(child.start());
  auto start = std::chrono::steady_clock::now();
  auto answer = child.ask(request("hang"), 60, [&](const std::string&) { kill(child.process(), SIGKILL); });
  ASSERT_FALSE(answer);
  EXPECT_EQ(answer.error().code, "WorkerLost");
  EXPECT_THAT(answer.error().message.english(), HasSubstr("signal 9"));
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(10));
}

TEST(Child, ThatHangsIsKilledAtItsDeadline) {
  Child child(serving());
  ASSERT_TRUE(child.start());
  int process = child.process();
  auto answer = child.ask(request("hang"), 0.3);
  ASSERT_FALSE(answer);
  EXPECT_EQ(answer.error().code, "Timeout");
  EXPECT_THAT(answer.error().message.english(), HasSubstr("about to hang"));
  EXPECT_FALSE(alive(process));
  EXPECT_TRUE(child.ask(request("echo"), 20));
}

TEST(Child, IsCancelledFromAnotherThread) {
  Child child(serving());
  std::stop_source stop;
  std::thread other;
  auto answer = child.ask(
      request("hang"), 60, [&](const std::string&) { other = std::thread([&] { stop.request_stop(); }); },
      stop.get_token());
  other.join();
  ASSERT_FALSE(answer);
  EXPECT_EQ(answer.error().code, "Cancelled");
  EXPECT_TRUE(child.ask(request("echo"), 20)) << "a cancellation is for one request";
}

TEST(Child, WhoseCommandDoesNotExistIsAClearLine) {
  Child child({"nonsense --with arguments 2>/dev/null", 20, 0});
  auto started = child.start();
  ASSERT_FALSE(started);
  EXPECT_EQ(started.error().code, "WorkerLost");
  EXPECT_THAT(started.error().message.english(), HasSubstr("nonsense"));
  EXPECT_THAT(started.error().message.english(), HasSubstr("no such command"));
}

TEST(Child, ThatEndsAtOnceIsAClearLine) {
  for (const char* command : {"true", "exit 5", "kill -9 $$", "true; true"}) {
    Child child({command, 20, 0});
    auto started = child.start();
    ASSERT_FALSE(started) << command;
    EXPECT_EQ(started.error().code, "WorkerLost") << started.error().message.english();
  }
}

TEST(Child, ThatTalksNonsenseIsAnErrorAndKilled) {
  for (const char* mode : {"garbage", "huge", "noise", "no_json", "says_nothing", "other_version"}) {
    Child child(serving(mode));
    auto started = child.start();
    ASSERT_FALSE(started) << mode;
    EXPECT_EQ(started.error().code, "ProtocolError") << mode << started.error().message.english();
    EXPECT_FALSE(child.running()) << mode;
  }
  Child truncated(serving("truncated"));
  EXPECT_EQ(truncated.start().error().code, "WorkerLost");
  Child mute(serving("mute", 0.3));
  EXPECT_EQ(mute.start().error().code, "Timeout");
  Child later(serving("garbage_later"));
  ASSERT_TRUE(later.start());
  EXPECT_EQ(later.ask(request("echo"), 5).error().code, "ProtocolError");
}

TEST(Child, ThatRefusesToBeginIsKilled) {
  Child child(serving("refuses_hello"));
  for (int attempt = 0; attempt < 2; ++attempt) {
    const auto answer = child.ask(request("echo"), 2);
    ASSERT_FALSE(answer);
    EXPECT_EQ(answer.error().code, "Busy") << attempt << answer.error().message.english();
    EXPECT_THAT(answer.error().message.english(), HasSubstr("not today"));
    EXPECT_FALSE(child.running());
  }
}

TEST(Child, RunsAtLowPriorityWhereAsked) {
  Child child({self("serve"), 20, 10});
  ASSERT_TRUE(child.start());
  EXPECT_EQ(getpriority(PRIO_PROCESS, id_t(child.process())), std::min(19, getpriority(PRIO_PROCESS, 0) + 10));
  // In a session of its own the niceness would count for nothing, as Linux gives sessions equal shares.
  EXPECT_EQ(getsid(child.process()), getsid(0));
  EXPECT_EQ(getpgid(child.process()), child.process());
  Child other(serving());
  ASSERT_TRUE(other.start());
  EXPECT_EQ(getsid(other.process()), other.process());
}

TEST(Child, EndsWithItsClient) {
  // A client of its own, killed while its worker is in the middle of something that never ends.
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  pid_t client = fork();
  if (client == 0) {
    Child child(serving());
    (void)child.start();
    int process = child.process();
    (void)!write(ends[1], &process, sizeof process);
    (void)child.ask(request("hang"), 60);
    _exit(0);
  }
  int worker = 0;
  ASSERT_EQ(read(ends[0], &worker, sizeof worker), ssize_t(sizeof worker));
  usleep(100000);
  EXPECT_TRUE(alive(worker));
  kill(client, SIGKILL);
  waitpid(client, nullptr, 0);
  close(ends[0]);
  close(ends[1]);
  EXPECT_TRUE(endsSoon(worker));
}

// A question at the terminal, as ssh asks one of a host that it doesn't know, would stop it for ever.
TEST(Child, HasNoTerminalToAskAt) {
  const auto session = outputOf(
      {"/bin/sh", "-c", "read -r pid name state parent group session rest < /proc/$$/stat; echo $$ $session"}, 10);
  ASSERT_TRUE(session);
  const auto blank = session->find(' ');
  EXPECT_EQ(session->substr(0, blank) + "\n", session->substr(blank + 1));
}

TEST(OutputOf, GivesWhatAProgramPrints) {
  EXPECT_EQ(outputOf({"/bin/echo", "hello"}, 10), "hello\n");
  EXPECT_FALSE(outputOf({"/bin/false"}, 10));
  EXPECT_FALSE(outputOf({"/no/such/program"}, 10));
}

TEST(OutputOf, WaitsNoLongerThanAsked) {
  auto start = std::chrono::steady_clock::now();
  EXPECT_FALSE(outputOf({"/bin/sleep", "30"}, 0.2));
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(10));
}

}  // namespace
}  // namespace loom::process::child_test
