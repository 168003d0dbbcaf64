#include "app/panels/loop_nest/view/loop_nest.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <unordered_map>
#include <unordered_set>

#include "app/panels/loop_nest/view/loop_ancestry.h"
#include "app/panels/loop_nest/view/loop_names.h"
#include "app/panels/loop_nest/view/loop_roles.h"
#include "app/panels/loop_nest/view/loop_sums.h"
#include "app/panels/loop_nest/view/loop_traffic.h"
#include "core/ir/build.h"
#include "core/ir/visit.h"
#include "core/layout/fragment_scope.h"
#include "core/lower/annotations.h"
#include "core/lower/copy_engine.h"
#include "core/model/access.h"
#include "core/schedule/predicate_share.h"

namespace loom::session {

using schedule::State;
using schedule::Tree;

namespace {

// Of what `bind` takes, "vthread…" and "cthread" are virtual threads.
HardwareAxis axisOf(const ir::ForNode& loop, bool reduction) {
  if (loop.forKind == ir::ForKind::Vectorized) return HardwareAxis::kVectorized;
  if (loop.forKind == ir::ForKind::Unrolled) return HardwareAxis::kUnrolled;
  if (loop.forKind == ir::ForKind::ThreadBinding) {
    const std::string& thread = loop.thread;
    // The blocks of a cluster (clusterCtaIdx) are blocks of the grid, too.
    if (thread.starts_with("blockIdx") || thread.starts_with("clusterCtaIdx")) return HardwareAxis::kBlock;
    if (thread == "threadIdx.x") return HardwareAxis::kThreadX;
    if (thread == "threadIdx.y") return HardwareAxis::kThreadY;
    if (thread == "threadIdx.z") return HardwareAxis::kThreadZ;
    return HardwareAxis::kVirtualThread;
  }
  return reduction ? HardwareAxis::kReduction : HardwareAxis::kSerial;
}

// Whether the loop is bound to blocks or threads of the launch, not to virtual ones.
bool isLaunched(const ir::ForNode& loop) {
  return loop.forKind == ir::ForKind::ThreadBinding && axisOf(loop, false) != HardwareAxis::kVirtualThread;
}

// The letter of "threadIdx.x"; 0 where the axis has none ("vthread"), and for clusters, which have letters of their
// own.
char componentOf(const ir::ForNode& loop) {
  const std::string& thread = loop.thread;
  const bool hasLetter = thread.size() > 1 && thread[thread.size() - 2] == '.' && !thread.starts_with("clusterCtaIdx");
  return loop.forKind == ir::ForKind::ThreadBinding && hasLetter ? thread.back() : char(0);
}

// The value that each block iteration variable is bound to, for all blocks of the tree.
class Bindings {
 public:
  explicit Bindings(const Tree& tree) {
    for (const auto& node : tree.nodes()) {
      if (!node.isBlock) continue;
      const auto* realize = ir::as<ir::BlockRealizeNode>(node.stmt);
      const auto& iters = realize->block->iters;
      for (std::size_t i = 0; i < iters.size() && i < realize->values.size(); ++i) {
        values_[iters[i].var.get()] = realize->values[i];
      }
    }
  }

  // Loop variables that the block's reduction axes depend on.
  std::unordered_set<const ir::VarNode*> reductionOf(const ir::BlockRealizeNode& realize) const {
    std::unordered_set<const ir::VarNode*> loops;
    const auto& iters = realize.block->iters;
    for (std::size_t i = 0; i < iters.size() && i < realize.values.size(); ++i) {
      if (iters[i].type == ir::IterType::Reduce) collect(realize.values[i], loops);
    }
    return loops;
  }

 private:
  void collect(const ir::Expr& value, std::unordered_set<const ir::VarNode*>& loops) const {
    ir::forEachExpr(value, [&](const ir::Expr& e) {
      const ir::VarNode* var = ir::asVar(e);
      if (var == nullptr) return;
      auto bound = values_.find(var);
      if (bound == values_.end()) {
        loops.insert(var);
      } else {
        collect(bound->second, loops);
      }
    });
  }

