#include "core/lower/instance.h"

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <unordered_map>

#include "core/device/build.h"
#include "core/ir/build.h"
#include "core/ir/element_layout.h"
#include "core/ir/substitute.h"
#include "core/ir/visit.h"

namespace loom::lower {
namespace {

using namespace ir;

Failure badValue(Message message) { return fail("ValueError", std::move(message), Forbids::Input); }

// Symbols become constants, and what is constant then is folded. A buffer has one replacement.
class Instancing : public Mutator {
 public:
  explicit Instancing(VarMap values) : values_(std::move(values)) {}
  bool overflowed = false;  // something was more than its type holds
  using Mutator::rewrite;

  Buffer rewriteBuffer(const Buffer& b) override {
    if (!b) return b;
    auto [known, isNew] = buffers_.try_emplace(b.get(), b);
    if (!isNew) return known->second;
    auto changed = std::make_shared<BufferNode>(*b);
    bool same = true;
    auto replace = [&](Expr& e) {
      Expr now = rewrite(e);
      same = same && now == e;
      e = std::move(now);
    };
    for (Expr& e : changed->shape) replace(e);
    for (Expr& e : changed->strides) replace(e);
    if (changed->elemOffset) replace(changed->elemOffset);
    if (same) return b;
    return buffers_[b.get()] = changed;
  }

 protected:
  Expr rewriteVar(const Expr& e) override {
    auto found = values_.find(as<VarNode>(e));
    return found == values_.end() ? e : found->second;
  }
  Expr rewriteBinary(const Expr& e) override {
    Expr now = Mutator::rewriteBinary(e);
    const auto* b = asBinary(now);
    if (now == e || !b || !b->a->dtype.isIntegral() || !isConstant(b->a) || !isConstant(b->b)) return now;
    overflowed = overflowed || isBeyond(b->kind, asInt(b->a)->value, asInt(b->b)->value, b->dtype);
    return fold(b->kind, b->a, b->b);
  }
  Expr rewriteCast(const Expr& e) override {
    Expr now = Mutator::rewriteCast(e);
    return now == e ? e : cast(now->dtype, as<CastNode>(now)->value);
  }

 private:
  static bool isConstant(const Expr& e) { return asInt(e) != nullptr; }
  // Whether the result is more than its type holds, which folding takes no notice of.
  static bool isBeyond(ExprKind kind, std::int64_t a, std::int64_t b, DType type) {
    std::int64_t exact = 0;
    bool beyond = false;
    switch (kind) {
      case ExprKind::Add: beyond = __builtin_add_overflow(a, b, &exact); break;
      case ExprKind::Sub: beyond = __builtin_sub_overflow(a, b, &exact); break;
      case ExprKind::Mul: beyond = __builtin_mul_overflow(a, b, &exact); break;
      default: return false;
    }
    return beyond || (type == DType::Int(32) && exact != std::int32_t(exact));
  }
  VarMap values_;
  std::unordered_map<const BufferNode*, Buffer> buffers_;
};

Result<VarMap> valuesOf(const std::vector<Symbol>& symbols, const Numbers& numbers) {
  VarMap values;
  for (const Symbol& s : symbols) {
    auto value = valueOf(s, numbers);
    if (!value) return Failure(value.error());
    values[s.var.get()] = std::move(*value);
  }
  return values;
}

std::string textOf(const std::vector<Symbol>& symbols, const Numbers& numbers) {
  std::string text;
  for (const Symbol& s : symbols) {
    auto found = numbers.find(s.name);
    if (found != numbers.end()) text += fmt::format("{}{} = {:g}", text.empty() ? "" : ", ", s.name, found->second);
  }
  return text;
}

class ProgramInstance {
 public:
  ProgramInstance(const device::Program& program, VarMap values, std::string at, const Limits& limits)
      : program_(program),
        instancing_(values),
        inKernel_(*this, values),
        values_(std::move(values)),
        at_(std::move(at)),
        limits_(limits) {}

