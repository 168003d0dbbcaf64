#include "core/script/step_line.h"

#include <algorithm>
#include <limits>
#include <set>

#include "core/script/index_map_graph.h"
#include "core/script/step_reader.h"
#include "core/script/step_text.h"

namespace loom::script {

namespace {

using Kind = StepValue::Kind;

// Turns the syntax tree of a line into values. After a failure `error` is set and what is returned is of no use.
class LineReader {
 public:
  explicit LineReader(const SourceText& source) : source_(source) {}

  std::optional<Error> error;

  StepCall line(const Statement& s) {
    StepCall call;
    call.place = source_.place(s.line, s.column);
    if (s.kind == StatementKind::Assign) {
      if (s.targets.size() != 1) {
        refuse(s.line, s.column, message("a step line has one '=' only"));
        return call;
      }
      targets(*s.targets[0], call);
    } else if (s.kind != StatementKind::Expression) {
      refuse(s.line, s.column, message("expected a step line, `names = sch.PRIMITIVE(…)`, found {}", describe(s)));
      return call;
    }
    call.value = value(*s.value);
    if (!error && s.kind == StatementKind::Expression && !call.call()) {
      refuse(s.line, s.column, message("expected a call, `sch.PRIMITIVE(…)`"));
    }
    return call;
  }

 private:
  static Message describe(const Statement& s) {
    switch (s.kind) {
      case StatementKind::Function: return message("a function definition");
      case StatementKind::Class: return message("a class definition");
      case StatementKind::Import: return message("an import");
      case StatementKind::Annotated: return message("an annotated assignment");
      case StatementKind::Augmented: return message("'{}='", s.text);
      case StatementKind::For: return message("a for loop");
      case StatementKind::While: return message("a while loop");
      case StatementKind::If: return message("an if statement");
      case StatementKind::With: return message("a with statement");
      case StatementKind::Return: return verbatim("return");
      case StatementKind::Assert: return verbatim("assert");
      case StatementKind::Try: return message("a try statement");
      case StatementKind::Raise: return verbatim("raise");
      case StatementKind::Delete: return verbatim("del");
      default: return message("another statement");
    }
  }

  void refuse(int line, int column, Message message) {
    if (!error) error = source_.error(line, column, std::move(message)).value();
  }
  void refuse(const Node& n, Message message) { refuse(n.line, n.column, std::move(message)); }

  void targets(const Node& n, StepCall& call) {
    bool sequence = n.is(NodeKind::Tuple) || n.is(NodeKind::List);
    call.unpack = sequence;
    if (!sequence) return target(n, call);
    for (const NodePtr& child : n.children) target(*child, call);
    auto stars = std::count_if(call.targets.begin(), call.targets.end(), [](const StepTarget& t) { return t.starred; });
    if (stars > 1) refuse(n, message("only one name may take the rest with '*'"));
  }

  void target(const Node& n, StepCall& call) {
    bool starred = n.is(NodeKind::Starred);
    const Node& name = starred ? *n.children[0] : n;
    if (!name.is(NodeKind::Name)) return refuse(n, message("expected a name on the left of '='"));
    if (name.text == "sch" || name.text == "T") return refuse(n, message("'{}' can't be assigned to", name.text));
    if (starred && !call.unpack) return refuse(n, message("'*' needs a list of names on the left of '='"));
    call.targets.push_back({name.text, starred});
  }

  StepValue make(Kind kind, const Node& n) {
    StepValue v;
    v.kind = kind;
    v.line = n.line;
    v.column = n.column;
    return v;
  }

  StepValue items(Kind kind, const Node& n, std::size_t from = 0) {
    StepValue v = make(kind, n);
    for (std::size_t i = from; i < n.children.size(); ++i) {
      if (!n.children[i]) {
        refuse(n, message("'**' is not taken here"));
        return v;
      }
      v.items.push_back(value(*n.children[i]));
    }
    return v;
  }

  StepValue integer(const Node& n, bool negative) {
    constexpr auto kMax = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
    StepValue v = make(Kind::Int, n);
    if (n.magnitude > kMax + negative) {
      refuse(n, message("the number does not fit in 64 bits"));
    } else {
      v.integer = static_cast<std::int64_t>(negative ? 0 - n.magnitude : n.magnitude);
    }
    return v;
  }

