#include "core/script/evaluator.h"

#include <cmath>
#include <limits>

#include "core/arith/analyzer.h"
#include "core/ir/build.h"
#include "core/ir/equal.h"

namespace loom::script {

using ir::DType;
using ir::Expr;
using ir::ExprKind;

Message Value::describe() const {
  static const Message kNames[] = {verbatim("None"),        message("a bool"),   message("an integer"),
                                   message("a float"),      message("a string"), message("an expression"),
                                   message("a buffer"),     message("a region"), message("a list"),
                                   message("a dictionary"), message("a type")};
  return kNames[v.index()];
}

Value sequence(std::vector<Value> items, bool isTuple) {
  return {Sequence{std::make_shared<const std::vector<Value>>(std::move(items)), isTuple}};
}

void Evaluator::refuse(int line, int column, Message message) const {
  throw Refusal{source_.error(line, column, std::move(message)).value()};
}
void Evaluator::refuse(const Node& at, Message message) const { refuse(at.line, at.column, std::move(message)); }

Value Evaluator::evaluate(const Node& node) {
  switch (node.kind) {
    case NodeKind::Name: return name(node);
    case NodeKind::Integer:
      if (node.magnitude > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max())) {
        refuse(node, message("this integer does not fit in 64 bits with a sign"));
      }
      return {static_cast<std::int64_t>(node.magnitude)};
    case NodeKind::Float: return {node.real};
    case NodeKind::String: return {node.text};
    case NodeKind::True: return {true};
    case NodeKind::False: return {false};
    case NodeKind::None: return {};
    case NodeKind::Attribute: return attribute(node);
    case NodeKind::Call: return call(node);
    case NodeKind::Subscript: return subscript(node, false);
    case NodeKind::Tuple:
    case NodeKind::List: {
      std::vector<Value> items;
      for (const auto& c : node.children) {
        if (!c->is(NodeKind::Starred)) {
          items.push_back(evaluate(*c));
          continue;
        }
        Value inner = evaluate(*c->children[0]);
        auto* s = inner.get<Sequence>();
        if (!s) refuse(*c, message("expected a list after '*'"));
        items.insert(items.end(), s->items->begin(), s->items->end());
      }
      return sequence(std::move(items), node.is(NodeKind::Tuple));
    }
    case NodeKind::Dict: {
      std::vector<std::pair<Value, Value>> items;
      for (std::size_t i = 0; i + 1 < node.children.size(); i += 2) {
        Value key = evaluate(*node.children[i]);
        items.emplace_back(std::move(key), evaluate(*node.children[i + 1]));
      }
      return {Dictionary{std::make_shared<const std::vector<std::pair<Value, Value>>>(std::move(items))}};
    }
    case NodeKind::Unary: return unary(node);
    case NodeKind::Binary: return binary(node);
    case NodeKind::Compare: return compare(node);
    case NodeKind::And:
    case NodeKind::Or: return logic(node);
    case NodeKind::Conditional: return conditional(node);
    case NodeKind::Slice: refuse(node, message("a slice stands only inside brackets"));
    case NodeKind::Starred: refuse(node, message("'*' stands only in an argument list"));
    case NodeKind::Ellipsis: refuse(node, message("'...' means nothing here"));
    case NodeKind::Lambda: refuse(node, message("a lambda means nothing here"));
    case NodeKind::Set:
    case NodeKind::SetComprehension: refuse(node, message("a set means nothing here"));
    case NodeKind::ListComprehension:
    case NodeKind::DictComprehension:
    case NodeKind::Generator: refuse(node, message("comprehensions are not accepted in a TVMScript function"));
    case NodeKind::Format:
    case NodeKind::FormatValue: refuse(node, message("expected a plain string, not a format string"));
  }
  refuse(node, message("expected an expression"));
}