  Result<device::Program> run() {
    device::Program out = program_;
    out.symbols.clear();
    for (Parameter& p : out.params) {
      if (!p.buffer) continue;
      p.buffer = instancing_.rewriteBuffer(p.buffer);
      const auto layout = elementLayout(*p.buffer);
      if (!layout || instancing_.overflowed) return tooFar(verbatim(p.buffer->name));
      if (layout->lowest() < 0)
        return badValue(message("with {} an element of {} lies before its pointer", at_, p.buffer->name));
      footprints_[p.buffer->data.get()] = layout->footprint();
    }
    for (auto& t : out.host.temporaries) {
      t.buffer = instancing_.rewriteBuffer(t.buffer);
      t.elements = constantOr(t.buffer->shape[0], 0);
      footprints_[t.buffer->data.get()] = t.elements;
    }
    for (device::Kernel& k : out.kernels) {
      if (auto done = kernel(k); !done) return Failure(done.error());
    }
    return out;
  }

 private:
  Result<void> kernel(device::Kernel& k) {
    for (int axis = 0; axis < 3; ++axis) {
      if (!k.gridExtents[axis]) continue;
      const Expr blocks = instancing_.rewrite(k.gridExtents[axis]);
      k.grid[axis] = constantOr(blocks, 0);
      k.gridExtents[axis] = nullptr;
      const std::int64_t most = axis == 0 ? limits_.gridX : limits_.gridYZ;
      if (k.grid[axis] >= 1 && k.grid[axis] <= most) continue;
      return badValue(message("with {} the grid has {} blocks along blockIdx.{}; the hardware allows 1 to {}", at_,
                              k.grid[axis], "xyz"[axis], most));
    }
    for (device::Kernel::Scalar& s : k.scalars) s.value = values_.at(s.var.get());
    for (Buffer& b : k.params) b = flat(b);
    k.body = stmt(k.body);
    if (!k.body) k.body = std::make_shared<device::SeqNode>();
    if (!tooFar_.empty()) return tooFar(verbatim(tooFar_));
    if (instancing_.overflowed || inKernel_.overflowed) return tooFar(message("the kernel"));
    return {};
  }
  Failure tooFar(const Message& what) const {
    return badValue(
        message("with {} {} has more elements than the kernel's 32-bit indices reach: an extent of type "
                "T.int64 makes them 64-bit",
                at_, what));
  }

  // The flat buffers of parameters, whose size follows from the parameter's own layout.
  Buffer flat(const Buffer& b) {
    auto [known, isNew] = flat_.try_emplace(b.get(), b);
    if (!isNew) return known->second;
    auto found = footprints_.find(b->data.get());
    Buffer now = instancing_.rewriteBuffer(b);
    if (found != footprints_.end() && now->shape.size() == 1 && b->scope == "global") {
      auto sized = std::make_shared<BufferNode>(*now);
      sized->shape = {intImm(found->second, found->second > 2147483647 ? DType::Int(64) : DType::Int(32))};
      now = sized;
    }
    return flat_[b.get()] = now;
  }

  // Loads are of flat buffers.
  class InKernel : public Instancing {
   public:
    InKernel(ProgramInstance& owner, const VarMap& values) : Instancing(values), owner_(owner) {}
    Buffer rewriteBuffer(const Buffer& b) override { return owner_.flat(b); }

   protected:
    Expr rewriteLoad(const Expr& e) override {
      owner_.reach(as<LoadNode>(e)->buffer, as<LoadNode>(e)->indices[0]);
      return Instancing::rewriteLoad(e);
    }

   private:
    ProgramInstance& owner_;
  };
  Expr expression(const Expr& e) { return e ? inKernel_.rewrite(e) : e; }
  void reach(const Buffer& b, const Expr& index) {
    auto found = footprints_.find(b->data.get());
    if (found == footprints_.end() || found->second <= 2147483647 || index->dtype.bits > 32) return;
    tooFar_ = b->name;
  }

  device::BufferPlace place(device::BufferPlace p) {
    if (device::memoryOf(p.buffer->scope) != device::Memory::Global) return p;
    reach(p.buffer, p.index());
    p.buffer = flat(p.buffer);
    return p;
  }

