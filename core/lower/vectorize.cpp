#include <fmt/format.h>

#include <numeric>
#include <unordered_map>

#include "core/arith/constraints.h"
#include "core/device/build.h"
#include "core/device/cluster_memory.h"
#include "core/device/effects.h"
#include "core/device/half_pairs.h"
#include "core/ir/build.h"
#include "core/ir/operation.h"
#include "core/ir/packed.h"
#include "core/ir/substitute.h"
#include "core/ir/visit.h"
#include "core/lower/addressing.h"
#include "core/lower/device_passes.h"

namespace loom::lower {
namespace {

using namespace device;
using ir::ExprKind;
using ir::intImm;

constexpr std::int64_t kMaxVectorBytes = 16;
constexpr std::int64_t kWord = 4;  // bytes

// Lanes var = 0 … lanes - 1 of one statement.
class Vectorizer {
 public:
  // `addresses` knows the variables in scope; the lanes' variable becomes known to it. Arrays that lanes pass through
  // are appended to `arrays`.
  Vectorizer(Addressing& addresses, std::vector<Buffer>& arrays, Var var, std::int64_t lanes)
      : addresses_(addresses), arrays_(arrays), var_(std::move(var)), lanes_(lanes) {
    addresses_.enter(var_, ir::Range{intImm(0, var_->dtype), intImm(lanes, var_->dtype)});
  }

  // Whether the store copies bytes from memory to registers of which four or more make a word on both sides.
  bool copiesWords(const StoreNode& n) {
    const auto* from = ir::asLoad(n.value);
    if (!from || n.to.buffer->dtype.bits != 8 || from->dtype != n.to.buffer->dtype || n.asynchronous) return false;
    if (memoryOf(n.to.buffer->scope) != Memory::Local) return false;
    if (!isVisible(memoryOf(from->buffer->scope).value_or(Memory::Local))) return false;
    const auto to = affine(addresses_.offset(n.to)), at = affine(*from);
    return to && at && to->stride == 1 && at->stride == 1 && width(n.to.buffer, *to) >= kWord &&
           width(from->buffer, *at) >= kWord;
  }

  Stmt run(const Stmt& s) {
    if (s->kind == StmtKind::Store) return vectorStore(s);
    if (s->kind == StmtKind::If && uses(as<IfNode>(s)->condition)) return branch(s);
    // Whatever else is done differently for each lane, is done lane by lane.
    for (const Expr& e : expressionsOf(s)) {
      if (uses(e)) return unrolled(s);
    }
    if (s->kind == StmtKind::Loop) addresses_.enter(*as<LoopNode>(s));
    return mapChildren(s, [&](const Stmt& c) { return run(c); });
  }

 private:
  bool uses(const Expr& e) const {
    return ir::usesVar(e, [&](const ir::VarNode* v) { return v == var_.get(); });
  }

  // The scalar statement for each lane, as a loop that the compiler unrolls.
  Stmt unrolled(const Stmt& s) const {
    auto loop = std::make_shared<LoopNode>();
    loop->var = var_;
    loop->extent = intImm(lanes_, var_->dtype);
    loop->use = LoopUse::Unrolled;
    loop->body = s;
    return loop;
  }

  // What a condition guards that holds for all lanes or none, or for all of each chunk of them.
  Stmt branch(const Stmt& s) {
    const std::int64_t count = widthOfCondition(as<IfNode>(s)->condition, lanes_);
    if (count <= 1) return unrolled(s);
    if (count < lanes_) return inChunks(s, count);
    const Stmt vectors = mapChildren(s, [&](const Stmt& c) { return run(c); });
    return edit<IfNode>(vectors, [&](IfNode& n) { n.condition = addresses_.analyzer().simplify(first(n.condition)); });
  }

  // Chunks of `count` lanes: a loop over chunks stays, the lanes inside one become the vector.
  Stmt inChunks(const Stmt& s, std::int64_t count) {
    const Var chunk = ir::makeVar(var_->name, var_->dtype);
    const Var lane = ir::makeVar(var_->name + "_lane", var_->dtype);
    auto loop = std::make_shared<LoopNode>();
    loop->var = chunk;
    loop->extent = intImm(lanes_ / count, var_->dtype);
    loop->use = LoopUse::Unrolled;
    addresses_.enter(*loop);
    const Stmt inner = device::substitute(s, var_, Expr(chunk) * count + lane);
    loop->body = Vectorizer(addresses_, arrays_, lane, count).run(inner);
    return loop;
  }

