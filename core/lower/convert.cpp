#include "core/lower/convert.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "core/arith/analyzer.h"
#include "core/device/build.h"
#include "core/device/effects.h"
#include "core/ir/build.h"
#include "core/ir/called.h"
#include "core/ir/element_layout.h"
#include "core/ir/substitute.h"
#include "core/ir/visit.h"
#include "core/lower/annotations.h"
#include "core/lower/device_passes.h"
#include "core/lower/execution_group.h"
#include "core/lower/instance.h"
#include "core/lower/kernel_buffers.h"
#include "core/lower/launch.h"
#include "core/lower/loop_overlap.h"
#include "core/lower/operations.h"
#include "core/lower/passes.h"
#include "core/lower/private_memory.h"
#include "core/lower/vector_index.h"

namespace loom::lower {
namespace {

using namespace ir;
namespace dev = loom::device;

constexpr std::int64_t kMostLanes = 128;  // single bits of 16 bytes
constexpr int kThreadBits = 0, kBlockBits = 3;

// Is memory allocated anywhere inside? Then it belongs to one iteration of the loops around.
bool allocates(const Stmt& s) {
  bool found = false;
  forEachStmt(s, [&](const Stmt& inner) {
    auto* r = asRealize(inner);
    found = found || (r && !r->block->allocs.empty());
    return !found;
  });
  return found;
}

int bitOf(const std::string& tag) { return (isThreadIdx(tag) ? kThreadBits : kBlockBits) + axisOf(tag); }

class Conversion {
 public:
  Conversion(const Stmt& nest, const Launch& launch, const GlobalBuffers& globals, std::string name, bool byElements,
             const std::vector<Symbol>& symbols)
      : byElements_(byElements),
        symbols_(symbols),
        buffers_(globals, symbols, byElements, dev::fragmentForms(nest), result_) {
    for (const Symbol& s : symbols) {
      if (const auto range = rangeOf(s)) scope(s.var, *range);
    }
    dev::Kernel& k = result_.kernel;
    k.name = std::move(name);
    k.singleThread = launch.loops.empty();
    for (int axis = 0; axis < 3; ++axis) {
      k.threadIdx[axis] = makeVar(fmt::format("threadIdx.{}", "xyz"[axis]));
      k.blockIdx[axis] = makeVar(fmt::format("blockIdx.{}", "xyz"[axis]));
      k.block[axis] = launch.extent(kThreadBits + axis);
      k.gridExtents[axis] = launch.gridExtents[axis];
      k.grid[axis] = k.gridExtents[axis] ? 0 : launch.extent(kBlockBits + axis);
      scope(k.threadIdx[axis], Range{intImm(0), intImm(k.block[axis])});
      scope(k.blockIdx[axis], Range{intImm(0), k.gridExtent(axis)});
    }
  }

  Result<ConvertedKernel> run(const Stmt& nest) {
    auto body = convert(nest);
    if (!body) return Failure(body.error());
    result_.kernel.body = *body ? *body : std::make_shared<dev::SeqNode>();
    buffers_.takeParameters();
    takeScalars(result_.kernel, symbols_);
    if (auto fine = privateMemory_.check(result_.kernel); !fine) return Failure(fine.error());
    return std::move(result_);
  }

 private:
  Failure refuse(Message message, std::vector<Id> subjects = {}, Message remedy = {}) const {
    return notAKernel(std::move(message), std::move(subjects), std::move(remedy));
  }

  void scope(const Var& var, const Range& range) { analyzer_.bind(var, range, true); }
  // Hardware axes of the kernel that no loop around the current statement is bound to.
  dev::Axes uncovered(dev::Group group = dev::Group::Thread) const {
    dev::Axes axes;
    const dev::Kernel& k = result_.kernel;
    for (int axis = 0; axis < 3; ++axis) {
      bool lanes = group != dev::Group::Thread && axis == 0;  // an operation takes its lanes along threadIdx.x
      if (lanes && group == dev::Group::Warp && k.block[0] > kWarpLanes) axes.bits |= dev::Axes::kFurtherWarps;
      if (k.block[axis] > 1 && !(bound_ >> (kThreadBits + axis) & 1) && !lanes) axes.bits |= 1 << (kThreadBits + axis);
      if (k.hasBlocks(axis) && !(bound_ >> (kBlockBits + axis) & 1)) axes.bits |= 1 << (kBlockBits + axis);
    }
    return axes;
  }

