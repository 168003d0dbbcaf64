#include "core/notebook/value.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace loom::notebook {

namespace {

void release(std::vector<Value> values) {
  while (!values.empty()) {
    const Value v = std::move(values.back());
    values.pop_back();
    if (auto* s = v.get<std::shared_ptr<Sequence>>(); s && s->use_count() == 1) {
      for (Value& item : (*s)->items) values.push_back(std::move(item));
      (*s)->items.clear();
    }
    if (auto* d = v.get<std::shared_ptr<Dictionary>>(); d && d->use_count() == 1) {
      for (auto& [key, item] : (*d)->items) values.push_back(std::move(item));
      (*d)->items.clear();
    }
  }
}

}  // namespace

Sequence::Sequence(Kind k, std::vector<Value> i) : kind(k), items(std::move(i)) {}
Sequence::~Sequence() { release(std::move(items)); }
Dictionary::~Dictionary() {
  std::vector<Value> values;
  for (auto& [key, item] : items) values.push_back(std::move(item));
  release(std::move(values));
}

const Sequence* Value::sequence() const {
  auto* s = get<std::shared_ptr<Sequence>>();
  return s ? s->get() : nullptr;
}
const Dictionary* Value::dictionary() const {
  auto* d = get<std::shared_ptr<Dictionary>>();
  return d ? d->get() : nullptr;
}

std::optional<std::int64_t> Value::integer() const {
  if (auto* i = get<std::int64_t>()) return *i;
  if (auto* b = get<bool>()) return *b;
  return std::nullopt;
}

std::optional<double> Value::number() const {
  if (auto* d = get<double>()) return *d;
  if (auto i = integer()) return double(*i);
  return std::nullopt;
}

Message Value::describe() const {
  static const std::array<Message, 19> kNames = {verbatim("None"),
                                                 message("a bool"),
                                                 message("an integer"),
                                                 message("a float"),
                                                 message("a string"),
                                                 message("a list"),
                                                 message("a dict"),
                                                 message("a function"),
                                                 message("a program"),
                                                 message("a schedule"),
                                                 message("a handle"),
                                                 message("a handle"),
                                                 message("an expression"),
                                                 message("a function"),
                                                 message("a function"),
                                                 message("a name of TVM's"),
                                                 message("a module"),
                                                 message("a loop"),
                                                 message("a value that only Python knows")};
  if (auto* s = sequence()) {
    switch (s->kind) {
      case Sequence::Kind::List: return message("a list");
      case Sequence::Kind::Tuple: return message("a tuple");
      case Sequence::Kind::Set: return message("a set");
    }
  }
  return kNames[v.index()];
}

Value listOf(std::vector<Value> items, Sequence::Kind kind) {
  return {std::make_shared<Sequence>(kind, std::move(items))};
}
Value opaque(Message what) { return {Opaque{std::move(what)}}; }

namespace {

// `left`: how many values may still be looked at; lists of lists of the same list have more than anyone waits for.
const Opaque* opaqueIn(const Value& value, int depth, int& left) {
  if (depth > 20 || --left < 0) return nullptr;
  if (auto* o = value.get<Opaque>()) return o;
  if (auto* s = value.sequence()) {
    for (const Value& item : s->items) {
      if (auto* o = opaqueIn(item, depth + 1, left)) return o;
    }
  }
  if (auto* d = value.dictionary()) {
    for (const auto& [key, item] : d->items) {
      if (auto* o = opaqueIn(item, depth + 1, left)) return o;
    }
  }
  return nullptr;
}

}  // namespace

const Opaque* opaquePart(const Value& value) {
  int left = 200'000;
  return opaqueIn(value, 0, left);
}

