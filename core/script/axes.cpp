// T.axis, T.match_buffer and T.alloc_buffer: calls that add to the block they stand in.
#include "core/ir/build.h"
#include "core/script/function_reader.h"

namespace loom::script {

using ir::DType;
using ir::Expr;
using ir::Range;

std::optional<Value> FunctionReader::evaluateScopedCall(const std::string& name, const Node& node) {
  if (name.starts_with("axis.")) return axisCall(name.substr(5), node);
  if (name == "match_buffer") return matchBuffer(node);
  if (name == "launch_thread") {
    ir::ForNode loop = launchOf(node);
    const Expr var = loop.var;
    launches_.push_back(std::move(loop));
    return Value{var};
  }
  if (auto memory = memoryCall(name, node)) return memory;
  if (name == "alloc_buffer" || name == "sblock_alloc_buffer") {
    Arguments arguments(*this, node);
    ir::Buffer buffer = declareBuffer(arguments, 0);
    if (auto* block = enclosingBlock()) {
      block->block.allocs.push_back(buffer);
    } else if (frames_.size() == 1) {
      rootAllocs_.push_back(buffer);
    } else {
      refuse(node, message("expected T.{} in a block or at the top of the function", name));
    }
    visible_.push_back(buffer);
    return Value{buffer};
  }
  constexpr std::string_view kStatements[] = {"reads",     "writes",     "where",          "block_attr", "sblock_attr",
                                              "func_attr", "evaluate",   "block",          "sblock",     "init",
                                              "attr",      "LetStmt",    "grid",           "serial",     "unroll",
                                              "parallel",  "vectorized", "thread_binding", "let"};
  for (auto s : kStatements) {
    if (name == s) refuse(node, message("T.{} is no expression", name));
  }
  return std::nullopt;
}

// A number is an extent from 0; a pair is a begin and an end.
Range FunctionReader::domainOf(const Value& value, const Node& at) {
  if (auto* pair = value.get<Sequence>()) {
    if (pair->items->size() != 2) refuse(at, message("expected an extent or (begin, end)"));
    Expr begin = toExpr((*pair->items)[0], at), end = toExpr((*pair->items)[1], at);
    return {begin, simplified(binaryOperation(ir::ExprKind::Sub, end, begin, at), at)};
  }
  Expr extent = toExpr(value, at);
  if (!extent->dtype.isIntegral() || !extent->dtype.isScalar()) refuse(at, message("expected an integer extent"));
  return {ir::intImm(0, extent->dtype), extent};
}

ir::Var FunctionReader::pushIter(Range domain, ir::IterType type, const Expr& value, DType dtype) {
  auto var = unnamedVar(dtype);
  OpenBlock& open = *frames_.back().block;
  open.block.iters.push_back({var, std::move(domain), type});
  open.values.push_back(value);
  return var;
}

Value FunctionReader::axisCall(const std::string& kind, const Node& node) {
  currentBlock(node, "T.axis." + kind);
  Arguments arguments(*this, node);
  auto value = [&](const Value& v, const Node& at) {
    Expr e = toExpr(v, at);
    if (!e->dtype.isInt()) refuse(at, message("expected an integer value, found dtype {}", e->dtype.str()));
    return e;
  };
  if (kind == "remap") {
    std::string kinds = arguments.string(0, "kinds");
    const Node& at = arguments.where(1, "bindings");
    auto* bindings = arguments.need(1, "bindings").get<Sequence>();
    arguments.drop("dtype");
    arguments.finish();
    if (!bindings || bindings->items->size() != kinds.size() || kinds.empty()) {
      refuse(at, message("expected a list of {} loop variables", kinds.size()));
    }
    std::vector<Value> vars;
    for (std::size_t i = 0; i < kinds.size(); ++i) {
      Expr e = value((*bindings->items)[i], at);
      const Range* domain = nullptr;
      for (const auto& [var, range] : loops_) {
        if (var == e) domain = &range;
      }
      if (!domain) refuse(at, message("expected the variables of loops around the block"));
      if (kinds[i] != 'S' && kinds[i] != 'R') refuse(node, message("expected S or R, found {}", kinds[i]));
      auto type = kinds[i] == 'S' ? ir::IterType::Spatial : ir::IterType::Reduce;
      vars.push_back({Expr(pushIter(*domain, type, e, e->dtype))});
    }
    return vars.size() == 1 ? vars[0] : sequence(std::move(vars), false);
  }
  ir::IterType type = ir::IterType::Spatial;
  if (kind == "reduce" || kind == "R") {
    type = ir::IterType::Reduce;
  } else if (kind == "opaque") {
    type = ir::IterType::Opaque;
  } else if (kind != "spatial" && kind != "S") {
    refuse(node, message("expected T.axis.spatial, reduce, opaque or remap"));
  }
  Range domain = domainOf(arguments.need(0, "dom"), arguments.where(0, "dom"));
  Expr bound = value(arguments.need(1, "binding"), arguments.where(1, "binding"));
  DType dtype = arguments.find(2, "dtype") ? arguments.dtype(2, "dtype") : DType::Int(32);
  arguments.finish();
  if (!dtype.isInt()) refuse(node, message("expected an integer dtype"));
  int bits = std::max({static_cast<int>(dtype.bits), static_cast<int>(domain.min->dtype.bits),
                       static_cast<int>(domain.extent->dtype.bits)});
  return {Expr(pushIter(std::move(domain), type, bound, DType::Int(bits)))};
}

Value FunctionReader::matchBuffer(const Node& node) {
  Arguments arguments(*this, node);
  const Value& source = arguments.need(0, "param");
  const Node& at = arguments.where(0, "param");
  if (auto* e = source.get<Expr>(); e && ir::asVar(*e)) {
    for (auto& p : function_->params) {
      if (p.var != *e) continue;
      if (p.buffer) refuse(at, message("'{}' is matched already", p.var->name));
      if (!p.var->dtype.isHandle()) refuse(at, message("expected a parameter of type T.handle"));
      ir::Buffer buffer = declareBuffer(arguments, 1);
      p.buffer = buffer;
      visible_.push_back(buffer);
      return {buffer};
    }
    refuse(at, message("expected a parameter of the function or a region of a buffer"));
  }
  ir::BufferRegion region = toRegion(source, at);
  OpenBlock& open = currentBlock(node, "T.match_buffer of a region");
  ir::Buffer buffer;
  if (!arguments.find(1, "shape")) {
    // the region's own extents and dtype
    arguments.finish();
    auto own = std::make_shared<ir::BufferNode>();
    own->id = ids_.next();
    own->dtype = region.buffer->dtype;
    for (const auto& r : region.region) own->shape.push_back(r.extent);
    own->data = ir::makeVar("", DType::Handle());
    own->elemOffset = ir::intImm(0, own->shape.empty() ? DType::Int(32) : own->shape[0]->dtype);
    unnamedBuffers_[own.get()] = own;
    buffer = own;
  } else {
    buffer = declareBuffer(arguments, 1);
  }
  open.block.matches.push_back({buffer, region});
  visible_.push_back(buffer);
  return {buffer};
}

}  // namespace loom::script