  device::Stmt stmt(const device::Stmt& s) {
    if (!s) return s;
    using device::StmtKind;
    device::Stmt own = device::mapExpressions(s, [&](const Expr& e) { return expression(e); });
    if (own->kind == StmtKind::Store) {
      own = device::edit<device::StoreNode>(own, [&](device::StoreNode& n) { n.to = place(n.to); });
    } else if (own->kind == StmtKind::Operation) {
      own = device::edit<device::OperationNode>(own, [&](device::OperationNode& n) {
        for (device::BufferPlace& p : n.places) p = place(p);
      });
    } else if (own->kind == StmtKind::Loop && constantOr(device::as<device::LoopNode>(own)->extent, 1) <= 0) {
      return nullptr;
    } else if (own->kind == StmtKind::If && asInt(device::as<device::IfNode>(own)->condition)) {
      const auto& branch = *device::as<device::IfNode>(own);
      return stmt(isConst(branch.condition, 0) ? branch.no : branch.yes);
    }
    return device::mapChildren(own, [&](const device::Stmt& child) { return stmt(child); });
  }

  const device::Program& program_;
  Instancing instancing_;
  InKernel inKernel_;
  VarMap values_;
  std::string at_;
  const Limits& limits_;
  std::unordered_map<const VarNode*, std::int64_t> footprints_;  // elements, by data
  std::unordered_map<const BufferNode*, Buffer> flat_;
  std::string tooFar_;
};

}  // namespace

Result<Expr> valueOf(const Symbol& symbol, const Numbers& numbers) {
  const std::string& name = symbol.name;
  const DType type = symbol.var->dtype;
  auto found = numbers.find(name);
  if (found == numbers.end()) return badValue(message("{} has no value", name));
  const double value = found->second;
  if (type.isFloat()) return floatImm(value, type);
  if (value != std::floor(value)) return badValue(message("{} = {:g} is no whole number", name, value));
  const int bits = type.isBool() ? 1 : type.bits - (type.isInt() ? 1 : 0);
  const double most = std::ldexp(1.0, std::min(bits, 53)) - 1, least = type.isInt() ? -most - 1 : 0;
  if (value < least || value > most)
    return badValue(
        message("{} = {:.0f} isn't between {:.0f} and {:.0f}, what {} holds", name, value, least, most, type.str()));
  const bool extent = symbol.role == SymbolRole::Extent;
  if (symbol.role != SymbolRole::Number && value < (extent ? 1 : 0))
    return badValue(
        extent ? message("{} = {:.0f} is less than 1: it is an extent of {}", name, value, symbol.buffer->name)
        : symbol.role == SymbolRole::Stride
            ? message("{} = {:.0f} is less than 0: it is a stride of {}", name, value, symbol.buffer->name)
            : message("{} = {:.0f} is less than 0: it is the offset of {}", name, value, symbol.buffer->name));
  if (const auto range = rangeOf(symbol)) {
    const std::int64_t end = asInt(range->min)->value + asInt(range->extent)->value;
    if (value >= double(end))
      return badValue(message("{} = {:.0f} isn't less than {}, as kernels take it to be", name, value, end));
  }
  return intImm(std::int64_t(value), type);
}

std::optional<Range> rangeOf(const Symbol& symbol) {
  const DType type = symbol.var->dtype;
  if (symbol.role == SymbolRole::Number || !type.isIntegral()) return std::nullopt;
  const std::int64_t least = symbol.role == SymbolRole::Extent ? 1 : 0;
  const std::int64_t most = type.bits > 32 ? std::int64_t{1} << 40 : 2147483647;
  return Range{intImm(least, type), intImm(most - least, type)};
}

void bindSymbols(arith::Analyzer& analyzer, const std::vector<Symbol>& symbols) {
  for (const Symbol& s : symbols) {
    if (const auto range = rangeOf(s)) analyzer.bind(s.var, *range, true);
  }
}

Result<Function> instance(const Function& function, const Numbers& numbers) {
  const auto symbols = symbolsOf(*function);
  if (symbols.empty()) return function;
  auto values = valuesOf(symbols, numbers);
  if (!values) return Failure(values.error());
  Instancing instancing(std::move(*values));
  auto made = std::make_shared<FunctionNode>(*function);
  for (Parameter& p : made->params) p.buffer = instancing.rewriteBuffer(p.buffer);
  made->body = std::static_pointer_cast<const BlockRealizeNode>(instancing.rewrite(Stmt(function->body)));
  return Function(made);
}

Result<device::Program> instance(const device::Program& program, const Numbers& numbers, const Limits& limits) {
  if (program.symbols.empty()) return program;
  auto values = valuesOf(program.symbols, numbers);
  if (!values) return Failure(values.error());
  return ProgramInstance(program, std::move(*values), textOf(program.symbols, numbers), limits).run();
}

}  // namespace loom::lower
