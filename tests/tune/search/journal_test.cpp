// The journal of a search: what it gives back, and what it refuses.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "core/tune/search/journal.h"

namespace loom::tune::journal_test {
namespace {

using testing::HasSubstr;
namespace fs = std::filesystem;

struct JournalTest : testing::Test {
  fs::path folder = fs::temp_directory_path() / ("tileloom_journal_" + std::to_string(getpid()));
  fs::path file = folder / "searches.db";
  JournalTest() { fs::create_directories(folder); }
  ~JournalTest() override { fs::remove_all(folder); }
  std::unique_ptr<Journal> open() const { return std::move(Journal::open(file).value()); }
  static SearchRecord record(std::uint64_t seed, const std::string& strategy = "funnel") {
    return {"print", "gemm", "NVIDIA H200", "13.0", "NVRTC 13.0", strategy, seed, 80, 60};
  }
};

MeasuredKernel timed(double microseconds) {
  gpu::Timing timing;
  timing.median = timing.low = timing.high = microseconds;
  timing.samples = 21;
  return {timing, {}};
}

TEST_F(JournalTest, GivesBackTimesAndDeathsOfTheSearchThatIsResumed) {
  {
    const auto journal = open();
    ASSERT_TRUE(journal->begin(record(1)));
    journal->put("a", timed(12.345678901234567), 0.5);
    journal->put("b", {{}, fail("WorkerLost", message("killed by signal {} ({})", 9, "Killed")).value()}, 2);
    Candidate candidate;
    candidate.assignment = {4, 8};
    candidate.death = fail("ParseError", Message("no")).value();
    journal->put(0, candidate, "mma");
    EXPECT_TRUE(journal->fault().empty()) << journal->fault();
  }
  const auto journal = open();
  EXPECT_FALSE(journal->known("a")) << "no search is under way";
  ASSERT_TRUE(journal->begin(record(std::uint64_t(-1), "random")));
  EXPECT_FALSE(journal->known("a")) << "another search's";
  EXPECT_FALSE(journal->resume("other", "NVIDIA H200", {}, {}));
  EXPECT_FALSE(journal->resume("print", "NVIDIA H100", {}, {})) << "times of two devices don't mix";
  EXPECT_FALSE(journal->resume("print", "NVIDIA H200", 2, {}));
  EXPECT_EQ(journal->resume("print", "NVIDIA H200", {}, {})->seed, std::uint64_t(-1)) << "the newest";
  const auto first = journal->resume("print", "NVIDIA H200", 1, "funnel");
  ASSERT_TRUE(first);
  EXPECT_EQ(first->trials, 80);
  EXPECT_EQ(journal->known("a")->result.timing->median, 12.345678901234567);
  EXPECT_EQ(journal->known("a")->deviceSeconds, 0.5);
  EXPECT_EQ(journal->known("b")->result.death->code, "WorkerLost");
  EXPECT_EQ(journal->known("b")->result.death->message, "killed by signal 9 (Killed)");
  EXPECT_FALSE(journal->known("c"));
}

TEST_F(JournalTest, LeavesAloneWhatIsNotItsOwn) {
  std::ofstream(file)
      << "dear diary, this is no database, and it is longer than a hundred bytes, as one of those is at the least";
  EXPECT_THAT(Journal::open(file).error().message.english(), HasSubstr("not a database"));
  EXPECT_EQ(Journal::open("").error().code, "CantWrite");
  EXPECT_EQ(Journal::open("/proc/no/searches.db").error().code, "CantWrite");
}

// Answers with a number of its own each time, so that what it was asked for shows.
struct Counting : Measurer {
  bool hasDevice() override { return true; }
  std::vector<CompiledKernel> compile(const Kernels& kernels, const gpu::Progress&) override {
    return std::vector<CompiledKernel>(kernels.size());
  }
  Result<MeasuredBatch> measure(const Kernels& kernels, bool, const gpu::Progress&) override {
    MeasuredBatch batch;
    for (std::size_t n = 0; n < kernels.size(); ++n) batch.kernels.push_back(timed(++asked));
    batch.deviceSeconds = double(kernels.size());
    return batch;
  }
  std::optional<document::VendorLine> vendor() override { return std::nullopt; }
  int asked = 0;
};

TEST_F(JournalTest, StandsBeforeAMeasurer) {
  const auto journal = open();
  ASSERT_TRUE(journal->begin(record(1)));
  Counting device;
  JournaledMeasurer measurer(*journal, device, false);
  const auto kernel = [](const std::string& key) {
    auto text = std::make_shared<document::KernelText>();
    text->key = key;
    return text;
  };
  EXPECT_EQ(measurer.measure({kernel("a"), kernel("b")}, false, {})->deviceSeconds, 2);
  const auto more = measurer.measure({kernel("b"), kernel("c"), kernel("a")}, false, {});
  EXPECT_EQ(more->kernels[0].timing->median, 2);
  EXPECT_EQ(more->kernels[1].timing->median, 3);
  EXPECT_EQ(more->kernels[2].timing->median, 1);
  EXPECT_EQ(more->deviceSeconds, 3) << "what was used then counts";
  EXPECT_EQ(measurer.replayed(), 2u);
  EXPECT_EQ(measurer.measure({kernel("a")}, true, {})->kernels[0].timing->median, 4) << "side by side is measured anew";
}

}  // namespace
}  // namespace loom::tune::journal_test
