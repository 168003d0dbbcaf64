// Operators on what is known: Python's integers, floats, texts and lists; on symbols, what step lines write.

#include <algorithm>
#include <cmath>

#include "core/notebook/interpreter.h"
#include "core/script/index_map_graph.h"

namespace loom::notebook {
namespace {

using script::StepValue;

std::optional<std::int64_t> whole(const std::string& op, std::int64_t a, std::int64_t b) {
  std::int64_t result = 0;
  if (op == "+") return __builtin_add_overflow(a, b, &result) ? std::nullopt : std::optional(result);
  if (op == "-") return __builtin_sub_overflow(a, b, &result) ? std::nullopt : std::optional(result);
  if (op == "*") return __builtin_mul_overflow(a, b, &result) ? std::nullopt : std::optional(result);
  if (op == "&") return a & b;
  if (op == "|") return a | b;
  if (op == "^") return a ^ b;
  if (op == "<<")
    return b < 0 || b > 62 || __builtin_mul_overflow(a, std::int64_t{1} << b, &result) ? std::nullopt
                                                                                       : std::optional(result);
  if (op == ">>") return b < 0 ? std::nullopt : std::optional(a >> std::min<std::int64_t>(b, 63));
  if (op == "**") {
    if (b < 0) return std::nullopt;
    result = 1;
    for (std::int64_t i = 0; i < b; ++i) {
      if (__builtin_mul_overflow(result, a, &result)) return std::nullopt;
      if (result == 0 || result == 1) break;
      if (result == -1 && a == -1) return b % 2 == 0 ? 1 : -1;
    }
    return result;
  }
  if (b == -1) return op == "%" ? 0 : __builtin_sub_overflow(0, a, &result) ? std::nullopt : std::optional(result);
  const std::int64_t rest = a % b;
  const bool down = rest != 0 && (rest < 0) != (b < 0);
  if (op == "//") return a / b - down;
  if (op == "%") return rest + (down ? b : 0);
  return std::nullopt;
}

// As an operand of a symbol's.
std::optional<StepValue> symbolic(const Value& v) {
  if (auto* s = v.get<Symbol>()) return s->value;
  if (auto* h = v.get<std::shared_ptr<Handle>>()) return (*h)->text;
  if (auto i = v.integer()) return script::stepInt(*i);
  return std::nullopt;
}

}  // namespace

Value Interpreter::unary(const std::string& op, const Value& v, const Node& at) {
  if (v.get<Opaque>()) return v;
  if (op == "not") return {!truth(v, at)};
  if (auto i = v.integer()) {
    if (op == "~") return {~*i};
    auto negated = whole("-", 0, *i);
    if (!negated) raise(at, "OverflowError", message("the number does not fit in 64 bits"));
    return op == "-" ? Value{*negated} : Value{*i};
  }
  if (auto* d = v.get<double>(); d && op != "~") return {op == "-" ? -*d : *d};
  if (auto* s = v.get<Symbol>(); s && op == "-") {
    StepValue negated;
    negated.kind = StepValue::Kind::Negate;
    negated.line = at.line;
    negated.column = at.column;
    negated.items.push_back(s->value);
    return {Symbol{std::move(negated)}};
  }
  raise(at, "TypeError", message("'{}' is not for {}", op, v.describe()));
}

Value Interpreter::binary(const std::string& op, const Value& a, const Value& b, const Node& at) {
  for (const Value* side : {&a, &b}) {
    if (auto* o = side->get<Opaque>()) return opaque(o->what);
  }
  const auto left = a.integer(), right = b.integer();
  if (left && right && op != "/") {
    if (*right == 0 && (op == "//" || op == "%")) raise(at, "ZeroDivisionError", message("division by zero"));
    if (op == "**" && *right < 0) return {std::pow(double(*left), double(*right))};
    auto result = whole(op, *left, *right);
    if (op == "@") raise(at, "TypeError", message("'@' is not for integers"));
    if (!result) raise(at, "OverflowError", message("{} {} {} does not fit in 64 bits", *left, op, *right));
    return {*result};
  }
  if (a.number() && b.number()) {
    const double x = *a.number(), y = *b.number();
    if (y == 0 && (op == "/" || op == "//" || op == "%")) raise(at, "ZeroDivisionError", message("division by zero"));
    if (op == "+") return {x + y};
    if (op == "-") return {x - y};
    if (op == "*") return {x * y};
    if (op == "/") return {x / y};
    if (op == "//") return {std::floor(x / y)};
    if (op == "%") return {x - y * std::floor(x / y)};
    if (op == "**") return {std::pow(x, y)};
  }
  auto *text = a.get<std::string>(), *other = b.get<std::string>();
  if (text && op == "%") return percentFormat(*text, b, at);
  if (text && other && op == "+") {
    if (text->size() + other->size() > kMostText) raise(at, "ValueError", message("the text grows too long"));
    spend(at.line, at.column, std::int64_t((text->size() + other->size()) / 64));
    return {*text + *other};
  }
  auto *list = a.sequence(), *second = b.sequence();
  if (list && second && op == "+" && list->kind == second->kind && list->kind != Sequence::Kind::Set) {
    std::vector<Value> items = list->items;
    items.insert(items.end(), second->items.begin(), second->items.end());
    if (items.size() > kMostItems) raise(at, "ValueError", message("the list grows too long"));
    spend(at.line, at.column, std::int64_t(items.size() / 8));
    return listOf(std::move(items), list->kind);
  }
  if (op == "*" && ((right && (text || list)) || (left && (other || second)))) {
    const std::int64_t times = std::max<std::int64_t>(right ? *right : *left, 0);
    if (text || other) {
      const std::string& piece = text ? *text : *other;
      if (!piece.empty() && std::size_t(times) > kMostText / piece.size()) {
        raise(at, "ValueError", message("the text grows too long"));
      }
      std::string whole;
      for (std::int64_t i = 0; i < times; ++i) whole += piece;
      spend(at.line, at.column, std::int64_t(whole.size() / 64));
      return {whole};
    }
    const Sequence& piece = list ? *list : *second;
    if (!piece.items.empty() && std::size_t(times) > kMostItems / piece.items.size()) {
      raise(at, "ValueError", message("the list grows too long"));
    }
    std::vector<Value> items;
    for (std::int64_t i = 0; i < times && !piece.items.empty(); ++i) {
      items.insert(items.end(), piece.items.begin(), piece.items.end());
    }
    spend(at.line, at.column, std::int64_t(items.size() / 8));
    return listOf(std::move(items), piece.kind);
  }
  if (a.get<Symbol>() || b.get<Symbol>()) {
    auto x = symbolic(a), y = symbolic(b);
    const auto operators = script::indexOperators();
    const bool isTaken =
        std::any_of(operators.begin(), operators.end(), [&](const auto& known) { return known.text == op; });
    if (x && y && isTaken) {
      StepValue v;
      v.kind = StepValue::Kind::Binary;
      v.text = op;
      v.line = at.line;
      v.column = at.column;
      v.items = {std::move(*x), std::move(*y)};
      return {Symbol{std::move(v)}};
    }
  }
  if (a.get<Foreign>() || b.get<Foreign>())
    return opaque(verbatim(a.get<Foreign>() ? a.get<Foreign>()->path : b.get<Foreign>()->path));
  raise(at, "TypeError", message("'{}' is not for {} and {}", op, a.describe(), b.describe()));
}

std::optional<bool> Interpreter::compareTwo(const std::string& op, const Value& a, const Value& b, const Node& at) {
  if (op == "==") return same(a, b, at);
  if (op == "!=") return !same(a, b, at);
  if (op == "is" || op == "is not") {
    const bool is = a.isNone() || b.isNone() ? a.isNone() && b.isNone() : same(a, b, at);
    return is == (op == "is");
  }
  if (op == "in" || op == "not in") {
    bool found = false;
    if (auto* text = b.get<std::string>()) {
      auto* part = a.get<std::string>();
      if (!part) return std::nullopt;
      found = text->find(*part) != std::string::npos;
    } else {
      const std::vector<Value> items = iterate(b, at);
      found = find(items, a, at) != items.end();
    }
    return found == (op == "in");
  }
  auto decide = [&](int order) -> std::optional<bool> {
    if (op == "<") return order < 0;
    if (op == "<=") return order <= 0;
    if (op == ">") return order > 0;
    if (op == ">=") return order >= 0;
    return std::nullopt;
  };
  if (a.integer() && b.integer()) return decide(*a.integer() < *b.integer() ? -1 : *a.integer() > *b.integer());
  if (a.number() && b.number()) {
    if (std::isnan(*a.number()) || std::isnan(*b.number())) return false;
    return decide(*a.number() < *b.number() ? -1 : *a.number() > *b.number());
  }
  if (a.get<std::string>() && b.get<std::string>()) {
    return decide(a.get<std::string>()->compare(*b.get<std::string>()));
  }
  if (a.sequence() && b.sequence() && a.sequence()->kind == b.sequence()->kind) {
    const auto &x = a.sequence()->items, &y = b.sequence()->items;
    if (a.sequence()->kind == Sequence::Kind::Set) {  // whether one lies in the other
      auto within = [&](const std::vector<Value>& inner, const std::vector<Value>& outer) {
        return std::ranges::all_of(inner, [&](const Value& item) { return find(outer, item, at) != outer.end(); });
      };
      if (op == "<" || op == "<=") return (op == "<=" || x.size() < y.size()) && within(x, y);
      return (op == ">=" || x.size() > y.size()) && within(y, x);
    }
    for (std::size_t i = 0; i < std::min(x.size(), y.size()); ++i) {
      spend(at.line, at.column);
      Level level(*this, at.line, at.column);
      if (!same(x[i], y[i], at)) return compareTwo(op, x[i], y[i], at);
    }
    return decide(x.size() < y.size() ? -1 : x.size() > y.size());
  }
  return std::nullopt;
}

}  // namespace loom::notebook
