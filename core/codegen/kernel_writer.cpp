#include "core/codegen/kernel_writer.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>
#include <unordered_map>
#include <utility>

#include "core/codegen/cursors.h"
#include "core/codegen/expression.h"
#include "core/codegen/names.h"
#include "core/codegen/operation_text.h"
#include "core/codegen/register_sums.h"
#include "core/codegen/shared_array.h"
#include "core/codegen/vector_store.h"
#include "core/device/build.h"
#include "core/device/effects.h"
#include "core/ir/build.h"
#include "core/ir/equal.h"
#include "core/ir/operation.h"
#include "core/ir/visit.h"
#include "core/lower/block_uniform.h"
#include "core/lower/bulk_stores.h"
#include "core/lower/device_passes.h"
#include "core/lower/instance.h"
#include "core/lower/resident_blocks.h"
#include "core/lower/transfers.h"

namespace loom::codegen {

using namespace device;
using ir::ExprKind;

namespace {

class KernelWriter {
 public:
  KernelWriter(const Kernel& kernel, const KernelUses& uses, const std::vector<ir::Symbol>& symbols,
               const Options& options, Source& out)
      : kernel_(kernel),
        options_(options),
        out_(out),
        uses_(uses),
        sums_(loopsOfRegisterSums(kernel)),
        print_([this](const ir::VarNode* v) { return variable(v); },
               [this](const ir::BufferNode* b) { return buffers_.at(b); }, analyzer_) {
    lower::bindSymbols(analyzer_, symbols);
    if (lower::isOfCopyEngine(kernel.body)) uniform_.emplace(kernel);
  }

  void write(KernelLaunch& launch) {
    reserveNames();
    signature();
    prologue(launch);
    block_ = {};
    stmt(kernel_.body, 1);
    ids_.clear();
    line(0, "}");
  }

 private:
  // --- text ---

  void line(int depth, const std::string& text) {
    out_.text += std::string(depth * 2, ' ') + text + "\n";
    out_.lines.push_back({ids_, block_, statement_});
  }

  std::string variable(const ir::VarNode* v) {
    if (auto found = variables_.find(v); found != variables_.end()) return found->second;
    return identifier(v->name);
  }
  std::string index(const Buffer& b, const Expr& at) {
    return fmt::format("{}[{}]", buffers_.at(b.get()), print_.print(at));
  }
  std::string address(const Buffer& b, const Expr& at) {
    if (ir::isConst(at, 0)) return begin(b);
    return "&" + index(b, at);
  }
  // A pointer to the buffer's first element.
  std::string begin(const Buffer& b) {
    return arrays_.contains(b.get()) ? "&" + index(b, ir::intImm(0)) : buffers_.at(b.get());
  }

  // What loops that the compiler unrolls add to an address stands last, as constants of the instruction; what comes
  // before is then computed once for all of them.
  std::string addressAsSum(const Buffer& b, const Expr& at) {
    const Parts parts = partsOf(at);
    if (!parts.moving || !parts.known) return address(b, at);
    return fmt::format("{} + ({})", address(b, parts.moving), print_.print(parts.known));
  }
  // The parts of a number that loops change when the code runs, and that unrolled loops change; null for none.
  struct Parts {
    Expr moving, known;
  };
  Parts partsOf(const Expr& at) const {
    Parts parts;
    const auto add = [](Expr& sum, const Expr& term) { sum = sum ? sum + term : term; };
    const std::function<void(const Expr&)> split = [&](const Expr& e) {
      if (e->kind == ExprKind::Add) {
        split(ir::asBinary(e)->a);
        split(ir::asBinary(e)->b);
      } else {
        add(ir::usesVar(e, [this](const ir::VarNode* v) { return !unrolled_.contains(v); }) ? parts.moving
                                                                                            : parts.known,
            e);
      }
    };
    split(at);
    return parts;
  }
  std::string printedParts(const Expr& at) {
    const Parts parts = partsOf(at);
    return fmt::format("{}, {}", parts.moving ? print_.print(parts.moving) : "0",
                       parts.known ? print_.print(parts.known) : "0");
  }