Expr Evaluator::toExpr(const Value& value, const Node& at) {
  if (auto* e = value.get<Expr>()) return *e;
  if (auto* b = value.get<bool>()) return ir::boolImm(*b);
  if (auto* i = value.get<std::int64_t>()) {
    bool small = *i >= std::numeric_limits<std::int32_t>::min() && *i <= std::numeric_limits<std::int32_t>::max();
    return ir::intImm(*i, DType::Int(small ? 32 : 64));
  }
  if (value.get<double>()) return typedConstant(DType::Float(32), value, at);
  if (auto* s = value.get<std::string>()) return ir::stringImm(*s);
  if (auto* b = value.get<ir::Buffer>(); b && (*b)->shape.empty()) return ir::load(*b, {});
  refuse(at, message("expected an expression, found {}", value.describe()));
}

std::string Evaluator::stringOf(const Value& value, const Node& at) const {
  if (auto* s = value.get<std::string>()) return *s;
  refuse(at, message("expected a string, found {}", value.describe()));
}

std::int64_t Evaluator::integerOf(const Value& value, const Node& at) const {
  if (auto* i = value.get<std::int64_t>()) return *i;
  if (auto* b = value.get<bool>()) return *b;
  if (auto* e = value.get<Expr>(); e && ir::asInt(*e)) return ir::asInt(*e)->value;
  refuse(at, message("expected a constant integer, found {}", value.describe()));
}

DType Evaluator::dtypeOf(const Value& value, const Node& at) const {
  if (auto* t = value.get<TypeName>()) return t->dtype;
  std::string text = stringOf(value, at);
  auto dtype = text.empty() ? DType::Void() : DType::parse(text);
  if (!dtype) refuse(at, message("'{}' is no dtype", text));
  return *dtype;
}

ir::AnnotationValue Evaluator::toAnnotation(const Value& value, const Node& at) {
  if (auto* d = value.get<double>()) return {ir::floatImm(*d, DType::Float(32))};
  if (auto* i = value.get<std::int64_t>()) return {ir::intImm(*i)};
  if (auto* s = value.get<Sequence>()) {
    ir::AnnotationList list;
    for (const auto& item : *s->items) list.push_back(toAnnotation(item, at));
    return {std::move(list)};
  }
  if (value.get<Dictionary>()) return {toAnnotations(value, at)};
  Expr e = toExpr(value, at);
  bool typed = value.get<Expr>() && (e->kind == ExprKind::IntImm || e->kind == ExprKind::FloatImm);
  return {e, typed};
}

ir::Annotations Evaluator::toAnnotations(const Value& value, const Node& at) {
  auto* d = value.get<Dictionary>();
  if (!d) refuse(at, message("expected a dictionary, found {}", value.describe()));
  ir::Annotations annotations;
  for (const auto& [key, item] : *d->items) annotations[stringOf(key, at)] = toAnnotation(item, at);
  return annotations;
}

std::string Evaluator::scriptName(const Node& node, char module) const {
  std::string tail;
  const Node* n = &node;
  while (n->is(NodeKind::Attribute)) {
    tail = tail.empty() ? n->text : n->text + "." + tail;
    n = n->children[0].get();
  }
  if (tail.empty() || !n->is(NodeKind::Name)) return "";
  auto alias = aliases_.find(n->text);
  return alias != aliases_.end() && alias->second == module && !find(n->text) ? tail : "";
}

const Value* Evaluator::find(const std::string& name) const {
  for (auto scope = scopes_.rbegin(); scope != scopes_.rend(); ++scope) {
    if (auto it = scope->find(name); it != scope->end()) return &it->second;
  }
  return nullptr;
}

Value Evaluator::name(const Node& node) {
  if (auto* value = find(node.text)) return *value;
  refuse(node, message("'{}' is not defined", node.text));
}

void Evaluator::define(const std::string& name, Value value, int line, int column) {
  auto [it, isNew] = scopes_.back().try_emplace(name, value);
  auto *before = it->second.get<Expr>(), *now = value.get<Expr>();
  if (!isNew && !(before && now && *before == *now)) {
    refuse(line, column, message("'{}' is already defined in this scope", name));
  }
}

