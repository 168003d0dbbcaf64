#include "core/lower/convert.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <unordered_map>

#include "core/arith/analyzer.h"
#include "core/device/build.h"
#include "core/ir/build.h"
#include "core/ir/called.h"
#include "core/ir/element_layout.h"
#include "core/ir/substitute.h"
#include "core/ir/visit.h"
#include "core/lower/device_passes.h"
#include "core/lower/execution_group.h"
#include "core/lower/fragments.h"
#include "core/lower/instance.h"
#include "core/lower/launch.h"
#include "core/lower/operations.h"
#include "core/lower/passes.h"
#include "core/lower/private_memory.h"
#include "core/lower/vector_index.h"

namespace loom::lower {
namespace {

using namespace ir;
namespace dev = loom::device;

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

bool hasVectors(const dev::Stmt& s) {
  bool found = false;
  dev::forEach(s, [&](const dev::Stmt& inner) {
    found = found || (inner->kind == dev::StmtKind::Store && dev::as<dev::StoreNode>(inner)->value->dtype.lanes > 1);
    return !found;
  });
  return found;
}

int bitOf(const std::string& tag) { return (isThreadIdx(tag) ? kThreadBits : kBlockBits) + axisOf(tag); }

class Conversion {
 public:
  Conversion(const Launch& launch, const GlobalBuffers& globals, std::string name, bool byElements,
             const std::vector<Symbol>& symbols)
      : globals_(globals), byElements_(byElements), symbols_(symbols) {
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
    // Parameters in the function's order, and only those that the kernel uses.
    for (const auto& [source, flat] : globals_) {
      if (used_.count(flat.get())) result_.kernel.params.push_back(flat);
    }
    for (const auto& t : result_.temporaries) result_.kernel.params.push_back(t.buffer);
    takeScalars();
    if (auto fine = privateMemory_.check(result_.kernel); !fine) return Failure(fine.error());
    return std::move(result_);
  }

 private:
  Failure refuse(std::string message, std::vector<Id> subjects = {}, std::string remedy = {}) const {
    return notAKernel(std::move(message), std::move(subjects), std::move(remedy));
  }

  // The symbols that the body uses, in the function's order.
  void takeScalars() {
    std::set<const VarNode*> used;
    dev::forEach(result_.kernel.body, [&](const dev::Stmt& s) {
      for (const Expr& e : dev::expressionsOf(s)) {
        forEachExpr(e, [&](const Expr& x) {
          if (const auto* v = asVar(x)) used.insert(v);
        });
      }
      return true;
    });
    for (const Symbol& s : symbols_)
      if (used.count(s.var.get())) result_.kernel.scalars.push_back({s.var, nullptr, s.name});
  }

  void scope(const Var& var, const Range& range) {
    analyzer_.bind(var, range, true);
    ranges_.emplace_back(var, range);
  }
  // Hardware axes of the kernel that no loop around the current statement is bound to.
  dev::Axes uncovered(bool warp = false) const {
    dev::Axes axes;
    const dev::Kernel& k = result_.kernel;
    for (int axis = 0; axis < 3; ++axis) {
      bool lanes = warp && axis == 0;  // a warp's operation takes its lanes along threadIdx.x
      if (lanes && k.block[0] > kWarpLanes) axes.bits |= dev::Axes::kFurtherWarps;
      if (k.block[axis] > 1 && !(bound_ >> (kThreadBits + axis) & 1) && !lanes) axes.bits |= 1 << (kThreadBits + axis);
      if (k.hasBlocks(axis) && !(bound_ >> (kBlockBits + axis) & 1)) axes.bits |= 1 << (kBlockBits + axis);
    }
    return axes;
  }

  // --- buffers ---

  Result<Buffer> bufferOf(const Buffer& b) {
    for (const auto& [source, flat] : globals_) {
      if (source == b) {
        used_.insert(flat.get());
        return flat;
      }
    }
    auto found = local_.find(b.get());
    if (found != local_.end()) return found->second;
    return refuse(fmt::format("buffer {} is used where it isn't allocated", b->name), {b->id});
  }

