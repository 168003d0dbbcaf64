#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sqlite3.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmath>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <random>
#include <set>

#include "core/compile/compile.h"
#include "core/gpu/protocol.h"
#include "core/gpu/result_database.h"
#include "tests/compile/scratch.h"

namespace loom::gpu::result_database_test {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

StoredResult result(const std::string& source, double us, const std::string& device = "NVIDIA H200",
                    const std::string& date = "2026-11-21") {
  StoredResult r;
  r.key = {source, "NVRTC 13.0", device, "13.0", "graph"};
  r.outcome.status = Outcome::Status::Measured;
  r.outcome.label = "step 3";
  r.outcome.timing.median = us;
  r.outcome.timing.samples = 21;
  r.outcome.timing.all = {us, us + 1};
  r.date = date;
  return r;
}

std::string read(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}
void write(const fs::path& file, const std::string& bytes) { std::ofstream(file, std::ios::binary) << bytes; }

TEST(ResultDatabase, OutliveTheProgram) {
  Scratch folder;
  const fs::path file = folder / "deep/results.db";
  {
    auto results = ResultDatabase::open(file);
    ASSERT_TRUE(results) << results.error().message.english();
    ASSERT_TRUE((*results)->put(result("a", 82.5)));
  }
  auto results = ResultDatabase::open(file);
  ASSERT_TRUE(results);
  auto found = (*results)->find("a", "NVIDIA H200");
  ASSERT_TRUE(found);
  EXPECT_EQ(found->outcome.timing.median, 82.5);
  EXPECT_EQ(found->outcome.timing.all.size(), 2u);
  EXPECT_FALSE((*results)->find("b", "NVIDIA H200"));
}

TEST(ResultDatabase, OfAnotherDeviceAreNotFound) {
  auto results = ResultDatabase::inMemory();
  ASSERT_TRUE(results->put(result("a", 10, "NVIDIA T4")));
  EXPECT_FALSE(results->find("a", "NVIDIA H200"));
  EXPECT_TRUE(results->find("a", "NVIDIA T4"));
  EXPECT_TRUE(results->find("a", ""));
}

TEST(ResultDatabase, WhereTheFolderCantBeAreAnErrorThatNamesTheFile) {
  Scratch folder;
  write(folder / "file", "not a folder");
  auto results = ResultDatabase::open(folder / "file/results.db");
  ASSERT_FALSE(results);
  EXPECT_EQ(results.error().code, "CantWrite");
  EXPECT_THAT(results.error().message.english(), HasSubstr("file/results.db"));
}

TEST(ResultDatabase, AFileThatIsNoDatabaseIsSetAsideNotLost) {
  Scratch folder;
  const fs::path file = folder / "results.db";
  write(file, "Dear diary, this is no database at all, but somebody may want it.");
  auto results = ResultDatabase::open(file);
  ASSERT_TRUE(results) << results.error().message.english();
  EXPECT_THAT((*results)->setAside(), HasSubstr("results.db.broken"));
  EXPECT_THAT(read(folder / "results.db.broken"), HasSubstr("Dear diary"));
  EXPECT_TRUE((*results)->put(result("a", 1)));
  EXPECT_TRUE((*results)->find("a", ""));
}

// Version 1 went by 64 bits of the text alone, which programs of several sizes share.
TEST(ResultDatabase, OfADatabaseOfTheTextAloneStayAndAreFoundNoMore) {
  Scratch folder;
  const fs::path file = folder / "results.db";
  sqlite3* old = nullptr;
  ASSERT_EQ(sqlite3_open(file.c_str(), &old), SQLITE_OK);
  ASSERT_EQ(sqlite3_exec(old,
                         "CREATE TABLE results (source TEXT NOT NULL, compiler TEXT NOT NULL, device TEXT NOT NULL, "
                         "driver TEXT NOT NULL, method TEXT NOT NULL, date TEXT NOT NULL, outcome TEXT NOT NULL, "
                         "PRIMARY KEY (source, compiler, device, driver, method));"
                         "INSERT INTO results VALUES ('2ab180bda6fb32d6', 'NVRTC 13.0', 'NVIDIA H200', '13.0', "
                         "'graph', '2026-11-21', '{\"status\": \"measured\"}')",
                         nullptr, nullptr, nullptr),
            SQLITE_OK)
      << sqlite3_errmsg(old);
  sqlite3_close(old);
  const std::string key = "2ab180bda6fb32d62ab180bda6fb32d6";
  for (int time = 0; time < 2; ++time) {
    auto results = ResultDatabase::open(file);
    ASSERT_TRUE(results) << results.error().message.english();
    EXPECT_EQ((*results)->setAside(), "");
    EXPECT_EQ((*results)->find(key, "").has_value(), time == 1);
    EXPECT_TRUE((*results)->put(result(key, 7)));
  }
}

TEST(ResultDatabase, OfANewerProgramAreLeftAlone) {
  Scratch folder;
  const fs::path file = folder / "results.db";
  ASSERT_TRUE(ResultDatabase::open(file));
  sqlite3* newer = nullptr;
  ASSERT_EQ(sqlite3_open(file.c_str(), &newer), SQLITE_OK);
  const char* const change = "ALTER TABLE results RENAME COLUMN source TO text; PRAGMA user_version = 99";
  ASSERT_EQ(sqlite3_exec(newer, change, nullptr, nullptr, nullptr), SQLITE_OK) << "other columns, too";
  sqlite3_close(newer);
  const std::string bytes = read(file);
  auto results = ResultDatabase::open(file);
  ASSERT_FALSE(results);
  EXPECT_EQ(results.error().code, "CantWrite");
  EXPECT_THAT(results.error().message.english(), HasSubstr("a newer program keeps it"));
  EXPECT_EQ(read(file), bytes);
}

// Into a table of other columns, or other keys, nothing could be put, and nothing would ever be found.
TEST(ResultDatabase, AnotherProgramsTableIsSetAsideNotLost) {
  for (const char* made :
       {"CREATE TABLE results (id INTEGER PRIMARY KEY, score REAL); INSERT INTO results VALUES (1, 0.5)",
        "CREATE TABLE results (source, compiler, device, driver, method, date, outcome)",
        "CREATE TABLE results (source, compiler, device, driver, method, date, outcome, more, "
        "PRIMARY KEY (source, compiler, device, driver, method))",
        "CREATE TABLE other (x); CREATE VIEW results AS SELECT x FROM other"}) {
    Scratch folder;
    const fs::path file = folder / "results.db";
    sqlite3* theirs = nullptr;
    ASSERT_EQ(sqlite3_open(file.c_str(), &theirs), SQLITE_OK);
    ASSERT_EQ(sqlite3_exec(theirs, made, nullptr, nullptr, nullptr), SQLITE_OK) << sqlite3_errmsg(theirs);
    sqlite3_close(theirs);
    const std::string bytes = read(file);
    write(folder / "results.db.broken", "set aside before");
    auto results = ResultDatabase::open(file);
    ASSERT_TRUE(results) << results.error().message.english();
    EXPECT_THAT((*results)->setAside(), HasSubstr("another program's table \"results\"")) << made;
    EXPECT_THAT((*results)->setAside(), HasSubstr("results.db.broken2"));
    EXPECT_EQ(read(folder / "results.db.broken2"), bytes);
    EXPECT_EQ(read(folder / "results.db.broken"), "set aside before");
    EXPECT_TRUE((*results)->put(result("a", 1)));
    EXPECT_TRUE((*results)->find("a", ""));
    results->reset();
    auto again = ResultDatabase::open(file);
    ASSERT_TRUE(again);
    EXPECT_EQ((*again)->setAside(), "") << "our own table is ours";
    EXPECT_TRUE((*again)->find("a", ""));
  }
}

TEST(ResultDatabase, DamagedAnywhereNeverCrash) {
  Scratch folder;
  const fs::path file = folder / "results.db";
  {
    auto results = ResultDatabase::open(file);
    ASSERT_TRUE(results);
    for (int i = 0; i < 60; ++i) ASSERT_TRUE((*results)->put(result("source " + std::to_string(i), i)));
  }
  const std::string good = read(file);
  std::mt19937 random(7);
  for (int round = 0; round < 60; ++round) {
    std::string bytes = good;
    if (round % 3 == 0) {
      bytes.resize(random() % bytes.size());
    } else {
      std::size_t at = random() % bytes.size();
      for (std::size_t i = at; i < std::min(at + 600, bytes.size()); ++i) bytes[i] = char(random());
    }
    write(file, bytes);
    auto results = ResultDatabase::open(file);
    if (!results) {
      EXPECT_EQ(results.error().code, "CantWrite");
    } else {
      for (int i = 0; i < 60; ++i) (void)(*results)->find("source " + std::to_string(i), "");
      EXPECT_TRUE((*results)->put(result("new", 1))) << round;
      EXPECT_TRUE((*results)->find("new", "")) << round;
    }
  }
}

TEST(ResultDatabase, OnAFullDiskKeepWhatTheyHad) {
  Scratch folder;
  const fs::path file = folder / "results.db";
  {
    auto results = ResultDatabase::open(file);
    ASSERT_TRUE(results && (*results)->put(result("a", 1)));
  }
  pid_t child = fork();
  if (child == 0) {
    signal(SIGXFSZ, SIG_IGN);
    auto results = ResultDatabase::open(file);
    rlimit small{8192, 8192};
    setrlimit(RLIMIT_FSIZE, &small);
    StoredResult big = result("big", 2);
    big.outcome.message = verbatim(std::string(200000, 'x'));
    auto stored = (*results)->put(big);
    _exit(!stored && stored.error().code == "CantWrite" && (*results)->find("a", "") ? 0 : 1);
  }
  int status = -1;
  waitpid(child, &status, 0);
  EXPECT_EQ(status, 0);
  auto results = ResultDatabase::open(file);
  ASSERT_TRUE(results);
  EXPECT_EQ((*results)->setAside(), "");
  EXPECT_TRUE((*results)->find("a", ""));
}

TEST(ResultDatabase, AreSharedByProcesses) {
  Scratch folder;
  const fs::path file = folder / "results.db";
  std::vector<pid_t> children;
  for (int c = 0; c < 3; ++c) {
    pid_t child = fork();
    if (child == 0) {
      auto results = ResultDatabase::open(file);
      bool fine = results.has_value();
      for (int i = 0; fine && i < 15; ++i) {
        fine = (*results)->put(result(std::to_string(c) + " " + std::to_string(i), i + 1)).has_value();
      }
      _exit(fine ? 0 : 1);
    }
    children.push_back(child);
  }
  for (pid_t child : children) {
    int status = -1;
    waitpid(child, &status, 0);
    EXPECT_EQ(status, 0);
  }
  auto results = ResultDatabase::open(file);
  ASSERT_TRUE(results);
  for (int c = 0; c < 3; ++c) {
    for (int i = 0; i < 15; ++i) EXPECT_TRUE((*results)->find(std::to_string(c) + " " + std::to_string(i), ""));
  }
}

Recording recording() {
  Recording r;
  r.target = "tensor_core";
  r.date = "2026-11-21";
  r.device.name = "NVIDIA H200";
  r.compiler = "NVRTC 13.0";
  r.method = "graph";
  r.workload = "matmul";
  r.entries = {{"00112233", result("", 82).outcome}, {"44556677", result("", 83).outcome}};
  return r;
}

TEST(Recordings, ComeBackWhole) {
  auto back = readRecording(writeRecording(recording()), "file.json");
  ASSERT_TRUE(back) << back.error().message.english();
  ASSERT_EQ(back->entries.size(), 2u);
  EXPECT_EQ(back->entries[1].source, "44556677");
  EXPECT_EQ(back->entries[0].outcome.timing.median, 82);
  EXPECT_EQ(writeRecording(*back), writeRecording(recording())) << "the same text again: differences read well";
}

TEST(WorkloadKey, TellsWhereMatricesLie) {
  Matmul m;
  m.m = m.n = m.k = 64;
  m.input = m.output = m.accumulator = ir::DType::Float(32);
  EXPECT_EQ(workloadKey(m), "matmul float32 64x64x64 NN float32");
  std::set<std::string> keys{workloadKey(m)};
  for (std::optional<MatrixPlaces> Matmul::*own : {&Matmul::ownA, &Matmul::ownB, &Matmul::ownD}) {
    Matmul strided = m;
    strided.*own = MatrixPlaces{0, 128, 1};
    EXPECT_TRUE(keys.insert(workloadKey(strided)).second);
    strided.*own = MatrixPlaces{16, 128, 1};
    EXPECT_TRUE(keys.insert(workloadKey(strided)).second);
  }
}

TEST(Recordings, ThatAreNoneAreErrorsThatNameTheFile) {
  for (const char* text :
       {"", "{", "[]", "null", "{}", R"({"recording": "1"})", R"({"recording": 2, "target": 3})", "\xff\xfe"}) {
    auto r = readRecording(text, "file.json");
    ASSERT_FALSE(r) << text;
    EXPECT_EQ(r.error().code, "ParseError");
    EXPECT_THAT(r.error().message.english(), HasSubstr("file.json"));
  }
  EXPECT_EQ(readRecording(R"({"recording": 3})", "file.json").error().code, "NewerVersion");
  EXPECT_EQ(readRecording(R"({"recording": 1})", "file.json").error().code, "OlderVersion");
}

TEST(Recordings, DamagedAnywhereNeverCrash) {
  const std::string good = writeRecording(recording());
  for (std::size_t n = 0; n < good.size() - 1; n += 3) EXPECT_FALSE(readRecording(good.substr(0, n), "f")) << n;
  EXPECT_EQ(readRecording(good.substr(0, good.size() / 2), "f").error().message.english(),
            "f is no recording: it is no JSON, or cut off");
  std::mt19937 random(11);
  for (int round = 0; round < 5000; ++round) {
    std::string bytes = good;
    for (int i = 0; i < 3; ++i) bytes[random() % bytes.size()] = char(random());
    (void)readRecording(bytes, "f");
  }
}

TEST(Protocol, KeepsJobsAndReportsWhole) {
  Job job;
  Candidate c;
  c.label = "\"quoted\" \xe5\xbe\xae";
  c.script = "text";
  c.cubin = {'\0', '\n', 'x'};
  job.candidates = {c, c};
  std::string blob;
  auto j = toJson(job, blob);
  const Job back = jobFromJson(nlohmann::json::parse(j.dump()), blob);
  ASSERT_EQ(back.candidates.size(), 2u);
  EXPECT_EQ(back.candidates[1].cubin, c.cubin);
  EXPECT_EQ(back.candidates[1].label, c.label);
  EXPECT_EQ(back.candidates[0].script, "text");
  EXPECT_THROW(jobFromJson(j, blob.substr(0, 4)), nlohmann::json::exception) << "a cubin outside the blob";

  Report report;
  report.device.cpu = true;
  report.outcomes.resize(1);
  report.outcomes[0].error = INFINITY;
  const Report r = reportFromJson(nlohmann::json::parse(toJson(report).dump()));
  EXPECT_TRUE(r.device.cpu);
  EXPECT_TRUE(std::isinf(r.outcomes.at(0).error));
}

// Unset until the test's end.
class Unset {
 public:
  explicit Unset(const char* name) : name_(name) {
    if (const char* before = std::getenv(name)) before_ = before;
    unsetenv(name);
  }
  ~Unset() {
    if (before_) setenv(name_, before_->c_str(), 1);
  }

 private:
  const char* name_;
  std::optional<std::string> before_;
};

TEST(ResultDatabase, LieInNoFolderOfAllUsersWhereNoVariableNamesOne) {
  const Unset home("HOME"), data("XDG_DATA_HOME"), cache("XDG_CACHE_HOME");
  const std::string shared = fs::temp_directory_path().string();
  for (const fs::path& place : {ResultDatabase::defaultFile(), compile::Cache::defaultFolder()}) {
    EXPECT_NE(place.string().substr(0, shared.size()), shared);
    EXPECT_TRUE(place.empty() || place.is_absolute()) << place;
  }
}

}  // namespace
}  // namespace loom::gpu::result_database_test
