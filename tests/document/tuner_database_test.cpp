// Databases of MetaSchedule's. tests/document/tuned holds records of its own design space for CUDA.
// tests/document/database is one that TVM wrote (tests/oracle/saved.py): four records of a product, timed 1.5 ms, not,
// 0.5 ms, and failed.
#include "core/document/tuner_database.h"

#include <fstream>
#include <sstream>

#include "core/document/export.h"
#include "tests/document/scheduled.h"

namespace loom::document::tuner_database_test {
namespace {

namespace fs = std::filesystem;

const fs::path kDatabase = fs::path(TILELOOM_SOURCE_DIR) / "tests/document/database";
const char* const kWorkloads = "database_workload.json";
const char* const kRecords = "database_tuning_record.json";

std::string text(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

class Databases : public testing::Test {
 protected:
  Databases() {
    std::string name = (fs::temp_directory_path() / "database.XXXXXX").string();
    folder = ::mkdtemp(name.data());
  }
  ~Databases() override { fs::remove_all(folder); }

  void write(const std::string& name, const std::string& content) { std::ofstream(folder / name) << content; }
  Result<Target> open(const std::string& word) { return openTarget({word}, assets(), environment()); }
  // The time of the record that the word names; its `record` is 0 where none is opened.
  TunedTime tunedAt(const std::string& word) {
    auto target = openDatabase(word, environment());
    return target && *target && (*target)->tuned ? *(*target)->tuned : TunedTime{};
  }
  std::string code(const std::string& word) {
    auto target = open(word);
    return target ? "opened" : target.error().code;
  }

  fs::path folder;
  const std::string workloads = text(kDatabase / kWorkloads), records = text(kDatabase / kRecords);
};

TEST_F(Databases, AreOpenedByTheirFolderAndByEitherFile) {
  for (const fs::path& word : {kDatabase, kDatabase / "", kDatabase / kWorkloads, kDatabase / kRecords}) {
    auto target = open(word.string());
    ASSERT_TRUE(target) << word << ": " << target.error().message.english();
    const TunedTime tuned = tunedAt(word.string());
    EXPECT_EQ(tuned.record, 3) << "the fastest";
    EXPECT_EQ(target->history.node(tuned.node).note, tuned.text());
    EXPECT_EQ(target->history.node(tuned.node).script->text + "\n", text(kDatabase / "best.txt"));
    ASSERT_EQ(target->remarks.size(), 1U);
    EXPECT_NE(target->remarks[0].english().find("4 records; this is record 3, the fastest"), std::string::npos);
  }
}

TEST_F(Databases, TellTimesOfTheTunersByRecord) {
  const auto tuned = [&](int record) { return tunedAt(kDatabase.string() + "#" + std::to_string(record)); };
  EXPECT_EQ(tuned(1).text(), "tuner's record 1: 1.50 ms on cuda sm_80, the mean of 2 runs");
  EXPECT_EQ(tuned(2).text(), "tuner's record 2: no run of it succeeded");
  EXPECT_EQ(tuned(3).text(), "tuner's record 3: 500.0 µs on cuda sm_80");
  EXPECT_FALSE(tuned(4).seconds) << "10¹⁰ s is how a failed run is written";
}

// Tiles, places and unrolling that were drawn, cooperative fetching and unrolling as the tuner rewrote them at the end.
TEST_F(Databases, RecordsOfMetaSchedulesOwnSpaceEndInTheModuleThatTvmMakes) {
  const fs::path tuned = fs::path(TILELOOM_SOURCE_DIR) / "tests/document/tuned";
  for (const char* record : {"1", "2"}) {
    SCOPED_TRACE(record);
    auto target = open(tuned.string() + "#" + record);
    ASSERT_TRUE(target) << target.error().message.english();
    ASSERT_FALSE(target->refusal) << target->refusal->message.english();
    const int last = tunedAt(tuned.string() + "#" + record).node;
    EXPECT_EQ(target->history.node(last).script->text + "\n", text(tuned / (std::string(record) + ".txt")));
    EXPECT_GT(target->history.node(last).number, 20);
  }
}

// Written again, a record is what TVM wrote: the program, the trace with its decisions, the times.
TEST_F(Databases, ARecordThatIsWrittenIsTheOneThatWasRead) {
  const fs::path tuned = fs::path(TILELOOM_SOURCE_DIR) / "tests/document/tuned";
  auto target = open(tuned.string() + "#2");
  ASSERT_TRUE(target && !target->refusal);
  BenchOptions none;
  none.device = "none";
  Bench bench(none);
  auto written = exportState(*target, target->tuned->node, "database", bench, environment());
  ASSERT_TRUE(written) << written.error().message.english();
  write(kWorkloads, written->at(kWorkloads));
  write(kRecords, written->at(kRecords));
  const auto theirs = readDatabase(*databaseAt(tuned)), ours = readDatabase(*databaseAt(folder));
  ASSERT_TRUE(theirs && ours);
  ASSERT_EQ(ours->records.size(), 1U);
  EXPECT_EQ(ours->records[0].trace, theirs->records[1].trace);
  EXPECT_EQ(ours->records[0].seconds, theirs->records[1].seconds);
  EXPECT_EQ(ours->records[0].target, theirs->records[1].target);
  EXPECT_EQ(ours->records[0].arguments, theirs->records[1].arguments);
  auto again = open(folder.string());
  ASSERT_TRUE(again && !again->refusal);
  EXPECT_EQ(again->history.node(again->tuned->node).script->text,
            target->history.node(target->tuned->node).script->text);
  // Of another state nobody has a time.
  auto earlier = exportState(*target, 5, "database", bench, environment());
  ASSERT_TRUE(earlier);
  write(kRecords, earlier->at(kRecords));
  EXPECT_TRUE(readDatabase(*databaseAt(folder))->records.at(0).seconds.empty());
  EXPECT_EQ(exportState(scheduled(kBound), 0, "database", bench, environment()).error().code, "NoSuchTarget");
}

TEST_F(Databases, HaveOnlyTheRecordsThatTheyHave) {
  for (const char* record : {"#0", "#5", "#99999999"}) EXPECT_EQ(code(kDatabase.string() + record), "NoSuchTarget");
  write("f.py", kProduct);
  EXPECT_EQ(code((folder / "f.py").string() + "#1"), "NoSuchTarget") << "it is no database";
  EXPECT_EQ(code((folder / "f.py").string()), "opened");
}

TEST_F(Databases, ARecordWithAPrimitiveThatDoesNotExistYetOpensUpToThere) {
  std::string later = records.substr(0, records.find('\n') + 1);
  const std::string known = "[\"Split\"";
  later.replace(later.rfind(known), known.size(), "[\"TeleportBlock\"");
  write(kWorkloads, workloads);
  write(kRecords, later);
  auto target = open(folder.string());
  ASSERT_TRUE(target) << target.error().message.english();
  ASSERT_TRUE(target->refusal);
  EXPECT_EQ(target->refusal->code, "AttributeError");
  EXPECT_NE(target->refusal->message.english().find("TeleportBlock"), std::string::npos)
      << target->refusal->message.english();
  EXPECT_NE(target->refusal->message.english().find("instruction 6 of 6 of record 1"), std::string::npos)
      << target->refusal->message.english();
  const TunedTime tuned = tunedAt(folder.string());
  EXPECT_EQ(target->history.node(tuned.node).number, 3) << "two tiles that were drawn and the first split stand";
  EXPECT_FALSE(tuned.whole) << "the time is of all its steps";
}

TEST_F(Databases, DamagedLinesArePassedOverWithAWord) {
  write(kWorkloads, workloads);
  write(kRecords, "nonsense\n{}\n[0, [[[], []], [0.001], null]]\n\n" + records.substr(0, records.size() / 2));
  auto target = open(folder.string() + "#1");
  ASSERT_TRUE(target) << target.error().message.english();
  EXPECT_EQ(tunedAt(folder.string() + "#1").target, "");
  ASSERT_GE(target->remarks.size(), 2U);
  EXPECT_NE(target->remarks[0].english().find("line 1 of database_tuning_record.json"), std::string::npos);
  EXPECT_NE(target->remarks[1].english().find("line 2"), std::string::npos);
}

TEST_F(Databases, OneFileTellsOfTheOther) {
  write("my_tuning_record.json", records);
  auto alone = open((folder / "my_tuning_record.json").string());
  ASSERT_FALSE(alone);
  EXPECT_EQ(alone.error().code, "NoSuchFile");
  EXPECT_NE(alone.error().message.english().find("my_workload.json"), std::string::npos)
      << alone.error().message.english();
  write("my_workload.json", workloads);
  EXPECT_EQ(code((folder / "my_tuning_record.json").string()), "opened");
  EXPECT_EQ(code((folder / "my_workload.json").string()), "opened");
  EXPECT_EQ(code(folder.string()), "CantRead") << "a folder is a database by the names that TVM gives";
}

TEST_F(Databases, OfOneWorkloadWithoutRecordsAreItsProgram) {
  write(kWorkloads, workloads);
  auto target = open(folder.string());
  ASSERT_TRUE(target) << target.error().message.english();
  EXPECT_EQ(tunedAt(folder.string()).record, 0);
  EXPECT_EQ(target->history.nodes().size(), 1U);
  EXPECT_EQ(code(folder.string() + "#1"), "NoSuchTarget");
}

TEST_F(Databases, ThatCantBeReadAreRefused) {
  write(kRecords, records);
  EXPECT_EQ(code(folder.string()), "NoSuchFile") << "no workloads";
  write(kWorkloads, "\n");
  EXPECT_EQ(code(folder.string()), "ParseError");
  write(kWorkloads, "[\"1\", \"AAAA\"]\n");
  EXPECT_EQ(code(folder.string()), "ParseError");
  write(kWorkloads, "[\"1\", {\"root\": 0, \"nodes\": []}]\n");
  EXPECT_EQ(code(folder.string()), "ParseError");
  write(kWorkloads, workloads);
  write(kRecords, "[7, [[[], []], [0.001], null]]\n");
  EXPECT_EQ(code(folder.string()), "ParseError") << "a workload that isn't there";
}

TEST(SavedModules, AreFunctionsToo) {
  const fs::path saved = fs::path(TILELOOM_SOURCE_DIR) / "tests/script/saved";
  auto target = openTarget({(saved / "softmax.json").string()}, assets(), environment());
  ASSERT_TRUE(target) << target.error().message.english();
  EXPECT_EQ(target->history.node(0).script->text + "\n", text(saved / "softmax.txt"));
}

}  // namespace
}  // namespace loom::document::tuner_database_test
