#include "core/lower/early_loads.h"

#include "core/device/build.h"
#include "core/ir/build.h"
#include "core/ir/loads.h"
#include "core/lower/addressing.h"
#include "core/lower/device_passes.h"

namespace loom::lower {
namespace {

using namespace device;

class Division {
 public:
  Division(const std::vector<Buffer>& given, std::size_t made) : given_(given), made_(made) {}

  DividedCopy out;
  bool possible = true;

  void run(const Stmt& copy) {
    out.loads = divided(copy, Half::Loads);
    out.stores = divided(copy, Half::Stores);
    possible &= !out.arrays.empty();
  }

 private:
  enum class Half : std::uint8_t { Loads, Stores };

  Stmt divided(const Stmt& s, Half half) {
    if (!possible) return s;
    switch (s->kind) {
      case StmtKind::If:
        possible &= !ir::readsMemory(as<IfNode>(s)->condition);  // what stands there now may not stand there earlier
        [[fallthrough]];
      case StmtKind::Seq:
      case StmtKind::Block: return mapChildren(s, [&](const Stmt& c) { return divided(c, half); });
      case StmtKind::Loop: {
        const auto& loop = *as<LoopNode>(s);
        possible &= ir::asInt(loop.extent) != nullptr && loop.use != LoopUse::Virtual;
        around_.push_back(&loop);
        const Stmt made = edit<LoopNode>(s, [&](LoopNode& n) {
          n.body = divided(loop.body, half);
          if (n.use == LoopUse::Serial) n.use = LoopUse::Unrolled;  // an array of registers has no variable index
        });
        around_.pop_back();
        return made;
      }
      case StmtKind::Store: return store(s, half);
      case StmtKind::Operation:
      case StmtKind::Sync: possible = false; return s;
    }
    return s;
  }

  Stmt store(const Stmt& s, Half half) {
    const auto& n = *as<StoreNode>(s);
    const ir::CallNode* padded = zeroPadded(n.value);
    const ir::LoadNode* from = ir::asLoad(padded ? padded->args[1] : n.value);
    const bool isCopy = from && memoryOf(from->buffer->scope) == Memory::Global &&
                        isShared(memoryOf(n.to.buffer->scope).value_or(Memory::Local)) && s->uncovered.none();
    std::size_t loads = 0;
    for (const Expr& e : expressionsOf(s)) loads += ir::loadsIn(e).size();
    const int lanes = n.value->dtype.lanes;
    possible &= isCopy && loads == 1 && (lanes == 1 || (!padded && n.to.lanes == lanes));
    if (!possible) return s;
    std::vector<Expr> shape, at;
    for (const LoopNode* loop : around_) {
      shape.push_back(loop->extent);
      at.emplace_back(loop->var);
    }
    if (shape.empty() || lanes > 1) {
      shape.push_back(ir::intImm(lanes));
      at.push_back(ir::intImm(0));
    }
    const Buffer array = half == Half::Loads ? arrayFor(n, std::move(shape)) : out.arrays[stored_++];
    return edit<StoreNode>(s, [&](StoreNode& m) {
      if (half == Half::Loads)
        m.to = {array, at, lanes, false};
      else
        m.value = std::make_shared<ir::LoadNode>(array, at, n.value->dtype);
    });
  }

  Buffer arrayFor(const StoreNode& n, std::vector<Expr> shape) {
    const DType element = n.value->dtype.element();
    std::int64_t bytes = element.bytes();
    for (const Expr& extent : shape) bytes *= ir::asInt(extent)->value;
    out.bytes += bytes;
    const std::size_t number = out.arrays.size();
    out.arrays.push_back(number < given_.size()
                             ? given_[number]
                             : ir::makeBuffer(Id{~std::uint32_t{4}, std::uint32_t(made_ + number)},
                                              n.to.buffer->name + "_early", element, std::move(shape), "local"));
    return out.arrays.back();
  }

  const std::vector<Buffer>& given_;
  const std::size_t made_;
  std::vector<const LoopNode*> around_;
  std::size_t stored_ = 0;
};

}  // namespace

std::optional<DividedCopy> dividedCopy(const Stmt& copy, const std::vector<Buffer>& arrays, std::size_t made) {
  Division division(arrays, made);
  division.run(copy);
  if (!division.possible) return std::nullopt;
  return std::move(division.out);
}

Allocation allocationOf(const Buffer& array) {
  std::vector<std::int64_t> extents, strides(array->shape.size(), 1);
  for (const Expr& extent : array->shape) extents.push_back(ir::asInt(extent)->value);
  for (std::size_t d = extents.size(); d-- > 1;) strides[d - 1] = strides[d] * extents[d];
  Allocation a;
  a.buffer = array;
  a.elements = strides[0] * extents[0];
  a.layout = rowsOf(extents, strides);
  return a;
}

}  // namespace loom::lower
