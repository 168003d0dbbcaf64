// A check that XML, or HTML as reports write it, is well-formed.
#pragma once
#include <array>
#include <string>
#include <vector>

namespace loom::report {

// Returns "" if tags nest, quotes of attributes are closed, and `&`, `<` and `>` in texts belong to entities and tags.
// Otherwise returns what is wrong, followed by the text around the place.
inline std::string whyNotWellFormed(const std::string& text) {
  static constexpr std::array kVoid = {"meta", "!DOCTYPE", "?xml"};
  std::vector<std::string> open;
  auto wrong = [&](const char* what, std::size_t at) {
    return std::string(what) + ": " + text.substr(at > 30 ? at - 30 : 0, 80);
  };
  for (std::size_t at = 0; at < text.size();) {
    if (text[at] == '>') return wrong("a stray >", at);
    if (text[at] == '&') {
      const std::size_t end = text.find(';', at);
      const std::string name = text.substr(at, end == std::string::npos ? 1 : end - at + 1);
      if (name != "&amp;" && name != "&lt;" && name != "&gt;" && name != "&quot;" && name != "&#39;") {
        return wrong("no entity", at);
      }
      at = end + 1;
      continue;
    }
    if (text[at] != '<') {
      ++at;
      continue;
    }
    const bool closing = text.compare(at, 2, "</") == 0;
    std::size_t i = at + (closing ? 2 : 1);
    const std::size_t nameEnd = text.find_first_of(" />", i);
    if (nameEnd == std::string::npos) return wrong("an unfinished tag", at);
    const std::string name = text.substr(i, nameEnd - i);
    char quote = 0;
    for (i = nameEnd; i < text.size() && (quote || text[i] != '>'); ++i) {
      if (quote ? text[i] == quote : text[i] == '"') quote = quote ? 0 : text[i];
      if (quote && text[i] == '<') return wrong("< in an attribute", i);
    }
    if (i >= text.size()) return wrong("an unfinished tag", at);
    const bool empty = text[i - 1] == '/';
    bool isVoid = false;
    for (const char* v : kVoid) isVoid |= name == v;
    if (closing) {
      if (open.empty() || open.back() != name) return wrong("a tag that closes another", at);
      open.pop_back();
    } else if (!empty && !isVoid) {
      open.push_back(name);
      // CSS is text: > is a combinator there.
      if (name == "style") i = text.find("</style>", i) - 1;
    }
    at = i + 1;
  }
  return open.empty() ? "" : "not closed: " + open.back();
}

// Returns the parts of `text` between each `from` and the next `to`; if there is none, the rest of the text. Nothing
// for an empty `from`.
inline std::vector<std::string> all(const std::string& text, const std::string& from, const std::string& to) {
  std::vector<std::string> found;
  if (from.empty()) return found;
  for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at)) {
    at += from.size();
    const std::size_t end = text.find(to, at);
    found.push_back(text.substr(at, end - at));
  }
  return found;
}

}  // namespace loom::report
