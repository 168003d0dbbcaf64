#include "app/text/messages.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>

namespace loom::text {
namespace {

std::string inChinese(const std::string& message) { return messageIn(Language::kChinese, message); }

TEST(Message, IsSaidInChineseWithItsNamesAndNumbers) {
  EXPECT_EQ(inChinese("ran longer than 5 s"), "运行超过 5 秒");
  EXPECT_EQ(inChinese("factors[1] is -4; factors are positive"), "factors[1] 为 -4；因子必须为正");
  EXPECT_EQ(inChinese("cache_read, step 14"), "cache_read，第 14 步");
  EXPECT_EQ(inChinese("modelled from 144 of 1024 warps"), "由 1024 个线程束中的 144 个推算");
  EXPECT_EQ(inChinese("dimension 2 of X_shared has no constant extent"), "X_shared 的第 2 维长度不是常量");
  EXPECT_EQ(inChinese("T.popcount in a kernel is of whole numbers, and here it is of float16 (block C)"),
            "核函数中的 T.popcount 用于整数，此处为 float16（计算块 C）");
}

TEST(Message, SaysItsPartsInChineseToo) {
  EXPECT_EQ(inChinese("The block \"Z\" is no reduction: it has no init"), "计算块“Z”不是归约计算块：没有初始化");
}

TEST(Message, IsTheMostParticularOneThatFits) {
  EXPECT_EQ(inChinese("block and loop must be under the same block scope, and the loop not an ancestor of the block"),
            "计算块与循环必须在同一作用域内，且循环不能是计算块的祖先");
  EXPECT_EQ(inChinese("block Z"), "计算块 Z");
  for (const Message& message : messages()) {
    // Each is said by its own words, whatever stands before it in the table.
    std::string filled, chinese = message.chinese;
    int next = 0;
    for (const char* at = message.english; *at != 0; ++at) {
      if (at[0] == '{' && at[1] == '}') {
        filled += "n" + std::to_string(next++);
        ++at;
      } else {
        filled += *at;
      }
    }
    const std::string said = inChinese(filled);
    const std::string start = chinese.substr(0, chinese.find('{'));
    EXPECT_EQ(said.substr(0, start.size()), start) << message.english;
  }
}

TEST(Message, StaysAsItIsInEnglish) {
  EXPECT_EQ(messageIn(Language::kEnglish, "ran longer than 5 s"), "ran longer than 5 s");
}

TEST(Message, UnknownOrHalfOneStaysAsItIs) {
  for (const char* message : {"", "nothing of the kind", "ran longer than 5 s, twice", "it ran longer than 5 s",
                              "The block \"", "kernel.cu(3): error: identifier \"x\" is undefined"}) {
    EXPECT_EQ(inChinese(message), message);
  }
}

// The texts of the sources, with literals that stand one after another joined.
std::string sources() {
  std::string all;
  for (const char* room : {"core", "app/session", "app/panels"}) {
    const auto folder = std::filesystem::path(TILELOOM_SOURCE_DIR) / room;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
      if (entry.path().extension() != ".cpp" && entry.path().extension() != ".h") continue;
      std::ifstream file(entry.path(), std::ios::binary);
      const std::string text(std::istreambuf_iterator<char>(file), {});
      for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] == '\\' && i + 1 < text.size()) {
          all += text[++i];
          continue;
        }
        const std::size_t next = text[i] == '"' ? text.find_first_not_of(" \n", i + 1) : std::string::npos;
        if (next != std::string::npos && next > i + 1 && text[next] == '"') {
          i = next;
        } else {
          all += text[i];
        }
      }
    }
  }
  return all;
}

TEST(MessageTable, HasWhatTheSourcesSay) {
  const std::string said = sources();
  std::set<std::string> ofTheSystem;
  for (int error = 1; error < 134; ++error) ofTheSystem.insert(std::strerror(error));
  std::set<std::string> gone;
  for (const Message& message : messages()) {
    std::string_view rest = message.english;
    while (!rest.empty()) {
      const std::string piece(rest.substr(0, rest.find("{}")));
      rest.remove_prefix(std::min(rest.size(), piece.size() + 2));
      if (said.find(piece) == std::string::npos && ofTheSystem.count(piece) == 0) gone.insert(message.english);
    }
  }
  // A sentence that was put in other words shows in English until the table follows; a table that drifts fails.
  EXPECT_LE(gone.size() * 20, messages().size()) << "no source says: " << testing::PrintToString(gone);
}

TEST(MessageTable, ChineseNamesNoPlaceholderThatEnglishLacks) {
  for (const Message& message : messages()) {
    auto count = [](std::string_view text) { return std::count(text.begin(), text.end(), '{'); };
    EXPECT_LE(count(message.chinese), count(message.english)) << message.english;
    for (const char* at = message.chinese; (at = std::strchr(at, '{')) != nullptr; ++at) {
      if (at[1] != '}') {
        EXPECT_LT(at[1] - '0', count(message.english)) << message.english;
        EXPECT_EQ(at[2], '}') << message.english;
      }
    }
  }
}

}  // namespace
}  // namespace loom::text
