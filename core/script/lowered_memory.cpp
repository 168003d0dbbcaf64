// Memory as lowered programs declare it: what T.allocate gives is an allocation of the block around it, and a buffer
// over its pointer, or a parameter's, looks at the same memory.
//
//     A = T.allocate([128], "float32", "shared")           →   A = T.alloc_buffer((128,), scope="shared")
//     A_1 = T.Buffer((128,), data=A, scope="shared")       →   A_1 is A
#include "core/ir/build.h"
#include "core/ir/equal.h"
#include "core/script/function_reader.h"

namespace loom::script {

using ir::DType;
using ir::Expr;

void FunctionReader::keepAllocation(const ir::Buffer& buffer) {
  if (auto* block = enclosingBlock()) {
    block->block.allocs.push_back(buffer);
  } else {
    rootAllocs_.push_back(buffer);
  }
  visible_.push_back(buffer);
}

Value FunctionReader::viewOf(std::shared_ptr<ir::BufferNode> buffer, const Node& call) {
  if (auto found = allocations_.find(buffer->data.get()); found != allocations_.end()) {
    const ir::BufferNode& memory = *found->second;
    if (buffer->scope != memory.scope) {
      refuse(call, message("the memory was allocated with scope \"{}\", found \"{}\"", memory.scope, buffer->scope));
    }
    bool same = buffer->dtype == memory.dtype && buffer->shape.size() == memory.shape.size() &&
                buffer->strides.empty() && ir::isConst(buffer->elemOffset, 0);
    for (std::size_t i = 0; same && i < memory.shape.size(); ++i) {
      same = ir::structuralEqual(buffer->shape[i], memory.shape[i]);
    }
    if (same) {
      unnamedBuffers_.erase(buffer.get());
      return {ir::Buffer(found->second)};
    }
  }
  // What a kernel's pointer points to.
  for (auto& p : function_->params) {
    if (!p.buffer && p.var == buffer->data) p.buffer = buffer;
  }
  visible_.push_back(buffer);
  return {ir::Buffer(buffer)};
}

std::optional<Value> FunctionReader::memoryCall(const std::string& name, const Node& call) {
  if (name == "env_thread") {
    Arguments arguments(*this, call);
    std::string tag = arguments.string(0, "thread_tag");
    if (arguments.find(1, "dtype")) arguments.dtype(1, "dtype");
    arguments.finish();
    ir::Var var = unnamedVar(DType::Int(32));
    envThreads_[var.get()] = std::move(tag);
    return Value{Expr(var)};
  }
  if (name == "allocate") {
    Arguments arguments(*this, call);
    auto buffer = std::make_shared<ir::BufferNode>();
    buffer->id = ids_.next();
    const Node& at = arguments.where(0, "extents");
    auto* extents = arguments.need(0, "extents").get<Sequence>();
    if (!extents) refuse(at, message("expected a list of extents"));
    for (const Value& v : *extents->items) {
      Expr extent = toExpr(v, at);
      if (!extent->dtype.isIntegral() || !extent->dtype.isScalar()) refuse(at, message("expected integer extents"));
      if (ir::asInt(extent) && ir::asInt(extent)->value < 0) refuse(at, message("an extent is negative"));
      buffer->shape.push_back(extent);
    }
    buffer->dtype = arguments.dtype(1, "dtype");
    buffer->scope = arguments.string(2, "scope", "global");
    buffer->elemOffset = ir::intImm(0, buffer->shape.empty() ? DType::Int(32) : buffer->shape[0]->dtype);
    if (const Value* condition = arguments.find(3, "condition")) {
      auto* constant = ir::asInt(toExpr(*condition, call));
      if (!constant || constant->value == 0)
        refuse(call, message("expected memory that is allocated on every way through"));
    }
    arguments.keyword("annotations");
    arguments.finish();
    if (buffer->dtype.isVoid()) refuse(call, message("a buffer's elements cannot be void"));
    ir::Var data = unnamedVar(DType::Handle());
    buffer->data = data;
    allocations_[data.get()] = buffer;
    keepAllocation(buffer);
    return Value{Expr(data)};
  }
  if (name == "Buffer" || name == "Buffer[]" || name == "decl_buffer" || name == "buffer_decl") {
    Arguments arguments(*this, call);
    const bool hasData = arguments.find(2, "data");
    auto buffer = declareBuffer(arguments, 0);
    if (hasData) return viewOf(std::move(buffer), call);
    if (name == "decl_buffer") keepAllocation(buffer);
    return Value{ir::Buffer(buffer)};
  }
  return std::nullopt;
}

}  // namespace loom::script
