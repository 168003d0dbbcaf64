#include "core/lower/packed_bytes.h"

#include <algorithm>

#include "core/arith/analyzer.h"
#include "core/device/build.h"
#include "core/device/effects.h"
#include "core/device/half_pairs.h"
#include "core/device/operation.h"
#include "core/ir/build.h"
#include "core/ir/packed.h"
#include "core/ir/visit.h"
#include "core/lower/addressing.h"
#include "core/lower/launch.h"

namespace loom::lower {
namespace {

using namespace device;
using ir::DType;
using ir::ExprKind;
using ir::intImm;

constexpr DType kByte = DType::UInt(8), kValue = DType::Int(32);

bool isPacked(const Buffer& b) { return ir::isPacked(b->dtype); }
bool isPacked(const Expr& e) { return ir::isPacked(e->dtype.element()); }
std::int64_t maskOf(DType t) { return (std::int64_t{1} << t.bits) - 1; }

Expr bitwise(const char* op, Expr a, Expr b) { return ir::call(kValue, op, {std::move(a), std::move(b)}); }
Expr bitwise(const char* op, Expr a, std::int64_t b) { return bitwise(op, std::move(a), intImm(b)); }

// The number of the byte that an element begins or lies in, and by how many bits the element is shifted there.
Expr byteOf(DType t, const Expr& element) {
  return arith::Analyzer().simplify(ir::floordiv(element, intImm(ir::perByte(t), element->dtype)));
}
Expr shiftOf(DType t, const Expr& element) {
  const Expr place = arith::Analyzer().simplify(ir::floormod(element, intImm(ir::perByte(t), element->dtype)));
  return ir::cast(kValue, place) * t.bits;
}

// The value that the type holds of an int32: its lowest bits, and their sign.
Expr held(DType t, Expr value) {
  Expr bits = bitwise("bitwise_and", std::move(value), maskOf(t));
  if (t.isUInt()) return bits;
  const std::int64_t sign = std::int64_t{1} << (t.bits - 1);
  return bitwise("bitwise_xor", std::move(bits), sign) - sign;
}

Buffer withType(const Buffer& b, DType type, Expr elements) {
  ir::BufferNode made = *b;
  made.dtype = type;
  made.shape = {std::move(elements)};
  return std::make_shared<const ir::BufferNode>(std::move(made));
}

// One lane of a vector expression; scalars are the same in all.
class Lane : public ir::Mutator {
 public:
  explicit Lane(int lane) : lane_(lane) {}
  Expr rewrite(const Expr& e) override {
    if (!e || e->dtype.lanes == 1) return e;
    if (e->kind == ExprKind::Broadcast) return ir::as<ir::BroadcastNode>(e)->value;
    if (e->kind == ExprKind::Cast) return ir::cast(e->dtype.element(), rewrite(ir::as<ir::CastNode>(e)->value));
    if (const auto* b = ir::asBinary(e))
      return std::make_shared<ir::BinaryNode>(b->kind, rewrite(b->a), rewrite(b->b), e->dtype.element());
    if (const auto* elements = asGathered(e)) return elements->args.at(std::size_t(lane_));
    if (const auto* c = ir::asCall(e)) {
      std::vector<Expr> args;
      for (const Expr& a : c->args) args.push_back(rewrite(a));
      return ir::call(e->dtype.element(), c->op, std::move(args));
    }
    if (const auto* l = ir::asLoad(e)) return ir::load(l->buffer, {rewrite(l->indices[0])});
    if (e->kind == ExprKind::Ramp) {
      const auto& r = *ir::as<ir::RampNode>(e);
      return r.base + r.stride * intImm(lane_, r.stride->dtype);
    }
    return Mutator::rewrite(e);
  }

 private:
  int lane_;
};

// Whether a statement has a value of less than a byte.
bool computes(const Stmt& body) {
  bool found = false;
  forEach(body, [&](const Stmt& s) {
    for (const Expr& e : expressionsOf(s))
      if (!found) ir::forEachExpr(e, [&](const Expr& x) { found |= isPacked(x); });
    return !found;
  });
  return found;
}

class Packing : ir::Mutator {
 public:
  Packing(const ir::BufferMap& bytes, const ir::BufferMap& whole) : bytes_(bytes), whole_(whole) {}
  Result<void> fine;  // the first statement that bytes don't allow

