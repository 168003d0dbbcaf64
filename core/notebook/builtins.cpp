// Python's own functions.

#include <algorithm>
#include <charconv>
#include <cmath>

#include "core/notebook/interpreter.h"

namespace loom::notebook {

void Interpreter::sortItems(std::vector<Value>& items, CallArguments& given, const Node& at) {
  const Value* key = given.find(99, "key");
  const Value* reverse = given.find(99, "reverse");
  std::vector<std::pair<Value, Value>> keyed;
  for (Value& item : items) {
    Value k = key && !key->isNone() ? callValue(*key, {{item}, {}}, at) : item;
    mustKnow(k, at, message("what is sorted by"));
    keyed.emplace_back(std::move(k), std::move(item));
  }
  spend(at.line, at.column, std::int64_t(items.size()) * 16);
  const bool down = reverse && truth(*reverse, at);
  // What can't be compared is found first: an order that throws halfway leaves nothing behind.
  for (const auto& [k, item] : keyed) {
    if (!compareTwo("<", keyed.front().first, k, at)) {
      raise(at, "TypeError", message("{} and {} can't be sorted", keyed.front().first.describe(), k.describe()));
    }
  }
  std::stable_sort(keyed.begin(), keyed.end(), [&](const auto& a, const auto& b) {
    return compareTwo("<", down ? b.first : a.first, down ? a.first : b.first, at).value_or(false);
  });
  for (std::size_t i = 0; i < items.size(); ++i) items[i] = std::move(keyed[i].second);
}

Value Interpreter::builtin(const std::string& name, CallArguments& given, const Node& at) {
  auto need = [&](std::size_t i) -> const Value& {
    if (i >= given.positional.size()) raise(at, "TypeError", message("{}() needs another argument", name));
    return given.positional[i];
  };
  const std::size_t count = given.positional.size();
  if (name == "print") return opaque(message("printing"));
  if (name == "isinstance" || name == "hasattr") return opaque(verbatim(name + "()"));
  refuseOthers("", name, given, at);
  if (name == "getattr") {
    const Value& object = need(0);
    auto* attribute = need(1).get<std::string>();
    if (auto* s = object.get<std::shared_ptr<Schedule>>(); s && attribute) return scheduleAttribute(*s, *attribute);
    raise(at, "TypeError", message("getattr is for schedules only"));
  }
  for (const Value& v : given.positional) {
    if (auto* o = v.get<Opaque>()) return opaque(o->what);
  }
  auto items = [&](std::size_t i) { return iterate(need(i), at); };
  auto integerOf = [&](const Value& v) {
    mustKnow(v, at, message("the number"));
    auto i = v.integer();
    if (!i) raise(at, "TypeError", message("{}() takes integers, not {}", name, v.describe()));
    return *i;
  };
  if (name == "len") {
    const Value& v = need(0);
    if (auto* s = v.sequence()) return {std::int64_t(s->items.size())};
    if (auto* d = v.dictionary()) return {std::int64_t(d->items.size())};
    if (auto* s = v.get<std::string>()) return {std::int64_t(s->size())};
    raise(at, "TypeError", message("{} has no length", v.describe()));
  }
  if (name == "range") {
    const std::int64_t start = count > 1 ? integerOf(need(0)) : 0, stop = integerOf(need(count > 1 ? 1 : 0));
    const std::int64_t step = count > 2 ? integerOf(need(2)) : 1;
    if (step == 0) raise(at, "ValueError", message("a range's step is not 0"));
    std::vector<Value> numbers;
    for (std::int64_t i = start; step > 0 ? i < stop : i > stop;) {
      numbers.push_back({i});
      if (numbers.size() > kMostItems) raise(at, "ValueError", message("a range of more than {} numbers", kMostItems));
      if (__builtin_add_overflow(i, step, &i)) break;
    }
    spend(at.line, at.column, std::int64_t(numbers.size() / 8));
    return listOf(std::move(numbers));
  }
  if (name == "list" || name == "tuple" || name == "set" || name == "reversed" || name == "sorted") {
    std::vector<Value> all = count ? items(0) : std::vector<Value>{};
    if (name == "reversed") std::reverse(all.begin(), all.end());
    if (name == "sorted") sortItems(all, given, at);
    if (name == "set") {
      all = unique(std::move(all), at);
    }
    return listOf(std::move(all), name == "tuple" ? Sequence::Kind::Tuple
                                  : name == "set" ? Sequence::Kind::Set
                                                  : Sequence::Kind::List);
  }
  if (name == "dict") {
    auto d = std::make_shared<Dictionary>();
    if (count) {
      if (auto* other = need(0).dictionary()) {
        d->items = other->items;
      } else {
        for (const Value& pair : items(0)) {
          const std::vector<Value> both = iterate(pair, at);
          if (both.size() != 2) raise(at, "ValueError", message("expected pairs of key and value"));
          put(*d, both[0], both[1], at);
        }
      }
    }
    for (const auto& [key, v] : given.keywords) put(*d, Value{key}, v, at);
    return {d};
  }
  if (name == "zip" || name == "enumerate") {
    std::vector<std::vector<Value>> lists;
    for (std::size_t i = 0; i < (name == "zip" ? count : 1); ++i) lists.push_back(items(i));
    std::int64_t from = 0;
    if (name == "enumerate") {
      if (auto* start = given.find(1, "start")) from = integerOf(*start);
    }
    std::vector<Value> rows;
    std::size_t length = lists.empty() ? 0 : lists[0].size();
    for (const auto& list : lists) length = std::min(length, list.size());
    for (std::size_t r = 0; r < length; ++r) {
      std::vector<Value> row;
      if (name == "enumerate") row.push_back({from + std::int64_t(r)});
      for (const auto& list : lists) row.push_back(list[r]);
      rows.push_back(listOf(std::move(row), Sequence::Kind::Tuple));
    }
    return listOf(std::move(rows));
  }
  if (name == "map" || name == "filter") {
    std::vector<std::vector<Value>> lists;
    for (std::size_t i = 1; i < count; ++i) lists.push_back(items(i));
    std::size_t length = lists.empty() ? 0 : lists[0].size();
    for (const auto& list : lists) length = std::min(length, list.size());
    std::vector<Value> results;
    for (std::size_t r = 0; r < length; ++r) {
      CallArguments row;
      for (const auto& list : lists) row.positional.push_back(list[r]);
      Value v = need(0).isNone() ? lists[0][r] : force(callValue(need(0), std::move(row), at), "", at);
      if (name == "map") {
        results.push_back(std::move(v));
      } else if (truth(v, at)) {
        results.push_back(lists[0][r]);
      }
    }
    return listOf(std::move(results));
  }
  if (name == "min" || name == "max") {
    std::vector<Value> all = count == 1 ? items(0) : given.positional;
    if (all.empty()) {
      if (auto* fallback = given.find(99, "default")) return *fallback;
      raise(at, "ValueError", message("{}() of nothing", name));
    }
    const Value* key = given.find(99, "key");
    auto keyOf = [&](const Value& v) { return key && !key->isNone() ? callValue(*key, {{v}, {}}, at) : v; };
    Value best = all[0], bestKey = keyOf(all[0]);
    for (std::size_t i = 1; i < all.size(); ++i) {
      if (auto* o = opaquePart(all[i])) return opaque(o->what);
      Value k = keyOf(all[i]);
      auto is = compareTwo(name == "min" ? "<" : ">", k, bestKey, at);
      if (!is) raise(at, "TypeError", message("{} and {} can't be compared", k.describe(), bestKey.describe()));
      if (*is) best = all[i], bestKey = std::move(k);
    }
    return best;
  }
  if (name == "sum") {
    auto* start = given.find(1, "start");
    Value total = start ? *start : Value{std::int64_t{0}};
    for (const Value& v : items(0)) total = binary("+", total, v, at);
    return total;
  }
  if (name == "any" || name == "all") {
    for (const Value& v : items(0)) {
      if (truth(v, at) == (name == "any")) return {name == "any"};
    }
    return {name == "all"};
  }
  if (name == "abs") {
    const Value& v = need(0);
    if (v.integer()) return *v.integer() < 0 ? unary("-", v, at) : Value{*v.integer()};
    if (v.number()) return {std::fabs(*v.number())};
  }
  if (name == "int") {
    if (!count) return {std::int64_t{0}};
    const Value& v = need(0);
    const Value* ofBase = given.find(1, "base");
    const std::int64_t base = ofBase ? integerOf(*ofBase) : 10;
    if (base < 2 || base > 36)
      raise(at, "ValueError", message("{} = {} is not between {} and {}", "base", base, 2, 36));
    if (ofBase && !v.get<std::string>()) raise(at, "TypeError", message("only a text has a base"));
    if (v.integer()) return {*v.integer()};
    if (auto* s = v.get<std::string>()) {
      std::int64_t i = 0;
      const char* begin = s->data() + (s->starts_with('+') ? 1 : 0);
      auto [end, error] = std::from_chars(begin, s->data() + s->size(), i, int(base));
      if (error == std::errc() && end == s->data() + s->size()) return {i};
      raise(at, "ValueError", message("{} is no integer", representation(v)));
    }
    if (auto d = v.number()) {
      if (!(std::fabs(*d) < 9.2e18)) raise(at, "OverflowError", message("the number does not fit in 64 bits"));
      return {std::int64_t(*d)};
    }
  }
  if (name == "float") {
    const Value& v = need(0);
    if (v.number()) return {*v.number()};
    if (auto* s = v.get<std::string>()) {
      double d = 0;
      auto [end, error] = std::from_chars(s->data(), s->data() + s->size(), d);
      if (error == std::errc() && end == s->data() + s->size()) return {d};
      raise(at, "ValueError", message("{} is no number", representation(v)));
    }
  }
  if (name == "bool") return {count ? truth(need(0), at) : false};
  if (name == "str") return {count ? textOf(need(0)) : std::string()};
  if (name == "repr") return {representation(need(0))};
  if (name == "pow") return binary("**", need(0), need(1), at);
  if (name == "divmod") {
    return listOf({binary("//", need(0), need(1), at), binary("%", need(0), need(1), at)}, Sequence::Kind::Tuple);
  }
  if (name == "round") {
    const Value& v = need(0);
    if (v.integer()) return {*v.integer()};
    if (v.number() && count > 1) {
      const double scale = std::pow(10.0, double(integerOf(need(1))));
      return {std::nearbyint(*v.number() * scale) / scale};
    }
    if (v.number() && std::fabs(*v.number()) < 9.2e18) return {std::int64_t(std::nearbyint(*v.number()))};
  }
  raise(at, "TypeError", message("{}() is not for {}", name, count ? need(0).describe() : message("nothing")));
}

}  // namespace loom::notebook
