#include "core/process/message_json.h"

#include <mutex>
#include <optional>
#include <set>

namespace loom::process {

using nlohmann::json;

namespace {

// Ids are literals; one that comes over a pipe is kept for good, once.
std::string_view kept(const std::string& id) {
  static std::mutex mutex;
  static std::set<std::string> ids;
  const std::lock_guard lock(mutex);
  return *ids.insert(id).first;
}

// Are its placeholders short, as all of ours are? One of a stranger's, "{:.999999999f}", would fill the memory.
bool hasShortPlaceholders(std::string_view id) {
  constexpr std::size_t kLongest = 6;
  for (std::size_t at = id.find('{'); at != id.npos; at = id.find('{', at + 1)) {
    if (id.substr(at, kLongest).find('}') == id.npos) return false;
  }
  return true;
}

// Nothing where `words` is no message's.
std::optional<Message> readMessage(const json& words) {
  if (!words.is_object() || !words.contains("id") || !words["id"].is_string()) return std::nullopt;
  if (!words.contains("arguments") || !words["arguments"].is_array()) return std::nullopt;
  if (!hasShortPlaceholders(words["id"].get_ref<const std::string&>())) return std::nullopt;
  std::vector<MessageArgument> arguments;
  for (const json& argument : words["arguments"]) {
    if (argument.is_string()) {
      arguments.emplace_back(argument.get<std::string>());
    } else if (argument.is_number_unsigned()) {
      arguments.emplace_back(argument.get<std::uint64_t>());
    } else if (argument.is_number_integer()) {
      arguments.emplace_back(argument.get<std::int64_t>());
    } else if (argument.is_number_float()) {
      arguments.emplace_back(argument.get<double>());
    } else if (auto phrase = readMessage(argument)) {
      arguments.emplace_back(std::make_shared<const Message>(*std::move(phrase)));
    } else {
      return std::nullopt;
    }
  }
  try {
    return Message(kept(words["id"].get<std::string>()), std::move(arguments));
  } catch (const fmt::format_error&) {
    return std::nullopt;
  }
}

}  // namespace

json wordsOf(const Message& message) {
  if (message.id().empty()) return nullptr;
  json arguments = json::array();
  for (const MessageArgument& argument : message.arguments()) {
    std::visit(
        [&](const auto& value) {
          if constexpr (std::is_same_v<std::decay_t<decltype(value)>, std::shared_ptr<const Message>>) {
            arguments.push_back(value->id().empty() ? json(value->english()) : wordsOf(*value));
          } else {
            arguments.push_back(value);
          }
        },
        argument);
  }
  return {{"id", message.id()}, {"arguments", std::move(arguments)}};
}

Message messageOf(const std::string& english, const json& words) {
  auto message = readMessage(words);
  return message && message->english() == english ? *std::move(message) : verbatim(english);
}

}  // namespace loom::process
