// `tileloom tune` on many workers, killed and resumed.
#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <nlohmann/json.hpp>
#include <set>

#include "tests/cli/program.h"
#include "tests/schedules/schedule_text.h"

namespace loom::cli::tune_machines_test {
namespace {

using testing::HasSubstr;
using testing::Not;

const std::string kWorker = "'" TILELOOM_BINARY_DIR "/tileloom' worker --cpu";

// The times of candidates by kernel, as printed; each may be there once.
std::map<std::string, double> timesOf(const std::string& out) {
  std::map<std::string, double> times;
  for (const auto& line : objects(out)) {
    if (!line.contains("measured_us")) continue;
    EXPECT_TRUE(times.emplace(std::string(line["key"]), double(line["measured_us"])).second) << line;
  }
  return times;
}

struct TuneMachines : testing::Test {
  Folder folder;
  TuneMachines() { folder.file("f.py", tests::programText("transposed_product", {{"M", 32}, {"N", 32}, {"K", 32}})); }
};

TEST_F(TuneMachines, ManyWorkersMeasureEachCandidateOnceAndBrokenOnesAreSaid) {
  const Ended said = folder.run({"tune", "f.py", "--workers", kWorker, "×3", "--workers",
                                 "sh -c 'echo a banner >&2; echo no such partition >&2; exit 3'", "--trials", "6",
                                 "--strategy", "random", "--json"});
  ASSERT_EQ(said.status, 0) << said.err;
  EXPECT_EQ(timesOf(said.out).size(), 6u);
  EXPECT_THAT(objects(said.out).back()["best"]["device"], HasSubstr("CPU"));
  const Ended none = folder.run({"tune", "f.py", "--workers", "sh -c 'echo no such partition >&2; exit 3' x2"});
  EXPECT_EQ(none.status, 4);
  EXPECT_THAT(none.err, HasSubstr("exit status 3: no such partition"));
  EXPECT_EQ(folder.run({"tune", "f.py", "--workers", kWorker + " x0"}).status, 2);
}

TEST_F(TuneMachines, KilledAndResumedLosesAtMostWhatWasInFlight) {
  // What workers are asked goes into a file, too: a line a frame.
  const std::string counted = "sh -c \"tee -a '" + (folder.path() / "asked").string() + "' | " + kWorker + "\"";
  const auto asked = [&] {
    const std::string text = folder.read("asked");
    std::size_t count = 0;
    for (std::size_t at = 0; (at = text.find("\"do\":\"measure\"", at)) != std::string::npos; ++at) ++count;
    return count;
  };
  folder.file("asked", "");
  // Some tens of milliseconds each, so that there is a middle to be killed in.
  folder.file("f.py", tests::programText("transposed_product", {{"M", 64}, {"N", 64}, {"K", 64}}));
  constexpr std::size_t kTrials = 10, kWorkers = 2;
  const std::string data = "XDG_DATA_HOME=" + (folder.path() / "data").string();
  const Surroundings kept{.environment = {{"XDG_DATA_HOME", (folder.path() / "data").string()}}};
  const std::vector<std::string> words = {"tune",          "f.py",     "--workers",
                                          counted + " x2", "--trials", std::to_string(kTrials),
                                          "--strategy",    "random",   "--json"};
  const pid_t tune = fork();
  ASSERT_GE(tune, 0) << "kill(-1) would mean every process";
  if (tune == 0) {
    const int none = open("/dev/null", O_RDWR);
    dup2(none, STDOUT_FILENO);
    dup2(none, STDERR_FILENO);
    std::vector<const char*> argv = {TILELOOM_BINARY_DIR "/tileloom"};
    for (const std::string& word : words) argv.push_back(word.c_str());
    argv.push_back(nullptr);
    const char* environment[] = {data.c_str(), "PATH=/usr/bin:/bin", nullptr};
    if (chdir(folder.path().c_str()) == 0)
      execve(argv[0], const_cast<char**>(argv.data()), const_cast<char**>(environment));
    _exit(1);
  }
  for (int i = 0; i < 10000 && asked() < 4; ++i) usleep(2000);
  ASSERT_EQ(kill(tune, SIGKILL), 0);
  waitpid(tune, nullptr, 0);
  // Its workers end by themselves, and may read a last request after it.
  std::size_t before = asked();
  for (int quiet = 0; quiet < 10; ++quiet) {
    usleep(50000);
    if (const std::size_t now = asked(); now != before) before = now, quiet = 0;
  }
  ASSERT_GE(before, 4u) << "it was killed in the middle";
  ASSERT_LT(before, kTrials);

  auto resumed = words;
  resumed.push_back("--resume");
  const Ended said = folder.run(resumed, kept);
  ASSERT_EQ(said.status, 0) << said.err;
  EXPECT_EQ(timesOf(said.out).size(), kTrials);
  const std::size_t replayed = objects(said.out).back()["best"]["spent"]["replayed"];
  EXPECT_GE(replayed + kWorkers, before) << "what was asked for and not in flight was kept";
  EXPECT_EQ(asked() - before, kTrials - replayed + 1) << "the rest, and the finalists in one run";

  // Of another strategy none was begun.
  EXPECT_EQ(folder.run({"tune", "f.py", "--worker", kWorker, "--resume", "--strategy", "funnel"}, kept).status, 2);
}

TEST_F(TuneMachines, WithoutAPlaceForItsJournalStillSearches) {
  const std::vector<std::string> words = {"tune", "f.py", "--worker", kWorker, "--trials", "3"};
  const Ended readOnly = folder.run(words, {.environment = {{"XDG_DATA_HOME", "/proc"}}});
  EXPECT_EQ(readOnly.status, 0) << readOnly.err;
  EXPECT_THAT(readOnly.err, HasSubstr("searches.db can't be used"));
  EXPECT_THAT(readOnly.out, HasSubstr("3 measured"));
  // A disk that fills up while it searches.
  const Ended full = folder.run({"tune", "f.py", "--workers", kWorker, "--trials", "6"},
                                {.environment = {{"XDG_DATA_HOME", folder.path().string()}}, .fileBytes = 66000});
  EXPECT_EQ(full.status, 0) << full.err;
  EXPECT_THAT(full.err, HasSubstr("the journal can't be written"));
  EXPECT_THAT(full.out, HasSubstr("6 measured"));
}

}  // namespace
}  // namespace loom::cli::tune_machines_test