  std::unordered_map<const ir::VarNode*, ir::Expr> values_;
};

class NestBuilder {
 public:
  NestBuilder(const StatePath& input, const State& state, const State* before, const document::KernelText* kernel)
      : state_(state), tree_(state.tree()), bindings_(state.tree()), ancestors_(input, state) {
    readIntrinsics(input);
    printed_ = printedNames(*input.script);
    handles_ = handleNames(input);
    if (before != nullptr) {
      const schedule::Changes changes = schedule::changes(*before, state);
      for (ir::Id id : changes.altered()) change_[id] = NestChange::kModified;
      for (ir::Id id : changes.added) change_[id] = NestChange::kNew;
      nest_.removed = changes.removed;
    }
    if (kernel != nullptr && kernel->program) program_ = &*kernel->program;
    if (program_ != nullptr) readKernel(*program_);
    noKernel_ = kernel != nullptr && !kernel->program;
    findReductions();
    findThreads();
  }

  LoopNest build() {
    for (int i = 0; i < int(tree_.nodes().size()); ++i) {
      if (tree_.nodes()[std::size_t(i)].parent == Tree::kNone) below(i, -1, 0, 1);
    }
    for (const NestRow& row : nest_.rows) {
      if (row.flops < 0) continue;
      double times = 1;
      for (const Repetition& r : row.repeated) times *= r.guarded ? 1.0 : double(r.extent);
      nest_.flops += row.flops;
      nest_.repeatedFlops += row.flops * times;
    }
    accumulateSubtree(nest_);
    findRelatedLoops(nest_, state_);
    readStages();
    if (program_ != nullptr) fillRoles(nest_, *program_, tree_);
    return std::move(nest_);
  }

 private:
  void readKernel(const device::Program& program) {
    for (const device::Kernel& kernel : program.kernels) {
      const model::KernelAccesses accesses = model::accessesOf(kernel);
      for (const model::Work& work : accesses.work) {
        // A row runs once for all warps that multiply together: a warpgroup's are four.
        if (work.tensorFlops > 0) tensorFlops_[work.block] += work.tensorFlops * model::warpsTogether(*work.product);
      }
      for (const model::Access& access : accesses.accesses) {
        if (!access.write) continue;
        for (const model::Guard& guard : access.guards) guarded_[access.block] |= model::standsFor(kernel, guard).bits;
      }
    }
  }

  void findReductions() {
    for (const auto& node : tree_.nodes()) {
      if (!node.isBlock) continue;
      for (const ir::VarNode* var : bindings_.reductionOf(*ir::as<ir::BlockRealizeNode>(node.stmt))) {
        reductions_.insert(var);
      }
    }
  }

  // The outermost bound loop around a node is its kernel; all thread axes bound in it are the kernel's.
  int kernelOf(int index) const {
    int kernel = -1;
    for (int at = index; at != Tree::kNone; at = tree_.nodes()[std::size_t(at)].parent) {
      const auto& node = tree_.nodes()[std::size_t(at)];
      if (!node.isBlock && ir::as<ir::ForNode>(node.stmt)->forKind == ir::ForKind::ThreadBinding) kernel = at;
    }
    return kernel;
  }

  void findThreads() {
    for (int i = 0; i < int(tree_.nodes().size()); ++i) {
      const auto& node = tree_.nodes()[std::size_t(i)];
      if (node.isBlock) continue;
      const auto* loop = ir::as<ir::ForNode>(node.stmt);
      if (!isLaunched(*loop)) continue;
      threads_[kernelOf(i)][loop->thread] = ir::constantOr(loop->extent, -1);
    }
  }

  // Rows of everything directly below a node.
  void below(int index, int parent, int depth, double runs) {
    const auto& nodes = tree_.nodes();
    for (int child = index + 1; child < nodes[std::size_t(index)].end; child = nodes[std::size_t(child)].end) {
      const int row = int(nest_.rows.size());
      nest_.rows.emplace_back();
      if (parent >= 0) ++nest_.rows[std::size_t(parent)].children;
      nest_.rows.back().parent = parent;
      nest_.rows.back().depth = depth;
      if (nodes[std::size_t(child)].isBlock) {
        addBlock(child, row, runs);
      } else {
        addLoop(child, row, runs);
      }
      below(child, row, depth + 1, nest_.rows[std::size_t(row)].runs);
      nest_.rows[std::size_t(row)].end = int(nest_.rows.size());
    }
  }

  void begin(NestRow& row, ir::Id id) const {
    row.id = id;
    if (auto name = handles_.find(id); name != handles_.end()) row.handle = name->second;
    if (auto change = change_.find(id); change != change_.end()) row.change = change->second;
  }