  StepValue value(const Node& n) {
    switch (n.kind) {
      case NodeKind::None: return make(Kind::None, n);
      case NodeKind::True:
      case NodeKind::False: {
        StepValue v = make(Kind::Bool, n);
        v.integer = n.kind == NodeKind::True;
        return v;
      }
      case NodeKind::Integer: return integer(n, false);
      case NodeKind::Float: {
        StepValue v = make(Kind::Float, n);
        v.real = n.real;
        return v;
      }
      case NodeKind::String:
      case NodeKind::Name: {
        if (n.is(NodeKind::Name) && n.text == "sch") refuse(n, message("expected sch.PRIMITIVE(…), found 'sch' alone"));
        StepValue v = make(n.is(NodeKind::String) ? Kind::String : Kind::Name, n);
        v.text = n.text;
        return v;
      }
      case NodeKind::List: return items(Kind::List, n);
      case NodeKind::Tuple: return items(Kind::Tuple, n);
      case NodeKind::Dict: return items(Kind::Dict, n);
      case NodeKind::Starred: return items(Kind::Star, n);
      case NodeKind::Call: return call(n);
      case NodeKind::Subscript: return subscript(n);
      case NodeKind::Unary: return unary(n);
      case NodeKind::Binary: return binary(n);
      case NodeKind::Lambda: return lambda(n);
      case NodeKind::Attribute:
        if (lambdas_ > 0 && n.text == "AXIS_SEPARATOR") {
          StepValue v = make(Kind::Name, n);
          v.text = kAxisSeparator;
          return v;
        }
        refuse(n, message("attributes can't be read; only sch.PRIMITIVE(…) and T.TYPE(…) are known"));
        break;
      case NodeKind::Slice: refuse(n, message("a slice stands in brackets after a list")); break;
      case NodeKind::Compare:
      case NodeKind::And:
      case NodeKind::Or: refuse(n, message("conditions are not taken in a step line")); break;
      case NodeKind::Conditional: refuse(n, message("'if' is not taken in a step line")); break;
      case NodeKind::Ellipsis: refuse(n, message("'...' is not taken in a step line")); break;
      case NodeKind::Set:
      case NodeKind::SetComprehension: refuse(n, message("a set is not taken in a step line")); break;
      case NodeKind::ListComprehension:
      case NodeKind::DictComprehension:
      case NodeKind::Generator: refuse(n, message("comprehensions are not taken in a single step line")); break;
      case NodeKind::Format:
      case NodeKind::FormatValue: refuse(n, message("a format string is not taken in a single step line")); break;
    }
    return make(Kind::None, n);
  }

  StepValue call(const Node& n) {
    const Node& callee = *n.children[0];
    bool attribute = callee.is(NodeKind::Attribute) && callee.children[0]->is(NodeKind::Name);
    const std::string base = attribute ? callee.children[0]->text : "";
    if (base != "sch" && base != "T") {
      refuse(callee, message("expected sch.PRIMITIVE(…) or T.TYPE(…)"));
      return make(Kind::None, n);
    }
    StepValue v = items(base == "sch" ? Kind::Call : Kind::Typed, n, 1);
    v.text = callee.text;
    if (base == "T") {
      if (v.items.size() != 1 || !n.keywords.empty() || v.items[0].is(Kind::Star)) {
        refuse(n, message("expected one number, as in T.float32(0.5)"));
      }
      return v;
    }
    std::set<std::string> names;
    for (const Keyword& k : n.keywords) {
      if (k.name == "**") {
        refuse(*k.value, message("'**' is not taken here"));
      } else if (!names.insert(k.name).second) {
        refuse(*k.value, message("argument '{}' is given twice", k.name));
      }
      v.keywords.push_back({k.name, value(*k.value)});
    }
    return v;
  }

  StepValue subscript(const Node& n) {
    const Node& index = *n.children[1];
    StepValue base = value(*n.children[0]);
    if (!index.is(NodeKind::Slice)) {
      StepValue v = make(Kind::Index, n);
      v.items.push_back(std::move(base));
      v.items.push_back(value(index));
      return v;
    }
    StepValue v = make(Kind::Slice, n);
    v.items.push_back(std::move(base));
    for (const NodePtr& part : index.children) v.items.push_back(part ? value(*part) : make(Kind::None, index));
    return v;
  }

  StepValue unary(const Node& n) {
    const Node& operand = *n.children[0];
    if (n.text == "+") return value(operand);
    if (n.text != "-") {
      refuse(n, message("'{}' is not taken in a step line", n.text));
      return make(Kind::None, n);
    }
    if (operand.is(NodeKind::Integer)) {
      StepValue v = integer(operand, true);
      v.line = n.line;
      v.column = n.column;
      return v;
    }
    StepValue v = value(operand);
    if (v.is(Kind::Float)) {
      v.real = -v.real;
      return v;
    }
    if (!lambdas_ && !error) refuse(n, message("'-' is taken before numbers, and in lambdas"));
    StepValue negated = make(Kind::Negate, n);
    negated.items.push_back(std::move(v));
    return negated;
  }

