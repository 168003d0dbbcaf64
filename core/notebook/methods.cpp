// Methods of texts, lists and dicts.

#include <algorithm>
#include <cctype>

#include "core/notebook/interpreter.h"

namespace loom::notebook {
namespace {

std::string stripped(std::string text, const std::string& characters, bool left, bool right) {
  const auto first = left ? text.find_first_not_of(characters) : 0;
  if (first == std::string::npos) return "";
  const auto last = right ? text.find_last_not_of(characters) : text.size() - 1;
  return last == std::string::npos ? "" : text.substr(first, last + 1 - first);
}

}  // namespace

Value Interpreter::method(const Method& m, CallArguments& given, const Node& at) {
  Value object = *m.object;
  if (auto* s = object.get<std::string>()) return textMethod(*s, m.name, given, at);
  if (auto* s = object.get<std::shared_ptr<Sequence>>()) return listMethod(*s, m.name, given, at);
  if (auto* d = object.get<std::shared_ptr<Dictionary>>()) return dictionaryMethod(*d, m.name, given, at);
  if (auto* p = object.get<std::shared_ptr<ScriptedModule>>()) {
    if (m.name == "show" || m.name == "script" || m.name == "astext") return opaque(message("printing"));
    if (m.name == "with_attr" || m.name == "with_attrs" || m.name == "without_attr") return object;
    raise(at, "AttributeError", message("the program {} isn't asked for '{}' here", (*p)->name, m.name));
  }
  if (object.get<ScheduledModule>()) {
    if (m.name == "show" || m.name == "script" || m.name == "astext") return opaque(message("printing"));
    return opaque(message("the scheduled module"));
  }
  raise(at, "AttributeError", message("{} has no attribute '{}'", object.describe(), m.name));
}

Value Interpreter::textMethod(const std::string& text, const std::string& name, CallArguments& given, const Node& at) {
  refuseOthers("str", name, given, at);
  for (const Value& v : given.positional) {
    if (auto* o = opaquePart(v)) return opaque(o->what);
  }
  // How often at most; Python takes a negative number as no limit.
  auto times = [&](std::size_t i, std::string_view keyword) -> std::size_t {
    const Value* v = given.find(i, keyword);
    if (!v) return std::string::npos;
    mustKnow(*v, at, message("the number"));
    if (!v->integer()) raise(at, "TypeError", message("{}() takes integers, not {}", name, v->describe()));
    return *v->integer() < 0 ? std::string::npos : std::size_t(*v->integer());
  };
  auto argument = [&](std::size_t i) -> const std::string& {
    auto* s = i < given.positional.size() ? given.positional[i].get<std::string>() : nullptr;
    if (!s) raise(at, "TypeError", message("'…'.{}() takes a text", name));
    return *s;
  };
  const std::size_t count = given.positional.size();
  auto mapped = [&](int (*f)(int)) {
    std::string out = text;
    for (char& c : out) c = static_cast<unsigned char>(c) < 0x80 ? char(f(static_cast<unsigned char>(c))) : c;
    return Value{out};
  };
  auto every = [&](int (*f)(int)) {
    return Value{!text.empty() && std::all_of(text.begin(), text.end(), [&](unsigned char c) { return f(c) != 0; })};
  };
  constexpr const char* kBlank = " \t\n\r\f\v";
  if (name == "upper") return mapped(std::toupper);
  if (name == "lower") return mapped(std::tolower);
  if (name == "isdigit" || name == "isnumeric") return every(std::isdigit);
  if (name == "isalpha") return every(std::isalpha);
  if (name == "strip") return {stripped(text, count ? argument(0) : kBlank, true, true)};
  if (name == "lstrip") return {stripped(text, count ? argument(0) : kBlank, true, false)};
  if (name == "rstrip") return {stripped(text, count ? argument(0) : kBlank, false, true)};
  if (name == "startswith") return {text.starts_with(argument(0))};
  if (name == "endswith") return {text.ends_with(argument(0))};
  if (name == "removeprefix") return {text.starts_with(argument(0)) ? text.substr(argument(0).size()) : text};
  if (name == "removesuffix") {
    return {text.ends_with(argument(0)) ? text.substr(0, text.size() - argument(0).size()) : text};
  }
  if (name == "find" || name == "index") {
    const auto found = text.find(argument(0));
    if (found == std::string::npos && name == "index") raise(at, "ValueError", message("the text isn't in it"));
    return {found == std::string::npos ? std::int64_t{-1} : std::int64_t(found)};
  }
  if (name == "count") {
    const std::string& part = argument(0);
    std::int64_t n = 0;
    for (auto i = text.find(part); i != std::string::npos && !part.empty(); i = text.find(part, i + part.size())) ++n;
    return {n};
  }
  if (name == "replace") {
    const std::string &from = argument(0), &to = argument(1);
    std::string out;
    std::size_t begin = 0, left = times(2, "count");
    if (from.empty()) raise(at, "ValueError", message("the text to replace is empty"));
    for (auto i = text.find(from); i != std::string::npos && left-- > 0; i = text.find(from, begin)) {
      out += text.substr(begin, i - begin) + to;
      begin = i + from.size();
      if (out.size() > kMostText) raise(at, "ValueError", message("the text grows too long"));
    }
    return {out + text.substr(begin)};
  }
  if (name == "split" || name == "rsplit") {
    // From the right, everything is read backwards.
    auto turned = [&](std::string s) {
      if (name == "rsplit") std::reverse(s.begin(), s.end());
      return s;
    };
    const std::string whole = turned(text);
    std::vector<Value> parts;
    std::size_t left = times(1, "maxsplit");
    if (count && !given.positional[0].isNone()) {
      const std::string by = turned(argument(0));
      if (by.empty()) raise(at, "ValueError", message("the text to split by is empty"));
      std::size_t begin = 0;
      for (auto i = whole.find(by); i != std::string::npos && left-- > 0; i = whole.find(by, begin)) {
        parts.push_back({turned(whole.substr(begin, i - begin))});
        begin = i + by.size();
        if (parts.size() > kMostItems) raise(at, "ValueError", message("the list grows too long"));
      }
      parts.push_back({turned(whole.substr(begin))});
    } else {
      for (std::size_t i = whole.find_first_not_of(kBlank); i != std::string::npos;) {
        const auto end = left-- > 0 ? whole.find_first_of(kBlank, i) : std::string::npos;
        parts.push_back({turned(whole.substr(i, end - i))});
        i = end == std::string::npos ? end : whole.find_first_not_of(kBlank, end);
      }
    }
    if (name == "rsplit") std::reverse(parts.begin(), parts.end());
    return listOf(std::move(parts));
  }
  if (name == "join") {
    std::string out;
    bool first = true;
    if (given.positional.empty()) raise(at, "TypeError", message("join() takes a list of texts"));
    for (const Value& v : iterate(given.positional[0], at)) {
      auto* s = v.get<std::string>();
      if (!s) raise(at, "TypeError", message("join() takes texts, not {}", v.describe()));
      out += (first ? "" : text) + *s;
      first = false;
      if (out.size() > kMostText) raise(at, "ValueError", message("the text grows too long"));
    }
    return {out};
  }
  if (name == "format") {
    std::string out;
    std::size_t next = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
      if ((text[i] == '{' || text[i] == '}') && i + 1 < text.size() && text[i + 1] == text[i]) {
        out += text[i++];
      } else if (text[i] == '{') {
        const auto end = text.find('}', i);
        if (end == std::string::npos) raise(at, "ValueError", message("expected '}}' in the format"));
        const std::string inner = text.substr(i + 1, end - i - 1);
        const auto colon = inner.find(':');
        const std::string which = inner.substr(0, colon);
        const Value* v = nullptr;
        if (which.empty()) {
          v = given.find(next++, "");
        } else if (which.find_first_not_of("0123456789") == std::string::npos && which.size() < 4) {
          v = given.find(std::size_t(std::stoi(which)), "");
        } else {
          for (const auto& [key, item] : given.keywords) {
            if (key == which) v = &item;
          }
        }
        if (!v) raise(at, "IndexError", message("the format's place {{{}}} has no value", inner));
        if (auto* o = opaquePart(*v)) return opaque(o->what);
        out += formatValue(*v, colon == std::string::npos ? "" : inner.substr(colon + 1), at);
        i = end;
      } else {
        out += text[i];
      }
      if (out.size() > kMostText) raise(at, "ValueError", message("the text grows too long"));
    }
    return {out};
  }
  raise(at, "AttributeError", message("a text has no method '{}' here", name));
}