  // --- expressions ---

  // Elements from a lane of a vector to the next; null where they aren't evenly apart.
  Expr laneStep(const Buffer& b, const std::vector<Expr>& indices) {
    Expr step = intImm(1, DType::Int(64)), lane = intImm(0, DType::Int(64));
    for (std::size_t d = indices.size(); d-- > 0;) {
      const auto even = evenLanes(indices[d]);
      if (!even) return nullptr;
      const Expr stride = b->strides.empty() ? step : cast(DType::Int(64), b->strides[d]);
      lane = lane + cast(DType::Int(64), even->stride) * stride;
      step = step * cast(DType::Int(64), b->shape[d]);
    }
    return analyzer_.simplify(lane);
  }
  Result<void> checkLanes(const Buffer& b, const std::vector<Expr>& indices) {
    for (const Expr& index : indices)
      if (!evenLanes(index)) return refuse(message("elements of the buffer \"{}\" at no even distance", b->name));
    return {};
  }
  Result<void> checkLoad(const LoadNode& l) {
    if (const auto* family = dev::familyOf(l.buffer->scope); family && !byElements_)
      return family->refuseElements(*l.buffer, block_);
    if (auto known = buffers_.use(l.buffer); !known) return known;
    if (auto even = checkLanes(l.buffer, l.indices); !even) return even;
    if (l.dtype.lanes > 1 && !(dev::isPackedVector(l.dtype) && isConst(laneStep(l.buffer, l.indices), 1)))
      return refuse(message("the vector of \"{}\" is no four 8-bit numbers side by side", l.buffer->name));
    if (l.buffer->scope != "global") privateMemory_.read(l.buffer, bound_, blockId());
    return {};
  }

  // The expression with the values of lets in their place, if a kernel can hold it.
  Result<Expr> checked(const Expr& e) {
    class Check : public Mutator {
     public:
      explicit Check(Conversion& owner) : owner_(owner) {}
      std::optional<Error> error;

     protected:
      Expr rewriteLoad(const Expr& e) override {
        Expr load = Mutator::rewriteLoad(e);
        if (auto fine = owner_.checkLoad(*as<LoadNode>(load)); !fine && !error) error = fine.error();
        return load;
      }
      // C++ has no expression that names a value.
      Expr rewriteLet(const Expr& e) override {
        const auto& n = *as<LetNode>(e);
        return rewrite(substitute(n.body, VarMap{{n.var.get(), n.value}}));
      }
      Expr rewriteCall(const Expr& e) override {
        const auto& call = *as<CallNode>(e);
        if (const dev::DotRow* row = dev::dotOf(call); row && !dev::whyNoDot(*row, call).empty())
          error = owner_.refuse(dev::whyNoDot(*row, call)).value();
        return Mutator::rewriteCall(e);
      }

     private:
      Conversion& owner_;
    };
    Check check(*this);
    Expr result = check.rewrite(e);
    if (check.error) return Failure(*check.error);
    if (auto fine = refuseOperations(result, block_); !fine) return Failure(fine.error());
    return result;
  }
  Result<std::vector<Expr>> checked(const std::vector<Expr>& indices) {
    std::vector<Expr> all;
    for (const Expr& index : indices) {
      auto one = checked(index);
      if (!one) return Failure(one.error());
      all.push_back(*one);
    }
    return all;
  }

  // --- statements ---

  using Converted = Result<dev::Stmt>;

  Converted convert(const Stmt& s) {
    if (!s) return dev::Stmt();
    switch (s->kind) {
      case StmtKind::For: return annotated(*asFor(s), convertFor(*asFor(s)));
      case StmtKind::BlockRealize: return convertBlock(*asRealize(s));
      case StmtKind::Store: return convertStore(*as<StoreNode>(s));
      case StmtKind::Evaluate: return convertEvaluate(*as<EvaluateNode>(s));
      case StmtKind::IfThenElse: return convertIf(*as<IfThenElseNode>(s));
      case StmtKind::Seq: {
        std::vector<dev::Stmt> stmts;
        for (const Stmt& child : asSeq(s)->stmts) {
          auto converted = convert(child);
          if (!converted) return converted;
          stmts.push_back(*converted);
        }
        return dev::seq(std::move(stmts));
      }
      case StmtKind::Let: {
        const auto& n = *as<LetStmtNode>(s);
        return convert(substitute(n.body, VarMap{{n.var.get(), n.value}}));
      }
      case StmtKind::Attr: {
        remark(message("the attribute \"{}\" has no effect on the kernel", as<AttrNode>(s)->key), blockIds());
        return convert(as<AttrNode>(s)->body);
      }
      case StmtKind::While: break;
    }
    return refuse(message("a while loop can't be part of a kernel"));
  }

