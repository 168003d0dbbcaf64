#include "app/text/terms.h"

#include <algorithm>
#include <array>

namespace loom::text {

std::span<const Term> allTerms() {
  static constexpr std::array kAll{terms::kBox,      terms::kSlab,  terms::kPhase,     terms::kGpc, terms::kTma,
                                   terms::kMbarrier, terms::kWgmma, terms::kWarpgroup, terms::kSlot};
  return kAll;
}

namespace {

// Calls f on each term of the glossary and each word for it. No list of them is made: a text asks in every frame.
template <class Function>
void forEachWord(Language language, Function&& f) {
  for (const Term& term : allTerms()) {
    std::string_view words = term.words.in(language);
    while (!words.empty()) {
      const std::size_t end = std::min(words.find(' '), words.size());
      f(term, words.substr(0, end));
      words.remove_prefix(std::min(end + 1, words.size()));
    }
  }
}

// No character is ASCII's.
bool isChinese(std::string_view word) {
  return std::ranges::all_of(word, [](char c) { return static_cast<unsigned char>(c) >= 0x80; });
}

}  // namespace

const Term* termOf(std::string_view word, Language language) {
  constexpr std::string_view kAround[] = {"(", ")",  ",",  ".",  ";",  ":",  "!",  "?",  "\"", "“",
                                          "”", "（", "）", "，", "。", "、", "；", "：", "！", "？"};
  for (bool cut = true; cut;) {
    cut = false;
    for (const std::string_view sign : kAround) {
      if (word.starts_with(sign)) word.remove_prefix(sign.size()), cut = true;
      if (word.ends_with(sign)) word.remove_suffix(sign.size()), cut = true;
    }
  }
  if (word.empty()) return nullptr;
  const Term* found = nullptr;
  forEachWord(language, [&](const Term& term, std::string_view known) {
    if (!found && known == word) found = &term;
  });
  return found;
}

std::size_t lengthOfTerm(std::string_view text, Language language) {
  std::size_t length = 0;
  forEachWord(language, [&](const Term&, std::string_view known) {
    if (known.size() > length && text.starts_with(known) && isChinese(known)) length = known.size();
  });
  return length;
}

}  // namespace loom::text
