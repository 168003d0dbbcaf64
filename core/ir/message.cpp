#include "core/ir/message.h"

#include <fmt/args.h>

#include <cerrno>
#include <cstring>

namespace loom {

std::string filled(std::string_view pattern, const std::vector<MessageArgument>& arguments,
                   std::string (*phrase)(const Message&)) {
  fmt::dynamic_format_arg_store<fmt::format_context> store;
  for (const MessageArgument& argument : arguments) {
    std::visit(
        [&](const auto& value) {
          if constexpr (std::is_same_v<std::decay_t<decltype(value)>, std::shared_ptr<const Message>>) {
            store.push_back(phrase(*value));
          } else {
            store.push_back(value);
          }
        },
        argument);
  }
  return fmt::vformat(fmt::string_view(pattern.data(), pattern.size()), store);
}

Message::Message(std::string_view id, std::vector<MessageArgument> arguments)
    : id_(id), arguments_(std::move(arguments)) {
  english_ = filled(id_, arguments_, [](const Message& m) { return m.english(); });
}

const std::string& Message::textAt(std::size_t n) const {
  static const std::string kNone;
  const auto* text = n < arguments_.size() ? std::get_if<std::string>(&arguments_[n]) : nullptr;
  return text != nullptr ? *text : kNone;
}

Message below(Message first, Message second) {
  if (first.empty()) return second;
  if (second.empty()) return first;
  return message("{}\n{}", std::move(first), std::move(second));
}

Message systemMessage(int error) {
  switch (error) {
    case EACCES: return message("Permission denied");
    case ENOENT: return message("No such file or directory");
    case ENOSPC: return message("No space left on device");
    case EROFS: return message("Read-only file system");
    case EISDIR: return message("Is a directory");
    case ENOTDIR: return message("Not a directory");
    case ENAMETOOLONG: return message("File name too long");
    default: return verbatim(std::strerror(error));
  }
}

}  // namespace loom
