#include "tests/text/message_ids.h"

#include <algorithm>
#include <cctype>

namespace loom::text {
namespace {

bool isOfName(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

// "a block of {} threads", but neither "sch.get(…)" nor, as a format, "{:.3g}".
bool isSentence(std::string_view literal, bool isFormat) {
  bool inside = false, letter = false, space = false;
  for (const char c : literal) {
    inside = isFormat && (c == '{' || (inside && c != '}'));
    letter = letter || (!inside && std::isalpha(static_cast<unsigned char>(c)) != 0);
    space = space || c == ' ';
  }
  return letter && (space || isFormat);
}

char escaped(char c) { return c == 'n' ? '\n' : c == 't' ? '\t' : c; }

// Reads through a source text: past comments and literals, so that what is said in them is no call.
class Reader {
 public:
  explicit Reader(std::string_view text) : text_(text) {}

  MessageCalls run() {
    MessageCalls calls;
    while (at_ < text_.size()) {
      if (passed()) continue;
      if (accept("verbatim(")) {
        const bool isFormat = accept("fmt::format(");
        if (isSentence(literals(), isFormat)) calls.untranslated.push_back(line());
      } else if (accept("fail(")) {
        // Its code, and then what becomes a message without being one.
        if (!literals().empty() && accept(",")) {
          passSpace();
          if (begins("\"") || begins("fmt::format(")) calls.untranslated.push_back(line());
        }
      } else if (accept("message(")) {
        const std::string id = literals();
        if (id.empty()) {
          calls.withoutLiteral.push_back(line());
        } else {
          calls.ids.insert(id);
        }
      } else {
        ++at_;
      }
    }
    return calls;
  }

 private:
  // Whether the name begins here, and no longer one and no member's; past it then.
  bool accept(std::string_view call) {
    const bool whole = at_ == 0 || !(isOfName(text_[at_ - 1]) || text_[at_ - 1] == '.' || text_[at_ - 1] == '>');
    if (!whole || !begins(call)) return false;
    at_ += call.size();
    return true;
  }

  int line() const { return 1 + int(std::count(text_.begin(), text_.begin() + std::ptrdiff_t(at_), '\n')); }

  bool begins(std::string_view what) const { return text_.substr(at_).starts_with(what); }

  void passSpace() {
    while (std::isspace(static_cast<unsigned char>(text_[at_])) != 0) ++at_;
  }

  void passTo(std::string_view end) { at_ = std::min(text_.find(end, at_), text_.size() - end.size()) + end.size(); }

  // Past a comment or a literal; false where none begins.
  bool passed() {
    if (begins("//")) {
      passTo("\n");
    } else if (begins("/*")) {
      passTo("*/");
    } else if (begins("R\"")) {
      const std::size_t open = text_.find('(', at_);
      passTo(")" + std::string(text_.substr(at_ + 2, open - at_ - 2)) + "\"");
    } else if (begins("\"")) {
      literal();
    } else if (begins("'") && (at_ == 0 || !isOfName(text_[at_ - 1]))) {
      at_ = text_.find('\'', at_ + (text_[at_ + 1] == '\\' ? 3 : 2)) + 1;
    } else {
      return false;
    }
    return true;
  }

  std::string literal() {
    std::string value;
    for (++at_; text_[at_] != '"'; ++at_) value += text_[at_] == '\\' ? escaped(text_[++at_]) : text_[at_];
    ++at_;
    return value;
  }

  // Those that stand here one after another, joined; "" where there is none.
  std::string literals() {
    std::string value;
    for (;;) {
      passSpace();
      if (!begins("\"")) return value;
      value += literal();
    }
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

}  // namespace

MessageCalls messageCalls(std::string_view source) { return Reader(source).run(); }

std::map<int, std::string> placeholders(std::string_view pattern) {
  std::map<int, std::string> all;
  int next = 0;
  for (std::size_t at = 0; at < pattern.size(); ++at) {
    if (pattern[at] != '{') continue;
    if (pattern.substr(at, 2) == "{{") {
      ++at;
      continue;
    }
    const std::string_view inside = pattern.substr(at + 1, pattern.find('}', at) - at - 1);
    const std::string_view number = inside.substr(0, inside.find(':'));
    const int argument = number.empty() ? next++ : std::stoi(std::string(number));
    all[argument] = inside.substr(number.size());
  }
  return all;
}

}  // namespace loom::text
