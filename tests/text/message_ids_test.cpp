#include "tests/text/message_ids.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <regex>

#include <filesystem>
#include <fstream>
#include <iterator>

#include "app/text/messages.h"

namespace loom::text::message_ids_test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::Pair;

TEST(MessageCalls, AreThoseWithALiteralAndThoseWithout) {
  const MessageCalls calls = messageCalls(R"code(
    // message("in a comment")
    return fail("Code", message("\"{}\" is no "
                                "size", word));
    error.message("of another"), e->message(2), "message(\"in a text\")";
    const char quote = '"';
    say(message(kText, 3));
    refuse(verbatim(fmt::format("{} is no size", 3)));
    refuse(verbatim("no size: " + word));
    return fail("Code", "no size"), fail("Code", why);
    note(verbatim(fmt::format("{:.3g}", 0.5))), note(verbatim("T." + name)), note(verbatim(log));
  )code");
  EXPECT_THAT(calls.ids, ElementsAre("\"{}\" is no size"));
  EXPECT_THAT(calls.withoutLiteral, ElementsAre(7));
  EXPECT_THAT(calls.untranslated, ElementsAre(8, 9, 10));
}

TEST(Placeholders, AreNumberedAsTheyComeOrAsTheySay) {
  EXPECT_THAT(placeholders("{} takes {:.1f} of {{all}}"), ElementsAre(Pair(0, ""), Pair(1, ":.1f")));
  EXPECT_THAT(placeholders("{1:g}，{0}"), ElementsAre(Pair(0, ""), Pair(1, ":g")));
}

struct Said {
  std::set<std::string> ids;
  std::vector<std::string> withoutLiteral, untranslated;
};

// What all rooms say; what declares `message` apart.
Said saidInSources() {
  Said said;
  const std::filesystem::path root = TILELOOM_SOURCE_DIR;
  for (const char* rooms : {"core", "app"}) {
    for (const auto& entry : std::filesystem::recursive_directory_iterator(root / rooms)) {
      const std::string path = entry.path().lexically_relative(root).string();
      if ((!path.ends_with(".cpp") && !path.ends_with(".h")) || path == "core/ir/message.h") continue;
      std::ifstream file(entry.path(), std::ios::binary);
      const MessageCalls calls = messageCalls(std::string(std::istreambuf_iterator<char>(file), {}));
      said.ids.insert(calls.ids.begin(), calls.ids.end());
      for (int line : calls.withoutLiteral) said.withoutLiteral.push_back(path + ":" + std::to_string(line));
      for (int line : calls.untranslated) said.untranslated.push_back(path + ":" + std::to_string(line));
    }
  }
  return said;
}

TEST(MessageTable, HasWordsForEveryIdAndNoOthers) {
  const Said said = saidInSources();
  EXPECT_THAT(said.withoutLiteral, IsEmpty()) << "an id is a literal";
  EXPECT_THAT(said.untranslated, IsEmpty())
      << "words of ours are a message, with an id; verbatim is for those of others";
  std::set<std::string> known, twice, stale;
  for (const MessageWords& words : messages()) {
    if (!known.insert(words.id).second) twice.insert(words.id);
    if (said.ids.count(words.id) == 0) stale.insert(words.id);
  }
  std::set<std::string> wordless;
  for (const std::string& id : said.ids) {
    if (known.count(id) == 0) wordless.insert(id);
  }
  EXPECT_THAT(wordless, IsEmpty()) << "no Chinese words: they are rows of app/text/*_messages.cpp";
  EXPECT_THAT(stale, IsEmpty()) << "no source says it";
  EXPECT_THAT(twice, IsEmpty());
}

TEST(MessageTable, ChineseWritesTheArgumentsOfEnglish) {
  for (const MessageWords& words : messages()) {
    EXPECT_EQ(placeholders(words.id), placeholders(words.chinese)) << words.id;
    // fmt throws where some are numbered and some are not.
    static const std::regex kPlain("\\{(:[^}]*)?\\}"), kNumbered("\\{[0-9]");
    const std::string chinese(words.chinese);
    EXPECT_FALSE(std::regex_search(chinese, kPlain) && std::regex_search(chinese, kNumbered)) << chinese;
    EXPECT_STRNE(words.chinese, "") << words.id;
  }
}

}  // namespace
}  // namespace loom::text::message_ids_test