void Evaluator::assign(const Node& target, const Value& value, const Bind& bind) {
  if (target.is(NodeKind::Name)) {
    Value bound = bind(target.text, value, target);
    if (target.text != "_" || !scopes_.back().count("_")) {
      define(target.text, std::move(bound), target.line, target.column);
    }
    return;
  }
  if (!target.is(NodeKind::Tuple) && !target.is(NodeKind::List))
    refuse(target, message("expected a name to assign to"));
  auto* parts = value.get<Sequence>();
  if (!parts) refuse(target, message("expected as many values as names, found {}", value.describe()));
  std::size_t names = target.children.size(), values = parts->items->size(), star = names;
  for (std::size_t i = 0; i < names; ++i) {
    if (target.children[i]->is(NodeKind::Starred)) star = i;
  }
  if (star == names ? values != names : values + 1 < names) {
    refuse(target, message("{} names are assigned {} values", names, values));
  }
  for (std::size_t i = 0, v = 0; i < names; ++i) {
    if (i != star) {
      assign(*target.children[i], (*parts->items)[v++], bind);
      continue;
    }
    std::size_t rest = values + 1 - names;
    std::vector<Value> items(parts->items->begin() + static_cast<std::ptrdiff_t>(v),
                             parts->items->begin() + static_cast<std::ptrdiff_t>(v + rest));
    assign(*target.children[i]->children[0], sequence(std::move(items), false), bind);
    v += rest;
  }
}

ir::Var Evaluator::unnamedVar(DType dtype) {
  auto v = ir::makeVar("v", dtype);
  unnamedVars_.insert(v.get());
  kept_.push_back(v);
  return v;
}

Expr Evaluator::symbolicExtent(const std::string& name, const Node& at) {
  refuse(at, message("expected an extent, found the string '{}'", name));
}

Value Evaluator::attribute(const Node& node) {
  if (std::string name = scriptName(node); !name.empty()) {
    if (auto dtype = DType::parse(name)) return {TypeName{*dtype}};
    refuse(node, message("T.{} is no value; expected a call or a type", name));
  }
  Value object = evaluate(*node.children[0]);
  auto list = [](const std::vector<Expr>& exprs) {
    std::vector<Value> items;
    for (const auto& e : exprs) items.push_back({e});
    return sequence(std::move(items), false);
  };
  if (auto* b = object.get<ir::Buffer>()) {
    if (node.text == "data") return {Expr((*b)->data)};
    if (node.text == "elem_offset") return {(*b)->elemOffset};
    if (node.text == "strides") return list((*b)->strides);
    if (node.text == "shape") return list((*b)->shape);
    if (node.text == "dtype") return {(*b)->dtype.str()};
    if (node.text == "name") return {(*b)->name};
  }
  if (auto* e = object.get<Expr>(); e && node.text == "dtype") return {(*e)->dtype.str()};
  refuse(node, message("{} has no attribute '{}'", object.describe(), node.text));
}

Value Evaluator::operand(const Node& node) {
  return node.is(NodeKind::Subscript) ? subscript(node, true) : evaluate(node);
}

Value Evaluator::subscript(const Node& node, bool vectorSlices) {
  if (scriptName(*node.children[0]) == "Buffer") {  // as it was written until TVM 0.10
    if (auto value = evaluateScopedCall("Buffer[]", node)) return *value;
    refuse(node, message("expected T.Buffer(…) with round brackets"));
  }
  Value object = evaluate(*node.children[0]);
  const Node& index = *node.children[1];
  if (auto* s = object.get<Sequence>()) {
    std::int64_t i = integerOf(evaluate(index), index);
    auto size = static_cast<std::int64_t>(s->items->size());
    if (i < -size || i >= size) {
      refuse(index, message("index {} is outside a list of {}", i, size));
    }
    return (*s->items)[static_cast<std::size_t>(i < 0 ? i + size : i)];
  }
  auto* buffer = object.get<ir::Buffer>();
  if (!buffer) refuse(node, message("{} cannot be indexed", object.describe()));
  bool slices = false, steps = false;
  auto look = [&](const Node& n) {
    if (!n.is(NodeKind::Slice)) return;
    slices = true;
    steps = steps || n.children[2] || (vectorSlices && n.children[0] && n.children[1]);
  };
  if (index.is(NodeKind::Tuple)) {
    for (const auto& c : index.children) look(*c);
  } else {
    look(index);
  }
  if (slices && !steps) return {ir::BufferRegion{*buffer, regionOf(node, *buffer)}};
  return sliceLoad(node, index, *buffer);
}