  bool uses(const BufferPlace& place) const {
    return std::any_of(place.at.begin(), place.at.end(), [&](const Expr& index) { return uses(index); });
  }
  Expr first(const Expr& e) const { return ir::substitute(e, ir::VarMap{{var_.get(), intImm(0, var_->dtype)}}); }

  // index = base + stride * var with a constant stride?
  struct Affine {
    Expr base;
    std::int64_t stride = 0;
  };
  std::optional<Affine> affine(const Expr& given) {
    if (!uses(given)) return Affine{given, 0};
    const auto known = affine_.find(given);
    return known != affine_.end() ? known->second : affine_.emplace(given, newAffine(given)).first->second;
  }
  // Where a load's element lies. Nothing where lanes read the slices of different blocks of a cluster: all of these lie
  // at one address, and a vector is of one block.
  std::optional<Affine> affine(const ir::LoadNode& load) {
    if (const Expr slice = sliceOf(load.buffer, load.indices)) {
      const auto moving = affine(slice);
      if (!moving || moving->stride != 0) return std::nullopt;
    }
    return affine(addresses_.offset(load));
  }
  std::optional<Affine> newAffine(const Expr& given) {
    arith::Analyzer& analyzer = addresses_.analyzer();
    const Expr index = withoutCarries(given);
    // The other terms of a simple sum are simple without those of the variable, too.
    if (const auto stride = strideOfSum(index)) return Affine{first(index), *stride};
    Expr base = analyzer.simplify(first(index));
    Expr next = ir::substitute(index, ir::VarMap{{var_.get(), intImm(1, var_->dtype)}});
    Expr step = analyzer.simplify(next - base);
    auto* stride = ir::asInt(step);
    if (!stride) return std::nullopt;
    Expr rest = analyzer.simplify(index - base - Expr(var_) * stride->value);
    if (!ir::isConst(rest, 0)) return std::nullopt;
    return Affine{base, stride->value};
  }
  // The stride of a sum whose terms with the variable are it alone or a constant times it: most indices are one, and
  // then nothing has to be proven. Nothing for others.
  std::optional<std::int64_t> strideOfSum(const Expr& index) const {
    std::int64_t stride = 0;
    bool plain = true;
    arith::forEachTerm(index, [&](const Expr& term, int sign) {
      const auto* product = ir::asBinary(term, ExprKind::Mul);
      const auto* factor = product ? ir::asInt(product->b) : nullptr;
      if ((factor ? product->a : term) == Expr(var_)) {
        stride += sign * (factor ? factor->value : 1);
      } else if (uses(term)) {
        plain = false;
      }
    });
    return plain ? std::optional(stride) : std::nullopt;
  }

  // Lanes that begin at a multiple of what a divisor is a multiple of, and end before the next, don't reach the
  // quotient: (4 · x + lane) % 16 = 4 · x % 16 + lane for four lanes.
  Expr withoutCarries(const Expr& index) {
    class Parting : public ir::Mutator {
     public:
      explicit Parting(Vectorizer& owner) : owner_(owner) {}

     protected:
      Expr rewriteBinary(const Expr& e) override {
        const Expr inner = Mutator::rewriteBinary(e);
        const auto* b = ir::asBinary(inner);
        const bool rest = b && b->kind == ExprKind::FloorMod, quotient = b && b->kind == ExprKind::FloorDiv;
        const auto* by = rest || quotient ? ir::asInt(b->b) : nullptr;
        if (!by || by->value <= 0 || !owner_.uses(b->a)) return inner;
        arith::Analyzer& analyzer = owner_.addresses_.analyzer();
        const Expr base = analyzer.simplify(owner_.first(b->a));
        const Expr lane = analyzer.simplify(b->a - base);
        const arith::ConstIntBound reach = analyzer.constIntBound(lane);
        const arith::ModularSet m = analyzer.modularSet(base);
        const std::int64_t step = std::gcd(std::gcd(m.coeff, m.base), by->value);
        if (reach.min < 0 || reach.max >= step) return inner;
        return rest ? ir::floormod(base, b->b) + lane : ir::floordiv(base, b->b);
      }

     private:
      Vectorizer& owner_;
    };
    return Parting(*this).rewrite(index);
  }