  void remark(Message text, std::vector<Id> subjects) {
    dev::addRemark(result_.remarks, {std::move(text), std::move(subjects)});
  }

  // In a block without a name where the loop has annotations that hold inside of it, whatever becomes of the loop.
  static Converted annotated(const ForNode& n, Converted loop) {
    Annotations kept = unrollAnnotations(n.annotations);
    if (!loop || !*loop || kept.empty()) return loop;
    auto block = std::make_shared<dev::BlockNode>();
    block->annotations = std::move(kept);
    block->body = *loop;
    return dev::Stmt(block);
  }

  // Whether the loop is over blocks or threads.
  static bool isAxis(const ForNode& n) { return n.forKind == ForKind::ThreadBinding && !isVirtualThread(n.thread); }

  Converted convertFor(const ForNode& n) {
    if (isAxis(n)) return convertBound(n);
    if (!isConst(n.min, 0)) {
      Stmt body = substitute(n.body, VarMap{{n.var.get(), Expr(n.var) + n.min}});
      return convertFor(*edit(n, [&](ForNode& m) {
        m.min = intImm(0, n.var->dtype);
        m.body = body;
      }));
    }
    auto extent = checked(n.extent);
    if (!extent) return Failure(extent.error());
    if (auto* count = asInt(*extent); count && count->value < 0) {
      return refuse(message("loop {} has {} iterations: its extent is more than {} holds", n.var->name, count->value,
                            n.var->dtype.str()),
                    {n.id});
    }
    scope(n.var, Range{n.min, *extent});
    auto body = convert(n.body);
    if (!body || !*body) return body;
    auto loop = std::make_shared<dev::LoopNode>();
    loop->origin = {n.id};
    loop->var = n.var;
    loop->extent = *extent;
    loop->body = *body;
    auto overlap = overlapOf(n);
    if (!overlap) return Failure(overlap.error());
    loop->overlap = std::move(*overlap);
    switch (n.forKind) {
      case ForKind::Vectorized: {
        auto use = useOfVectorized(n, *extent);
        if (!use) return Failure(use.error());
        loop->use = *use;
        break;
      }
      case ForKind::Parallel:
        remark(message("the parallel loop {} runs in order: on a GPU, bind spreads a loop over threads", n.var->name),
               {n.id});
        break;
      case ForKind::Unrolled: loop->use = dev::LoopUse::Unrolled; break;
      case ForKind::ThreadBinding: loop->use = dev::LoopUse::Virtual; break;
      case ForKind::Serial: break;
    }
    return dev::Stmt(loop);
  }

  Result<dev::LoopUse> useOfVectorized(const ForNode& n, const Expr& extent) {
    auto* lanes = asInt(extent);
    if (!lanes) return refuse(message("the vectorized loop {} has no constant extent", n.var->name), {n.id});
    const bool ownMemory = allocates(n.body);
    if (lanes->value <= kMostLanes && !ownMemory) return dev::LoopUse::Lanes;
    remark(ownMemory ? message("the vectorized loop {} has memory of its own in each iteration and runs in order",
                               n.var->name)
                     : message("the vectorized loop {} is too long for a vector ({} iterations) and runs in order",
                               n.var->name, lanes->value),
           {n.id});
    return dev::LoopUse::Serial;
  }

  // A bound loop is no loop: its variable is the hardware's index.
  Converted convertBound(const ForNode& n) {
    const dev::Kernel& k = result_.kernel;
    const unsigned outer = bound_;
    // Most loops over axes have another right inside: what is in them all is rewritten once.
    VarMap axes;
    const ForNode* innermost = &n;
    for (const ForNode* loop = &n; loop && isAxis(*loop) && (loop == &n || loop->annotations.empty());
         loop = asFor(loop->body)) {
      Expr index = isThreadIdx(loop->thread) ? k.threadIdx[axisOf(loop->thread)] : k.blockIdx[axisOf(loop->thread)];
      if (index->dtype != loop->var->dtype) index = cast(loop->var->dtype, index);
      axes[loop->var.get()] = substitute(loop->min, axes) + index;
      bound_ |= 1u << bitOf(loop->thread);
      innermost = loop;
    }
    auto body = convert(substitute(innermost->body, axes));
    bound_ = outer;
    return body;
  }