  Result<void> allocate(const Buffer& b) {
    std::int64_t elements = 1;
    if (b->scope == "global" && isSymbolic(*b)) {
      Buffer flat = flatBuffer(b, elementsOf(b->shape));
      result_.temporaries.push_back({flat, 0});
      local_[b.get()] = flat;
      return {};
    }
    dev::Allocation a;
    for (std::size_t d = 0; d < b->shape.size(); ++d) {
      auto* extent = asInt(b->shape[d]);
      if (!extent) {
        return refuse(
            fmt::format("dimension {} of {} has no constant extent", d, b->name), {b->id},
            "sch.compute_at(…) or sch.reverse_compute_at(…) moves it into a loop of a known tile, so that only "
            "the tile is kept");
      }
      a.extents.push_back(extent->value);
    }
    a.strides = flatStrides(*b, a.extents);
    elements = a.extents.empty() ? 1 : a.strides[0] * a.extents[0];
    if (b->scope == "global") {
      Buffer flat = flatBuffer(b, elements);
      result_.temporaries.push_back({flat, elements});
      local_[b.get()] = flat;
      return {};
    }
    auto memory = memoryOf(b->scope);
    if (!memory) {
      return refuse(fmt::format("{} has the scope \"{}\", which CUDA kernels don't have", b->name, b->scope), {b->id});
    }
    a.memory = *memory;
    if (a.memory == dev::Memory::Fragment) {
      auto shape = fragmentShape(*b, a.extents);
      if (!shape && !byElements_) return Failure(shape.error());
      if (shape) {
        a.fragment = *shape;
        elements = std::max<std::int64_t>(1, elements / fragmentElements(*shape));
      }
    }
    a.elements = elements;
    a.buffer = flatBuffer(b, elements);
    local_[b.get()] = a.buffer;
    byData_[b->data.get()] = a.buffer;
    result_.kernel.allocations.push_back(std::move(a));
    return {};
  }

  // --- expressions ---

  // Compact, and over the function's symbols.
  bool isSymbolic(const BufferNode& b) const {
    bool constant = true, known = b.strides.empty();
    for (const Expr& extent : b.shape) {
      constant = constant && asInt(extent);
      known = known && isOver(extent, symbols_);
    }
    return known && !constant;
  }

  // Narrowing left it 64 bits: it is computed with them throughout, so that what is known of it stays plain. What is
  // loaded says nothing of itself.
  static bool isWideIndex(const Expr& index) {
    bool loads = false;
    forEachExpr(index, [&](const Expr& x) { loads |= x->kind == ExprKind::Load; });
    return index->dtype.bits == 64 && !loads;
  }

  Result<Expr> offset(const Buffer& b, const std::vector<Expr>& indices) {
    const bool needsWide = needsWideIndex(*b) || std::any_of(indices.begin(), indices.end(), isWideIndex);
    DType wide = needsWide ? DType::Int(64) : DType::Int(32);
    Expr sum = b->elemOffset ? cast(wide, b->elemOffset) : intImm(0, wide);
    std::vector<Expr> strides(b->shape.size());
    Expr step = intImm(1, wide);
    for (std::size_t d = strides.size(); d-- > 0;) {
      strides[d] = b->strides.empty() ? step : cast(wide, b->strides[d]);
      step = step * cast(wide, b->shape[d]);
    }
    Expr lane;  // elements from a lane of a vector to the next
    int lanes = 1;
    for (std::size_t d = 0; d < indices.size(); ++d) {
      auto index = flatten(indices[d]);
      if (!index) return index;
      Expr at = *index;
      if (at->dtype.lanes > 1) {
        const auto r = evenLanes(at);
        if (!r) return refuse(fmt::format("elements of the buffer \"{}\" at no even distance", b->name));
        lanes = at->dtype.lanes;
        const Expr step = cast(wide, r->stride) * strides[d];
        lane = lane ? lane + step : step;
        at = r->base;
      }
      sum = sum + cast(wide, at) * strides[d];
    }
    sum = analyzer_.simplify(sum);
    if (lanes == 1) return sum;
    return Expr(std::make_shared<RampNode>(sum, analyzer_.simplify(lane), lanes));
  }

  dev::StoreNode::Element elementOf(const Buffer& flat, const std::vector<Expr>& indices, const Expr& index) {
    dev::StoreNode::Element e{flat, index, {}};
    // An index that is loaded itself tells nothing.
    for (const Expr& i : indices) {
      bool loads = false;
      forEachExpr(i, [&](const Expr& x) { loads |= x->kind == ExprKind::Load; });
      if (loads || indices.size() < 2) return {flat, index, {}};
      e.coordinates.push_back(i);
    }
    return e;
  }