Value Interpreter::listMethod(const std::shared_ptr<Sequence>& list, const std::string& name, CallArguments& given,
                              const Node& at) {
  refuseOthers("list", name, given, at);
  auto& items = list->items;
  auto need = [&]() -> const Value& {
    if (given.positional.empty()) raise(at, "TypeError", message("{}() needs an argument", name));
    return given.positional[0];
  };
  auto place = [&]() {
    const Value& v = need();
    return find(items, v, at);
  };
  if (name == "count") {
    const Value& v = need();
    return {std::int64_t(std::count_if(items.begin(), items.end(), [&](const Value& i) { return same(i, v, at); }))};
  }
  if (name == "index") {
    auto found = place();
    if (found == items.end()) raise(at, "ValueError", message("the value isn't in the list"));
    return {std::int64_t(found - items.begin())};
  }
  if (name == "copy") return listOf(items, list->kind);
  if (list->kind == Sequence::Kind::Set) {
    if (name == "add") {
      if (place() == items.end()) items.push_back(need());
      return {};
    }
  }
  if (list->kind != Sequence::Kind::List) {
    raise(at, "AttributeError", message("{} has no method '{}' here", Value{list}.describe(), name));
  }
  if (name == "append") {
    items.push_back(need());
    if (items.size() > kMostItems) raise(at, "ValueError", message("the list grows too long"));
    return {};
  }
  if (name == "extend") {
    for (Value& v : iterate(need(), at)) items.push_back(std::move(v));
    if (items.size() > kMostItems) raise(at, "ValueError", message("the list grows too long"));
    return {};
  }
  if (name == "insert" || name == "pop") {
    const auto size = std::int64_t(items.size());
    std::int64_t i = name == "pop" ? size - 1 : 0;
    if (name == "insert" || !given.positional.empty()) {
      auto index = need().integer();
      if (!index) raise(at, "TypeError", message("expected an integer as the index"));
      i = *index < 0 ? *index + size : *index;
    }
    if (name == "insert") {
      if (given.positional.size() < 2) raise(at, "TypeError", message("insert() needs an index and a value"));
      items.insert(items.begin() + std::clamp<std::int64_t>(i, 0, size), given.positional[1]);
      return {};
    }
    if (i < 0 || i >= size) raise(at, "IndexError", message("pop of item {} of a list of {}", i, size));
    Value v = std::move(items[std::size_t(i)]);
    items.erase(items.begin() + i);
    return v;
  }
  if (name == "remove") {
    auto found = place();
    if (found == items.end()) raise(at, "ValueError", message("the value isn't in the list"));
    items.erase(found);
    return {};
  }
  if (name == "reverse") return std::reverse(items.begin(), items.end()), Value{};
  if (name == "clear") return items.clear(), Value{};
  if (name == "sort") return sortItems(items, given, at), Value{};
  raise(at, "AttributeError", message("a list has no method '{}' here", name));
}

