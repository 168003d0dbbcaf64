#include "core/document/json_text.h"

#include <algorithm>
#include <set>
#include <vector>

#include "core/process/json_error.h"

namespace loom::document {
namespace {

// Of "parse error at line 2, column 7: syntax error while parsing value - invalid literal; last read: '…'" what isn't
// said by the place.
Message reasonWithoutPlace(const nlohmann::json::exception& e) {
  std::string what = process::reasonOf(e).english();
  if (std::size_t end = what.find(": "); what.starts_with("parse error at") && end != std::string::npos) {
    what.erase(0, end + 2);
  }
  return message("no JSON: {}", what);
}

Place placeOf(const std::string& text, std::size_t at, const std::string& file) {
  Place place;
  place.file = file;
  at = std::min(at, text.size());
  const std::size_t before = at == 0 ? std::string::npos : text.rfind('\n', at - 1);
  const std::size_t start = before == std::string::npos ? 0 : before + 1;
  place.line = 1 + int(std::count(text.begin(), text.begin() + std::ptrdiff_t(start), '\n'));
  place.column = 1 + int(at - start);
  place.text = text.substr(start, text.find('\n', start) - start);
  return place;
}

}  // namespace

Result<nlohmann::ordered_json> parseJson(const std::string& text, const std::string& file) {
  using json = nlohmann::ordered_json;
  // A key that stands twice means two things: neither is taken for granted.
  std::vector<std::set<std::string>> keys;  // of the objects that are open
  std::string twice;
  auto look = [&](int, json::parse_event_t event, json& parsed) {
    if (event == json::parse_event_t::object_start) keys.emplace_back();
    if (event == json::parse_event_t::object_end) keys.pop_back();
    if (event == json::parse_event_t::key && !keys.back().insert(parsed.get<std::string>()).second) {
      twice = parsed.get<std::string>();
    }
    return true;
  };
  try {
    json parsed = json::parse(text, look);
    if (twice.empty()) return parsed;
    auto failure = fail("ParseError", message("the key \"{}\" stands twice in one object", twice), Forbids::Input);
    failure.value().place.file = file;
    return failure;
  } catch (const nlohmann::json::parse_error& e) {
    auto failure = fail("ParseError", reasonWithoutPlace(e), Forbids::Input);
    failure.value().place = placeOf(text, e.byte > 0 ? e.byte - 1 : 0, file);  // of the last byte that was read
    return failure;
  } catch (const nlohmann::json::exception& e) {
    auto failure = fail("ParseError", reasonWithoutPlace(e), Forbids::Input);  // a number that nothing holds
    failure.value().place.file = file;
    return failure;
  }
}

}  // namespace loom::document