  void addLoop(int index, int at, double runs) {
    const auto& node = tree_.nodes()[std::size_t(index)];
    const auto* loop = ir::as<ir::ForNode>(node.stmt);
    NestRow& row = nest_.rows[std::size_t(at)];
    begin(row, node.id);
    auto printed = printed_.find(node.id);
    row.name = printed != printed_.end() ? printed->second : loop->var->name;
    row.reduction = reductions_.count(loop->var.get()) != 0;
    row.axis = axisOf(*loop, row.reduction);
    row.component = componentOf(*loop);
    row.extent = ir::constantOr(loop->extent, -1);
    if (isLaunched(*loop)) {
      for (int above = node.parent; above != Tree::kNone; above = tree_.nodes()[std::size_t(above)].parent) {
        const auto& outer = tree_.nodes()[std::size_t(above)];
        row.sameThreads |= !outer.isBlock && ir::as<ir::ForNode>(outer.stmt)->thread == loop->thread;
      }
    }
    row.runs = runs < 0 || row.extent < 0 ? -1 : row.sameThreads ? runs : runs * double(row.extent);
    row.from = ancestors_.of(node.id);
  }

  void addBlock(int index, int at, double runs) {
    const auto& node = tree_.nodes()[std::size_t(index)];
    const auto& realize = *ir::as<ir::BlockRealizeNode>(node.stmt);
    const ir::BlockNode& block = *realize.block;
    NestRow& row = nest_.rows[std::size_t(at)];
    begin(row, node.id);
    row.kind = NestRow::Kind::kBlock;
    row.name = block.name;
    const auto share = schedule::shareOf(realize.predicate, tree_, index);
    row.runs = share && runs >= 0 ? runs * *share : -1;
    if (row.runs > 0 && isOfCopyEngine(index)) row.runs /= threadsThatDontAsk(index);
    row.holds = share.value_or(1);
    row.from = ancestors_.of(node.id);
    bool leaf = true;
    for (int i = index + 1; i < node.end; ++i) leaf = leaf && !tree_.nodes()[std::size_t(i)].isBlock;
    if (leaf) {
      const Done done = doneBy(block);
      fillMoved(row, done);
      double flops = done.flops;
      if (auto tensor = tensorFlops_.find(node.id); tensor != tensorFlops_.end()) flops += tensor->second;
      if (flops > 0 && row.runs >= 0) row.flops = flops * row.runs;
      if (!done.opaque) row.repeated = repetitionsOf(index, done);
    }
    if (const schedule::Origin* origin = state_.origin(node.id); origin != nullptr && leaf)
      if (auto made = intrinsics_.find(origin->step); made != intrinsics_.end()) row.intrinsic = made->second;
    if (block.init) addInit(realize, index, at);
  }

  void addInit(const ir::BlockRealizeNode& realize, int index, int blockRow) {
    NestRow row;
    row.kind = NestRow::Kind::kInit;
    row.id = realize.block->id;
    row.parent = blockRow;
    row.depth = nest_.rows[std::size_t(blockRow)].depth + 1;
    row.name = realize.block->name;
    row.change = nest_.rows[std::size_t(blockRow)].change;
    row.end = int(nest_.rows.size()) + 1;
    // It happens where every reduction axis is at its start: once for all runs of the loops that feed them.
    const auto reduction = bindings_.reductionOf(realize);
    row.runs = nest_.rows[std::size_t(blockRow)].runs;
    for (int at = tree_.nodes()[std::size_t(index)].parent; at != Tree::kNone;
         at = tree_.nodes()[std::size_t(at)].parent) {
      const auto& node = tree_.nodes()[std::size_t(at)];
      if (node.isBlock) continue;
      const auto* loop = ir::as<ir::ForNode>(node.stmt);
      if (reduction.count(loop->var.get()) == 0) continue;
      const std::int64_t extent = ir::constantOr(loop->extent, -1);
      row.runs = extent > 0 && row.runs >= 0 ? row.runs / double(extent) : -1;
    }
    const Done done = doneBy(realize.block->init);
    fillMoved(row, done);
    ++nest_.rows[std::size_t(blockRow)].children;
    nest_.rows.push_back(std::move(row));
  }

