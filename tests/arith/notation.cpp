#include "tests/arith/notation.h"

#include <fstream>
#include <memory>
#include <stdexcept>

namespace loom::arith::notation {

using namespace ir;

namespace {

const std::map<std::string, ExprKind, std::less<>> kBinary = {
    {"add", ExprKind::Add}, {"sub", ExprKind::Sub},       {"mul", ExprKind::Mul},       {"div", ExprKind::Div},
    {"mod", ExprKind::Mod}, {"fdiv", ExprKind::FloorDiv}, {"fmod", ExprKind::FloorMod}, {"min", ExprKind::Min},
    {"max", ExprKind::Max}, {"eq", ExprKind::EQ},         {"ne", ExprKind::NE},         {"lt", ExprKind::LT},
    {"le", ExprKind::LE},   {"gt", ExprKind::GT},         {"ge", ExprKind::GE},         {"and", ExprKind::And},
    {"or", ExprKind::Or}};

void skip(std::string_view& text) {
  while (!text.empty() && text[0] == ' ') text.remove_prefix(1);
}

std::string trimmed(std::string_view t) {
  while (!t.empty() && t.front() == ' ') t.remove_prefix(1);
  while (!t.empty() && t.back() == ' ') t.remove_suffix(1);
  return std::string(t);
}

std::string list(const std::vector<Expr>& parts) {
  std::string s;
  for (const Expr& e : parts) s += " " + show(e);
  return s;
}

std::string number(std::int64_t v) { return v == kPosInf ? "inf" : v == kNegInf ? "-inf" : std::to_string(v); }

}  // namespace

Var Reader::variable(const std::string& name) {
  auto& v = variables_[name];
  if (!v) v = makeVar(name, name == "p" || name == "q" ? DType::Bool() : integers_);
  return v;
}

std::string Reader::word(std::string_view& text) {
  skip(text);
  std::size_t n = std::min(text.find_first_of(" )"), text.size());
  std::string w(text.substr(0, n));
  text.remove_prefix(n);
  return w;
}

Expr Reader::read(std::string_view& text) {
  skip(text);
  if (text.empty()) throw std::runtime_error("an expression is missing");
  if (text[0] != '(') {
    std::string w = word(text);
    if (w == "true" || w == "false") return boolImm(w == "true");
    if (w[0] == '-' || (w[0] >= '0' && w[0] <= '9'))
      return intImm(std::stoll(w), w.back() == 'l' ? DType::Int(64) : DType::Int(32));
    return variable(w);
  }
  text.remove_prefix(1);
  std::string op = word(text);
  Expr e;
  if (auto it = kBinary.find(op); it != kBinary.end()) {
    Expr a = read(text), b = read(text);
    e = binary(it->second, a, b);
  } else if (op == "not") {
    e = std::make_shared<NotNode>(read(text));
  } else if (op == "cast") {
    auto t = DType::parse(word(text));
    e = std::make_shared<CastNode>(t.value(), read(text));
  } else if (op == "select" || op == "if_then_else") {
    Expr c = read(text), yes = read(text), no = read(text);
    e = op == "select" ? Expr(std::make_shared<SelectNode>(c, yes, no)) : call(yes->dtype, op, {c, yes, no});
  } else if (op == "ramp") {
    Expr base = read(text), stride = read(text);
    e = std::make_shared<RampNode>(base, stride, std::stoi(word(text)));
  } else if (op == "bcast") {
    Expr value = read(text);
    e = std::make_shared<BroadcastNode>(value, std::stoi(word(text)));
  } else if (op == "let") {
    Var var = variable(word(text));
    Expr value = read(text), body = read(text);
    e = std::make_shared<LetNode>(var, value, body);
  } else if (op == "shift_right" || op == "shift_left" || op == "bitwise_and") {
    Expr a = read(text), b = read(text);
    e = call(a->dtype, op, {a, b});
  } else {
    throw std::runtime_error("no such node: " + op);
  }
  skip(text);
  if (text.empty() || text[0] != ')') throw std::runtime_error("a ) is missing");
  text.remove_prefix(1);
  return e;
}

std::string show(const Expr& e) {
  switch (e->kind) {
    case ExprKind::Var: return as<VarNode>(e)->name;
    case ExprKind::IntImm: {
      auto v = as<IntImmNode>(e)->value;
      if (e->dtype.isBool()) return v ? "true" : "false";
      return std::to_string(v) + (e->dtype.bits == 64 ? "l" : "");
    }
    case ExprKind::Not: return "(not " + show(as<NotNode>(e)->a) + ")";
    case ExprKind::Cast: return "(cast " + e->dtype.str() + " " + show(as<CastNode>(e)->value) + ")";
    case ExprKind::Select: {
      auto* n = as<SelectNode>(e);
      return "(select" + list({n->condition, n->yes, n->no}) + ")";
    }
    case ExprKind::Call: return "(" + as<CallNode>(e)->op + list(as<CallNode>(e)->args) + ")";
    case ExprKind::Let: {
      auto* n = as<LetNode>(e);
      return "(let " + n->var->name + list({n->value, n->body}) + ")";
    }
    case ExprKind::Ramp:
      return "(ramp" + list({as<RampNode>(e)->base, as<RampNode>(e)->stride}) + " " + std::to_string(e->dtype.lanes) +
             ")";
    case ExprKind::Broadcast:
      return "(bcast " + show(as<BroadcastNode>(e)->value) + " " + std::to_string(e->dtype.lanes) + ")";
    default: {
      for (const auto& [name, kind] : kBinary)
        if (kind == e->kind) return "(" + name + list({as<BinaryNode>(e)->a, as<BinaryNode>(e)->b}) + ")";
      return "?";
    }
  }
}

std::vector<Line> readLines(const std::string& path) {
  std::ifstream in(path);
  if (!in) throw std::runtime_error("cannot read " + path);
  std::vector<Line> lines;
  for (std::string text; std::getline(in, text);) {
    Line line;
    line.text = text;
    std::string* fields[] = {&line.facts,     &line.input, &line.simplified, &line.rewritten,
                             &line.canonical, &line.bound, &line.modular};
    std::string_view rest = text;
    for (std::string* f : fields) {
      std::size_t n = std::min(rest.find('|'), rest.size());
      *f = trimmed(rest.substr(0, n));
      rest.remove_prefix(std::min(n + 1, rest.size()));
    }
    lines.push_back(std::move(line));
  }
  return lines;
}

namespace {

struct Fact {
  Var var;
  Range range;
  Expr value;  // instead of a range
};

// What a line says is known, and its expression.
class Question {
 public:
  explicit Question(const Line& line) : reader_(line.facts.rfind("int64", 0) == 0 ? DType::Int(64) : DType::Int(32)) {
    std::string_view facts = line.facts;
    if (facts.rfind("int64", 0) == 0) facts.remove_prefix(5);
    for (skip(facts); !facts.empty(); skip(facts)) readFact(facts);
    input_ = reader_.readAll(line.input);
  }

