#pragma once

#include <algorithm>
#include <cstdint>
#include <fstream>
#include <iterator>
#include <set>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace loom::tests {

/// A value for a placeholder `$NAME` in a file with step lines or a function.
struct Value {
  Value(std::string name, std::string text) : name(std::move(name)), text(std::move(text)) {}
  Value(std::string name, std::int64_t number) : name(std::move(name)), text(std::to_string(number)) {}

  std::string name;  ///< letters, digits and `_`, without the `$`
  std::string text;
};

/// Returns the contents of the file with this path from the folder tests, with its placeholders replaced by `values`.
/// Throws std::runtime_error if there is no such file, if a placeholder has no value, or a value no placeholder.
inline std::string fileText(const std::string& path, const std::vector<Value>& values = {}) {
  std::ifstream in(std::string(TILELOOM_SOURCE_DIR) + "/tests/" + path);
  if (!in) throw std::runtime_error("there is no tests/" + path);
  const std::string all{std::istreambuf_iterator<char>(in), {}};
  static constexpr auto kOfNames = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_";
  std::string text;
  std::set<std::string> asked;
  for (std::size_t at = 0; at < all.size();) {
    const std::size_t name = all.find('$', at);
    text += all.substr(at, name - at);
    if (name == std::string::npos) break;
    at = std::min(all.find_first_not_of(kOfNames, name + 1), all.size());
    const std::string wanted = all.substr(name + 1, at - name - 1);
    const auto value = std::find_if(values.begin(), values.end(), [&](const Value& v) { return v.name == wanted; });
    if (value == values.end()) throw std::runtime_error("no value for $" + wanted + " of tests/" + path);
    text += value->text;
    asked.insert(wanted);
  }
  if (asked.size() != values.size()) throw std::runtime_error("values that tests/" + path + " has no name for");
  return text;
}

/// Returns the step lines of tests/schedules/NAME.py with `values`, by `fileText`.
inline std::string scheduleText(const std::string& name, const std::vector<Value>& values = {}) {
  return fileText("schedules/" + name + ".py", values);
}

/// Returns step lines without the first that contains `part`; throws std::runtime_error if none does.
inline std::string withoutLine(std::string lines, const std::string& part) {
  const std::size_t at = lines.find(part);
  if (at == std::string::npos) throw std::runtime_error("no line has " + part);
  const std::size_t begin = lines.rfind('\n', at) + 1;
  return lines.erase(begin, lines.find('\n', at) + 1 - begin);
}

/// Returns the TVMScript function of tests/programs/NAME.py with `values`, by `fileText`.
inline std::string programText(const std::string& name, const std::vector<Value>& values = {}) {
  return fileText("programs/" + name + ".py", values);
}

}  // namespace loom::tests