  // What software_pipeline_stage, _order and _async_stages say of loops and of what is right below them. Lists of
  // another length than the loop has statements say nothing: there is no kernel of it.
  void readStages() {
    std::vector<NestRow>& rows = nest_.rows;
    const auto numbers = [&](const NestRow& row, const char* key) {
      const ir::Annotations& all = tree_.loop(row.id)->annotations;
      const auto found = all.find(key);
      return found == all.end() ? std::nullopt : lower::numbersOf(found->second);
    };
    std::vector<int> pipelines;
    for (int i = 0; i < int(rows.size()); ++i) {
      if (rows[std::size_t(i)].kind != NestRow::Kind::kLoop) continue;
      const auto stage = numbers(rows[std::size_t(i)], lower::kStage);
      if (!stage || stage->empty() || !numbers(rows[std::size_t(i)], lower::kOrder)) continue;
      rows[std::size_t(i)].stages = *std::ranges::max_element(*stage) + 1;
      rows[std::size_t(i)].annotatesAsync =
          tree_.loop(rows[std::size_t(i)].id)->annotations.count(lower::kAsyncStages) > 0;
      pipelines.push_back(i);
    }
    for (const int i : pipelines) {
      const NestRow& loop = rows[std::size_t(i)];
      const auto stage = *numbers(loop, lower::kStage), order = *numbers(loop, lower::kOrder);
      const auto async = numbers(loop, lower::kAsyncStages).value_or(std::vector<int>{});
      std::vector<int> below;  // by statement: the row
      for (int row = i + 1; row < loop.end; ++row)
        if (rows[std::size_t(row)].parent == i)
          below.insert(below.end(), rows[std::size_t(row)].stages > 0 ? 3 : 1, row);
      if (below.size() != stage.size() || below.size() != order.size()) continue;
      for (std::size_t n = 0; n < below.size(); ++n)
        rows[std::size_t(below[n])].staged.push_back({stage[n], order[n], std::ranges::count(async, stage[n]) > 0});
    }
  }

  // Names of intrinsics are the strings of the lines that tensorize.
  void readIntrinsics(const StatePath& input) {
    for (const auto& lines : input.lines) {
      for (const document::Line& line : lines) {
        if (line.source.find("tensorize(") == std::string::npos) continue;
        const std::size_t to = line.source.find_last_of("\"'");
        const std::size_t from = to == std::string::npos || to == 0 ? to : line.source.find_last_of("\"'", to - 1);
        if (from != std::string::npos && from < to) intrinsics_[line.uid] = line.source.substr(from + 1, to - from - 1);
      }
    }
  }

  // Whether the block or one around it is what the copy engine does.
  bool isOfCopyEngine(int index) const {
    for (int at = index; at != Tree::kNone; at = tree_.nodes()[std::size_t(at)].parent)
      if (const auto& node = tree_.nodes()[std::size_t(at)];
          node.isBlock && tree_.block(node.id)->annotations.count(lower::kCopy) > 0)
        return true;
    return false;
  }

  // The loops around a block, by whether what it does depends on their variables.
  struct LoopsAround {
    std::vector<const ir::ForNode*> used, unused;
  };
  LoopsAround loopsAround(int index) const {
    LoopsAround loops;
    std::unordered_set<const ir::VarNode*> used;
    for (int at = index; at != Tree::kNone; at = tree_.nodes()[std::size_t(at)].parent) {
      const auto& node = tree_.nodes()[std::size_t(at)];
      if (node.isBlock) {
        const auto& realize = *ir::as<ir::BlockRealizeNode>(node.stmt);
        auto uses = [&](const ir::Expr& e) {
          ir::forEachExpr(e, [&](const ir::Expr& x) {
            if (x->kind == ir::ExprKind::Var) used.insert(ir::as<ir::VarNode>(x));
          });
        };
        for (const ir::Expr& value : realize.values) uses(value);
        if (realize.predicate) uses(realize.predicate);
        continue;
      }
      const auto* loop = ir::as<ir::ForNode>(node.stmt);
      (used.count(loop->var.get()) > 0 ? loops.used : loops.unused).push_back(loop);
    }
    return loops;
  }

  // By how many the executions of a block that asks the copy engine are fewer than those of the loops around it: one
  // thread asks for all that the block doesn't tell apart.
  double threadsThatDontAsk(int index) const {
    double threads = 1;
    for (const ir::ForNode* loop : loopsAround(index).unused)
      if (loop->thread.starts_with("threadIdx")) threads *= double(ir::constantOr(loop->extent, 1));
    return threads;
  }