  Stmt run(const Stmt& s) {
    if (!s || !fine) return s;
    switch (s->kind) {
      case StmtKind::Store: return store(s);
      case StmtKind::Operation: return operation(s);
      default: break;
    }
    at_ = s.get();
    Stmt own = device::mapExpressions(s, [&](const Expr& e) { return rewrite(e); });
    return mapChildren(own, [&](const Stmt& child) { return run(child); });
  }

 private:
  void refuse(Message why, Message remedy, Forbids forbids) {
    if (fine) fine = notAKernel(std::move(why), at_->origin, std::move(remedy), forbids);
  }

  // --- expressions: what was of a packed type becomes int32 ---

  Expr rewrite(const Expr& e) override {
    if (!e) return e;
    if (isPacked(e) && e->kind == ExprKind::IntImm) return intImm(ir::asInt(e)->value);
    return Mutator::rewrite(e);
  }
  Expr rewriteLoad(const Expr& e) override {
    const auto& l = *ir::as<ir::LoadNode>(e);
    if (!isPacked(l.buffer)) return Mutator::rewriteLoad(e);
    const Expr index = rewrite(l.indices[0]);
    if (const auto own = whole_.find(l.buffer.get()); own != whole_.end())
      return ir::cast(kValue, ir::load(own->second, {index}));
    const DType t = l.buffer->dtype;
    const Expr byte = ir::cast(kValue, ir::load(bytes_.at(l.buffer.get()), {byteOf(t, index)}));
    return held(t, bitwise("shift_right", byte, shiftOf(t, index)));
  }
  Expr rewriteCast(const Expr& e) override {
    const Expr& from = ir::as<ir::CastNode>(e)->value;
    const Expr value = rewrite(from);
    if (isPacked(e)) return held(e->dtype.element(), ir::cast(kValue, value));
    return value == from ? e : ir::cast(e->dtype, value);
  }
  Expr rewriteBinary(const Expr& e) override {
    const auto& n = *ir::asBinary(e);
    if (!isPacked(n.a)) return Mutator::rewriteBinary(e);
    const Expr made = ir::fold(n.kind, rewrite(n.a), rewrite(n.b));
    const bool leaves =
        n.kind != ExprKind::Min && n.kind != ExprKind::Max && n.kind != ExprKind::Mod && n.kind != ExprKind::FloorMod;
    return isPacked(e) && leaves ? held(e->dtype, made) : made;
  }
  Expr rewriteCall(const Expr& e) override {
    const auto& n = *ir::asCall(e);
    const bool takes = std::ranges::any_of(n.args, [](const Expr& a) { return isPacked(a); });
    if (!takes && !isPacked(e)) return Mutator::rewriteCall(e);
    // Of a value with its sign, and of one without, the shifted one is what the type has; what depends on the width has
    // been refused (ir::whyNoKernelHas).
    std::vector<Expr> args;
    for (const Expr& a : n.args) args.push_back(rewrite(a));
    const Expr made = ir::call(isPacked(e) ? kValue : e->dtype, n.op, std::move(args));
    return isPacked(e) && (n.op == "shift_left" || n.op == "bitwise_not") ? held(e->dtype, made) : made;
  }

  // --- statements ---

  bool touches(const Expr& e) const {
    bool found = false;
    ir::forEachExpr(e, [&](const Expr& x) { found |= isPacked(x); });
    return found;
  }
  static Expr firstOf(const Expr& index) {
    return index->kind == ExprKind::Ramp ? ir::as<ir::RampNode>(index)->base : index;
  }
  // Vectors begin at multiples of their width, and are whole bytes.
  static Expr bytesFrom(DType t, const Expr& index, int lanes) {
    const Expr first = byteOf(t, firstOf(index));
    return lanes > 1 ? ir::ramp(first, intImm(1, first->dtype), lanes) : first;
  }
  // The load of a vector of elements that share bytes, as one of these; null for other expressions.
  Expr bytesLoaded(const Expr& e, DType t, int lanes) {
    const auto* l = ir::asLoad(e);
    if (!l || l->dtype.lanes <= 1 || l->buffer->dtype != t || !bytes_.contains(l->buffer.get())) return nullptr;
    if (!ir::isConst(ir::as<ir::RampNode>(l->indices[0])->stride, 1)) return nullptr;
    return ir::load(bytes_.at(l->buffer.get()), {bytesFrom(t, rewrite(l->indices[0]), lanes)});
  }
  // A copy of bytes as they are, or zeros; null where values must be put together.
  Expr copied(const Expr& value, DType t, int lanes) {
    if (Expr loaded = bytesLoaded(value, t, lanes)) return loaded;
    const auto* c = ir::asCall(value);
    if (!c || c->op != "if_then_else") return nullptr;
    const auto* zeros = c->args[2]->kind == ExprKind::Broadcast ? ir::as<ir::BroadcastNode>(c->args[2]) : nullptr;
    Expr loaded = zeros && ir::isConst(zeros->value, 0) ? bytesLoaded(c->args[1], t, lanes) : Expr();
    if (!loaded) return nullptr;
    const Expr none = intImm(0, kByte);
    return ir::ifThenElse(rewrite(c->args[0]), loaded, lanes > 1 ? ir::broadcast(none, lanes) : none);
  }