namespace {

bool equalAt(const Value& a, const Value& b, int depth, std::int64_t& left) {
  if (depth > 100 || --left < 0) return false;
  if (a.number() && b.number()) {
    if (a.integer() && b.integer()) return *a.integer() == *b.integer();
    return *a.number() == *b.number();
  }
  if (a.v.index() != b.v.index()) return false;
  if (auto* s = a.get<std::string>()) return *s == *b.get<std::string>();
  if (auto* s = a.sequence()) {
    auto* t = b.sequence();
    if (s->kind != t->kind || s->items.size() != t->items.size()) return false;
    if (s->kind == Sequence::Kind::Set) {
      return std::ranges::all_of(s->items, [&](const Value& item) {
        return std::ranges::any_of(t->items, [&](const Value& its) { return equalAt(item, its, depth + 1, left); });
      });
    }
    for (std::size_t i = 0; i < s->items.size(); ++i) {
      if (!equalAt(s->items[i], t->items[i], depth + 1, left)) return false;
    }
    return true;
  }
  if (auto* d = a.dictionary()) {
    auto* e = b.dictionary();
    if (d->items.size() != e->items.size()) return false;
    return std::ranges::all_of(d->items, [&](const auto& own) {
      return std::ranges::any_of(e->items, [&](const auto& its) {
        return equalAt(own.first, its.first, depth + 1, left) && equalAt(own.second, its.second, depth + 1, left);
      });
    });
  }
  if (auto* h = a.get<std::shared_ptr<Handle>>()) {
    const Handle &one = **h, &other = **b.get<std::shared_ptr<Handle>>();
    return one.schedule == other.schedule && one.text == other.text;
  }
  if (auto* f = a.get<Foreign>()) return f->path == b.get<Foreign>()->path;
  if (auto* f = a.get<std::shared_ptr<Function>>()) return *f == *b.get<std::shared_ptr<Function>>();
  if (auto* s = a.get<std::shared_ptr<Schedule>>()) return *s == *b.get<std::shared_ptr<Schedule>>();
  if (auto* p = a.get<std::shared_ptr<ScriptedModule>>()) return *p == *b.get<std::shared_ptr<ScriptedModule>>();
  return a.isNone();
}

// As Python writes floats: the shortest text that reads back.
std::string floatText(double value) {
  if (std::isnan(value)) return "nan";
  if (std::isinf(value)) return value < 0 ? "-inf" : "inf";
  std::string text = fmt::format("{}", value);
  if (text.find_first_of(".e") == std::string::npos) text += ".0";
  return text;
}

std::string quoted(const std::string& text) {
  const char quote = text.find('\'') != std::string::npos && text.find('"') == std::string::npos ? '"' : '\'';
  std::string out(1, quote);
  for (char c : text) {
    constexpr std::string_view kNamed = "\nn\tt\rr";
    if (const auto named = kNamed.find(c); named != std::string_view::npos && named % 2 == 0) {
      out += '\\';
      out += kNamed[named + 1];
    } else if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) {
      out += fmt::format("\\x{:02x}", int(c));
    } else if (c == '\\' || c == quote) {
      out += '\\';
      out += c;
    } else {
      out += c;
    }
  }
  return out + quote;
}

std::string written(const Value& value, bool quotes, int depth) {
  if (depth > 20) return "…";
  if (value.isNone()) return "None";
  if (auto* b = value.get<bool>()) return *b ? "True" : "False";
  if (auto* i = value.get<std::int64_t>()) return std::to_string(*i);
  if (auto* d = value.get<double>()) return floatText(*d);
  if (auto* s = value.get<std::string>()) return quotes ? quoted(*s) : *s;
  if (auto* s = value.sequence()) {
    std::string inner;
    for (const Value& item : s->items) {
      inner += (inner.empty() ? "" : ", ") + written(item, true, depth + 1);
      if (inner.size() > 100000) break;
    }
    if (s->kind == Sequence::Kind::List) return "[" + inner + "]";
    if (s->kind == Sequence::Kind::Set) return s->items.empty() ? "set()" : "{" + inner + "}";
    return "(" + inner + (s->items.size() == 1 ? ",)" : ")");
  }
  if (auto* d = value.dictionary()) {
    std::string inner;
    for (const auto& [key, item] : d->items) {
      inner += (inner.empty() ? "" : ", ") + written(key, true, depth + 1) + ": " + written(item, true, depth + 1);
      if (inner.size() > 100000) break;
    }
    return "{" + inner + "}";
  }
  if (auto* h = value.get<std::shared_ptr<Handle>>()) return script::printValue((*h)->text);
  if (auto* s = value.get<Symbol>()) return script::printValue(s->value);
  return "<" + value.describe().english() + ">";
}

}  // namespace

bool equal(const Value& a, const Value& b, std::int64_t& compared) {
  constexpr std::int64_t kMost = 5'000'000;
  std::int64_t left = kMost;
  const bool is = equalAt(a, b, 0, left);
  compared += kMost - left;
  return is;
}
std::string textOf(const Value& value) { return written(value, false, 0); }
std::string representation(const Value& value) { return written(value, true, 0); }

}  // namespace loom::notebook