  // --- declarations ---

  void reserveNames() {
    for (const char* word : {"bx", "by", "bz", "tx", "ty", "tz"}) names_.reserve(word);
    for (const std::string& function : uses_.called) names_.reserve(function);
    for (std::string_view preamble : uses_.preambles)
      for (const std::string& function : functionsIn(preamble)) names_.reserve(function);
    names_.reserve("SharedArray");
    for (const TensorMap& m : kernel_.maps) names_.reserve(mapName(m));
    for (const Mbarrier& b : kernel_.mbarriers) names_.reserve(b.buffer->name + "_phases");
    for (const Buffer& b : kernel_.params) buffers_[b.get()] = names_.unique(b->name);
    for (const Kernel::Scalar& s : kernel_.scalars) variables_[s.var.get()] = names_.unique(s.name);
    for (const Allocation& a : kernel_.allocations) buffers_[a.buffer.get()] = names_.unique(a.buffer->name);
    for (int axis = 0; axis < 3; ++axis) {
      variables_[kernel_.blockIdx[axis].get()] = fmt::format("b{}", "xyz"[axis]);
      variables_[kernel_.threadIdx[axis].get()] = fmt::format("t{}", "xyz"[axis]);
      analyzer_.bind(kernel_.threadIdx[axis], ir::Range{ir::intImm(0), ir::intImm(kernel_.block[axis])}, true);
      analyzer_.bind(kernel_.blockIdx[axis], ir::Range{ir::intImm(0), kernel_.gridExtent(axis)}, true);
    }
  }

  void signature() {
    std::string params;
    for (const Buffer& b : kernel_.params) {
      bool written = uses_.written.count(b.get());
      params += fmt::format("{}{}{}* __restrict__ {}", params.empty() ? "" : ", ", written ? "" : "const ",
                            typeName(b->dtype), buffers_.at(b.get()));
    }
    for (const Kernel::Scalar& s : kernel_.scalars)
      params +=
          fmt::format("{}const {} {}", params.empty() ? "" : ", ", typeName(s.var->dtype), variables_.at(s.var.get()));
    for (const TensorMap& m : kernel_.maps)
      params += fmt::format("{}const __grid_constant__ TensorMap {}", params.empty() ? "" : ", ", mapName(m));
    if (kernel_.singleThread) line(0, "// No loop is bound to a thread: one GPU thread runs everything.");
    const lower::ResidentBlocks resident = lower::residentBlocks(kernel_);
    if (resident.blocks > 0 && !resident.asked)
      line(0,
           fmt::format("// A multiprocessor runs at most {} of the {} blocks, so that threads may have more registers.",
                       resident.blocks, kernel_.blocks()));
    const auto [x, y, z] = kernel_.cluster;
    const std::string cluster =
        kernel_.blocksOfCluster() > 1 ? fmt::format(" __cluster_dims__({}, {}, {})", x, y, z) : "";
    line(0, fmt::format("extern \"C\" __global__ void{} __launch_bounds__({}{}) {}({}) {{", cluster, kernel_.threads(),
                        resident.blocks ? fmt::format(", {}", resident.blocks) : "", identifier(kernel_.name), params));
  }

