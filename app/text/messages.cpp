#include "app/text/messages.h"

#include <map>
#include <memory>
#include <set>
#include <string_view>
#include <variant>
#include <vector>

#include "app/text/singular.h"

namespace loom::text {
namespace {

std::string inChinese(const Message& message) {
  static const auto kById = [] {
    std::map<std::string_view, const char*> all;
    for (const MessageWords& words : messages()) all.emplace(words.id, words.chinese);
    return all;
  }();
  const auto found = message.id().empty() ? kById.end() : kById.find(message.id());
  return found == kById.end() ? message.english() : filled(found->second, message.arguments(), inChinese);
}

bool isLower(char c) { return c >= 'a' && c <= 'z'; }

// Whether a text begins with a word of the language: small letters alone, and no instruction's or program's name.
bool beginsWithWord(std::string_view text) {
  static const std::set<std::string_view> kNames = {"wgmma", "ldmatrix",  "stmatrix", "mbarrier", "ncu", "nvdisasm",
                                                    "nvcc",  "tensorize", "getattr",  "update",   "pop"};
  std::size_t end = 0;
  while (end < text.size() && (isLower(text[end]) || text[end] == '\'' || text[end] == '-')) ++end;
  const bool ends = end == text.size() || text[end] == ' ' || text[end] == ',' || text[end] == ':';
  return end > 0 && isLower(text[0]) && ends && !kNames.contains(text.substr(0, end));
}

// What a message begins with may be a phrase, which has words of its own.
bool beginsWithWord(const Message& message) {
  if (!message.id().starts_with("{}")) return beginsWithWord(message.id());
  const auto* first =
      message.arguments().empty() ? nullptr : std::get_if<std::shared_ptr<const Message>>(&message.arguments().front());
  return first != nullptr && beginsWithWord(**first);
}

}  // namespace

std::span<const MessageWords> messages() {
  static const std::vector<MessageWords> kAll = [] {
    std::vector<MessageWords> all;
    for (const auto part :
         {messagesOfMachines(), messagesOfFiles(), messagesOfModel(), messagesOfKernels(), messagesOfSteps(),
          messagesOfPrimitives(), messagesOfExecution(), messagesOfScript(), messagesOfNotebooks(), messagesOfSpaces(),
          messagesOfTensorize(), messagesOfRules(), messagesOfSearch(), messagesOfOwnRules(), messagesOfTitles(),
          messagesOfHopper(), messagesOfWarpgroups()})
      all.insert(all.end(), part.begin(), part.end());
    return all;
  }();
  return kAll;
}

std::string wordsOf(Language language, const Message& message) {
  return language == Language::kEnglish ? inSingular(message.english()) : inChinese(message);
}

std::string sentenceOf(Language language, const Message& message) {
  std::string words = wordsOf(language, message);
  if (language == Language::kEnglish && beginsWithWord(message)) words[0] = char(words[0] - 'a' + 'A');
  return words;
}

}  // namespace loom::text
