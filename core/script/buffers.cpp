// Declarations and methods of buffers.
#include "core/ir/build.h"
#include "core/ir/visit.h"
#include "core/script/evaluator.h"

namespace loom::script {

using ir::DType;
using ir::Expr;
using ir::ExprKind;

std::shared_ptr<ir::BufferNode> Evaluator::declareBuffer(Arguments& arguments, std::size_t first) {
  auto buffer = std::make_shared<ir::BufferNode>();
  buffer->id = ids_.next();
  const Node& shapeNode = arguments.where(first, "shape");
  const Value& shape = arguments.need(first, "shape");
  auto extent = [&](const Value& v) {
    if (auto* text = v.get<std::string>()) return symbolicExtent(*text, shapeNode);
    Expr e = toExpr(v, shapeNode);
    if (!e->dtype.isIntegral() || !e->dtype.isScalar())
      refuse(shapeNode, message("expected integer extents, found {}", e->dtype.str()));
    if (ir::asInt(e) && ir::asInt(e)->value < 0) refuse(shapeNode, message("an extent is negative"));
    return e;
  };
  if (auto* list = shape.get<Sequence>()) {
    for (const auto& item : *list->items) buffer->shape.push_back(extent(item));
  } else {
    buffer->shape.push_back(extent(shape));
  }
  buffer->dtype = arguments.find(first + 1, "dtype") ? arguments.dtype(first + 1, "dtype") : DType::Float(32);
  if (buffer->dtype.isVoid())
    refuse(arguments.where(first + 1, "dtype"), message("a buffer's elements cannot be void"));
  DType indexType = buffer->shape.empty() ? DType::Int(32) : buffer->shape[0]->dtype;
  buffer->data = ir::makeVar("", DType::Handle());
  if (auto* data = arguments.find(first + 2, "data")) {
    Expr e = toExpr(*data, arguments.where(first + 2, "data"));
    if (!ir::asVar(e) || !e->dtype.isHandle()) refuse(arguments.where(first + 2, "data"), message("expected a handle"));
    buffer->data = ir::varOf(e);
  }
  unnamedBuffers_[buffer.get()] = buffer;
  if (auto* strides = arguments.find(first + 3, "strides")) {
    auto* list = strides->get<Sequence>();
    const Node& at = arguments.where(first + 3, "strides");
    if (!list) refuse(at, message("expected a list of strides"));
    // TVM's cache_index writes fewer strides than there are dimensions, so the count is not checked
    for (const auto& item : *list->items) {
      auto* text = item.get<std::string>();
      buffer->strides.push_back(text ? Expr(ir::makeVar(*text, indexType)) : toExpr(item, at));
    }
  }
  auto* offset = arguments.find(first + 4, "elem_offset");
  buffer->scope = arguments.string(first + 5, "scope", "global");
  std::int64_t align = arguments.integer(first + 6, "align", 0);
  std::int64_t factor = arguments.integer(first + 7, "offset_factor", 0);
  arguments.string(first + 8, "buffer_type", "");
  if (align > 1 << 20 || factor < 0 || factor > 1 << 30)
    refuse(arguments.node, message("expected a smaller align and offset_factor"));
  if (align > 0) buffer->dataAlignment = static_cast<int>(align);
  if (offset) {
    buffer->elemOffset = toExpr(*offset, arguments.where(first + 4, "elem_offset"));
  } else {
    buffer->elemOffset = factor ? Expr(ir::makeVar("elem_offset", indexType)) : ir::intImm(0, indexType);
  }
  if (factor) buffer->offsetFactor = static_cast<int>(factor);
  if (auto* separators = arguments.find(first + 9, "axis_separators")) {
    const Node& at = arguments.where(first + 9, "axis_separators");
    auto* list = separators->get<Sequence>();
    if (!list) refuse(at, message("expected a list of axes"));
    for (const auto& item : *list->items) {
      std::int64_t axis = integerOf(item, at);
      if (axis < 0 || axis > static_cast<std::int64_t>(buffer->shape.size()))
        refuse(at, message("there is no such axis"));
      buffer->axisSeparators.push_back(static_cast<int>(axis));
    }
  }
  arguments.finish();
  auto fix = [&](const Expr& part) { ir::forEachExpr(part, [&](const Expr& e) { declared_.erase(ir::asVar(e)); }); };
  for (const auto& e : buffer->shape) fix(e);
  for (const auto& e : buffer->strides) fix(e);
  fix(buffer->elemOffset);
  return buffer;
}

// buffer.access_ptr(…), buffer.vload(…), expression.astype(…)
Value Evaluator::method(const Node& node) {
  const Node& callee = *node.children[0];
  Value object = evaluate(*callee.children[0]);
  Arguments arguments(*this, node);
  if (auto* e = object.get<Expr>(); e && callee.text == "astype") {
    Expr cast = ir::cast(arguments.dtype(0, "dtype"), *e);
    arguments.finish();
    return {cast};
  }
  auto* found = object.get<ir::Buffer>();
  if (found && callee.text == "access_ptr") {
    const ir::BufferNode& b = **found;
    std::int64_t mask = 0;
    const Value& access = arguments.need(0, "access_mask");
    if (auto* text = access.get<std::string>()) {
      for (char c : *text) {
        if (c != 'r' && c != 'w') refuse(node, message("expected \"r\", \"w\" or \"rw\""));
        mask |= c == 'r' ? 1 : 2;
      }
    } else {
      mask = integerOf(access, node);
    }
    DType t = arguments.find(1, "ptr_type") ? arguments.dtype(1, "ptr_type") : DType::Handle();
    if (arguments.integer(2, "content_lanes", 1) != 1) refuse(node, message("expected content_lanes=1"));
    Expr offset = arguments.find(3, "offset") ? arguments.expr(3, "offset") : ir::intImm(0);
    Expr extent;
    if (arguments.find(4, "extent")) {
      extent = arguments.expr(4, "extent");
    } else if (b.shape.empty()) {
      extent = ir::intImm(1);
    } else if (b.strides.size() == b.shape.size()) {
      extent =
          binaryOperation(ExprKind::Sub, binaryOperation(ExprKind::Mul, b.strides[0], b.shape[0], node), offset, node);
    } else {
      extent = ir::intImm(1);
      for (const auto& s : b.shape) extent = binaryOperation(ExprKind::Mul, extent, s, node);
      extent = binaryOperation(ExprKind::Sub, extent, offset, node);
    }
    arguments.finish();
    Expr at = binaryOperation(ExprKind::Add, b.elemOffset, offset, node);
    return {ir::call(t, "tvm_access_ptr",
                     {ir::call(b.dtype, "type_annotation", {}), b.data, at, extent, ir::intImm(mask)})};
  }
  if (found && callee.text == "vload") {
    auto* begin = arguments.need(0, "begin").get<Sequence>();
    if (!begin || begin->items->size() != (*found)->shape.size() || begin->items->empty()) {
      refuse(node, message("expected one index per dimension"));
    }
    std::vector<Expr> indices;
    for (const auto& item : *begin->items) indices.push_back(toExpr(item, node));
    DType t = arguments.find(1, "dtype") ? arguments.dtype(1, "dtype") : (*found)->dtype;
    arguments.finish();
    int lanes = t.lanes / (*found)->dtype.lanes;
    if (t.element() != (*found)->dtype.element() || lanes < 1)
      refuse(node, message("this dtype cannot be loaded here"));
    Expr base = indices.back();
    if (lanes > 1) indices.back() = ir::ramp(base, ir::intImm(1, base->dtype), lanes);
    return {ir::load(*found, std::move(indices))};
  }
  refuse(callee, message("{} has no method '{}'", object.describe(), callee.text));
}

}  // namespace loom::script