  void prologue(KernelLaunch& launch) {
    std::array<bool, 3> blocks{}, threads{};
    for (int axis = 0; axis < 3; ++axis) {
      blocks[axis] = kernel_.hasBlocks(axis);
      threads[axis] = kernel_.block[axis] > 1;
    }
    indices("blockIdx", kernel_.blockIdx, blocks);
    indices("threadIdx", kernel_.threadIdx, threads);
    bool declared = false;  // the launch's memory
    for (const Allocation& a : kernel_.allocations) {
      ids_ = {a.buffer->id};
      const std::string& name = buffers_.at(a.buffer.get());
      if (a.dynamic) {
        if (!std::exchange(declared, true)) {
          std::int64_t most = a.alignment;
          for (const Allocation& other : kernel_.allocations)
            if (other.dynamic) most = std::max(most, other.alignment);
          line(1, fmt::format("extern __shared__ __align__({}) unsigned char shared_memory[];", most));
        }
        const std::int64_t offset = a.offset - launchMemory(kernel_);
        const std::string type = typeName(a.buffer->dtype);
        const char* remark = a.phase > 1 ? "  // in bytes that are free by then" : "";
        if (isSharedArray(kernel_, a)) {
          arrays_.insert(a.buffer.get());
          line(1, fmt::format("const SharedArray<{0}, {1}> {2}{{reinterpret_cast<{0}*>(shared_memory)}};{3}", type,
                              offset / a.buffer->dtype.bytes(), name, remark));
        } else {
          line(1, fmt::format("{0}* {1} = reinterpret_cast<{0}*>(shared_memory{2});{3}", type, name,
                              offset ? fmt::format(" + {}", offset) : "", remark));
        }
        launch.dynamicSharedBytes =
            std::max(launch.dynamicSharedBytes, (offset + a.bytes() + a.alignment - 1) / a.alignment * a.alignment);
      } else if (isShared(a.memory)) {
        line(1, fmt::format("__shared__ alignas({}) {} {}[{}];", a.alignment, typeName(a.buffer->dtype), name,
                            a.elements));
      } else if (a.memory == Memory::Fragment) {
        const DType element = a.buffer->dtype;
        line(1, familyOf(a.buffer->scope)->declare(*a.fragment, element, typeName(element), name, a.elements));
      } else {
        line(1,
             fmt::format("{}{} {}[{}];", isWide(a) ? "alignas(16) " : "", typeName(a.buffer->dtype), name, a.elements));
      }
    }
    ids_.clear();
    for (std::size_t b = 0; b < kernel_.mbarriers.size(); ++b)
      if (countsPhases(int(b)))
        line(1, fmt::format("unsigned {}_phases = {};  // the parity that comes next, a bit a slot",
                            buffers_.at(kernel_.mbarriers[b].buffer.get()), kernel_.mbarriers[b].open ? "~0u" : "0"));
    prefetchMaps();
  }

  // Whether threads count the phases of the mbarrier: they don't where each wait names its phase.
  bool countsPhases(int barrier) const {
    bool counts = false;
    forEach(kernel_.body, [&](const Stmt& s) {
      if (s->kind != StmtKind::Sync) return !counts;
      const auto& n = *as<SyncNode>(s);
      counts |= n.token == Token::Transfers && n.does == SyncDoes::Wait && n.barrier == barrier && !n.phase;
      return !counts;
    });
    return counts;
  }

  // The copy engine reads a map before the first box that it describes: here that begins before it is asked for one.
  void prefetchMaps() {
    if (kernel_.maps.empty()) return;
    const Expr first = lower::firstOf(kernel_, lower::allThreads(kernel_));
    line(1, "// The copy engine's descriptions of its matrices are read ahead.");
    if (first) line(1, "if (" + print_.print(first) + ") {");
    for (const TensorMap& m : kernel_.maps) line(first ? 2 : 1, fmt::format("prefetch_map({});", mapName(m)));
    if (first) line(1, "}");
  }

  // Whether lanes of a warp differ along threadIdx.x alone, and statements of whole warpgroups depend on threadIdx.y.
  bool hasWarpgroupsAlongY() const {
    return kernel_.block[1] > 1 && kernel_.block[0] % 32 == 0 && hasOperationsOf(Group::Warpgroup, kernel_.body);
  }