  // Every Load gets one flat index.
  Result<Expr> flatten(const Expr& e) {
    class Flattening : public Mutator {
     public:
      explicit Flattening(Conversion& owner) : owner_(owner) {}
      std::optional<Error> error;

     protected:
      Expr rewriteLoad(const Expr& e) override {
        const auto& l = *as<LoadNode>(e);
        if (isFragment(*l.buffer) && !owner_.byElements_) {
          error = fragmentByElements(*l.buffer, owner_.block_).value();
          return e;
        }
        auto buffer = owner_.bufferOf(l.buffer);
        auto index = owner_.offset(l.buffer, l.indices);
        if (!buffer || !index) {
          error = buffer ? index.error() : buffer.error();
          return e;
        }
        if (l.dtype.lanes > 1 && !isPacked(l.dtype, *index)) {
          error =
              owner_.refuse(fmt::format("the vector of \"{}\" is no four 8-bit numbers side by side", l.buffer->name))
                  .value();
          return e;
        }
        if (l.buffer->scope != "global") owner_.privateMemory_.read(*buffer, owner_.bound_, owner_.blockId());
        if (l.buffer->scope == "global" || l.buffer->scope.starts_with("shared")) {
          owner_.elements_.push_back(owner_.elementOf(*buffer, l.indices, *index));
        }
        return load(*buffer, {*index});
      }

      // C++ has no expression that names a value.
      Expr rewriteLet(const Expr& e) override {
        const auto& n = *as<LetNode>(e);
        return rewrite(substitute(n.body, VarMap{{n.var.get(), n.value}}));
      }

      Expr rewriteCall(const Expr& e) override {
        const auto& call = *as<CallNode>(e);
        if (isCallOf(call, "__dp4a") && call.args.size() == 4 &&
            call.args[1]->dtype.isUInt() != call.args[2]->dtype.isUInt())
          error = owner_.refuse("CUDA has no __dp4a of a signed and an unsigned operand").value();
        return Mutator::rewriteCall(e);
      }

     private:
      Conversion& owner_;
    };
    Flattening flattening(*this);
    Expr result = flattening.rewrite(e);
    if (flattening.error) return Failure(*flattening.error);
    if (auto fine = refuseOperations(result, block_); !fine) return Failure(fine.error());
    return result;
  }

  // --- statements ---

  using Converted = Result<dev::Stmt>;

  Converted convert(const Stmt& s) {
    if (!s) return dev::Stmt();
    switch (s->kind) {
      case StmtKind::For: return convertFor(*asFor(s));
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
        remark(fmt::format("the attribute \"{}\" has no effect on the kernel", as<AttrNode>(s)->key), blockIds());
        return convert(as<AttrNode>(s)->body);
      }
      case StmtKind::While: break;
    }
    return refuse("a while loop can't be part of a kernel");
  }

  void remark(std::string text, std::vector<Id> subjects) {
    dev::addRemark(result_.remarks, {std::move(text), std::move(subjects)});
  }