  Stmt store(const Stmt& s) {
    const auto& n = *as<StoreNode>(s);
    at_ = s.get();
    if (!isPacked(n.to.buffer) && !touches(n.value) && !touches(n.to.index())) return s;
    if (bytes_.contains(n.to.buffer.get())) return storeBytes(s);
    std::vector<Stmt> lanes;
    for (int lane = 0; lane < n.to.lanes; ++lane) {
      lanes.push_back(edit<StoreNode>(s, [&](StoreNode& m) {
        Lane one(lane);
        const auto own = whole_.find(n.to.buffer.get());
        m.to.lanes = 1;
        m.to.at = {rewrite(one.rewrite(n.to.index()))};
        m.value = rewrite(one.rewrite(n.value));
        if (own == whole_.end()) return;
        m.to.buffer = own->second;
        m.value = ir::cast(own->second->dtype, m.value);
      }));
    }
    return seq(std::move(lanes));
  }
  Stmt storeBytes(const Stmt& s) {
    const auto& n = *as<StoreNode>(s);
    const DType t = n.to.buffer->dtype;
    const int per = ir::perByte(t), lanes = n.to.lanes / per;
    if (n.to.lanes % per != 0) {
      refuse(message("a thread makes {}-bit stores to {}, whose elements ({}) share bytes: the hardware stores whole "
                     "bytes, so that threads which store parts of one would undo each other's",
                     n.to.lanes * t.bits, n.to.buffer->name, t.str()),
             message(
                 "sch.vectorize(a loop over a multiple of {} neighbours that begin at such a multiple, and of which no "
                 "condition leaves some out)",
                 per),
             Forbids::Hardware);
      return s;
    }
    const Buffer& to = bytes_.at(n.to.buffer.get());
    const Expr index = rewrite(n.to.index());
    if (Expr whole = copied(n.value, t, lanes)) {
      return edit<StoreNode>(s, [&](StoreNode& m) {
        m.to = {to, {bytesFrom(t, index, lanes)}, lanes, false};
        m.value = whole;
      });
    }
    std::vector<Stmt> all;
    for (int byte = 0; byte < lanes; ++byte) {
      Expr bits;
      for (int i = 0; i < per; ++i) {
        Expr one = bitwise("bitwise_and", rewrite(Lane(byte * per + i).rewrite(n.value)), maskOf(t));
        if (i > 0) one = bitwise("shift_left", one, i * t.bits);
        bits = bits ? bitwise("bitwise_or", bits, one) : one;
      }
      all.push_back(edit<StoreNode>(s, [&](StoreNode& m) {
        m.to = {to, {byteOf(t, firstOf(index)) + byte}, 1, false};
        m.value = ir::cast(kByte, bits);
      }));
    }
    return seq(std::move(all));
  }

  Stmt operation(const Stmt& s) {
    at_ = s.get();
    const auto& n = *as<OperationNode>(s);
    for (const BufferPlace& p : n.places) {
      if (p.isBox() && isPacked(p.buffer))
        refuse(message("the elements of {} ({}) share bytes, and the copy engine moves elements of whole bytes",
                       p.buffer->name, p.buffer->dtype.str()),
               {}, Forbids::Hardware);
      if (whole_.contains(p.buffer.get()))
        refuse(message("{} takes elements of {} from registers of a lane, which have a byte each there", n.row->name,
                       p.buffer->dtype.str()),
               {}, Forbids::Environment);
    }
    if (!fine) return s;
    return edit<OperationNode>(s, [&](OperationNode& m) {
      for (BufferPlace& p : m.places) {
        const auto found = bytes_.find(p.buffer.get());
        for (Expr& index : p.at) index = rewrite(index);
        if (found == bytes_.end()) continue;
        const DType t = p.buffer->dtype;
        p.lanes = std::max(1, p.lanes / ir::perByte(t));
        p.at = {bytesFrom(t, p.index(), p.lanes)};
        p.buffer = found->second;
      }
      for (Expr& value : m.values) value = rewrite(value);
    });
  }