  void indices(const char* source, const std::array<Var, 3>& vars, const std::array<bool, 3>& used) {
    std::string list;
    for (int axis = 0; axis < 3; ++axis) {
      if (!used[axis]) continue;
      std::string index = fmt::format("{}.{}", source, "xyz"[axis]);
      // The lanes of a warp have one value, which the compiler learns from the shuffle and keeps once for all of them.
      if (axis == 1 && vars[1] == kernel_.threadIdx[1] && hasWarpgroupsAlongY())
        index = fmt::format("__shfl_sync(0xffffffff, int({}), 0)", index);
      list += fmt::format("{}{} = {}", list.empty() ? "" : ", ", variables_[vars[axis].get()], index);
    }
    if (!list.empty()) line(1, "const int " + list + ";");
  }

  // Whether some access is a vector: local buffers must be aligned for it.
  bool isWide(const Allocation& a) {
    if (!std::exchange(widthsKnown_, true)) {
      forEach(kernel_.body, [&](const Stmt& s) {
        forEachAccess(s, [&](const BufferAccess& a) {
          if (a.lanes > 1) wide_.insert(a.buffer.get());
        });
        return true;
      });
    }
    return wide_.contains(a.buffer.get());
  }

  // --- statements ---

  void stmt(const Stmt& s, int depth) {
    if (!s) return;
    auto outerIds = ids_;
    ir::Id outerBlock = block_;
    const int outerStatement = statement_;
    if (s->kind != StmtKind::Seq) statement_ = s->number;
    ids_.insert(ids_.end(), s->origin.begin(), s->origin.end());
    switch (s->kind) {
      case StmtKind::Seq:
        for (const Stmt& child : as<SeqNode>(s)->stmts) stmt(child, depth);
        break;
      case StmtKind::Loop: loop(*as<LoopNode>(s), depth); break;
      case StmtKind::If: branch(*as<IfNode>(s), depth); break;
      case StmtKind::Store: store(*as<StoreNode>(s), depth); break;
      case StmtKind::Operation: line(depth, operation(*as<OperationNode>(s))); break;
      case StmtKind::Sync: line(depth, textOf(*as<SyncNode>(s), true, kernel_, syncNames())); break;
      case StmtKind::Block: {
        const auto& n = *as<BlockNode>(s);
        block_ = n.block;
        if (announced_ != n.block) {
          announced_ = n.block;
          if (!n.name.empty()) line(depth, comment(n));
        }
        stmt(n.body, depth);
        break;
      }
    }
    ids_ = std::move(outerIds);
    block_ = outerBlock;
    statement_ = outerStatement;
  }

  std::string comment(const BlockNode& n) const {
    std::string made = options_.describe ? options_.describe(n.block) : "";
    return "// " + inComment(n.name) + (made.empty() ? "" : ": " + made);
  }

  // The block that a chain of loops leads to is announced above the chain, where a reader looks for it.
  const BlockNode* soleBlock(const Stmt& s) const {
    switch (s->kind) {
      case StmtKind::Loop: return soleBlock(as<LoopNode>(s)->body);
      case StmtKind::If: return as<IfNode>(s)->no ? nullptr : soleBlock(as<IfNode>(s)->yes);
      case StmtKind::Block: return as<BlockNode>(s);
      default: return nullptr;
    }
  }
  void announce(const Stmt& s, int depth) {
    const BlockNode* block = soleBlock(s);
    if (!block || announced_ == block->block) return;
    announced_ = block->block;
    ir::Id outer = block_;
    block_ = block->block;
    if (!block->name.empty()) line(depth, comment(*block));
    block_ = outer;
  }