  Converted convertFor(const ForNode& n) {
    if (n.forKind == ForKind::ThreadBinding && !isVirtualThread(n.thread)) return convertBound(n);
    if (!isConst(n.min, 0)) {
      Stmt body = substitute(n.body, VarMap{{n.var.get(), Expr(n.var) + n.min}});
      return convert(edit(n, [&](ForNode& m) {
        m.min = intImm(0, n.var->dtype);
        m.body = body;
      }));
    }
    auto extent = flatten(n.extent);
    if (!extent) return Failure(extent.error());
    if (auto* count = asInt(*extent); count && count->value < 0) {
      return refuse(fmt::format("loop {} has {} iterations: its extent is more than {} holds", n.var->name,
                                count->value, n.var->dtype.str()),
                    {n.id});
    }
    auto outerRanges = ranges_;
    scope(n.var, Range{n.min, *extent});
    auto body = convert(n.body);
    ranges_ = std::move(outerRanges);
    if (!body || !*body) return body;
    if (n.forKind == ForKind::Vectorized) {
      auto* lanes = asInt(*extent);
      if (!lanes) return refuse(fmt::format("the vectorized loop {} has no constant extent", n.var->name), {n.id});
      bool ownMemory = allocates(n.body);
      if (lanes->value <= 64 && !ownMemory) {
        dev::Stmt made = vectorize(*body, n.var, lanes->value, ranges_);
        if (lanes->value > 1 && !hasVectors(made))
          remark(
              fmt::format("no vector of CUDA does the {} iterations of the vectorized loop {} at once: they are done "
                          "one after another",
                          lanes->value, n.var->name),
              {n.id});
        return made;
      }
      remark(ownMemory
                 ? fmt::format("the vectorized loop {} has memory of its own in each iteration and runs in order",
                               n.var->name)
                 : fmt::format("the vectorized loop {} is too long for a vector ({} iterations) and runs in order",
                               n.var->name, lanes->value),
             {n.id});
    }
    if (n.forKind == ForKind::Parallel) {
      remark(fmt::format("the parallel loop {} runs in order: on a GPU, bind spreads a loop over threads", n.var->name),
             {n.id});
    }
    auto loop = std::make_shared<dev::LoopNode>();
    loop->origin = {n.id};
    loop->var = n.var;
    loop->extent = *extent;
    loop->unroll = n.forKind == ForKind::Unrolled;
    loop->virtualThread = n.forKind == ForKind::ThreadBinding;
    loop->body = *body;
    return dev::Stmt(loop);
  }

  // A bound loop is no loop: its variable is the hardware's index.
  Converted convertBound(const ForNode& n) {
    int bit = bitOf(n.thread);
    const dev::Kernel& k = result_.kernel;
    Expr index = isThreadIdx(n.thread) ? k.threadIdx[axisOf(n.thread)] : k.blockIdx[axisOf(n.thread)];
    if (index->dtype != n.var->dtype) index = cast(n.var->dtype, index);
    unsigned outer = bound_;
    bound_ |= 1u << bit;
    auto body = convert(substitute(n.body, VarMap{{n.var.get(), n.min + index}}));
    bound_ = outer;
    return body;
  }

  Converted convertBlock(const BlockRealizeNode& n) {
    const ir::BlockNode& b = *n.block;
    for (const Buffer& buffer : b.allocs) {
      if (auto done = allocate(buffer); !done) return Failure(done.error());
    }
    Block outer = block_;
    if (!b.name.empty()) block_ = n.block;
    auto body = convert(b.body);
    block_ = outer;
    if (!body || !*body) return body;
    dev::Stmt stmt = *body;
    if (!b.name.empty()) {
      auto marker = std::make_shared<dev::BlockNode>();
      marker->origin = {b.id};
      marker->block = b.id;
      marker->name = b.name;
      marker->body = stmt;
      stmt = marker;
    }
    if (isTrue(n.predicate)) return stmt;
    auto predicate = flatten(n.predicate);
    if (!predicate) return Failure(predicate.error());
    auto guard = std::make_shared<dev::IfNode>();
    guard->origin = {b.id};
    guard->condition = analyzer_.simplify(*predicate);
    guard->yes = stmt;
    return dev::Stmt(guard);
  }

  Converted convertStore(const ir::StoreNode& n) {
    if (isFragment(*n.buffer) && !byElements_) return Failure(fragmentByElements(*n.buffer, block_).value());
    auto buffer = bufferOf(n.buffer);
    if (!buffer) return Failure(buffer.error());
    elements_.clear();
    auto index = offset(n.buffer, n.indices);
    if (!index) return Failure(index.error());
    auto value = flatten(n.value);
    if (!value) return Failure(value.error());
    if (n.buffer->scope != "global") privateMemory_.write(*buffer, *index, result_.kernel, blockId());
    auto s = std::make_shared<dev::StoreNode>();
    s->buffer = *buffer;
    s->index = *index;
    s->value = analyzer_.simplify(*value);
    s->origin = blockIds();
    // A thread's own memory must be right on every thread; memory that others see must not be written twice.
    if (n.buffer->scope == "global" || n.buffer->scope.starts_with("shared")) {
      s->uncovered = uncovered();
      if (n.buffer->scope != "global")
        s->uncovered.bits &= dev::Axes::kThreads;  // each block has its own shared memory
      elements_.push_back(elementOf(*buffer, n.indices, *index));
    } else if (isFragment(*n.buffer) && !(bound_ >> kThreadBits & 1)) {
      s->uncovered.bits = dev::Axes::kFurtherLanes;  // a warp has one of it, which all its lanes hold together
    }
    s->elements = std::move(elements_);
    return dev::Stmt(s);
  }

