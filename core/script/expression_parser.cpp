#include "core/script/expression_parser.h"

#include <algorithm>
#include <array>

namespace loom::script {
namespace {

// Loosest first; all are left-associative.
constexpr std::array<std::array<std::string_view, 5>, 6> kBinaryLevels{{
    {"|"},
    {"^"},
    {"&"},
    {"<<", ">>"},
    {"+", "-"},
    {"*", "/", "//", "%", "@"},
}};

}  // namespace

NodePtr ExpressionReader::node(NodeKind kind, const Token& start) {
  auto n = std::make_unique<Node>();
  n->kind = kind;
  n->line = start.line;
  n->column = start.column;
  return n;
}

// To be called when all children are there.
NodePtr ExpressionReader::finish(NodePtr n) {
  for (const auto& c : n->children) {
    if (c) n->depth = std::max(n->depth, c->depth + 1);
  }
  for (const auto& k : n->keywords) {
    if (k.value) n->depth = std::max(n->depth, k.value->depth + 1);
  }
  if (n->depth > kMaxExpressionDepth) failAt(n->line, n->column, message("the expression is nested too deeply"));
  return n;
}

bool ExpressionReader::startsExpression() const {
  if (at(TokenKind::Name)) {
    auto t = current().text;
    return !isKeyword(t) || t == "True" || t == "False" || t == "None" || t == "not" || t == "lambda";
  }
  if (at(TokenKind::Operator)) {
    for (std::string_view t : {"(", "[", "{", "-", "+", "~", "*", "..."}) {
      if (at(t)) return true;
    }
    return false;
  }
  return at(TokenKind::Integer) || at(TokenKind::Float) || at(TokenKind::String);
}

NodePtr ExpressionReader::starredOr(NodePtr (ExpressionReader::*parse)()) {
  if (!at("*")) return (this->*parse)();
  auto n = node(NodeKind::Starred, take());
  n->children.push_back(expression());
  return finish(std::move(n));
}

NodePtr ExpressionReader::expressionList() {
  const Token& start = current();
  auto first = starredOr(&ExpressionReader::expression);
  if (!at(",")) return first;
  auto n = node(NodeKind::Tuple, start);
  n->children.push_back(std::move(first));
  while (accept(",")) {
    if (!startsExpression()) break;
    n->children.push_back(starredOr(&ExpressionReader::expression));
  }
  return finish(std::move(n));
}

NodePtr ExpressionReader::targetList() {
  const Token& start = current();
  auto first = starredOr(&ExpressionReader::postfix);
  if (!at(",")) return first;
  auto n = node(NodeKind::Tuple, start);
  n->children.push_back(std::move(first));
  while (accept(",")) {
    if (!startsExpression()) break;
    n->children.push_back(starredOr(&ExpressionReader::postfix));
  }
  return finish(std::move(n));
}

NodePtr ExpressionReader::expression() {
  Nesting guard(*this);
  if (at("lambda")) return lambda();
  const Token& start = current();
  auto value = disjunction();
  if (failed() || !at("if")) return value;
  take();
  auto n = node(NodeKind::Conditional, start);
  n->children.push_back(std::move(value));
  n->children.push_back(disjunction());
  expect("else");
  n->children.push_back(expression());
  return finish(std::move(n));
}

NodePtr ExpressionReader::lambda() {
  auto n = node(NodeKind::Lambda, take());
  while (!failed() && !at(":")) {
    std::string star = accept("*") ? "*" : "";
    n->parameters.push_back(star + name(message("a parameter's name")));
    n->defaults.push_back(star.empty() && accept("=") ? expression() : nullptr);
    if (!accept(",")) break;
  }
  expect(":");
  n->children.push_back(expression());
  return finish(std::move(n));
}

NodePtr ExpressionReader::disjunction() {
  const Token& start = current();
  auto first = conjunction();
  if (!at("or")) return first;
  auto n = node(NodeKind::Or, start);
  n->children.push_back(std::move(first));
  while (accept("or")) n->children.push_back(conjunction());
  return finish(std::move(n));
}

NodePtr ExpressionReader::conjunction() {
  const Token& start = current();
  auto first = inversion();
  if (!at("and")) return first;
  auto n = node(NodeKind::And, start);
  n->children.push_back(std::move(first));
  while (accept("and")) n->children.push_back(inversion());
  return finish(std::move(n));
}

NodePtr ExpressionReader::inversion() {
  if (!at("not")) return comparison();
  Nesting guard(*this);
  auto n = node(NodeKind::Unary, take());
  n->text = "not";
  n->children.push_back(inversion());
  return finish(std::move(n));
}

NodePtr ExpressionReader::comparison() {
  const Token& start = current();
  auto first = binaryLevel(0);
  NodePtr n;
  while (!failed()) {
    std::string op;
    for (std::string_view t : {"<", ">", "<=", ">=", "==", "!=", "in", "is"}) {
      if (at(t)) op = t;
    }
    if (at("not") && ahead().is("in")) op = "not";
    if (op.empty()) break;
    take();
    if (op == "not") {
      take();
      op = "not in";
    } else if (op == "is" && accept("not")) {
      op = "is not";
    }
    if (!n) {
      n = node(NodeKind::Compare, start);
      n->children.push_back(std::move(first));
    }
    n->operators.push_back(op);
    n->children.push_back(binaryLevel(0));
  }
  return n ? finish(std::move(n)) : std::move(first);
}

NodePtr ExpressionReader::binaryNode(NodePtr left, const Token& op, NodePtr right) {
  auto n = std::make_unique<Node>();
  n->kind = NodeKind::Binary;
  n->text = op.text;
  if (left) {
    n->line = left->line;
    n->column = left->column;
  }
  n->children.push_back(std::move(left));
  n->children.push_back(std::move(right));
  return finish(std::move(n));
}

NodePtr ExpressionReader::binaryLevel(int level) {
  if (level == static_cast<int>(kBinaryLevels.size())) return unary();
  auto left = binaryLevel(level + 1);
  while (!failed() && at(TokenKind::Operator)) {
    const auto& operators = kBinaryLevels[static_cast<std::size_t>(level)];
    if (std::find(operators.begin(), operators.end(), current().text) == operators.end()) break;
    const Token& op = take();
    auto right = binaryLevel(level + 1);
    left = binaryNode(std::move(left), op, std::move(right));
  }
  return left;
}

NodePtr ExpressionReader::unary() {
  if (!at("-") && !at("+") && !at("~")) return power();
  Nesting guard(*this);
  const Token& op = take();
  auto n = node(NodeKind::Unary, op);
  n->text = op.text;
  n->children.push_back(unary());
  return finish(std::move(n));
}

NodePtr ExpressionReader::power() {
  auto base = postfix();
  if (!at("**")) return base;
  Nesting guard(*this);
  const Token& op = take();
  auto exponent = unary();
  return binaryNode(std::move(base), op, std::move(exponent));
}

NodePtr ExpressionReader::postfix() {
  const Token& start = current();
  auto n = atom();
  while (!failed()) {
    if (accept(".")) {
      auto attribute = node(NodeKind::Attribute, start);
      attribute->text = name(message("an attribute's name"));
      attribute->children.push_back(std::move(n));
      n = finish(std::move(attribute));
    } else if (accept("(")) {
      auto call = node(NodeKind::Call, start);
      call->children.push_back(std::move(n));
      callArguments(*call);
      n = finish(std::move(call));
    } else if (accept("[")) {
      auto subscript = node(NodeKind::Subscript, start);
      subscript->children.push_back(std::move(n));
      subscript->children.push_back(subscriptIndex());
      n = finish(std::move(subscript));
    } else {
      break;
    }
  }
  return n;
}

void ExpressionReader::callArguments(Node& call) {
  while (!failed() && !at(")")) {
    if (at("**")) {
      take();
      call.keywords.push_back({"**", expression()});
    } else if (at(TokenKind::Name) && ahead().is("=") && !isKeyword(current().text)) {
      std::string keyword(take().text);
      take();
      for (const auto& k : call.keywords) {
        if (k.name == keyword) {
          return failAt(current().line, current().column, message("the argument '{}' is given twice", keyword));
        }
      }
      call.keywords.push_back({std::move(keyword), expression()});
    } else {
      bool starred = at("*");
      if (!call.keywords.empty() && !starred) return unexpected(message("a keyword argument after the first one"));
      auto argument = starredOr(&ExpressionReader::expression);
      if (at("for") && !starred) argument = comprehension(NodeKind::Generator, std::move(argument));
      call.children.push_back(std::move(argument));
    }
    if (!accept(",")) break;
  }
  expect(")");
}

NodePtr ExpressionReader::subscriptIndex() {
  const Token& start = current();
  std::vector<NodePtr> indices;
  bool comma = false;
  while (!failed() && !at("]")) {
    const Token& begin = current();
    NodePtr index;
    if (!at(":")) index = starredOr(&ExpressionReader::expression);
    if (at(":")) {
      auto slice = node(NodeKind::Slice, begin);
      slice->children.push_back(std::move(index));
      take();
      slice->children.push_back(at("]") || at(",") || at(":") ? nullptr : expression());
      bool step = accept(":") && !at("]") && !at(",");
      slice->children.push_back(step ? expression() : nullptr);
      index = finish(std::move(slice));
    }
    indices.push_back(std::move(index));
    if (!accept(",")) break;
    comma = true;
  }
  if (indices.empty()) unexpected(message("an index"));
  expect("]");
  if (indices.size() == 1 && !comma) return std::move(indices[0]);
  auto tuple = node(NodeKind::Tuple, start);
  tuple->children = std::move(indices);
  return finish(std::move(tuple));
}

NodePtr ExpressionReader::atom() {
  Nesting guard(*this);
  const Token& t = current();
  switch (t.kind) {
    case TokenKind::Integer: {
      auto n = node(NodeKind::Integer, take());
      auto value = integerValue(source(), t);
      if (!value) {
        failAt(t.line, t.column, value.error().message);
      } else {
        n->magnitude = *value;
      }
      return n;
    }
    case TokenKind::Float: {
      auto n = node(NodeKind::Float, take());
      auto value = floatValue(source(), t);
      if (!value) {
        failAt(t.line, t.column, value.error().message);
      } else {
        n->real = *value;
      }
      return n;
    }
    case TokenKind::String: return strings();
    case TokenKind::Name: {
      if (t.text == "True") return node(NodeKind::True, take());
      if (t.text == "False") return node(NodeKind::False, take());
      if (t.text == "None") return node(NodeKind::None, take());
      auto n = node(NodeKind::Name, t);
      n->text = name(message("an expression"));
      return n;
    }
    default: break;
  }
  if (at("(")) return parenthesized();
  if (at("{")) return dictionary();
  if (at("...")) return node(NodeKind::Ellipsis, take());
  if (at("[")) {
    auto n = node(NodeKind::List, take());
    while (!failed() && !at("]")) {
      n->children.push_back(starredOr(&ExpressionReader::expression));
      if (at("for") && n->children.size() == 1) {
        auto c = comprehension(NodeKind::ListComprehension, std::move(n->children[0]));
        if (c) c->line = n->line, c->column = n->column;
        expect("]");
        return c;
      }
      if (!accept(",")) break;
    }
    expect("]");
    return finish(std::move(n));
  }
  unexpected(message("an expression"));
  return nullptr;
}

NodePtr ExpressionReader::strings() {
  auto n = node(NodeKind::String, current());
  while (at(TokenKind::String)) {
    const Token& t = take();
    if (isFormat(t) || n->is(NodeKind::Format)) {
      if (n->is(NodeKind::String)) {
        auto whole = node(NodeKind::Format, t);
        whole->line = n->line;
        whole->column = n->column;
        if (!n->text.empty()) whole->children.push_back(std::move(n));
        n = std::move(whole);
      }
      formatString(t, *n);
      if (failed()) return n;
      continue;
    }
    auto value = stringValue(source(), t);
    if (!value) {
      failAt(t.line, t.column, value.error().message);
      return n;
    }
    n->text += *value;
  }
  return n;
}

NodePtr ExpressionReader::parenthesized() {
  const Token& start = take();
  if (accept(")")) return node(NodeKind::Tuple, start);
  auto inner = expressionList();
  if (at("for")) inner = comprehension(NodeKind::Generator, std::move(inner));
  expect(")");
  return inner;
}

NodePtr ExpressionReader::comprehension(NodeKind kind, NodePtr item, NodePtr value) {
  auto n = node(kind, current());
  if (failed()) return n;
  n->line = item->line;
  n->column = item->column;
  n->children.push_back(std::move(item));
  if (value) n->children.push_back(std::move(value));
  while (!failed() && accept("for")) {
    Clause clause;
    clause.target = targetList();
    expect("in");
    clause.iterable = disjunction();
    while (!failed() && accept("if")) clause.conditions.push_back(disjunction());
    for (const NodePtr* part : {&clause.target, &clause.iterable}) {
      if (*part) n->depth = std::max(n->depth, (*part)->depth + 1);
    }
    for (const auto& c : clause.conditions) {
      if (c) n->depth = std::max(n->depth, c->depth + 1);
    }
    n->clauses.push_back(std::move(clause));
  }
  return finish(std::move(n));
}

NodePtr ExpressionReader::dictionary() {
  auto n = node(NodeKind::Dict, take());
  while (!failed() && !at("}")) {
    auto key = starredOr(&ExpressionReader::expression);
    if (n->children.empty() && !at(":")) n->kind = NodeKind::Set;
    NodePtr value;
    if (n->is(NodeKind::Dict)) {
      expect(":");
      value = expression();
    }
    if (at("for") && n->children.empty()) {
      const bool isSet = n->is(NodeKind::Set);
      auto c = comprehension(isSet ? NodeKind::SetComprehension : NodeKind::DictComprehension, std::move(key),
                             std::move(value));
      expect("}");
      return c;
    }
    n->children.push_back(std::move(key));
    if (value || n->is(NodeKind::Dict)) n->children.push_back(std::move(value));
    if (!accept(",")) break;
  }
  expect("}");
  return finish(std::move(n));
}

NodePtr ExpressionReader::whole() {
  auto n = expressionList();
  if (!failed() && at(TokenKind::Newline)) take();
  if (!failed() && !at(TokenKind::End)) unexpected(message("the end of the expression"));
  return n;
}

Result<NodePtr> parseExpression(const SourceText& source) {
  auto tokens = tokenize(source);
  if (!tokens) return Failure(tokens.error());
  ExpressionReader reader(source, *tokens);
  auto n = reader.whole();
  if (reader.failed()) return reader.failure();
  return n;
}

}  // namespace loom::script