Value Interpreter::dictionaryMethod(const std::shared_ptr<Dictionary>& d, const std::string& name, CallArguments& given,
                                    const Node& at) {
  refuseOthers("dict", name, given, at);
  std::vector<Value> list;
  if (name == "keys" || name == "values" || name == "items") {
    for (const auto& [key, v] : d->items) {
      list.push_back(name == "keys" ? key : name == "values" ? v : listOf({key, v}, Sequence::Kind::Tuple));
    }
    return listOf(std::move(list));
  }
  if (name == "get" || name == "pop" || name == "setdefault") {
    if (given.positional.empty()) raise(at, "TypeError", message("{}() needs a key", name));
    mustKnow(given.positional[0], at, message("the key"));
    if (const auto item = find(*d, given.positional[0], at); item != d->items.end()) {
      Value v = item->second;
      if (name == "pop") d->items.erase(item);
      return v;
    }
    const Value* fallback = given.find(1, "default");
    if (name == "setdefault") d->items.emplace_back(given.positional[0], fallback ? *fallback : Value{});
    if (!fallback && name == "pop") raise(at, "KeyError", verbatim(representation(given.positional[0])));
    return fallback ? *fallback : Value{};
  }
  if (name == "update") {
    std::vector<std::pair<Value, Value>> more;
    if (!given.positional.empty()) {
      auto* other = given.positional[0].dictionary();
      if (!other) raise(at, "TypeError", message("update() takes a dict"));
      more = other->items;
    }
    for (const auto& [key, v] : given.keywords) more.emplace_back(Value{key}, v);
    for (auto& [key, v] : more) put(*d, std::move(key), std::move(v), at);
    return {};
  }
  if (name == "copy") return {std::make_shared<Dictionary>(*d)};
  raise(at, "AttributeError", message("a dict has no method '{}' here", name));
}

}  // namespace loom::notebook
