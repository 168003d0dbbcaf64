// Every reader on the inputs that are kept, and on damaged ones, without libFuzzer: in the sanitized build a short run
// of all of them that costs no build of its own.
#include <gtest/gtest.h>

#include <chrono>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>

#include "tests/fuzz/reader.h"

namespace loom::fuzz {
namespace {

namespace fs = std::filesystem;

const fs::path kFolder = fs::path(TILELOOM_SOURCE_DIR) / "tests/fuzz";

std::string text(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

std::vector<std::string> corpusOf(const Reader& reader) {
  std::vector<std::string> inputs;
  for (const auto& entry : fs::directory_iterator(kFolder / "corpora" / reader.name)) inputs.push_back(text(entry));
  std::sort(inputs.begin(), inputs.end());
  return inputs;
}

// The words of a libFuzzer dictionary: "…" a line, with \\, \" and \xHH.
std::vector<std::string> wordsOf(const Reader& reader) {
  std::vector<std::string> words;
  std::ifstream in(kFolder / "dictionaries" / (std::string(reader.name) + ".dict"));
  for (std::string line; std::getline(in, line);) {
    std::string word;
    for (std::size_t i = 1; i + 1 < line.size(); ++i) {
      if (line[i] != '\\') {
        word += line[i];
      } else if (line[++i] == 'x') {
        word += char(std::stoi(line.substr(i + 1, 2), nullptr, 16));
        i += 2;
      } else {
        word += line[i];
      }
    }
    words.push_back(word);
  }
  return words;
}

double cpuSeconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return double(now.tv_sec) + double(now.tv_nsec) * 1e-9;
}

void expectReadInTime(const Reader& reader, const std::string& input) {
  const double before = cpuSeconds();
  reader.read(input);
  EXPECT_LT(cpuSeconds() - before, 1) << reader.name << ":\n" << input.substr(0, 2000);
}

class Damage {
 public:
  Damage(std::vector<std::string> inputs, std::vector<std::string> words)
      : inputs_(std::move(inputs)), words_(std::move(words)) {}

  std::string next() {
    std::string damaged = any(inputs_);
    for (std::size_t changes = 1 + below(4); changes > 0; --changes) change(damaged);
    return damaged;
  }

 private:
  std::size_t below(std::size_t n) { return std::size_t(random_() % std::max<std::size_t>(1, n)); }
  const std::string& any(const std::vector<std::string>& of) { return of[below(of.size())]; }

  void change(std::string& input) {
    const std::size_t at = below(input.size() + 1);
    switch (below(7)) {
      case 0: input.resize(at); break;
      case 1: input.erase(at, 1 + below(20)); break;
      case 2: input.insert(at, any(words_)); break;
      case 3: input.replace(at, below(8), any(words_)); break;
      case 4: input.insert(at, 1, char(below(256))); break;
      case 5: input.insert(at, std::to_string(std::int64_t(random_()) - (std::int64_t(1) << 31))); break;
      default: {
        const std::string& other = any(inputs_);
        const std::size_t from = below(other.size());
        input.insert(at, other, from, 1 + below(60));
      }
    }
  }

  std::vector<std::string> inputs_, words_;
  std::mt19937 random_{7};
};

TEST(Readers, HaveInputsAndWordsToBeginWith) {
  ASSERT_FALSE(readers().empty());
  for (const Reader& reader : readers()) {
    EXPECT_GE(corpusOf(reader).size(), 3U) << reader.name;
    EXPECT_GE(wordsOf(reader).size(), 5U) << reader.name;
  }
}

TEST(Readers, ReadWhatIsKeptInTime) {
  for (const Reader& reader : readers()) {
    for (const std::string& input : corpusOf(reader)) expectReadInTime(reader, input);
  }
}

TEST(Readers, BearDamagedInputs) {
  for (const Reader& reader : readers()) {
    Damage damage(corpusOf(reader), wordsOf(reader));
    const auto end = std::chrono::steady_clock::now() + std::chrono::milliseconds(1500);
    int done = 0;
    for (; done < 200 || (done < 20000 && std::chrono::steady_clock::now() < end); ++done) {
      expectReadInTime(reader, damage.next());
      if (HasFailure()) break;
    }
    EXPECT_GE(done, 200) << reader.name;
  }
}

}  // namespace
}  // namespace loom::fuzz