  std::vector<Repetition> repetitionsOf(int index, const Done& done) const {
    std::vector<Repetition> repeated;
    // Seen by other threads (registers are each thread's own), and by other blocks.
    bool seen = false, seenByAll = false;
    bool ofWarp = false;  // its lanes hold a fragment together: none of them repeats what another does
    for (const Done::Bytes& b : done.bytes) {
      seen = seen || (b.write && levelOf(*b.buffer) != MemoryLevel::kRegisters);
      seenByAll = seenByAll || (b.write && levelOf(*b.buffer) == MemoryLevel::kGlobal);
      ofWarp = ofWarp || layout::isFragmentScope(b.buffer->scope);
    }
    auto threads = threads_.find(kernelOf(index));
    // Of what is no kernel nobody can say which threads lowering would let stand for others. Who asks the copy engine
    // is one thread that goes on at once: nobody repeats or waits for its work.
    if (!seen || noKernel_ || threads == threads_.end() || isOfCopyEngine(index)) return repeated;
    // A copy below others' loops may use none of them.
    std::set<std::string> around;
    for (const ir::ForNode* loop : loopsAround(index).used) around.insert(loop->thread);
    const auto found = guarded_.find(tree_.nodes()[std::size_t(index)].id);
    const int guarded = found == guarded_.end() ? 0 : found->second;
    for (const auto& [thread, extent] : threads->second) {
      const bool ofBlocks = !thread.starts_with("threadIdx");
      if (!seenByAll && ofBlocks) continue;
      if (thread == "threadIdx.x" && ofWarp) continue;
      const int bit = (ofBlocks ? 3 : 0) + (thread.back() - 'x');
      if (around.count(thread) == 0 && extent > 1) repeated.push_back({thread, extent, (guarded >> bit & 1) != 0});
    }
    return repeated;
  }

  const State& state_;
  const Tree& tree_;
  std::map<std::uint32_t, std::string> intrinsics_;  // by uid of the step
  Bindings bindings_;
  Ancestors ancestors_;
  std::map<ir::Id, std::string> printed_, handles_;
  std::map<ir::Id, NestChange> change_;
  std::map<ir::Id, double> tensorFlops_;
  std::map<ir::Id, std::uint8_t> guarded_;  // of blocks that write: device::Axes of which the first stands for all
  std::unordered_set<const ir::VarNode*> reductions_;
  std::map<int, std::map<std::string, std::int64_t>> threads_;  // by kernel, by axis
  const device::Program* program_ = nullptr;                    // null: the state is no kernel
  bool noKernel_ = false;
  LoopNest nest_;
};

bool isPlain(const NestRow& row) {
  return row.kind == NestRow::Kind::kLoop &&
         (row.axis == HardwareAxis::kSerial || row.axis == HardwareAxis::kReduction);
}

}  // namespace

MemoryLevel levelOf(const ir::BufferNode& buffer) {
  if (buffer.scope == "global" || buffer.scope.empty()) return MemoryLevel::kGlobal;
  return buffer.scope.rfind("shared", 0) == 0 ? MemoryLevel::kShared : MemoryLevel::kRegisters;
}

int LoopNest::find(ir::Id id) const {
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (rows[i].id == id && rows[i].kind != NestRow::Kind::kInit) return int(i);
  }
  return -1;
}

const LoopNest& nestOf(const Program& program) {
  return program.views.get<LoopNest>([] { return LoopNest{}; });
}

LoopNest loopNestOf(const StatePath& input, const document::KernelText* kernel) {
  const State* before = input.path.size() > 1 ? &input.path[input.path.size() - 2] : nullptr;
  return NestBuilder(input, input.path.back(), before, kernel).build();
}

std::vector<NestLine> nestLines(const LoopNest& nest, bool fold, const std::vector<ir::Id>& open) {
  return nestLines(nest, [&](const NestRow& row) {
    return fold && row.change == NestChange::kNone && std::find(open.begin(), open.end(), row.id) == open.end();
  });
}

std::vector<NestLine> nestLines(const LoopNest& nest, const std::function<bool(const NestRow&)>& isShut) {
  const auto& rows = nest.rows;
  auto shut = [&](int i) { return isShut(rows[std::size_t(i)]); };
  auto onlyChild = [&](int i) { return rows[std::size_t(i)].children == 1 && i + 1 < int(rows.size()); };
  std::vector<NestLine> lines;
  for (int i = 0; i < int(rows.size());) {
    NestLine line{i, i};
    if (rows[std::size_t(i)].kind == NestRow::Kind::kLoop && shut(i)) {
      // To the block at the end of the chain.
      int end = i;
      while (rows[std::size_t(end)].kind == NestRow::Kind::kLoop && onlyChild(end) && shut(end + 1)) ++end;
      const NestRow& last = rows[std::size_t(end)];
      if (last.kind == NestRow::Kind::kBlock && last.children == 0) {
        line.last = end;
      } else if (isPlain(rows[std::size_t(i)])) {
        while (onlyChild(line.last) && isPlain(rows[std::size_t(line.last) + 1]) && shut(line.last + 1)) ++line.last;
      }
    }
    i = line.last + 1;
    lines.push_back(line);
  }
  return lines;
}

}  // namespace loom::session
