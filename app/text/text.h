#pragma once

#include <cstdint>
#include <string_view>

namespace loom::text {

/// The languages of the program. A constexpr Text that lacks one of them does not compile.
enum class Language { kEnglish, kChinese };

/// One phrase in every language, declared as `inline constexpr Text kName{"English", "中文"};` in the header of the
/// part of the window that shows it. Placeholders are fmt's (`{}`), as many in one language as in the other. The
/// strings must be literals.
class Text {
 public:
  constexpr Text(const char* english, const char* chinese) : english_(english), chinese_(chinese) {
    if (placeholders(english) != placeholders(chinese) || *english == 0 || *chinese == 0) {
      throw "a text is empty or its placeholders differ between the languages";  // at compile time
    }
  }

  constexpr const char* in(Language language) const { return language == Language::kChinese ? chinese_ : english_; }

 private:
  static constexpr int placeholders(std::string_view phrase) {
    int count = 0;
    for (char c : phrase) {
      count += c == '{';
    }
    return count;
  }

  const char* english_;
  const char* chinese_;
};

/// Returns a reference to the phrase for a count. English has one phrase for 1 and another for all other numbers;
/// Chinese has the same in both.
constexpr const Text& counted(std::int64_t count, const Text& one, const Text& more) { return count == 1 ? one : more; }

/// Returns the language that a code ("en", "zh", "zh_CN.UTF-8") names; English for anything else.
Language languageOf(std::string_view code);

/// Returns the language of the environment: of LC_ALL, LC_MESSAGES or LANG, the first that is set and not
/// empty; English if none is.
Language environmentLanguage();

/// Returns the code of a language: "en" or "zh".
const char* codeOf(Language language);

}  // namespace loom::text
