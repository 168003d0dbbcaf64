// Messages for the user: an English template with arguments. The window and the reports translate a message by looking
// its template up in a table, so that no English sentence has to be taken apart again.
#pragma once
#include <fmt/format.h>

#include <cstdint>
#include <memory>
#include <ostream>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

namespace loom {

class Message;
Message verbatim(std::string text);

// What stands for one placeholder: a name or other text, a number, or a phrase that has words of its own in each
// language.
using MessageArgument = std::variant<std::string, std::int64_t, std::uint64_t, double, std::shared_ptr<const Message>>;

// A sentence or phrase. Its id is its English template in fmt's syntax, "{} is used by {} blocks", as with gettext. A
// message without id is a text that others wrote (a compiler, the parser of TVMScript, the system): it stays as it is
// in every language. An empty message says nothing.
class Message {
 public:
  Message() = default;
  // Make a message without an id from a text that is the same in every language (see `verbatim`).
  Message(std::string text) : english_(std::move(text)) {}
  Message(const char* text) : english_(text) {}
  // Makes a message from its id, which must outlive it, and arguments. Throws fmt::format_error if they don't fit each
  // other, which can happen if they were read from a file or another process. `message` below makes one from a literal,
  // which the compiler checks.
  Message(std::string_view id, std::vector<MessageArgument> arguments);

  // Return the message in English, with its arguments filled in.
  const std::string& english() const { return english_; }
  operator const std::string&() const { return english_; }
  bool empty() const { return english_.empty(); }
  // Returns the id, which is the English template; "" for a text without an id (`verbatim`).
  std::string_view id() const { return id_; }
  const std::vector<MessageArgument>& arguments() const { return arguments_; }
  // Returns argument `n`, counted from 0, if it is a text; "" if it is a number or a phrase, or if there are fewer
  // arguments.
  const std::string& textAt(std::size_t n) const;

  // Messages are equal if their English texts are.
  bool operator==(const Message& other) const { return english_ == other.english_; }
  bool operator==(const std::string& text) const { return english_ == text; }
  bool operator==(const char* text) const { return english_ == text; }
  friend std::ostream& operator<<(std::ostream& out, const Message& m) { return out << m.english_; }

 private:
  friend Message verbatim(std::string text);

  std::string english_;
  std::string_view id_;
  std::vector<MessageArgument> arguments_;
};

// Makes a message without an id from a text that is the same in every language, because others wrote it (a compiler,
// the system) or because nobody reads it translated.
inline Message verbatim(std::string text) {
  Message message;
  message.english_ = std::move(text);
  return message;
}

// Returns `pattern`, a template in some language, with each placeholder filled by the argument that it names (by its
// number, or in turn): a phrase by what the function `phrase` returns for it, a name or number as the placeholder's
// format says. Throws fmt::format_error if the pattern doesn't fit the arguments.
std::string filled(std::string_view pattern, const std::vector<MessageArgument>& arguments,
                   std::string (*phrase)(const Message&));

// Returns a value as an argument of a message: a message as a phrase, a string, integer or double as such, and other
// values as the text that fmt gives them.
template <class T>
MessageArgument messageArgument(T&& value) {
  using Value = std::remove_cvref_t<T>;
  if constexpr (std::is_same_v<Value, Message>) {
    return std::make_shared<const Message>(std::forward<T>(value));
  } else if constexpr (std::is_convertible_v<T, std::string>) {
    return std::string(std::forward<T>(value));
  } else if constexpr (std::is_integral_v<Value> && !std::is_same_v<Value, bool> && !std::is_same_v<Value, char>) {
    if constexpr (std::is_signed_v<Value>)
      return std::int64_t(value);
    else
      return std::uint64_t(value);
  } else if constexpr (std::is_same_v<Value, double>) {
    return value;
  } else {
    static_assert(!std::is_floating_point_v<Value>, "a float is written with other digits than a double: convert it");
    return fmt::format("{}", std::forward<T>(value));
  }
}

// Makes a message from a template and its arguments. The template must be a literal, so that a test can find it in the
// sources and in the table of translations.
template <class... Arguments>
Message message(fmt::format_string<Arguments...> id, Arguments&&... arguments) {
  const fmt::string_view text = id;
  return Message(std::string_view(text.data(), text.size()), {messageArgument(std::forward<Arguments>(arguments))...});
}

// Returns a message with `second` on a new line below `first`, each translated by itself. If one of them is empty,
// returns the other.
Message below(Message first, Message second);

// Returns what the operating system says of an error number ("No such file or directory").
Message systemMessage(int error);

}  // namespace loom

// Formats a message as its English text.
template <>
struct fmt::formatter<loom::Message> : fmt::formatter<std::string_view> {
  auto format(const loom::Message& message, format_context& context) const {
    return formatter<std::string_view>::format(message.english(), context);
  }
};
