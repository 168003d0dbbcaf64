#include "core/script/saved_expr.h"

#include <algorithm>

#include "core/ir/build.h"

namespace loom::script {

using ir::DType;
using ir::Expr;
using ir::ExprKind;

namespace {

constexpr std::pair<std::string_view, ExprKind> kBinary[] = {{"tir.Add", ExprKind::Add},
                                                             {"tir.Sub", ExprKind::Sub},
                                                             {"tir.Mul", ExprKind::Mul},
                                                             {"tir.Div", ExprKind::Div},
                                                             {"tir.Mod", ExprKind::Mod},
                                                             {"tir.FloorDiv", ExprKind::FloorDiv},
                                                             {"tir.FloorMod", ExprKind::FloorMod},
                                                             {"tir.Min", ExprKind::Min},
                                                             {"tir.Max", ExprKind::Max},
                                                             {"tir.EQ", ExprKind::EQ},
                                                             {"tir.NE", ExprKind::NE},
                                                             {"tir.LT", ExprKind::LT},
                                                             {"tir.LE", ExprKind::LE},
                                                             {"tir.GT", ExprKind::GT},
                                                             {"tir.GE", ExprKind::GE},
                                                             {"tir.And", ExprKind::And},
                                                             {"tir.Or", ExprKind::Or}};

struct Deeper {
  explicit Deeper(int& depth) : depth_(depth) {
    if (++depth_ > kDeepestSaved) {
      --depth_;
      throw NotAsSaved{message("its nodes are nested too deeply, or in a circle")};
    }
  }
  ~Deeper() { --depth_; }
  Deeper(const Deeper&) = delete;
  int& depth_;
};

}  // namespace

void SavedExprs::count(std::size_t expressions) {
  printed_ += expressions;
  if (printed_ > kMostPrinted) throw NotAsSaved{message("it unfolds to too many expressions")};
}

DType SavedExprs::dtype(Index node) {
  const std::string word = graph_.word(node, "dtype");
  auto dtype = word.empty() ? DType::Void() : DType::parse(word);
  if (!dtype) throw NotAsSaved{message("\"{}\" is no dtype", word.substr(0, 40))};
  return *dtype;
}

Expr SavedExprs::expr(Index node) {
  const std::size_t around = below_;
  Expr e = made(node);
  const std::size_t size = sizes_[node];
  below_ = std::min(around + size, kMostPrinted + 1);
  if (depth_ == 0) count(size);
  return e;
}

Expr SavedExprs::made(Index node) {
  if (auto known = exprs_.find(node); known != exprs_.end()) return known->second;
  Deeper deeper(depth_);
  below_ = 0;
  Expr e = operation(node, graph_.type(node));
  sizes_[node] = std::min(below_ + 1, kMostPrinted + 1);
  exprs_[node] = e;
  return e;
}

Expr SavedExprs::same(Index node, const char* field, DType dtype) {
  Expr e = expr(graph_.need(node, field));
  if (e->dtype != dtype) {
    throw NotAsSaved{message("\"{}\" of node {}, a {}, is of dtype {}; {} is expected", field, node, graph_.type(node),
                             e->dtype.str(), dtype.str())};
  }
  return e;
}

Expr SavedExprs::operation(Index node, std::string_view type) {
  if (type == "tir.Var" || type == "tir.SizeVar") {
    std::string name = graph_.text(node, "name");
    if (name.size() > 1000) throw NotAsSaved{message("a name of more than 1000 characters")};
    return ir::makeVar(std::move(name), dtype(node));
  }
  if (type == "IntImm") {
    const DType t = dtype(node);
    if (!t.isScalar() || !(t.isIntegral() || t.isBool()))
      graph_.unexpected(node, message("an integer of an integer's dtype"));
    return ir::intImm(graph_.integer(node, "value"), t);
  }
  if (type == "FloatImm") {
    const DType t = dtype(node);
    if (!t.isScalar() || !t.isFloat()) graph_.unexpected(node, message("a number of a float's dtype"));
    return ir::floatImm(graph_.real(node, "value"), t);
  }
  if (type == "tir.StringImm") return ir::stringImm(graph_.text(node, "value"));
  for (const auto& [name, kind] : kBinary) {
    if (type != name) continue;
    Expr a = expr(graph_.need(node, "a")), b = same(node, "b", a->dtype);
    const bool logic = kind == ExprKind::And || kind == ExprKind::Or;
    if (a->dtype.isVoid() || a->dtype.isHandle() || (logic && !a->dtype.isBool())) {
      graph_.unexpected(node, message("an operation of numbers"));
    }
    return ir::binary(kind, std::move(a), std::move(b));
  }
  if (type == "tir.Not") {
    Expr a = expr(graph_.need(node, "a"));
    if (!a->dtype.isBool()) graph_.unexpected(node, message("a negation of a condition"));
    return std::make_shared<const ir::NotNode>(std::move(a));
  }
  if (type == "tir.Cast") {
    Expr value = expr(graph_.need(node, "value"));
    const DType t = dtype(node);
    if (t.lanes != value->dtype.lanes) graph_.unexpected(node, message("a cast that keeps the lanes"));
    return std::make_shared<const ir::CastNode>(t, std::move(value));
  }
  if (type == "tir.Select") {
    Expr condition = expr(graph_.need(node, "condition")), yes = expr(graph_.need(node, "true_value"));
    Expr no = same(node, "false_value", yes->dtype);
    return ir::select(std::move(condition), std::move(yes), std::move(no));
  }
  if (type == "tir.BufferLoad") {
    ir::Buffer from = buffer(graph_.need(node, "buffer"));
    std::vector<Expr> indices = exprs(graph_.list(node, "indices"));
    if (indices.size() != from->shape.size()) graph_.unexpected(node, message("an index for each dimension"));
    return std::make_shared<const ir::LoadNode>(std::move(from), std::move(indices), dtype(node));
  }
  if (type == "tir.Ramp" || type == "tir.Broadcast") {
    // The count of lanes is an expression since vectors may be scalable; here it is a number.
    const Index lanes = graph_.need(node, "lanes");
    const std::int64_t n = graph_.type(lanes) == "IntImm" ? graph_.integer(lanes, "value") : 0;
    if (n < 1 || n > 1024) graph_.unexpected(node, message("a vector of 1 to 1024 lanes"));
    if (type == "tir.Broadcast") {
      Expr value = expr(graph_.need(node, "value"));
      if (!value->dtype.isScalar()) graph_.unexpected(node, message("a vector of scalars"));
      return ir::broadcast(std::move(value), int(n));
    }
    Expr base = integer(graph_.need(node, "base")), stride = same(node, "stride", base->dtype);
    return ir::ramp(std::move(base), std::move(stride), int(n));
  }
  if (type == "tir.Let") {
    ir::Var v = var(graph_.need(node, "var"));
    Expr value = same(node, "value", v->dtype), body = expr(graph_.need(node, "body"));
    return std::make_shared<const ir::LetNode>(std::move(v), std::move(value), std::move(body));
  }
  if (type == "tir.Call") return call(node);
  graph_.unexpected(node, message("an expression of TIR"));
}

Expr SavedExprs::call(Index node) {
  const Index op = graph_.need(node, "op");
  if (graph_.type(op) != "Op") graph_.unexpected(op, message("an operator of TIR"));
  const std::string name = graph_.nameOfObject(op);
  constexpr std::string_view kRoom = "tir.";
  if (!name.starts_with(kRoom)) throw NotAsSaved{message("the operator \"{}\" is none of TIR", name.substr(0, 60))};
  const DType t = dtype(node);
  return ir::call(t, name.substr(kRoom.size()), exprs(graph_.list(node, "args")));
}

std::vector<Expr> SavedExprs::exprs(const std::vector<Index>& nodes) {
  std::vector<Expr> all;
  for (const Index node : nodes) all.push_back(expr(node));
  return all;
}

Expr SavedExprs::integer(Index node) {
  Expr e = expr(node);
  if (!e->dtype.isIntegral() || !e->dtype.isScalar()) graph_.unexpected(node, message("a whole number"));
  return e;
}

ir::Var SavedExprs::var(Index node) {
  Expr e = expr(node);
  if (!ir::asVar(e)) graph_.unexpected(node, message("a variable"));
  return ir::varOf(e);
}

ir::Buffer SavedExprs::buffer(Index node) {
  if (auto known = buffers_.find(node); known != buffers_.end()) return known->second;
  Deeper deeper(depth_);
  if (graph_.type(node) != "tir.Buffer") graph_.unexpected(node, message("a buffer"));
  const Index data = graph_.need(node, "data");
  auto b = std::make_shared<ir::BufferNode>();
  b->id = ids_.next();
  b->data = var(data);
  if (!b->data->dtype.isHandle()) graph_.unexpected(data, message("a pointer"));
  b->name = graph_.text(node, "name");
  b->dtype = dtype(node);
  if (b->dtype.isVoid() || b->dtype.isHandle()) graph_.unexpected(node, message("a buffer of numbers"));
  for (const Index extent : graph_.list(node, "shape")) b->shape.push_back(integer(extent));
  for (const Index stride : graph_.list(node, "strides")) b->strides.push_back(integer(stride));
  if (!b->strides.empty() && b->strides.size() != b->shape.size())
    graph_.unexpected(node, message("a stride for each dimension"));
  const Index offset = graph_.reference(node, "elem_offset");
  b->elemOffset = offset ? integer(offset) : ir::intImm(0, b->shape.empty() ? DType::Int(32) : b->shape[0]->dtype);
  if (const Index pointer = graph_.reference(data, "type_annotation");
      pointer && graph_.type(pointer) == "PointerType") {
    if (std::string scope = graph_.text(pointer, "storage_scope"); !scope.empty()) b->scope = std::move(scope);
  }
  b->dataAlignment = int(std::clamp<std::int64_t>(graph_.integer(node, "data_alignment"), 1, 1 << 20));
  b->offsetFactor = int(std::clamp<std::int64_t>(graph_.integer(node, "offset_factor"), 1, 1 << 20));
  for (const Index separator : graph_.list(node, "axis_separators")) {
    const std::int64_t at = constantOr(expr(separator), -1);
    if (at < 0 || at > std::int64_t(b->shape.size())) graph_.unexpected(node, message("separators between its axes"));
    b->axisSeparators.push_back(int(at));
  }
  buffers_[node] = b;
  return b;
}

ir::Range SavedExprs::range(Index node) {
  if (graph_.type(node) != "Range") graph_.unexpected(node, message("a range"));
  return {integer(graph_.need(node, "min")), integer(graph_.need(node, "extent"))};
}

ir::BufferRegion SavedExprs::region(Index node) {
  if (graph_.type(node) != "tir.BufferRegion") graph_.unexpected(node, message("a region of a buffer"));
  ir::BufferRegion region{buffer(graph_.need(node, "buffer")), {}};
  for (const Index part : graph_.list(node, "region")) region.region.push_back(range(part));
  if (region.region.size() != region.buffer->shape.size())
    graph_.unexpected(node, message("a range for each dimension"));
  return region;
}

ir::Annotations SavedExprs::annotations(Index map) {
  ir::Annotations all;
  if (map == 0) return all;
  for (const auto& [key, value] : graph_.namedEntries(map)) all[key] = annotation(value);
  return all;
}

// Numbers of Python's stay such; those of the program are told by their dtype.
ir::AnnotationValue SavedExprs::annotation(Index node) {
  Deeper deeper(depth_);
  count(1);
  const std::string_view type = graph_.type(node);
  if (type == "Array") {
    ir::AnnotationList list;
    for (const Index item : graph_.items(node)) list.push_back(annotation(item));
    return {std::move(list)};
  }
  if (type == "Map") return {annotations(node)};
  if (type == "String") return {ir::stringImm(graph_.string(node))};
  if (type == "int") return {ir::intImm(graph_.plainInteger(node))};
  if (type == "bool") return {ir::boolImm(graph_.plainInteger(node) != 0)};
  if (type == "float") return {ir::floatImm(graph_.plainReal(node), DType::Float(32))};
  if (type == "tir.IndexMap" || type == "None") graph_.unexpected(node, message("an annotation's value"));
  Expr e = expr(node);
  count(sizes_[node]);
  return {std::move(e), type == "IntImm" || type == "FloatImm"};
}

}  // namespace loom::script