namespace {
std::vector<const Node*> indexNodes(const Node& index) {
  std::vector<const Node*> nodes;
  if (!index.is(NodeKind::Tuple)) return {&index};
  for (const auto& c : index.children) nodes.push_back(c.get());
  return nodes;
}
}  // namespace

std::vector<ir::Range> Evaluator::regionOf(const Node& subscript, const ir::Buffer& buffer) {
  std::vector<ir::Range> region;
  auto nodes = indexNodes(*subscript.children[1]);
  if (nodes.size() != buffer->shape.size()) {
    refuse(subscript,
           message("{} has {} dimensions, found {} indices", buffer->name, buffer->shape.size(), nodes.size()));
  }
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const Node& n = *nodes[i];
    if (!n.is(NodeKind::Slice)) {
      Expr min = expression(n);
      region.push_back({min, ir::intImm(1, min->dtype)});
      continue;
    }
    Expr start = n.children[0] ? expression(*n.children[0]) : ir::intImm(0);
    Expr stop = n.children[1] ? expression(*n.children[1]) : buffer->shape[i];
    // x : x + extent keeps the extent as written, where TVM simplifies it, so that a printed region reads back as it
    // was
    auto* sum = ir::asBinary(stop, ExprKind::Add);
    if (sum && ir::structuralEqual(sum->a, start)) {
      region.push_back({start, sum->b});
    } else {
      region.push_back({start, simplified(binaryOperation(ExprKind::Sub, stop, start, n), n)});
    }
  }
  return region;
}

Value Evaluator::sliceLoad(const Node& at, const Node& index, const ir::Buffer& buffer) {
  std::vector<Expr> indices;
  auto nodes = indexNodes(index);
  if (nodes.size() != buffer->shape.size()) {
    refuse(at, message("{} has {} dimensions, found {} indices", buffer->name, buffer->shape.size(), nodes.size()));
  }
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const Node& n = *nodes[i];
    if (!n.is(NodeKind::Slice)) {
      indices.push_back(expression(n));
      continue;
    }
    Expr start = n.children[0] ? expression(*n.children[0]) : ir::intImm(0);
    Expr stop = n.children[1] ? expression(*n.children[1]) : buffer->shape[i];
    Expr step = n.children[2] ? expression(*n.children[2]) : ir::intImm(1, start->dtype);
    auto op = [&](ExprKind kind, Expr a, Expr b) { return binaryOperation(kind, std::move(a), std::move(b), n); };
    Expr span = op(ExprKind::Sub, op(ExprKind::Add, op(ExprKind::Sub, stop, start), step), ir::intImm(1));
    Expr lanes = simplified(op(ExprKind::FloorDiv, span, step), n);
    auto* count = ir::asInt(lanes);
    if (!count || count->value < 1 || count->value > 1024) refuse(n, message("expected a slice of 1 to 1024 elements"));
    indices.push_back(count->value == 1 ? start : ir::ramp(start, step, static_cast<int>(count->value)));
  }
  for (std::size_t i = 0; i + 1 < indices.size(); ++i) {
    if (!indices[i]->dtype.isScalar()) refuse(at, message("only the last index may be a vector"));
  }
  return {ir::load(buffer, std::move(indices))};
}

ir::BufferRegion Evaluator::toRegion(const Value& value, const Node& at) {
  if (auto* r = value.get<ir::BufferRegion>()) return *r;
  auto* e = value.get<Expr>();
  auto* load = e ? ir::asLoad(*e) : nullptr;
  if (!load) refuse(at, message("expected a region of a buffer, found {}", value.describe()));
  ir::BufferRegion region{load->buffer, {}};
  for (const auto& i : load->indices) {
    if (!i->dtype.isScalar()) refuse(at, message("expected a slice without a step"));
    region.region.push_back({i, ir::intImm(1, i->dtype)});
  }
  return region;
}

Expr Evaluator::simplified(const Expr& e, const Node& at) {
  if (ir::asInt(e) || ir::asVar(e)) return e;
  try {
    return arith::Analyzer().simplify(e);
  } catch (const std::domain_error&) {
    refuse(at, message("this divides by zero"));
  }
}

}  // namespace loom::script