  void loop(const LoopNode& n, int depth) {
    announce(n.body, depth);
    std::string name = names_.enter(n.var->name);
    variables_[n.var.get()] = name;
    analyzer_.bind(n.var, ir::Range{ir::intImm(0, n.var->dtype), n.extent}, true);
    // Short loops without a loop in them are unrolled without a word.
    const auto* extent = ir::asInt(n.extent);
    bool innermost = extent && extent->value <= kShort;
    forEach(n.body, [&](const Stmt& s) { return innermost = innermost && s->kind != StmtKind::Loop; });
    const bool unrolled = n.unrolled() || sums_.contains(&n);
    if (unrolled || innermost) unrolled_.insert(n.var.get());
    // Where warps hand each other the slots of a ring, these are counted; the compiler knows those of unrolled loops.
    std::optional<CursorScope> cursors;
    if (!kernel_.mbarriers.empty() && !unrolled_.contains(n.var.get())) cursors.emplace(n, analyzer_, print_, names_);
    if (cursors)
      for (const std::string& declaration : cursors->declarations()) line(depth, declaration);
    const bool whole = std::exchange(areWhole_, areWhole_ && areAlikeInWarps(n.extent));
    if (unrolled) line(depth, "#pragma unroll");
    line(depth,
         fmt::format("for ({0} {1} = 0; {1} < {2}; ++{1}) {{", typeName(n.var->dtype), name, print_.print(n.extent)));
    stmt(n.body, depth + 1);
    if (cursors)
      for (const std::string& step : cursors->steps()) line(depth + 1, step);
    line(depth, "}");
    cursors.reset();
    names_.leave(name);
    areWhole_ = whole;
  }

  void branch(const IfNode& n, int depth) {
    announce(n.yes, depth);
    const bool asks = n.standsForAll && lower::isOfCopyEngine(n.yes);
    if (asks) {
      const auto* lanes = ir::asBinary(n.condition, ExprKind::EQ);
      const bool ofWarps = lanes && ir::asBinary(lanes->a, ExprKind::FloorMod);
      line(depth, ofWarps ? "// One thread of each warp asks the copy engine, or waits until it has read."
                          : "// One thread asks the copy engine.");
    } else if (n.standsForAll) {
      line(depth, "// These threads would repeat the same stores: the first does them.");
    }
    line(depth, "if (" + (asks ? elected(n.condition, areWhole_ && doAlikeInWarps(n.yes)) : print_.print(n.condition)) +
                    ") {");
    const bool whole = std::exchange(areWhole_, areWhole_ && areAlikeInWarps(n.condition));
    stmt(n.yes, depth + 1);
    if (n.no) {
      line(depth, "} else {");
      stmt(n.no, depth + 1);
    }
    line(depth, "}");
    areWhole_ = whole;
  }

  // Whether the lanes of each warp have one value. Only asked where the copy engine is: elsewhere false.
  bool areAlikeInWarps(const Expr& e) const { return uniform_ && uniform_->isInWarps(e); }
  // Whether each lane of a warp would do the same.
  bool doAlikeInWarps(const Stmt& s) const {
    bool alike = true;
    forEach(s, [&](const Stmt& inner) {
      return alike =
                 alike && std::ranges::all_of(expressionsOf(inner), [&](const Expr& e) { return areAlikeInWarps(e); });
    });
    return alike;
  }

  // The first thread of a warp, as any that the warp elects: the compiler then knows that it is one alone. Where rows
  // of threads are no whole warps, a warp has the first threads of several rows, or hasn't all lanes, and none is
  // elected; nor where lanes of a warp differ (not `whole`): in what they would do, or since some may have left the
  // statement out, for which electing waits.
  std::string elected(const Expr& condition, bool whole) {
    if (!whole || kernel_.block[0] % 32 != 0) return print_.print(condition);
    if (const auto* both = ir::asBinary(condition, ExprKind::And))
      return elected(both->a, true) + " && " + elected(both->b, areAlikeInWarps(both->a));
    const auto* first = ir::asBinary(condition, ExprKind::EQ);
    const auto* lane = first ? ir::asBinary(first->a, ExprKind::FloorMod) : nullptr;
    if (lane && lane->a == Expr(kernel_.threadIdx[0]) && ir::isConst(lane->b, 32) && ir::isConst(first->b, 0))
      return "elect_one()";
    if (!first || first->a != Expr(kernel_.threadIdx[0]) || !ir::isConst(first->b, 0)) return print_.print(condition);
    return (kernel_.block[0] > 32 ? print_.print(ir::lt(first->a, ir::intImm(32))) + " && " : "") + "elect_one()";
  }

