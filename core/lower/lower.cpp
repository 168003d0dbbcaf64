#include "core/lower/lower.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <set>

#include "core/device/build.h"
#include "core/ir/build.h"
#include "core/ir/element_layout.h"
#include "core/ir/undeclared.h"
#include "core/ir/visit.h"
#include "core/lower/annotations.h"
#include "core/lower/convert.h"
#include "core/lower/declared.h"
#include "core/lower/device_passes.h"
#include "core/lower/launch.h"
#include "core/lower/passes.h"
#include "core/script/printer.h"

namespace loom::lower {
namespace {

using namespace ir;

bool bindsThreads(const Stmt& s) {
  bool found = false;
  forEachStmt(s, [&](const Stmt& inner) {
    auto* loop = asFor(inner);
    if (loop && loop->forKind == ForKind::ThreadBinding && !isVirtualThread(loop->thread)) found = true;
    return !found;
  });
  return found;
}

std::set<const BufferNode*> buffersOf(const Stmt& s) {
  class Uses : public Visitor {
   public:
    std::set<const BufferNode*> found;

   protected:
    void visitLoad(const LoadNode& n) override {
      found.insert(n.buffer.get());
      Visitor::visitLoad(n);
    }
    void visitStore(const StoreNode& n) override {
      found.insert(n.buffer.get());
      Visitor::visitStore(n);
    }
    void visitBlock(const BlockNode& n) override {
      for (const MatchBuffer& m : n.matches) found.insert(m.source.buffer.get());
      visit(n.body);
    }
  };
  Uses uses;
  uses.visit(s);
  return std::move(uses.found);
}

// Top-level nests: each that binds threads is a kernel; neighbours that bind none share one.
std::vector<Stmt> splitIntoNests(const Stmt& body) {
  std::vector<Stmt> nests;
  std::vector<Stmt> stmts = body->kind == StmtKind::Seq ? asSeq(body)->stmts : std::vector<Stmt>{body};
  bool lastUnbound = false;
  for (const Stmt& s : stmts) {
    bool unbound = !bindsThreads(s);
    if (unbound && lastUnbound) {
      nests.back() = seq({nests.back(), s});
    } else {
      nests.push_back(s);
    }
    lastUnbound = unbound;
  }
  return nests;
}

Result<void> checkMemory(const device::Kernel& k, const Limits& limits) {
  std::int64_t local = 0;
  std::vector<Id> locals;
  for (const device::Allocation& a : k.allocations) {
    if (a.memory != device::Memory::Local) continue;
    if (__builtin_add_overflow(local, a.bytes(), &local)) local = std::numeric_limits<std::int64_t>::max();
    locals.push_back(a.buffer->id);
  }
  if (k.sharedBytes() > limits.sharedBytesPerBlock) {
    std::vector<Id> subjects;
    std::string sizes;
    for (const device::Allocation& a : k.allocations) {
      if (a.memory != device::Memory::Shared && a.memory != device::Memory::SharedDynamic) continue;
      subjects.push_back(a.buffer->id);
      sizes += fmt::format("{}{} {} bytes", sizes.empty() ? "" : ", ", a.buffer->name, a.bytes());
    }
    return notAKernel(fmt::format("{} bytes of shared memory in a block ({}); the hardware allows {}", k.sharedBytes(),
                                  sizes, limits.sharedBytesPerBlock),
                      subjects, "sch.compute_at(…) moves the copy into a loop, so that only a tile is kept",
                      Forbids::Hardware);
  }
  if (local > limits.localBytesPerThread) {
    return notAKernel(
        fmt::format("{} bytes of local memory in a thread; the hardware allows {}", local, limits.localBytesPerThread),
        locals, "sch.compute_at(…) or sch.reverse_compute_at(…) moves the cache into the loop over threads",
        Forbids::Hardware);
  }
  return {};
}

// Some steps of TVM's leave variables whose loops are gone (schedule::warnings).
Result<void> refuseUndeclared(const Function& function) {
  const auto undeclared = undeclaredVariables(function);
  if (undeclared.empty()) return {};
  const Undeclared& first = undeclared.front();
  std::string names;
  for (const Undeclared& u : undeclared)
    if (u.block == first.block) names += (names.empty() ? "" : ", ") + u.var->name;
  return notAKernel(fmt::format("{} uses {}, which no loop around it declares",
                                first.blockName.empty() ? "the program" : "block " + first.blockName, names),
                    first.block ? std::vector<Id>{first.block} : std::vector<Id>{},
                    "undo the step that left it so: the history names it");
}

class Lowering {
 public:
  enum class For : std::uint8_t {
    kKernels,  // that run
    kDraft,    // `draft`
    kSizes,    // memory that kernels can't share is left as it is declared
  };
  Lowering(const Function& function, const Limits& limits, std::vector<PassResult>* passes, For use = For::kKernels)
      : function_(function), limits_(limits), passes_(passes), use_(use), symbols_(symbolsOf(*function)) {}