  StepValue binary(const Node& n) {
    StepValue v = items(Kind::Binary, n);
    v.text = n.text;
    const auto operators = indexOperators();
    const bool isTaken = std::any_of(operators.begin(), operators.end(), [&](const IndexOperator& op) {
      return op.text == n.text && (op.kind || lambdas_ > 0);
    });
    if (!isTaken) {
      refuse(n, message("'{}' is not taken in a step line; + - * // % are, in lambdas", n.text));
    }
    if (lambdas_ || error) return v;
    // Outside lambdas numbers only: 16 * 4.
    std::int64_t result = 0;
    if (!v.items[0].is(Kind::Int) || !v.items[1].is(Kind::Int) ||
        !compute(n.text, v.items[0].integer, v.items[1].integer, result)) {
      refuse(n, message("arithmetic is taken in lambdas, and on whole numbers"));
      return v;
    }
    StepValue number = make(Kind::Int, n);
    number.integer = result;
    return number;
  }

  static bool compute(std::string_view op, std::int64_t a, std::int64_t b, std::int64_t& result) {
    if (op == "+") return !__builtin_add_overflow(a, b, &result);
    if (op == "-") return !__builtin_sub_overflow(a, b, &result);
    if (op == "*") return !__builtin_mul_overflow(a, b, &result);
    if (b == 0 || (b == -1 && a == std::numeric_limits<std::int64_t>::min())) return false;
    std::int64_t rest = a % b;
    bool down = rest != 0 && (rest < 0) != (b < 0);
    result = op == "//" ? a / b - down : rest + (down ? b : 0);
    return true;
  }

  StepValue lambda(const Node& n) {
    StepValue v = make(Kind::Lambda, n);
    v.parameters = n.parameters;
    for (const NodePtr& d : n.defaults) {
      if (d) refuse(*d, message("a lambda's parameter has no default value here"));
    }
    ++lambdas_;
    v.items.push_back(value(*n.children[0]));
    --lambdas_;
    return v;
  }

  const SourceText& source_;
  int lambdas_ = 0;
};

std::string trimmed(std::string text) {
  auto blank = [](char c) { return c == ' ' || c == '\t' || c == '\r'; };
  while (!text.empty() && blank(text.back())) text.pop_back();
  std::size_t start = 0;
  while (start < text.size() && blank(text[start])) ++start;
  return text.substr(start);
}

}  // namespace

const StepValue* StepCall::call() const {
  const StepValue* v = &value;
  while (v->is(Kind::Index) || v->is(Kind::Slice)) v = &v->items[0];
  return v->is(Kind::Call) ? v : nullptr;
}

std::string_view StepCall::primitive() const {
  const StepValue* c = call();
  return c ? std::string_view(c->text) : std::string_view();
}

StepReader::StepReader(const SourceText& source) : source_(source) {
  if (auto tokens = tokenize(source)) tokens_ = std::move(*tokens);
}

Result<StepCall> StepReader::read(const Statement& statement) const {
  LineReader reader(source_);
  StepCall line = reader.line(statement);
  if (reader.error) return Failure(*reader.error);
  line.source = sourceOf(statement);
  return line;
}

std::string StepReader::sourceOf(const Statement& statement) const {
  auto isBefore = [](const Token& t, int line) { return t.line < line; };
  auto first = std::lower_bound(tokens_.begin(), tokens_.end(), statement.line, isBefore);
  while (first != tokens_.end() && first->text.empty() && first->kind != TokenKind::End) ++first;  // indentation
  auto end = first;
  while (end != tokens_.end() && end->kind != TokenKind::Newline && end->kind != TokenKind::End) ++end;
  if (first == end) return "";
  auto isSemicolon = [](const Token& t) { return t.is(";"); };
  if (first->column != statement.column || std::find_if(first, end, isSemicolon) != end) return "";
  if (std::prev(end)->line == statement.line) return trimmed(source_.place(statement.line, 1).text);
  std::string joined;
  for (auto at = first; at != end;) {
    const Token& begin = *at;
    while (std::next(at) != end && std::next(at)->line == begin.line) ++at;
    const Token& final = *at++;
    if (!joined.empty()) joined += ' ';
    joined.append(begin.text.data(), final.text.data() + final.text.size());
  }
  return joined;
}

Result<std::vector<StepCall>> parseSchedule(std::string_view text, std::string_view file) {
  SourceText source{text, file};
  auto statements = parseStatements(source);
  if (!statements) return Failure(statements.error());
  StepReader reader(source);
  std::vector<StepCall> lines;
  for (const StatementPtr& s : *statements) {
    auto line = reader.read(*s);
    if (!line) return Failure(line.error());
    if (line->source.empty()) line->source = printLine(*line);
    lines.push_back(std::move(*line));
  }
  return lines;
}

}  // namespace loom::script
