#include <algorithm>

#include "core/script/expression_parser.h"

namespace loom::script {
namespace {

class StatementReader : public ExpressionReader {
 public:
  using ExpressionReader::ExpressionReader;

  std::vector<StatementPtr> all() {
    std::vector<StatementPtr> statements;
    while (!failed() && !at(TokenKind::End)) line(statements);
    return statements;
  }

 private:
  StatementPtr make(StatementKind kind, const Token& start) {
    auto s = std::make_unique<Statement>();
    s->kind = kind;
    s->line = start.line;
    s->column = start.column;
    return s;
  }

  // One compound statement, or the simple statements of one line.
  void line(std::vector<StatementPtr>& into) {
    if (at(TokenKind::Indent)) return unexpected(message("a line without indentation"));
    if (auto compound = compoundStatement(); compound || failed()) {
      if (compound) compound->lastLine = lastLine();
      into.push_back(std::move(compound));
      return;
    }
    simpleLine(into);
  }

  void simpleLine(std::vector<StatementPtr>& into) {
    do {
      if (at(TokenKind::Newline)) break;
      into.push_back(simpleStatement());
      if (into.back()) into.back()->lastLine = lastLine();
    } while (!failed() && accept(";"));
    if (failed()) return;
    if (!at(TokenKind::Newline)) return unexpected(message("the end of the line"));
    take();
  }

  std::vector<StatementPtr> block() {
    std::vector<StatementPtr> body;
    expect(":");
    if (failed()) return body;
    if (!at(TokenKind::Newline)) {
      simpleLine(body);
      return body;
    }
    take();
    if (!at(TokenKind::Indent)) {
      missesIndentation();
      return body;
    }
    take();
    while (!failed() && !at(TokenKind::Dedent) && !at(TokenKind::End)) line(body);
    if (at(TokenKind::Dedent)) take();
    return body;
  }

  StatementPtr compoundStatement() {
    if (at("@") || at("def") || at("class")) return definition();
    if (at("for")) return forStatement();
    if (at("while")) {
      auto s = make(StatementKind::While, take());
      s->value = expression();
      s->body = block();
      return s;
    }
    if (at("if")) return ifStatement();
    if (at("with")) return withStatement();
    if (at("try")) return tryStatement();
    for (std::string_view t : {"async", "match"}) {
      if (at(t) && (t != "match" || ahead().kind == TokenKind::Name)) {
        unexpected(message("a statement of TVMScript"));
        return nullptr;
      }
    }
    return nullptr;
  }

  // Of what was taken last, but for the end of its line.
  int lastLine() const { return lastTaken(); }

  StatementPtr definition() {
    const Token& start = current();
    std::vector<NodePtr> decorators;
    while (!failed() && accept("@")) {
      decorators.push_back(expression());
      if (failed()) return nullptr;
      if (!at(TokenKind::Newline)) unexpected(message("the end of the line"));
      take();
    }
    StatementPtr s;
    if (accept("def")) {
      s = make(StatementKind::Function, start);
      s->text = name(message("the function's name"));
      expect("(");
      parameters(*s);
      expect(")");
      if (accept("->")) s->annotation = expression();
    } else if (accept("class")) {
      s = make(StatementKind::Class, start);
      s->text = name(message("the class's name"));
      if (accept("(")) {
        while (!failed() && !at(")")) {
          s->targets.push_back(expression());
          if (!accept(",")) break;
        }
        expect(")");
      }
    } else {
      unexpected(message("'def' or 'class' after a decorator"));
      return nullptr;
    }
    s->decorators = std::move(decorators);
    if (!failed()) s->body = block();
    return s;
  }

  void parameters(Statement& s) {
    while (!failed() && !at(")")) {
      Parameter p;
      p.line = current().line;
      p.column = current().column;
      if (at("/") || (at("*") && ahead().is(","))) {
        p.name = take().text;
      } else {
        if (at("*") || at("**")) p.name = take().text;
        p.name += name(message("a parameter's name"));
      }
      if (accept(":")) p.annotation = expression();
      if (accept("=")) p.fallback = expression();
      s.parameters.push_back(std::move(p));
      if (!accept(",")) break;
    }
  }

  StatementPtr forStatement() {
    auto s = make(StatementKind::For, take());
    s->targets.push_back(targetList());
    expect("in");
    s->value = expressionList();
    s->body = block();
    if (at("else")) unexpected(message("a statement; 'else' of a loop is not accepted"));
    return s;
  }

  StatementPtr ifStatement() {
    // elif chains are read in a loop, so that their length costs no recursion here
    auto first = make(StatementKind::If, take());
    Statement* last = first.get();
    int chain = 0;
    while (true) {
      last->value = expression();
      last->body = block();
      if (failed() || !at("elif")) break;
      if (++chain > 100) {
        unexpected(message("at most 100 elif branches"));
        break;
      }
      last->orelse.push_back(make(StatementKind::If, take()));
      last = last->orelse.back().get();
    }
    if (!failed() && accept("else")) last->orelse = block();
    return first;
  }