  void store(const StoreNode& n, int depth) {
    if (n.value->dtype.lanes > 1) return vectorStore(n, depth);
    std::string target = index(n.to.buffer, n.to.index());
    // x = x + y reads as x += y.
    if (auto* sum = ir::asBinary(n.value, ExprKind::Add); sum && ir::kindOf(sum->dtype) != ir::kFloat8) {
      auto* l = ir::asLoad(sum->a);
      if (l && l->buffer == n.to.buffer && ir::structuralEqual(l->indices[0], n.to.index())) {
        line(depth, target + " += " + print_.print(sum->b) + ";");
        return;
      }
    }
    const std::string value = print_.print(n.value);
    line(depth, target + " = " + (n.loadsHere ? loadedHere("&" + value) : value) + ";");
  }

  void vectorStore(const StoreNode& n, int depth) {
    const VectorText text{print_, names_, [this](const Buffer& b, const Expr& at) { return address(b, at); },
                          [this](const Buffer& b) { return buffers_.at(b.get()); },
                          [this](const Buffer& b) { return uses_.written.contains(b.get()); }};
    for (const VectorLine& made : vectorStoreLines(n, text)) line(depth + made.depth, made.text);
  }

  // The number of the place's first element.
  static Expr first(const BufferPlace& p) {
    return p.index()->kind == ExprKind::Ramp ? ir::as<ir::RampNode>(p.index())->base : p.index();
  }
  std::string operation(const OperationNode& n) {
    return filled(n.row->text, n,
                  {[this](const BufferPlace& p) { return index(p.buffer, first(p)); },
                   [this](const BufferPlace& p) { return address(p.buffer, first(p)); },
                   [&](const BufferPlace& p) {
                     const bool factor = n.row->agent == Agent::TensorCore;
                     return begin(p.buffer) + ", " + (factor ? printedParts(first(p)) : print_.print(first(p)));
                   },
                   [this](const BufferPlace& p) { return addressAsSum(p.buffer, first(p)); },
                   [this](const Expr& e) { return print_.print(e); },
                   [this](int b) { return buffers_.at(kernel_.mbarriers[std::size_t(b)].buffer.get()); },
                   [this](int m) { return mapName(kernel_.maps[std::size_t(m)]); }});
  }

  SyncNames syncNames() {
    return {[this](const Buffer& b) { return buffers_.at(b.get()); },
            [this](const Expr& e) { return print_.print(e); }};
  }
  static std::string mapName(const TensorMap& m) { return identifier(m.name); }

  const Kernel& kernel_;
  const Options& options_;
  Source& out_;
  const KernelUses& uses_;
  const std::set<const LoopNode*> sums_;  // loopsOfRegisterSums
  arith::Analyzer analyzer_;
  ExpressionPrinter print_;
  Names names_;
  std::unordered_map<const ir::VarNode*, std::string> variables_;
  std::unordered_map<const ir::BufferNode*, std::string> buffers_;
  static constexpr std::int64_t kShort = 16;  // iterations
  std::set<const ir::VarNode*> unrolled_;     // variables of loops that the compiler unrolls
  std::set<const ir::BufferNode*> wide_, arrays_;
  bool widthsKnown_ = false;
  std::optional<lower::BlockUniform> uniform_;  // of kernels that use the copy engine
  bool areWhole_ = true;                        // whether all lanes of a warp come to the statement together
  std::vector<ir::Id> ids_;
  ir::Id block_, announced_;
  int statement_ = -1;  // number of the innermost statement that is being printed
};

}  // namespace

void writeKernel(const Kernel& kernel, const KernelUses& uses, const std::vector<ir::Symbol>& symbols,
                 const Options& options, Source& out, KernelLaunch& launch) {
  KernelWriter(kernel, uses, symbols, options, out).write(launch);
}

}  // namespace loom::codegen