  // Each answer is a new analyzer's: answers must not depend on earlier questions.
  template <class Answer>
  auto ask(const Answer& answer) const {
    Analyzer analyzer;
    analyzer.setExtensions(extensions_);
    for (const Fact& f : known_) f.value ? analyzer.bind(f.var, f.value) : analyzer.bind(f.var, f.range);
    if (!constraint_) return answer(analyzer, input_);
    auto context = analyzer.enter(constraint_);
    return answer(analyzer, input_);
  }

 private:
  void readFact(std::string_view& facts) {
    char kind = facts[0] == '@' || facts[0] == '#' ? facts[0] : facts[1];
    Var var = kind == facts[0] ? nullptr : reader_.variable(std::string(facts.substr(0, 1)));
    facts.remove_prefix(var ? 2 : 1);
    switch (kind) {
      case '@': constraint_ = reader_.read(facts); break;
      case '#':
        extensions_ = static_cast<unsigned>(facts[0] - '0');
        facts.remove_prefix(1);
        break;
      case ':': known_.push_back({var, {}, reader_.read(facts)}); break;
      case '~': {
        Expr min = reader_.read(facts);
        known_.push_back({var, {min, reader_.read(facts)}, nullptr});
        break;
      }
      default: {
        std::size_t plus = facts.find('+'), end = std::min(facts.find(' '), facts.size());
        auto constant = [&](std::string_view t) { return intImm(std::stoll(std::string(t)), var->dtype); };
        known_.push_back({var, {constant(facts.substr(0, plus)), constant(facts.substr(plus + 1, end))}, nullptr});
        facts.remove_prefix(end);
      }
    }
  }

  Reader reader_;
  std::vector<Fact> known_;
  Expr constraint_, input_;
  unsigned extensions_ = kNoExtensions;
};

}  // namespace

Line run(const Line& line) {
  Question q(line);
  Line out = line;
  out.simplified = q.ask([](Analyzer& a, const Expr& e) { return show(a.simplify(e)); });
  out.rewritten = q.ask([](Analyzer& a, const Expr& e) { return show(a.rewriteSimplify(e)); });
  out.canonical = q.ask([](Analyzer& a, const Expr& e) { return show(a.canonicalSimplify(e)); });
  out.bound = q.ask([](Analyzer& a, const Expr& e) {
    auto b = a.constIntBound(e);
    return number(b.min) + " " + number(b.max);
  });
  out.modular = q.ask([](Analyzer& a, const Expr& e) {
    auto m = a.modularSet(e);
    return std::to_string(m.coeff) + " " + std::to_string(m.base);
  });
  return out;
}

std::string proofs(const Line& line) {
  return Question(line).ask([](Analyzer& a, const Expr& e) {
    bool plain = a.canProve(e), symbolic = a.canProve(e, Strength::SymbolicBound);
    return std::string(plain ? "proven" : symbolic ? "symbolic" : "unproven");
  });
}

}  // namespace loom::arith::notation
