// f-strings: the pieces of text and the expressions between them.
#include "core/script/expression_parser.h"

namespace loom::script {
namespace {

// Where a byte of the source is, from a token that starts before it.
std::pair<int, int> placeAt(std::string_view text, const Token& token, std::size_t start, std::size_t at) {
  int line = token.line;
  std::size_t lineStart = start - static_cast<std::size_t>(token.column - 1);
  for (std::size_t i = start; i < at; ++i) {
    if (text[i] == '\n') {
      ++line;
      lineStart = i + 1;
    }
  }
  return {line, static_cast<int>(at - lineStart) + 1};
}

// The end of an expression in braces: the `}`, `:`, `!x` or `=` after it that stands in no bracket and no string.
std::size_t expressionEnd(std::string_view text, std::size_t at, std::size_t end) {
  int depth = 0;
  char quote = '\0';
  for (; at < end; ++at) {
    const char c = text[at];
    if (quote != '\0') {
      if (c == quote) quote = '\0';
      continue;
    }
    if (c == '"' || c == '\'') quote = c;
    if (c == '(' || c == '[' || c == '{') ++depth;
    if (depth == 0 && (c == '}' || c == ':')) return at;
    const char next = at + 1 < end ? text[at + 1] : '\0';
    if (depth == 0 && c == '!' && next != '=') return at;
    const char before = text[at - 1];
    if (depth == 0 && c == '=' && (next == '}' || next == ':' || next == '!') && before != '=' && before != '!' &&
        before != '<' && before != '>') {
      return at;
    }
    if (c == ')' || c == ']' || c == '}') --depth;
  }
  return at;
}

}  // namespace

std::size_t ExpressionReader::formatText(const Token& token, std::size_t at, std::size_t end, bool isSpecification,
                                         Node& into) {
  const std::string_view text = source().text;
  const std::string_view prefix = token.text.substr(0, token.text.find_first_of("\"'"));
  const bool raw = prefix.find_first_of("rR") != std::string_view::npos;
  std::string literal;
  std::size_t from = at;
  auto flush = [&](std::size_t upTo) {
    auto piece = unescaped(source(), token, text.substr(from, upTo - from), raw);
    if (!piece) return failAt(token.line, token.column, piece.error().message);
    literal += *piece;
  };
  auto close = [&] {
    if (literal.empty()) return;
    auto n = node(NodeKind::String, token);
    n->text = std::move(literal);
    literal.clear();
    into.children.push_back(std::move(n));
  };
  while (at < end && !failed()) {
    const char c = text[at];
    if (c == '\\') {
      at += 2;
    } else if (!isSpecification && (c == '{' || c == '}') && at + 1 < end && text[at + 1] == c) {
      flush(at + 1);
      from = at += 2;
    } else if (c == '{') {
      flush(at);
      close();
      if (!failed()) from = at = formatValue(token, at + 1, end, into);
    } else if (c == '}') {
      if (isSpecification) break;
      auto [line, column] = placeAt(text, token, offsetOf(token), at);
      failAt(line, column, message("a single '}}' in a format string"));
    } else {
      ++at;
    }
  }
  if (failed()) return end;
  flush(std::min(at, end));
  close();
  return std::min(at, end);
}

std::size_t ExpressionReader::formatValue(const Token& token, std::size_t at, std::size_t end, Node& into) {
  const std::string_view text = source().text;
  const auto place = placeAt(text, token, offsetOf(token), at);
  const int line = place.first, column = place.second;  // no binding: clang 14 captures none
  Nesting guard(*this);
  std::size_t stop = expressionEnd(text, at, end);
  auto refuse = [&](const Message& message) {
    failAt(line, column, message);
    return end;
  };
  if (failed() || stop >= end) return refuse(message("expected '}}' after this"));
  auto tokens = tokenizePart(source(), at, stop, line, column);
  if (!tokens) {
    failAt(tokens.error().place.line, tokens.error().place.column, tokens.error().message);
    return end;
  }
  ExpressionReader reader(source(), *tokens);
  reader.nesting_ = nesting_;
  auto value = reader.whole();
  if (reader.failed()) {
    const Error error = reader.failure().value();
    failAt(error.place.line, error.place.column, error.message);
    return end;
  }
  auto n = std::make_unique<Node>();
  n->kind = NodeKind::FormatValue;
  n->line = line;
  n->column = column;
  n->children.push_back(std::move(value));
  if (text[stop] == '=') {  // {x=} says its own text before the value
    auto said = node(NodeKind::String, token);
    said->text = std::string(text.substr(at, stop + 1 - at));
    into.children.push_back(std::move(said));
    n->text = "r";
    ++stop;
  }
  if (text[stop] == '!') {
    n->text = std::string(text.substr(stop + 1, 1));
    if (n->text != "r" && n->text != "s" && n->text != "a") return refuse(message("expected !r, !s or !a"));
    stop += 2;
  }
  NodePtr specification;
  if (stop < end && text[stop] == ':') {
    specification = node(NodeKind::Format, token);
    stop = formatText(token, stop + 1, end, true, *specification);
  }
  if (failed()) return end;
  if (stop >= end || text[stop] != '}') return refuse(message("expected '}}' after this"));
  n->children.push_back(std::move(specification));
  into.children.push_back(finish(std::move(n)));
  return stop + 1;
}

void ExpressionReader::formatString(const Token& token, Node& into) {
  if (!isFormat(token)) {
    auto value = stringValue(source(), token);
    if (!value) return failAt(token.line, token.column, value.error().message);
    auto n = node(NodeKind::String, token);
    n->text = std::move(*value);
    into.children.push_back(std::move(n));
    return;
  }
  const std::string_view text = token.text;
  const std::size_t prefix = text.find_first_of("\"'");
  const std::string_view quoted = text.substr(prefix);
  const std::size_t quotes = quoted.size() >= 6 && quoted[1] == quoted[0] && quoted[2] == quoted[0] ? 3 : 1;
  const std::size_t start = offsetOf(token);
  formatText(token, start + prefix + quotes, start + text.size() - quotes, false, into);
}

std::size_t ExpressionReader::offsetOf(const Token& token) const {
  return static_cast<std::size_t>(token.text.data() - source().text.data());
}

}  // namespace loom::script
