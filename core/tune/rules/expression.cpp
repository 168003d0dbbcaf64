#include "core/tune/rules/expression.h"

#include <cctype>
#include <string>

namespace loom::tune {

namespace {

Failure unreadable(const Message& what) { return fail("SketchError", what, Forbids::Input); }

class Reader {
 public:
  Reader(std::string_view text, const ValueOfName& value) : text_(text), value_(value) {}

  Result<std::int64_t> whole() {
    auto sum = readSum();
    if (!sum) return sum;
    if (!atEnd()) return unexpectedHere();
    return sum;
  }

 private:
  bool atEnd() {
    while (at_ < text_.size() && text_[at_] == ' ') ++at_;
    return at_ == text_.size();
  }
  bool take(std::string_view token) {
    if (atEnd() || !text_.substr(at_).starts_with(token)) return false;
    at_ += token.size();
    return true;
  }
  Failure unexpectedHere() {
    return unreadable(message("\"{}\" can't be read from its character {} on", std::string(text_), at_ + 1));
  }
  Failure tooLarge() { return unreadable(message("the value of \"{}\" is too large", std::string(text_))); }

  Result<std::int64_t> readSum() {
    auto sum = readProduct();
    while (sum) {
      const bool plus = take("+");
      if (!plus && !take("-")) break;
      auto term = readProduct();
      if (!term) return term;
      if (plus ? __builtin_add_overflow(*sum, *term, &*sum) : __builtin_sub_overflow(*sum, *term, &*sum))
        return tooLarge();
    }
    return sum;
  }

  Result<std::int64_t> readProduct() {
    auto product = readFactor();
    while (product) {
      const bool divides = take("//");
      const bool rest = !divides && take("%");
      if (!divides && !rest && !take("*")) break;
      auto factor = readFactor();
      if (!factor) return factor;
      if (!divides && !rest) {
        if (__builtin_mul_overflow(*product, *factor, &*product)) return tooLarge();
        continue;
      }
      if (*factor == 0) return unreadable(message("\"{}\" divides by 0", std::string(text_)));
      if (*factor == -1) {
        if (rest) {
          *product = 0;
        } else if (__builtin_sub_overflow(std::int64_t(0), *product, &*product)) {
          return tooLarge();
        }
        continue;
      }
      std::int64_t quotient = *product / *factor, left = *product % *factor;
      if (left != 0 && (left < 0) != (*factor < 0)) --quotient, left += *factor;
      *product = divides ? quotient : left;
    }
    return product;
  }

  Result<std::int64_t> readFactor() {
    if (atEnd()) return unexpectedHere();
    if (depth_ > kDeepest) return unexpectedHere();
    if (take("-")) {
      ++depth_;
      auto factor = readFactor();
      --depth_;
      if (factor && __builtin_sub_overflow(std::int64_t(0), *factor, &*factor)) return tooLarge();
      return factor;
    }
    if (take("(")) {
      ++depth_;
      auto sum = readSum();
      --depth_;
      if (sum && !take(")")) return unexpectedHere();
      return sum;
    }
    const std::size_t begin = at_;
    if (std::isdigit(static_cast<unsigned char>(text_[at_]))) {
      std::int64_t number = 0;
      for (; at_ < text_.size() && std::isdigit(static_cast<unsigned char>(text_[at_])); ++at_)
        if (__builtin_mul_overflow(number, 10, &number) || __builtin_add_overflow(number, text_[at_] - '0', &number))
          return tooLarge();
      return number;
    }
    if (!std::isalpha(static_cast<unsigned char>(text_[at_]))) return unexpectedHere();
    while (at_ < text_.size() && isOfName(text_[at_])) ++at_;
    const std::string_view name = text_.substr(begin, at_ - begin);
    if (const auto value = value_(name)) return *value;
    return unreadable(message("\"{}\" names \"{}\", which is no decision", std::string(text_), std::string(name)));
  }

  static constexpr int kDeepest = 100;  // parentheses and signs within each other

  std::string_view text_;
  const ValueOfName& value_;
  std::size_t at_ = 0;
  int depth_ = 0;
};

}  // namespace

bool isOfName(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '.'; }

Result<std::int64_t> evaluated(std::string_view expression, const ValueOfName& value) {
  return Reader(expression, value).whole();
}

}  // namespace loom::tune
