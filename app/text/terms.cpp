#include "app/text/terms.h"

#include <algorithm>
#include <array>

namespace loom::text {

std::span<const Term> allTerms() {
  static constexpr std::array kAll{terms::kBox,      terms::kSlab,  terms::kPhase,     terms::kGpc, terms::kTma,
                                   terms::kMbarrier, terms::kWgmma, terms::kWarpgroup, terms::kSlot};
  return kAll;
}

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
  for (const Term& term : allTerms()) {
    std::string_view words = term.words.in(language);
    while (!words.empty()) {
      const std::size_t end = std::min(words.find(' '), words.size());
      if (words.substr(0, end) == word) return &term;
      words.remove_prefix(std::min(end + 1, words.size()));
    }
  }
  return nullptr;
}

}  // namespace loom::text