  Result<device::Program> run() {
    auto nests = prepared();
    if (!nests) return Failure(nests.error());
    for (std::size_t i = 0; i < nests->size(); ++i) {
      if (!(*nests)[i]) continue;
      std::string name =
          nests->size() == 1 ? function_->name + "_kernel" : fmt::format("{}_kernel_{}", function_->name, i);
      if (auto done = addKernel((*nests)[i], name); !done) return Failure(done.error());
    }
    return std::move(program_);
  }

  // The nests that become kernels, each with what it allocates; the passes on TensorIR are done.
  Result<std::vector<Stmt>> prepared() {
    program_.name = function_->name;
    program_.params = function_->params;
    program_.symbols = symbols_;
    program_.remarks = remarksOnAnnotations(function_->body);
    if (auto done = refuseUndeclared(function_); !done) return Failure(done.error());
    if (auto done = globals(); !done) return Failure(done.error());
    if (auto done = allocations(); !done) return Failure(done.error());
    Stmt whole = resolveAliases(function_->body, function_->params);
    if (whole != function_->body) note("resolve_aliases", whole);
    if (auto done = refuseReductionsAcrossThreads(whole); !done) return Failure(done.error());
    whole = note("init", lowerInit(whole));
    whole = note("bind_iterators", bindIterators(whole));
    NarrowIndices narrow = narrowIndices(whole);
    whole = note("narrow_indices", narrow.body);
    for (auto& [source, flat] : globals_)
      if (auto after = narrow.buffers.find(source.get()); after != narrow.buffers.end()) source = after->second;
    whole = layOutAllocations(whole);
    const auto& root = *asRealize(whole)->block;
    std::vector<Stmt> nests = splitIntoNests(root.body);
    if (auto done = shareBetween(nests, root.allocs); !done) return Failure(done.error());
    std::vector<std::vector<Stmt>> stages(4);
    for (Stmt& nest : nests) {
      stages[0].push_back(nest = placeAllocations(nest, owned(root.allocs, nest)));
      auto compact = compactBuffers(nest, symbols_);
      if (!compact) return Failure(compact.error());
      stages[1].push_back(nest = *compact);
      stages[2].push_back(nest = narrowIndices(resolveViews(nest)).body);  // what views' symbols stand for is known now
      stages[3].push_back(nest = simplify(nest));
    }
    const char* names[] = {"place_allocations", "compact_buffers", "resolve_views", "simplify"};
    for (int i = 0; i < 4; ++i) note(names[i], wrap(seq(stages[i])));
    return nests;
  }

 private:
  Stmt note(const char* pass, Stmt body) {
    if (passes_) {
      auto function =
          edit(*function_, [&](FunctionNode& f) { f.body = std::static_pointer_cast<const BlockRealizeNode>(body); });
      passes_->push_back({pass, script::print(Module{{function}, {}}).text + "\n"});
    }
    return body;
  }
  void note(const char* pass, const device::Kernel& kernel) {
    if (!passes_) return;
    device::Program one;
    one.name = program_.name;
    one.kernels = {kernel};
    passes_->push_back({pass, device::print(one)});
  }
  static Stmt wrap(Stmt body) {
    BlockNode root;
    root.name = "root";
    root.body = body ? std::move(body) : evaluate(intImm(0));
    return realize({}, boolImm(true), std::make_shared<const BlockNode>(std::move(root)));
  }

  // Text of kernels and the executor index scalars; vectors come of vectorized loops alone.
  static Result<void> refuseTypes(const Buffer& buffer) {
    const DType type = buffer->dtype;
    if (!type.isScalar()) {
      return notAKernel(fmt::format("the elements of {} are vectors ({}); kernels here take buffers of scalars",
                                    buffer->name, type.str()),
                        {buffer->id}, "", Forbids::Environment);
    }
    // Smaller ones share a byte, which the code here doesn't do.
    const bool whole = type.bits == 8 || type.bits == 16 || type.bits == 32 || type.bits == 64;
    if (type.isFloat() || type.isBool() || (type.isIntegral() && whole)) return {};
    return notAKernel(
        fmt::format("the elements of {} are of type {}, which kernels here don't have", buffer->name, type.str()),
        {buffer->id}, "", Forbids::Environment);
  }

