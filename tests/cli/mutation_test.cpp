// Truncated and damaged texts through every reader: whatever comes, a value or an error with a code, in time.
#include <gtest/gtest.h>

#include <chrono>
#include <random>

#include "core/document/file.h"
#include "core/document/history.h"
#include "core/schedule/replay.h"
#include "core/schedule/trace.h"
#include "core/script/parser.h"
#include "tests/cli/program.h"

namespace loom::cli::mutation_test {
namespace {

class Mutations : public testing::Test {
 protected:
  // Calls `read` with damaged texts for about half a second, and at least 300.
  template <class Read>
  void damage(const std::string& text, const Read& read) {
    std::mt19937 random(7);
    auto below = [&](std::size_t n) { return std::size_t(random() % std::max<std::size_t>(1, n)); };
    const std::string kPieces[] = {"(",
                                   ")",
                                   "[",
                                   "]",
                                   "{",
                                   "}",
                                   "\"",
                                   "'",
                                   "\n",
                                   "    ",
                                   "-1",
                                   "0",
                                   "9223372036854775808",
                                   "None",
                                   "T.",
                                   "sch.",
                                   "\\",
                                   "\xff",
                                   std::string(1, '\0'),
                                   "1e400",
                                   "lambda i: i",
                                   ",",
                                   ":",
                                   "=",
                                   "#",
                                   "*"};
    auto end = std::chrono::steady_clock::now() + std::chrono::milliseconds(500);
    int done = 0;
    for (; done < 300 || std::chrono::steady_clock::now() < end; ++done) {
      std::string damaged = text;
      switch (done % 6) {
        case 0: damaged.resize(below(text.size())); break;
        case 1: damaged.erase(below(text.size()), 1 + below(20)); break;
        case 2: damaged[below(text.size())] = char(random() % 256); break;
        case 3: damaged.insert(below(text.size()), kPieces[below(std::size(kPieces))]); break;
        case 4: {
          std::size_t from = below(text.size());
          damaged.insert(below(text.size()), text.substr(from, 1 + below(40)));
          break;
        }
        default: {  // a number becomes another
          std::size_t digit = text.find_first_of("0123456789", below(text.size()));
          if (digit != std::string::npos) damaged.replace(digit, 1, std::to_string(int(random())));
        }
      }
      auto start = std::chrono::steady_clock::now();
      read(damaged);
      std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
      ASSERT_LT(took.count(), 5) << damaged;
      if (done > 5000) break;
    }
    EXPECT_GE(done, 300);
  }

  template <class T>
  static void judge(const Result<T>& result, const std::string& text) {
    if (result) return;
    EXPECT_FALSE(result.error().code.empty()) << text;
    EXPECT_FALSE(result.error().message.english().empty()) << text;
    const Place& p = result.error().place;
    EXPECT_LE(p.column, int(p.text.size()) + 1) << "the caret stands in its line: " << text;
  }

  schedule::Environment environment;
  ir::Module module = script::parseModule(product(), "f.py").value();
};

TEST_F(Mutations, OfFunctions) {
  damage(product(), [&](const std::string& text) {
    auto parsed = script::parseModule(text, "f.py");
    judge(parsed, text);
    if (parsed) {
      auto history = document::History::create(*parsed);
      judge(history, text);
    }
  });
}

TEST_F(Mutations, OfStepLines) {
  auto state = schedule::State::create(module).value();
  damage(kSchedule, [&](const std::string& text) {
    auto calls = script::parseSchedule(text, "s.py");
    judge(calls, text);
    if (!calls) return;
    auto done = schedule::replay(state, *calls, environment);
    EXPECT_FALSE(done.refusal && done.refusal->code.empty()) << text;
  });
}

TEST_F(Mutations, OfTraces) {
  auto calls = script::parseSchedule(kSchedule, "s.py").value();
  auto state = schedule::State::create(module).value();
  damage(schedule::traceOf(module, calls, environment).value().json(), [&](const std::string& text) {
    auto lines = schedule::stepLines(text, "t.json");
    judge(lines, text);
    if (!lines) return;
    auto read = script::parseSchedule(*lines, "t.json");
    judge(read, text);
    if (read) schedule::replay(state, *read, environment);
  });
}

TEST_F(Mutations, OfDocuments) {
  auto target = document::openFunction(product(), "f.py").value();
  ASSERT_TRUE(target.history.apply(0, kSchedule, environment));
  damage(document::writeDocument(target),
         [&](const std::string& text) { judge(document::readDocument(text, "d.tileloom", environment), text); });
}

}  // namespace
}  // namespace loom::cli::mutation_test
