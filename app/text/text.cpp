#include "app/text/text.h"

#include <cstdlib>

namespace loom::text {

Language languageOf(std::string_view code) {
  return code.substr(0, 2) == "zh" ? Language::kChinese : Language::kEnglish;
}

Language environmentLanguage() {
  for (const char* name : {"LC_ALL", "LC_MESSAGES", "LANG"}) {
    if (const char* value = std::getenv(name); value != nullptr && *value != 0) {
      return languageOf(value);
    }
  }
  return Language::kEnglish;
}

const char* codeOf(Language language) { return language == Language::kChinese ? "zh" : "en"; }

}  // namespace loom::text