  Converted convertIf(const IfThenElseNode& n) {
    auto condition = flatten(n.condition);
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
    WmmaContext context;
    context.buffer = [&](const VarNode* data) -> Result<Buffer> {
      auto found = byData_.find(data);
      if (found != byData_.end()) return found->second;
      for (const auto& [source, flat] : globals_) {
        if (source->data.get() == data) return bufferOf(source);
      }
      return refuse(fmt::format("the memory {} isn't part of the kernel", data->name));
    };
    context.expression = [&](const Expr& e) -> Result<Expr> {
      auto flat = flatten(e);
      if (flat) *flat = analyzer_.simplify(*flat);
      return flat;
    };
    context.allocations = &result_.kernel.allocations;
    context.types = &fragmentTypes_;
    context.block = block_;
    auto wmma = convertWmma(*c, context);
    if (!wmma) return Failure(wmma.error());
    auto s = std::make_shared<dev::WmmaNode>(std::move(*wmma));
    s->origin = blockIds();
    if (s->op == dev::WmmaNode::Op::Store) {
      s->uncovered = uncovered(true);
      if (s->memory->scope != "global") s->uncovered.bits &= dev::Axes::kThreads;
    }
    return dev::Stmt(s);
  }
  // The program's own barrier: __syncthreads(), as TVM has it for shared memory.
  Converted convertBarrier(const CallNode& c) {
    const bool named = !c.args.empty() && c.args[0]->kind == ExprKind::StringImm;
    const std::string scope = named ? as<StringImmNode>(c.args[0])->value : "";
    if (scope != "shared" && scope != "shared.dyn") {
      return refuse(
          fmt::format("T.tvm_storage_sync(\"{}\") isn't a barrier that kernels here can hold; \"shared\" is", scope));
    }
    auto s = std::make_shared<dev::BarrierNode>();
    s->origin = blockIds();
    return dev::Stmt(s);
  }
  static bool isEffectFree(const CallNode& c) { return c.op == "likely" || c.op == "type_annotation"; }
  Id blockId() const { return block_ ? block_->id : Id{}; }
  std::vector<Id> blockIds() const { return block_ ? std::vector<Id>{block_->id} : std::vector<Id>{}; }

  const GlobalBuffers& globals_;
  const bool byElements_;
  const std::vector<Symbol>& symbols_;
  ConvertedKernel result_;
  arith::Analyzer analyzer_;
  std::vector<std::pair<Var, Range>> ranges_;
  std::unordered_map<const BufferNode*, Buffer> local_;
  std::unordered_map<const VarNode*, Buffer> byData_;
  std::set<const BufferNode*> used_;
  PrivateMemoryCheck privateMemory_;
  FragmentTypes fragmentTypes_;
  std::vector<dev::StoreNode::Element> elements_;  // of the store at hand
  unsigned bound_ = 0;                             // axes that loops around the current statement are bound to
  Block block_;                                    // innermost named block around the current statement
};

}  // namespace

Buffer flatBuffer(const Buffer& b, std::int64_t elements) {
  return flatBuffer(b, intImm(elements, elements > 2147483647 ? DType::Int(64) : DType::Int(32)));
}

Expr elementsOf(const std::vector<Expr>& extents) {
  Expr product;
  for (const Expr& e : extents) {
    const Expr wide = cast(DType::Int(64), e);
    product = product ? product * wide : wide;
  }
  return product ? product : intImm(1);
}

Buffer flatBuffer(const Buffer& b, Expr elements) {
  BufferNode flat = *b;
  flat.shape = {std::move(elements)};
  flat.strides.clear();
  flat.elemOffset = intImm(0);
  return std::make_shared<const BufferNode>(std::move(flat));
}

Result<ConvertedKernel> convert(const Stmt& nest, const std::string& name, const GlobalBuffers& globals,
                                const Limits& limits, bool byElements, const std::vector<Symbol>& symbols) {
  auto launch = findLaunch(nest, limits, byElements, symbols);
  if (!launch) return Failure(launch.error());
  if (auto whole = checkExecutionGroups(nest, *launch); !whole) return Failure(whole.error());
  return Conversion(*launch, globals, name, byElements, symbols).run(nest);
}

}  // namespace loom::lower