  const ir::BufferMap &bytes_, &whole_;
  const StmtNode* at_ = nullptr;
};

// Coordinates of a tile in memory as those of its bytes: of the last dimension, along which elements share bytes.
Result<void> layOut(Allocation& a) {
  const DType t = a.buffer->dtype;
  const int per = ir::perByte(t);
  std::vector<std::int64_t> extents = a.extents(), strides = a.strides();
  const auto refuse = [&](Message why) { return notAKernel(std::move(why), {a.buffer->id}, {}, Forbids::Environment); };
  if (a.layout.stages().size() > 1 || strides.size() != extents.size() || extents.empty())
    return refuse(message("{} is swizzled, and its elements ({}) share bytes", a.buffer->name, t.str()));
  const std::size_t last = extents.size() - 1;
  for (std::size_t d = 0; d < last; ++d) {
    if (strides[d] % per != 0)
      return refuse(message("rows of {} are {} elements of {} apart and begin within bytes, of which {} share one",
                            a.buffer->name, strides[d], t.str(), per));
    strides[d] /= per;
  }
  extents[last] = ir::bytesOf(t, extents[last]);
  a.layout = rowsOf(extents, strides);
  a.elements = ir::bytesOf(t, a.elements);
  return {};
}

}  // namespace

Buffer asBytes(const Buffer& flat) {
  if (!isPacked(flat)) return flat;
  const int per = ir::perByte(flat->dtype);
  const Expr& elements = flat->shape[0];
  return withType(flat, kByte, ir::floordiv(elements + (per - 1), intImm(per, elements->dtype)));
}

Result<void> packBytes(ConvertedKernel& converted, const std::vector<ir::Parameter>& params) {
  Kernel& kernel = converted.kernel;
  ir::BufferMap bytes, whole;
  for (const Buffer& b : kernel.params)
    if (isPacked(b)) bytes[b.get()] = asBytes(b);
  for (Allocation& a : kernel.allocations) {
    if (!isPacked(a.buffer) || a.memory == Memory::Fragment) continue;
    const Buffer& b = a.buffer;
    if (a.memory == Memory::Local) {
      whole[b.get()] = withType(b, b->dtype.isUInt() ? kByte : DType::Int(8), b->shape[0]);
      continue;
    }
    if (b->scope == kSharedCluster)
      return notAKernel(message("the elements of {} ({}) share bytes, and blocks of a cluster read elements of whole "
                                "bytes of each other's memory",
                                b->name, b->dtype.str()),
                        {b->id}, {}, Forbids::Environment);
    bytes[b.get()] = asBytes(b);
    if (auto laid = layOut(a); !laid) return laid;
  }
  if (bytes.empty() && whole.empty() && !computes(kernel.body)) return {};
  const BufferUses uses = usesOf(kernel.body);
  for (const ir::BufferNode* b : uses.written)
    for (const ir::Parameter& p : params)
      if (p.buffer && p.buffer->data == b->data && ir::isPacked(b->dtype))
        return notAKernel(message("kernels here don't write elements that share bytes ({}) to a parameter: {}",
                                  b->dtype.str(), b->name),
                          {b->id}, {}, Forbids::Environment);
  Packing packing(bytes, whole);
  kernel.body = packing.run(kernel.body);
  if (!packing.fine) return packing.fine;
  const auto replace = [&](Buffer& b) {
    if (const auto found = bytes.find(b.get()); found != bytes.end()) b = found->second;
    if (const auto found = whole.find(b.get()); found != whole.end()) b = found->second;
  };
  for (Buffer& b : kernel.params) replace(b);
  for (Allocation& a : kernel.allocations) replace(a.buffer);
  return {};
}

void packTemporaries(Program& program) {
  for (HostPlan::Temporary& t : program.host.temporaries) {
    if (!isPacked(t.buffer)) continue;
    t.elements = ir::bytesOf(t.buffer->dtype, t.elements);
    t.buffer = asBytes(t.buffer);
  }
}

}  // namespace loom::lower