  Converted convertBlock(const BlockRealizeNode& n) {
    const ir::BlockNode& b = *n.block;
    for (const Buffer& buffer : b.allocs) {
      if (auto done = buffers_.allocate(buffer); !done) return Failure(done.error());
    }
    Block outer = block_;
    if (!b.name.empty()) block_ = n.block;
    auto body = convert(b.body);
    block_ = outer;
    if (!body || !*body) return body;
    dev::Stmt stmt = *body;
    if (!b.name.empty() || !b.annotations.empty()) {
      auto marker = std::make_shared<dev::BlockNode>();
      marker->origin = {b.id};
      marker->block = b.id;
      marker->name = b.name;
      marker->annotations = b.annotations;
      for (const BufferRegion& written : b.writes) marker->writes.push_back(written.buffer);
      marker->body = stmt;
      stmt = marker;
    }
    if (isTrue(n.predicate)) return stmt;
    auto predicate = checked(n.predicate);
    if (!predicate) return Failure(predicate.error());
    auto guard = std::make_shared<dev::IfNode>();
    guard->origin = {b.id};
    guard->condition = analyzer_.simplify(*predicate);
    guard->yes = stmt;
    return dev::Stmt(guard);
  }

  Converted convertStore(const ir::StoreNode& n) {
    const auto memory = dev::memoryOf(n.buffer->scope).value_or(dev::Memory::Local);
    if (const auto* family = dev::familyOf(n.buffer->scope); family && !byElements_)
      return family->refuseElements(*n.buffer, block_);
    if (auto known = buffers_.use(n.buffer); !known) return Failure(known.error());
    // What an operation of a warp gives each lane.
    if (const auto* c = asCall(n.value); c && dev::isOperation(c->op) && n.indices.size() == 1) {
      std::vector<Expr> args{n.buffer->data, n.indices[0]};
      args.insert(args.end(), c->args.begin(), c->args.end());
      return convertOperation(*asCall(call(c->dtype, c->op, std::move(args))));
    }
    auto at = checked(n.indices);
    if (!at) return Failure(at.error());
    if (auto even = checkLanes(n.buffer, *at); !even) return Failure(even.error());
    auto value = checked(n.value);
    if (!value) return Failure(value.error());
    if (memory != dev::Memory::Global) privateMemory_.write(n.buffer, *at, result_.kernel, blockId());
    auto s = std::make_shared<dev::StoreNode>();
    int lanes = n.value->dtype.lanes;
    for (const Expr& index : *at) lanes = std::max<int>(lanes, index->dtype.lanes);
    s->to = {n.buffer, std::move(*at), lanes, false};
    s->value = analyzer_.simplify(*value);
    s->origin = blockIds();
    // A thread's own memory must be right on every thread; memory that others see must not be written twice.
    if (dev::isVisible(memory)) {
      s->uncovered = uncovered();
      if (memory != dev::Memory::Global)
        s->uncovered.bits &= dev::Axes::kThreads;  // each block has its own shared memory
    } else if (memory == dev::Memory::Fragment && !(bound_ >> kThreadBits & 1)) {
      s->uncovered.bits = dev::Axes::kFurtherLanes;  // a warp has one of it, which all its lanes hold together
    }
    return dev::Stmt(s);
  }

  Converted convertIf(const IfThenElseNode& n) {
    auto condition = checked(n.condition);
    if (!condition) return Failure(condition.error());
    auto yes = convert(n.yes);
    if (!yes) return yes;
    auto no = convert(n.no);
    if (!no) return no;
    if (!*yes && !*no) return dev::Stmt();
    auto s = std::make_shared<dev::IfNode>();
    s->condition = *yes ? *condition : notOf(*condition);
    s->yes = *yes ? *yes : *no;
    s->no = *yes ? *no : nullptr;
    return dev::Stmt(s);
  }