  Result<void> globals() {
    for (const Parameter& p : function_->params) {
      if (!p.buffer) {
        if (auto done = refuseScalar(*p.var); !done) return done;
        continue;
      }
      if (auto done = refuseTypes(p.buffer); !done) return done;
      if (isSymbolic(*p.buffer)) {
        if (auto done = symbolic(p.buffer); !done) return done;
        continue;
      }
      for (const Expr& extent : p.buffer->shape) {
        if (!asInt(extent)) {
          return notAKernel(fmt::format("the shape of {} isn't constant, so that its size is unknown", p.buffer->name),
                            {p.buffer->id}, "", Forbids::Environment);
        }
      }
      const auto layout = elementLayout(*p.buffer);
      if (!layout) {
        return notAKernel(fmt::format("the strides of {} or its offset aren't constant, so that its places are unknown",
                                      p.buffer->name),
                          {p.buffer->id}, "", Forbids::Environment);
      }
      if (layout->lowest() < 0) {
        return notAKernel(
            fmt::format("an element of {} lies {} elements before its pointer", p.buffer->name, -layout->lowest()),
            {p.buffer->id});
      }
      globals_.emplace_back(p.buffer, flatBuffer(p.buffer, layout->footprint()));
    }
    return {};
  }

  // A number among the parameters, which the launch passes.
  static Result<void> refuseScalar(const VarNode& v) {
    const DType type = v.dtype;
    if (type.isHandle()) {
      return notAKernel(fmt::format("the parameter {} points to something that the function doesn't name: "
                                    "T.match_buffer says what",
                                    v.name),
                        {}, "", Forbids::Environment);
    }
    const bool whole = type.isIntegral() && (type.bits == 8 || type.bits == 16 || type.bits == 32 || type.bits == 64);
    const bool real = type.code == DType::Code::Float && type.bits >= 16;
    if (type.isScalar() && (whole || real || type.isBool() || type == DType::BFloat(16))) return {};
    return notAKernel(fmt::format("the parameter {} is of type {}, which kernels here don't take", v.name, type.str()),
                      {}, "", Forbids::Environment);
  }
  static bool isSymbolic(const BufferNode& b) {
    auto symbolic = [](const std::vector<Expr>& all) {
      return std::any_of(all.begin(), all.end(), [](const Expr& e) { return !asInt(e); });
    };
    return symbolic(b.shape) || symbolic(b.strides) || (b.elemOffset && !asInt(b.elemOffset));
  }
  // A parameter whose places follow from the function's symbols.
  Result<void> symbolic(const Buffer& b) {
    Expr last = cast(DType::Int(64), b->elemOffset);
    bool known = isOver(last, symbols_);
    for (std::size_t d = 0; d < b->shape.size(); ++d) {
      known = known && isOver(b->shape[d], symbols_) && (b->strides.empty() || isOver(b->strides[d], symbols_));
      if (!b->strides.empty())
        last = last + (cast(DType::Int(64), b->shape[d]) - 1) * cast(DType::Int(64), b->strides[d]);
    }
    if (!known) {
      return notAKernel(fmt::format("the shape of {} isn't constant, so that its size is unknown", b->name), {b->id},
                        "", Forbids::Environment);
    }
    Expr elements = b->strides.empty() ? last + cast(DType::Int(64), elementsOf(b->shape)) : last + 1;
    globals_.emplace_back(b, flatBuffer(b, elements));
    return {};
  }

  Result<void> allocations() const {
    Result<void> done;
    forEachStmt(function_->body, [&](const Stmt& s) {
      if (s->kind != StmtKind::BlockRealize) return done.has_value();
      for (const Buffer& b : asRealize(s)->block->allocs)
        if (done) done = refuseTypes(b);
      return done.has_value();
    });
    return done;
  }