  // How many consecutive lanes one access can take: contiguous, aligned, at most 16 bytes.
  std::int64_t width(const Buffer& buffer, const Affine& a) {
    if (a.stride == 0) return lanes_;
    if (a.stride != 1) return 1;
    std::int64_t n = std::min<std::int64_t>(lanes_, kMaxVectorBytes * 8 / std::max<int>(buffer->dtype.bits, 1));
    arith::ModularSet m = addresses_.analyzer().modularSet(a.base);
    std::int64_t aligned = std::gcd(m.coeff, m.base);  // 0: the constant 0, aligned to everything
    std::int64_t fit = 1;
    while (fit * 2 <= n && lanes_ % (fit * 2) == 0 && (aligned == 0 || aligned % (fit * 2) == 0)) fit *= 2;
    return fit % ir::perByte(buffer->dtype) == 0 ? fit : 1;  // whole bytes, where elements share them
  }
  // Whether a call is a function of numbers, which is done for one lane after the other between vectors that are read
  // and written. Others choose what is read, or are of whole vectors already.
  static bool isDoneByLane(const ir::CallNode& call) {
    const ir::Operation* operation = ir::findOperation(call.op);
    return operation != nullptr && operation->refusal == ir::Refusal::None && ir::isMathFunction(*operation);
  }
  // The narrowest access of the statement decides. 1: no vector form.
  std::int64_t widthOf(const Expr& e) {
    std::int64_t n = lanes_;
    ir::forEachExpr(e, [&](const Expr& x) {
      if (x->kind == ExprKind::Call && uses(x) && !isDoneByLane(*ir::as<ir::CallNode>(x))) n = 1;
      if (x == Expr(var_)) n = std::min<std::int64_t>(n, lanes_);
      if (auto* l = ir::asLoad(x)) {
        auto a = affine(*l);
        n = std::min(n, a ? width(l->buffer, *a) : 1);
      }
    });
    return n;
  }

  Stmt vectorStore(const Stmt& s) {
    const auto& n = *as<StoreNode>(s);
    if (!uses(n.to)) return uses(n.value) ? unrolled(s) : s;
    auto target = affine(addresses_.offset(n.to));
    const std::int64_t stored = target && target->stride == 1 ? width(n.to.buffer, *target) : 1;
    const ir::CallNode* padded = copiedWithPadding(n);
    const std::int64_t read = padded ? widthOfPadded(*padded) : widthOf(n.value);
    std::int64_t count = std::min(stored, read);
    const bool throughArray = count <= 1 && isCopyOfMemory(n, stored > 1);
    if (throughArray) count = std::max(stored, read);
    if (count <= 1 && stored >= 2 && isHalfArithmetic(n.value, [&](const Expr& e) { return isPairOperand(e); }))
      count = 2;
    if (count <= 1) return unrolled(s);
    if (count < lanes_) return inChunks(s, count);
    if (throughArray) return copyThroughArray(s, stored > 1);
    const auto storing = [&](const Expr& value) {
      return edit<StoreNode>(s, [&](StoreNode& m) {
        m.to = device::mapPlace(n.to, [&](const Expr& index) { return first(index); });
        m.to.lanes = int(lanes_);
        m.value = value->dtype.lanes == 1 ? std::make_shared<ir::BroadcastNode>(value, int(lanes_)) : value;
      });
    };
    if (!padded) return storing(lanesOf(n.value));
    const Expr inside = addresses_.analyzer().simplify(first(padded->args[0]));
    const Expr elements = lanesOf(padded->args[1]), zeros = spread(padded->args[2]);
    if (n.asynchronous) return storing(ir::ifThenElse(inside, elements, zeros));
    // No lane may read outside, and a vector is read before it is chosen from: a branch.
    auto branch = std::make_shared<IfNode>();
    branch->condition = inside, branch->yes = storing(elements), branch->no = storing(zeros);
    return branch;
  }

  // Whether the store copies one element a lane, and the side whose lanes lie together is memory with wide accesses.
  static bool isCopyOfMemory(const StoreNode& n, bool storesTogether) {
    const auto* from = ir::asLoad(n.value);
    return from && !n.asynchronous &&
           isVisible(memoryOf((storesTogether ? n.to.buffer : from->buffer)->scope).value_or(Memory::Local));
  }

  // A copy of which one side alone has its lanes together, such as one that transposes: a vector there, and an array of
  // registers between it and the elements of the other side.
  //
  //     for v in lanes(4): S[v, i] = G[i, v]   →   x[0: 4 lanes] = G[i, 0: 4 lanes]; for v in unrolled(4): S[v, i] =
  //     x[v]
  Stmt copyThroughArray(const Stmt& s, bool storesTogether) {
    const auto& n = *as<StoreNode>(s);
    const Buffer array = ir::makeBuffer(Id{~std::uint32_t{2}, std::uint32_t(arrays_.size())},
                                        n.to.buffer->name + "_lanes", n.value->dtype, {intImm(lanes_)}, "local");
    arrays_.push_back(array);
    const Stmt fill = edit<StoreNode>(s, [&](StoreNode& m) { m.to = BufferPlace{array, {var_}}; });
    const Stmt empty = edit<StoreNode>(s, [&](StoreNode& m) { m.value = ir::load(array, {var_}); });
    return seq(storesTogether ? std::vector{unrolled(fill), vectorStore(empty)}
                              : std::vector{vectorStore(fill), unrolled(empty)});
  }

