#include "app/text/messages.h"

#include <map>
#include <vector>

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
  return language == Language::kEnglish ? message.english() : inChinese(message);
}

}  // namespace loom::text