  StatementPtr withStatement() {
    auto s = make(StatementKind::With, take());
    bool parentheses = at("(") && accept("(");
    do {
      if (parentheses && at(")")) break;
      WithItem item;
      item.context = expression();
      if (accept("as")) item.target = expression();
      s->items.push_back(std::move(item));
    } while (!failed() && accept(","));
    if (parentheses) expect(")");
    s->body = block();
    return s;
  }

  StatementPtr tryStatement() {
    auto s = make(StatementKind::Try, take());
    s->body = block();
    while (!failed() && at("except")) {
      Handler handler;
      handler.line = current().line;
      handler.column = current().column;
      take();
      if (!at(":")) {
        handler.type = expression();
        if (accept("as")) handler.name = name(message("a name"));
      }
      handler.body = block();
      s->handlers.push_back(std::move(handler));
    }
    if (!failed() && !s->handlers.empty() && accept("else")) s->orelse = block();
    const bool hasLast = !failed() && accept("finally");
    if (hasLast) s->last = block();
    if (s->handlers.empty() && !hasLast) unexpected(message("'except' or 'finally'"));
    return s;
  }

  StatementPtr simpleStatement() {
    const Token& start = current();
    if (at("pass")) return make(StatementKind::Pass, take());
    if (at("break")) return make(StatementKind::Break, take());
    if (at("continue")) return make(StatementKind::Continue, take());
    if (at("import") || at("from")) return import();
    if (at("return")) {
      auto s = make(StatementKind::Return, take());
      if (!at(TokenKind::Newline) && !at(";")) s->value = expressionList();
      return s;
    }
    if (at("assert")) {
      auto s = make(StatementKind::Assert, take());
      s->value = expression();
      if (accept(",")) s->annotation = expression();
      return s;
    }
    if (at("raise")) {
      auto s = make(StatementKind::Raise, take());
      if (!at(TokenKind::Newline) && !at(";")) s->value = expression();
      if (accept("from")) expression();
      return s;
    }
    if (at("del")) {
      auto s = make(StatementKind::Delete, take());
      s->targets.push_back(expressionList());
      return s;
    }
    if (at("global") || at("nonlocal")) {
      auto s = make(StatementKind::Scope, current());
      s->text = take().text;
      do s->names.push_back(name(message("a name")));
      while (!failed() && accept(","));
      return s;
    }
    auto value = expressionList();
    if (failed()) return nullptr;
    if (accept(":")) {
      auto s = make(StatementKind::Annotated, start);
      s->targets.push_back(std::move(value));
      s->annotation = expression();
      if (accept("=")) s->value = expressionList();
      return s;
    }
    if (at("=")) return assignment(std::move(value), start);
    constexpr std::string_view kAugmented[] = {
        "+=", "-=", "*=", "/=", "//=", "%=", "**=", "&=", "|=", "^=", "<<=", ">>="};
    for (auto op : kAugmented) {
      if (!at(op)) continue;
      auto s = make(StatementKind::Augmented, take());
      s->line = start.line;
      s->column = start.column;
      s->text = op.substr(0, op.size() - 1);
      s->targets.push_back(std::move(value));
      s->value = expressionList();
      return s;
    }
    auto s = make(StatementKind::Expression, start);
    s->value = std::move(value);
    return s;
  }

  StatementPtr assignment(NodePtr first, const Token& start) {
    auto s = make(StatementKind::Assign, start);
    s->value = std::move(first);
    while (!failed() && accept("=")) {
      s->targets.push_back(std::move(s->value));
      s->value = expressionList();
    }
    return s;
  }

  std::string dotted() {
    std::string text = name(message("a module's name"));
    while (!failed() && accept(".")) text += "." + name(message("a module's name"));
    return text;
  }

  StatementPtr import() {
    auto s = make(StatementKind::Import, current());
    if (accept("import")) {
      do {
        Import i;
        i.module = dotted();
        i.alias = accept("as") ? name(message("a name")) : i.module;
        s->imports.push_back(std::move(i));
      } while (!failed() && accept(","));
      return s;
    }
    take();
    std::string module;
    while (accept(".")) module += ".";
    module += dotted();
    expect("import");
    if (accept("*")) {
      s->imports.push_back({module, "*", "*"});
      return s;
    }
    bool parentheses = accept("(");
    do {
      if (parentheses && at(")")) break;
      Import i;
      i.module = module;
      i.name = name(message("a name"));
      i.alias = accept("as") ? name(message("a name")) : i.name;
      s->imports.push_back(std::move(i));
    } while (!failed() && accept(","));
    if (parentheses) expect(")");
    return s;
  }
};

}  // namespace

Result<std::vector<StatementPtr>> parseStatements(const SourceText& source) {
  auto tokens = tokenize(source);
  if (!tokens) return Failure(tokens.error());
  StatementReader reader(source, *tokens);
  auto statements = reader.all();
  if (reader.failed()) return reader.failure();
  return statements;
}

}  // namespace loom::script