  // What becomes a copy with zeros, of 4 bytes or more: of these a condition holds for all lanes or none. Null for
  // other stores.
  const ir::CallNode* copiedWithPadding(const StoreNode& n) const {
    const ir::CallNode* padded = zeroPadded(n.value);
    if (!padded) return nullptr;
    const Buffer& from = ir::asLoad(padded->args[1])->buffer;
    const bool copied = memoryOf(from->scope) == Memory::Global && from->dtype == n.to.buffer->dtype;
    return copied && ir::bytesOf(from->dtype, lanes_) >= 4 ? padded : nullptr;
  }
  // The widest access that the condition treats as one: a limit that lies between two of them.
  std::int64_t widthOfPadded(const ir::CallNode& padded) {
    const std::int64_t n = widthOfCondition(padded.args[0], widthOf(padded.args[1]));
    return ir::bytesOf(ir::asLoad(padded.args[1])->buffer->dtype, n) >= 4 ? n : 1;
  }
  // The most lanes side by side, at most `n`, of which the condition holds for all or none.
  std::int64_t widthOfCondition(const Expr& condition, std::int64_t n) {
    std::vector<Expr> terms{condition};
    while (!terms.empty()) {
      const Expr term = terms.back();
      terms.pop_back();
      if (!uses(term)) continue;
      const auto* b = ir::asBinary(term);
      if (b && b->kind == ExprKind::And) {
        terms.insert(terms.end(), {b->a, b->b});
        continue;
      }
      const bool below = b && b->kind == ExprKind::LT, atLeast = b && b->kind == ExprKind::LE;
      const auto moves = below ? affine(b->a) : atLeast ? affine(b->b) : std::nullopt;
      if (!moves || uses(below ? b->b : b->a)) return 1;
      if (moves->stride == 0) continue;  // all lanes alike
      if (moves->stride != 1) return 1;
      const arith::ModularSet m =
          addresses_.analyzer().modularSet(addresses_.analyzer().simplify(moves->base - (below ? b->b : b->a)));
      const std::int64_t apart = std::gcd(m.coeff, m.base);  // 0: the limit itself
      while (n > 1 && apart % n != 0) n /= 2;
    }
    return n;
  }

  // e for all lanes at once; stays scalar where no lane differs.
  Expr lanesOf(const Expr& e) {
    if (!uses(e)) return e;
    switch (e->kind) {
      case ExprKind::Var: return ir::ramp(intImm(0, e->dtype), intImm(1, e->dtype), int(lanes_));
      case ExprKind::Load: {
        const auto& l = *ir::as<ir::LoadNode>(e);
        const auto moving = affine(l);
        if (!moving || width(l.buffer, *moving) < lanes_) return gatheredLanes(e);
        // The first lane's element, and how many follow it.
        std::vector<Expr> at;
        for (const Expr& index : l.indices) at.push_back(first(index));
        const bool moves = moving->stride != 0;
        return std::make_shared<ir::LoadNode>(l.buffer, std::move(at),
                                              moves ? l.dtype.withLanes(int(lanes_)) : l.dtype);
      }
      case ExprKind::Cast: {
        Expr value = lanesOf(ir::as<ir::CastNode>(e)->value);
        return std::make_shared<ir::CastNode>(e->dtype.withLanes(value->dtype.lanes), value);
      }
      case ExprKind::Not: return std::make_shared<ir::NotNode>(lanesOf(ir::as<ir::NotNode>(e)->a));
      case ExprKind::Call: {
        const auto& n = *ir::as<ir::CallNode>(e);
        std::vector<Expr> args;
        for (const Expr& arg : n.args) args.push_back(lanesOf(arg));
        return ir::call(e->dtype.withLanes(int(lanes_)), n.op, std::move(args));
      }
      case ExprKind::Select: {
        const auto& n = *ir::as<ir::SelectNode>(e);
        return std::make_shared<ir::SelectNode>(spread(lanesOf(n.condition)), spread(lanesOf(n.yes)),
                                                spread(lanesOf(n.no)));
      }
      default: break;
    }
    if (auto* b = ir::asBinary(e)) {
      Expr x = spread(lanesOf(b->a)), y = spread(lanesOf(b->b));
      return std::make_shared<ir::BinaryNode>(b->kind, x, y, e->dtype.withLanes(int(lanes_)));
    }
    return e;
  }
  // Operands of what is computed for two lanes at once: elements that may lie apart, and what both lanes share.
  bool isPairOperand(const Expr& e) const { return ir::asLoad(e) || !uses(e); }
  // Elements that don't lie side by side, or where no vector can be read.
  Expr gatheredLanes(const Expr& e) {
    std::vector<Expr> elements;
    for (std::int64_t lane = 0; lane < lanes_; ++lane) {
      elements.push_back(ir::substitute(e, ir::VarMap{{var_.get(), intImm(lane, var_->dtype)}}));
    }
    return gathered(std::move(elements));
  }
  Expr spread(Expr e) {
    if (e->dtype.lanes > 1) return e;
    return std::make_shared<ir::BroadcastNode>(e, int(lanes_));
  }