  Converted convertEvaluate(const EvaluateNode& n) {
    auto* c = asCall(n.value);
    if (!c || isEffectFree(*c)) return dev::Stmt();
    if (c->op == "tvm_storage_sync") return convertBarrier(*c);
    return convertOperation(*c);
  }
  Converted convertOperation(const CallNode& c) {
    dev::ReadContext context;
    context.buffer = [&](const VarNode* data) { return buffers_.ofData(data); };
    context.expression = [&](const Expr& e) -> Result<Expr> {
      auto fine = checked(e);
      if (fine) *fine = analyzer_.simplify(*fine);
      return fine;
    };
    context.allocations = &result_.kernel.allocations;
    context.uses = &fragmentUses_;
    context.block = block_;
    context.lanes = lanesOfBlock();
    auto operation = dev::readOperation(c, context);
    if (!operation) return Failure(operation.error());
    auto s = std::make_shared<dev::OperationNode>(std::move(*operation));
    s->origin = blockIds();
    for (const dev::MemoryEffect& effect : dev::effectsOf(s).memory) {
      if (!effect.writes() || !dev::isVisible(effect.memory)) continue;
      s->uncovered = uncovered(s->row->group);
      if (effect.memory != dev::Memory::Global) s->uncovered.bits &= dev::Axes::kThreads;
    }
    return dev::Stmt(s);
  }
  // The lanes of a warp that the block has, as a mask: the last warp may lack some.
  Expr lanesOfBlock() {
    const dev::Kernel& k = result_.kernel;
    const DType t = DType::UInt(32);
    const std::int64_t whole = k.threads() - k.threads() % kWarpLanes;
    const Expr all = intImm(0xFFFFFFFF, t), rest = intImm((std::int64_t{1} << (k.threads() - whole)) - 1, t);
    if (whole == k.threads()) return all;
    const Expr thread = k.threadIdx[0] + k.threadIdx[1] * k.block[0] + k.threadIdx[2] * (k.block[0] * k.block[1]);
    return whole == 0 ? rest : analyzer_.simplify(select(lt(thread, intImm(whole)), all, rest));
  }
  // The program's own barrier: __syncthreads(), as TVM has it for shared memory.
  Converted convertBarrier(const CallNode& c) {
    const bool named = !c.args.empty() && c.args[0]->kind == ExprKind::StringImm;
    const std::string scope = named ? as<StringImmNode>(c.args[0])->value : "";
    if (scope != "shared" && scope != "shared.dyn") {
      return refuse(
          message("T.tvm_storage_sync(\"{}\") isn't a barrier that kernels here can hold; \"shared\" is", scope));
    }
    auto s = std::make_shared<dev::SyncNode>();
    s->origin = blockIds();
    return dev::Stmt(s);
  }
  static bool isEffectFree(const CallNode& c) { return c.op == "likely" || c.op == "type_annotation"; }
  Id blockId() const { return block_ ? block_->id : Id{}; }
  std::vector<Id> blockIds() const { return block_ ? std::vector<Id>{block_->id} : std::vector<Id>{}; }

  const bool byElements_;
  const std::vector<Symbol>& symbols_;
  ConvertedKernel result_;
  KernelBuffers buffers_;
  arith::Analyzer analyzer_;
  PrivateMemoryCheck privateMemory_;
  std::map<const BufferNode*, dev::FragmentUse> fragmentUses_;
  unsigned bound_ = 0;  // axes that loops around the current statement are bound to
  Block block_;         // innermost named block around the current statement
};

}  // namespace

void takeScalars(dev::Kernel& kernel, const std::vector<Symbol>& symbols) {
  std::set<const VarNode*> used;
  dev::forEach(kernel.body, [&](const dev::Stmt& s) {
    for (const Expr& e : dev::expressionsOf(s)) {
      forEachExpr(e, [&](const Expr& x) {
        if (const auto* v = asVar(x)) used.insert(v);
      });
    }
    return true;
  });
  kernel.scalars.clear();
  for (const Symbol& s : symbols)
    if (used.count(s.var.get())) kernel.scalars.push_back({s.var, nullptr, s.name});
}

Result<ConvertedKernel> convert(const Stmt& nest, const std::string& name, const GlobalBuffers& globals,
                                const Limits& limits, bool byElements, const std::vector<Symbol>& symbols) {
  auto launch = findLaunch(nest, limits, byElements, symbols);
  if (!launch) return Failure(launch.error());
  if (auto whole = checkExecutionGroups(nest, *launch); !whole) return Failure(whole.error());
  return Conversion(nest, *launch, globals, name, byElements, symbols).run(nest);
}

}  // namespace loom::lower