  // Memory that more than one kernel uses must be global.
  Result<void> shareBetween(const std::vector<Stmt>& nests, const std::vector<Buffer>& allocs) {
    for (const Buffer& b : allocs) {
      std::vector<std::size_t> users;
      for (std::size_t i = 0; i < nests.size(); ++i) {
        if (buffersOf(nests[i]).count(b.get())) users.push_back(i);
      }
      if (users.size() < 2) continue;
      if (use_ == For::kSizes && b->scope != "global") {
        shared_.insert(b.get());
        continue;
      }
      if (b->scope != "global") {
        return notAKernel(fmt::format("{} is {} memory, but one kernel fills it and another reads it: such memory ends "
                                      "with its kernel",
                                      b->name, b->scope),
                          {b->id},
                          "sch.compute_at(…) or sch.reverse_compute_at(…) moves the copy into the other's loops");
      }
      if (isSymbolic(*b) && b->strides.empty() && isOver(elementsOf(b->shape), symbols_)) {
        globals_.emplace_back(b, flatBuffer(b, elementsOf(b->shape)));
        program_.host.temporaries.push_back({globals_.back().second, 0});
        shared_.insert(b.get());
        continue;
      }
      const auto layout = elementLayout(*b);
      const std::int64_t elements = layout ? layout->footprint() : 0;
      if (elements <= 0) return notAKernel(fmt::format("the shape of {} isn't constant", b->name), {b->id});
      globals_.emplace_back(b, flatBuffer(b, elements));
      program_.host.temporaries.push_back({globals_.back().second, elements});
      shared_.insert(b.get());
    }
    return {};
  }
  std::vector<Buffer> owned(const std::vector<Buffer>& allocs, const Stmt& nest) const {
    std::vector<Buffer> mine;
    auto used = buffersOf(nest);
    for (const Buffer& b : allocs) {
      if (!shared_.count(b.get()) && used.count(b.get())) mine.push_back(b);
    }
    return mine;
  }

  Result<void> addKernel(const Stmt& nest, const std::string& name) {
    auto converted = convert(nest, name, globals_, limits_, use_ == For::kDraft, symbols_);
    if (!converted) return Failure(converted.error());
    device::Kernel& k = converted->kernel;
    note("convert", k);
    // Passes drop what does nothing; a kernel of which nothing is left keeps an empty body.
    auto body = [](device::Stmt s) { return s ? std::move(s) : std::make_shared<device::SeqNode>(); };
    interleaveVirtualThreads(k);
    k.body = body(k.body);
    note("virtual_threads", k);
    auto synchronized = placeBarriers(k);
    if (!synchronized) return Failure(synchronized.error());
    k.body = body(*synchronized);
    note("barriers", k);
    k.body = body(placeGuards(k));
    note("guards", k);
    k.body = body(hoistConditions(k));
    note("hoist_conditions", k);
    if (auto fits = checkMemory(k, limits_); !fits) return fits;
    if (auto declared = checkDeclared(k); !declared) return declared;
    k.draft = use_ == For::kDraft;
    for (auto& t : converted->temporaries) program_.host.temporaries.push_back(t);
    for (auto& r : converted->remarks) device::addRemark(program_.remarks, std::move(r));
    program_.host.launches.push_back(int(program_.kernels.size()));
    program_.kernels.push_back(std::move(k));
    return {};
  }

  Function function_;
  const Limits& limits_;
  std::vector<PassResult>* passes_;
  For use_;
  std::vector<Symbol> symbols_;
  device::Program program_;
  GlobalBuffers globals_;
  std::set<const BufferNode*> shared_;
};

}  // namespace

Result<device::Program> lower(const Function& function, const Limits& limits, std::vector<PassResult>* passes) {
  return Lowering(function, limits, passes).run();
}

Result<device::Program> draft(const Function& function, const Limits& limits) {
  return Lowering(function, limits, nullptr, Lowering::For::kDraft).run();
}

Result<std::vector<ir::Buffer>> allocatedBuffers(const Function& function) {
  const Limits limits;
  auto nests = Lowering(function, limits, nullptr, Lowering::For::kSizes).prepared();
  if (!nests) return Failure(nests.error());
  std::vector<Buffer> all;
  for (const Stmt& nest : *nests) {
    if (!nest) continue;
    forEachStmt(nest, [&](const Stmt& s) {
      if (s->kind != StmtKind::BlockRealize) return true;
      const auto& allocs = asRealize(s)->block->allocs;
      all.insert(all.end(), allocs.begin(), allocs.end());
      return true;
    });
  }
  return all;
}

}  // namespace loom::lower
