#include "core/schedule/one_line.h"

#include <fmt/format.h>

namespace loom::schedule {

namespace {

std::string escaped(const std::string& text) {
  std::string out;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '\n') {
      out += "\\n";
    } else if (c == '\t') {
      out += "\\t";
    } else if (c == '\r') {
      out += "\\r";
    } else if (byte < 0x20 || byte == 0x7f) {
      out += fmt::format("\\x{:02x}", byte);
    } else {
      out += c;
    }
  }
  return out;
}

// With the texts that stand for its placeholders.
Message escaped(const Message& message) {
  if (message.id().empty()) return verbatim(escaped(message.english()));
  std::vector<MessageArgument> arguments = message.arguments();
  for (MessageArgument& argument : arguments) {
    if (auto* text = std::get_if<std::string>(&argument)) *text = escaped(*text);
    if (auto* phrase = std::get_if<std::shared_ptr<const Message>>(&argument)) {
      *phrase = std::make_shared<const Message>(escaped(**phrase));
    }
  }
  return Message(message.id(), std::move(arguments));
}

}  // namespace

Error inOneLine(Error error) {
  error.message = escaped(error.message);
  for (auto& [name, value] : error.numbers) value = escaped(value);
  return error;
}

}  // namespace loom::schedule