  Addressing& addresses_;
  std::vector<Buffer>& arrays_;
  Var var_;
  std::int64_t lanes_;
  std::unordered_map<Expr, std::optional<Affine>> affine_;  // what was asked before
};

bool hasVectors(const Stmt& s) {
  bool found = false;
  forEach(s, [&](const Stmt& inner) {
    forEachAccess(inner, [&](const BufferAccess& a) { found |= a.writes && a.lanes > 1; });
    return !found;
  });
  return found;
}

// Every loop that is to be lanes, innermost first.
class Walk {
 public:
  Walk(const Kernel& kernel, const std::vector<ir::Symbol>& symbols) : addresses_(kernel, symbols) {}
  std::vector<Remark> remarks;
  std::vector<Buffer> arrays;

  Stmt run(const Stmt& s) {
    if (s->kind != StmtKind::Loop) return mapChildren(s, [&](const Stmt& c) { return run(c); });
    const auto& loop = *as<LoopNode>(s);
    addresses_.enter(loop);
    Stmt inner = mapChildren(s, [&](const Stmt& c) { return run(c); });
    if (!inner) return inner;
    const std::int64_t lanes = ir::constantOr(loop.extent, 1);
    if (loop.use != LoopUse::Lanes) return inWords(inner, lanes);
    Stmt made = Vectorizer(addresses_, arrays, loop.var, lanes).run(as<LoopNode>(inner)->body);
    if (lanes > 1 && !hasVectors(made)) {
      addRemark(remarks, {message("no vector of CUDA does the {} iterations of the vectorized loop {} at once: they "
                                  "are done one after another",
                                  lanes, loop.var->name),
                          loop.origin});
    }
    return made;
  }

 private:
  // Bytes that a loop brings to registers come as words, and the compiler takes them apart with one instruction each.
  // Where it makes wide loads of single bytes by itself, it takes three, by way of numbers of 16 bits; and bytes that
  // become a fragment it puts together again (NVRTC 13.0, sm_90a: 376 instructions instead of 190 in a loop of 64
  // products of tensor cores):
  //
  //     for i in 8: x[i] = S[8 * t + i]   →   x[0: 8 lanes] = S[8 * t: 8 lanes]
  Stmt inWords(const Stmt& s, std::int64_t lanes) {
    const auto& loop = *as<LoopNode>(s);
    const bool plain = loop.use == LoopUse::Serial || loop.use == LoopUse::Unrolled;
    if (!plain || loop.overlap || lanes % kWord != 0) return s;
    Stmt copy = loop.body;
    while (copy->kind == StmtKind::Block && as<BlockNode>(copy)->body) copy = as<BlockNode>(copy)->body;
    if (copy->kind != StmtKind::Store || as<StoreNode>(copy)->to.buffer->dtype.bits != 8) return s;
    Vectorizer words(addresses_, arrays, loop.var, lanes);
    return words.copiesWords(*as<StoreNode>(copy)) ? words.run(loop.body) : s;
  }

  Addressing addresses_;
};

}  // namespace

std::vector<Remark> vectorizeLoops(Kernel& kernel, const std::vector<ir::Symbol>& symbols) {
  Walk walk(kernel, symbols);
  kernel.body = walk.run(kernel.body);
  for (const Buffer& array : walk.arrays) {
    Allocation a;
    a.buffer = array;
    a.elements = ir::asInt(array->shape[0])->value;
    a.layout = rowsOf({a.elements}, {1});
    kernel.allocations.push_back(std::move(a));
  }
  return std::move(walk.remarks);
}

}  // namespace loom::lower
