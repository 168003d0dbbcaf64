#include "app/workbench/loop_nest.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <unordered_map>
#include <unordered_set>

#include "core/ir/build.h"
#include "core/ir/visit.h"
#include "core/model/access.h"

namespace loom::workbench {

using schedule::State;
using schedule::Tree;

namespace {

Axis axisOf(const ir::ForNode& loop, bool reduction) {
  if (loop.forKind == ir::ForKind::Vectorized) return Axis::kVectorized;
  if (loop.forKind == ir::ForKind::Unrolled) return Axis::kUnrolled;
  if (loop.forKind == ir::ForKind::ThreadBinding) {
    const std::string& thread = loop.thread;
    if (thread.rfind("blockIdx", 0) == 0) return Axis::kBlock;
    if (thread == "threadIdx.x") return Axis::kThreadX;
    if (thread == "threadIdx.y") return Axis::kThreadY;
    if (thread == "threadIdx.z") return Axis::kThreadZ;
    return Axis::kVirtualThread;
  }
  return reduction ? Axis::kReduction : Axis::kSerial;
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

// What one execution of a statement does.
struct Done {
  struct Bytes {
    const ir::BufferNode* buffer = nullptr;
    bool write = false;
    double bytes = 0;
  };
  std::vector<Bytes> bytes;
  double flops = 0;
  bool opaque = false;  ///< calls something that reads and writes by itself

  void add(const ir::BufferNode* buffer, bool write, double count) {
    for (Bytes& b : bytes) {
      if (b.buffer == buffer && b.write == write) {
        b.bytes += count;
        return;
      }
    }
    bytes.push_back({buffer, write, count});
  }
};

class Counter : public ir::Visitor {
 public:
  explicit Counter(Done& done) : done_(done) {}

 protected:
  void visitFor(const ir::ForNode& n) override {
    const double outer = times_;
    times_ *= static_cast<double>(ir::constantOr(n.extent, 1));
    visit(n.body);
    times_ = outer;
  }
  void visitBinary(const ir::BinaryNode& n) override {
    using ir::ExprKind;
    const bool arithmetic = n.kind == ExprKind::Add || n.kind == ExprKind::Sub || n.kind == ExprKind::Mul ||
                            n.kind == ExprKind::Div || n.kind == ExprKind::Min || n.kind == ExprKind::Max;
    if (arithmetic && n.dtype.isFloat()) done_.flops += times_ * n.dtype.lanes;
    Visitor::visitBinary(n);
  }
  void visitLoad(const ir::LoadNode& n) override {
    done_.add(n.buffer.get(), false, times_ * n.dtype.lanes * n.buffer->dtype.bytes());
    Visitor::visitLoad(n);
  }
  void visitStore(const ir::StoreNode& n) override {
    done_.add(n.buffer.get(), true, times_ * n.value->dtype.lanes * n.buffer->dtype.bytes());
    Visitor::visitStore(n);
  }
  void visitEvaluate(const ir::EvaluateNode& n) override {
    done_.opaque = done_.opaque || n.value->kind == ir::ExprKind::Call;
  }

 private:
  Done& done_;
  double times_ = 1;
};

double elementsOf(const std::vector<ir::Range>& region) {
  double count = 1;
  for (const ir::Range& range : region) {
    const std::int64_t extent = ir::constantOr(range.extent, -1);
    if (extent < 0) return -1;
    count *= static_cast<double>(extent);
  }
  return count;
}

Done doneBy(const ir::BlockNode& block) {
  Done done;
  Counter(done).visit(block.body);
  if (!done.opaque) return done;
  // The body hides what it touches; the block says it.
  done.bytes.clear();
  auto take = [&](const std::vector<ir::BufferRegion>& regions, bool write) {
    for (const ir::BufferRegion& r : regions) {
      const double elements = elementsOf(r.region);
      done.bytes.push_back({r.buffer.get(), write, elements < 0 ? -1 : elements * r.buffer->dtype.bytes()});
    }
  };
  take(block.reads, false);
  take(block.writes, true);
  return done;
}

void fillMoved(NestRow& row, const Done& done) {
  for (const Done::Bytes& b : done.bytes) {
    MovedBytes moved{b.buffer->id, b.buffer->name, levelOf(*b.buffer), b.write, -1};
    if (b.bytes >= 0 && row.runs >= 0) moved.bytes = b.bytes * row.runs;
    row.moved.push_back(std::move(moved));
  }
  const MovedBytes* read = nullptr;
  const MovedBytes* written = nullptr;
  int reads = 0, writes = 0;
  double outside = 0;
  bool known = row.runs >= 0;
  for (const MovedBytes& m : row.moved) {
    (m.write ? written : read) = &m;
    (m.write ? writes : reads) += 1;
    known = known && m.bytes >= 0;
    if (m.level != Level::kRegister) outside += m.bytes;
  }
  const bool copies = reads == 1 && writes == 1 && done.flops == 0 && read->buffer != written->buffer;
  if (copies && (read->level != written->level || read->level != Level::kRegister)) {
    row.copy = true;
    row.source = read->level;
    row.target = written->level;
  }
  if (row.kind == NestRow::Kind::kInit && written != nullptr) {
    row.copy = true;
    row.source = Level::kRegister;
    row.target = written->level;
  }
  if (known && row.copy) {
    row.bytes = std::max(read != nullptr ? read->bytes : 0, written->bytes);
  } else if (known && outside > 0) {
    row.bytes = outside;
  }
}

// An integer or boolean expression of loop variables at their values; nothing for what it can't tell.
std::optional<std::int64_t> valueAt(const ir::Expr& e,
                                    const std::unordered_map<const ir::VarNode*, std::int64_t>& values) {
  using ir::ExprKind;
  if (const auto* number = ir::asInt(e)) return number->value;
  if (const auto* var = ir::asVar(e)) {
    auto at = values.find(var);
    return at == values.end() ? std::nullopt : std::optional(at->second);
  }
  if (e->kind < ExprKind::Add || e->kind > ExprKind::Or) return std::nullopt;
  const auto& n = *ir::as<ir::BinaryNode>(e);
  const auto left = valueAt(n.a, values), right = valueAt(n.b, values);
  if (!left || !right) return std::nullopt;
  const std::int64_t a = *left, b = *right;
  switch (e->kind) {
    case ExprKind::Add: return a + b;
    case ExprKind::Sub: return a - b;
    case ExprKind::Mul: return a * b;
    case ExprKind::FloorDiv:
    case ExprKind::FloorMod: {
      if (b <= 0) return std::nullopt;
      const std::int64_t rest = (a % b + b) % b;
      return e->kind == ExprKind::FloorMod ? rest : (a - rest) / b;
    }
    case ExprKind::Min: return std::min(a, b);
    case ExprKind::Max: return std::max(a, b);
    case ExprKind::EQ: return a == b;
    case ExprKind::NE: return a != b;
    case ExprKind::LT: return a < b;
    case ExprKind::LE: return a <= b;
    case ExprKind::GT: return a > b;
    case ExprKind::GE: return a >= b;
    case ExprKind::And: return a != 0 && b != 0;
    case ExprKind::Or: return a != 0 || b != 0;
    default: return std::nullopt;
  }
}

constexpr std::int64_t kMostTried = 1 << 16;

// The share of the loops' runs in which the predicate of a block holds, found by trying all; nothing where there are
// too many.
std::optional<double> shareOf(const ir::Expr& predicate, const Tree& tree, int index) {
  if (ir::constantOr(predicate, 0) == 1) return 1.0;
  std::vector<const ir::ForNode*> loops;
  std::int64_t all = 1;
  for (int at = tree.nodes()[std::size_t(index)].parent; at != Tree::kNone; at = tree.nodes()[std::size_t(at)].parent) {
    const auto& node = tree.nodes()[std::size_t(at)];
    if (node.isBlock) continue;
    const auto* loop = ir::as<ir::ForNode>(node.stmt);
    if (!ir::usesVar(predicate, [&](const ir::VarNode* var) { return var == loop->var.get(); })) continue;
    const std::int64_t extent = ir::constantOr(loop->extent, -1);
    if (extent <= 0 || all > kMostTried / extent) return std::nullopt;
    all *= extent;
    loops.push_back(loop);
  }
  std::int64_t held = 0;
  std::unordered_map<const ir::VarNode*, std::int64_t> values;
  for (std::int64_t i = 0; i < all; ++i) {
    std::int64_t rest = i;
    for (const ir::ForNode* loop : loops) {
      const std::int64_t extent = ir::constantOr(loop->extent, 1);
      values[loop->var.get()] = ir::constantOr(loop->min, 0) + rest % extent;
      rest /= extent;
    }
    const auto holds = valueAt(predicate, values);
    if (!holds) return std::nullopt;
    held += *holds != 0;
  }
  return double(held) / double(all);
}

// Names that the script prints, and names that the schedule has given.
std::map<ir::Id, std::string> printedNames(const script::Script& script) {
  std::vector<std::size_t> starts{0};
  for (std::size_t i = 0; i < script.text.size(); ++i) {
    if (script.text[i] == '\n') starts.push_back(i + 1);
  }
  std::map<ir::Id, std::string> names;
  for (const script::Span& span : script.spans) {
    if (span.what != script::Span::What::Loop || span.line0 != span.line1) continue;
    names.emplace(span.id, script.text.substr(starts[std::size_t(span.line0)] + std::size_t(span.col0),
                                              std::size_t(span.col1 - span.col0)));
  }
  return names;
}

std::map<ir::Id, std::string> handleNames(const NestInput& input) {
  std::map<ir::Id, std::string> names;
  const State& state = input.path.back();
  for (const auto& lines : input.lines) {
    for (const document::Line& line : lines) {
      auto calls = script::parseSchedule(line.source, "");
      if (!calls) continue;
      for (const script::StepCall& call : *calls) {
        for (const script::StepTarget& target : call.targets) {
          const State::Binding* binding = state.lookup(target.name);
          for (std::size_t i = 0; binding != nullptr && i < binding->handles.size(); ++i) {
            const schedule::Handle& handle = binding->handles[i];
            const auto* block = std::get_if<schedule::BlockRef>(&handle);
            const auto* loop = std::get_if<schedule::LoopRef>(&handle);
            const ir::Id id = block != nullptr ? block->id : loop != nullptr ? loop->id : ir::Id{};
            if (id && state.tree().contains(id)) {
              names[id] = binding->isList ? target.name + "[" + std::to_string(i) + "]" : target.name;
            }
          }
        }
      }
    }
  }
  return names;
}

Ancestry::Source sourceOf(const State& state, ir::Id id) {
  const Tree& tree = state.tree();
  if (tree.isBlock(id)) return {tree.block(id)->name, -1};
  const ir::For loop = tree.loop(id);
  return {loop->var->name, ir::constantOr(loop->extent, -1)};
}

class Builder {
 public:
  Builder(const NestInput& input, const State& state, const State* before, const document::KernelText* kernel)
      : input_(input), state_(state), tree_(state.tree()), bindings_(state.tree()) {
    for (std::size_t i = 0; i < input.lines.size(); ++i) {
      for (const document::Line& line : input.lines[i]) stepOf_[line.uid] = int(i);
    }
    printed_ = printedNames(*input.script);
    handles_ = handleNames(input);
    if (before != nullptr) {
      const schedule::Changes changes = schedule::changes(*before, state);
      for (ir::Id id : changes.modified) change_[id] = NestChange::kModified;
      for (ir::Id id : changes.added) change_[id] = NestChange::kNew;
      nest_.removed = changes.removed;
    }
    if (kernel != nullptr && kernel->program) readKernel(*kernel->program);
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
    return std::move(nest_);
  }

 private:
  void readKernel(const device::Program& program) {
    for (const device::Kernel& kernel : program.kernels) {
      const model::KernelAccesses accesses = model::accessesOf(kernel);
      for (const model::Work& work : accesses.work) {
        if (work.tensorFlops > 0) tensorFlops_[work.block] += work.tensorFlops;
      }
      for (const model::Access& access : accesses.accesses) {
        if (!access.write) continue;
        for (const model::Guard& guard : access.guards) {
          if (guard.uncovered) guarded_.insert(access.block);
        }
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
      if (loop->forKind != ir::ForKind::ThreadBinding || loop->thread.rfind("vthread", 0) == 0) continue;
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
    if (loop->forKind == ir::ForKind::ThreadBinding && !loop->thread.empty()) row.component = loop->thread.back();
    row.extent = ir::constantOr(loop->extent, -1);
    if (loop->forKind == ir::ForKind::ThreadBinding && loop->thread.rfind("vthread", 0) != 0) {
      for (int above = node.parent; above != Tree::kNone; above = tree_.nodes()[std::size_t(above)].parent) {
        const auto& outer = tree_.nodes()[std::size_t(above)];
        row.sameThreads |= !outer.isBlock && ir::as<ir::ForNode>(outer.stmt)->thread == loop->thread;
      }
    }
    row.runs = runs < 0 || row.extent < 0 ? -1 : row.sameThreads ? runs : runs * double(row.extent);
    row.from = ancestryOf(node.id);
  }

  void addBlock(int index, int at, double runs) {
    const auto& node = tree_.nodes()[std::size_t(index)];
    const auto& realize = *ir::as<ir::BlockRealizeNode>(node.stmt);
    const ir::BlockNode& block = *realize.block;
    NestRow& row = nest_.rows[std::size_t(at)];
    begin(row, node.id);
    row.kind = NestRow::Kind::kBlock;
    row.name = block.name;
    const auto share = shareOf(realize.predicate, tree_, index);
    row.runs = share && runs >= 0 ? runs * *share : -1;
    row.from = ancestryOf(node.id);
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
    Done done;
    Counter(done).visit(realize.block->init);
    fillMoved(row, done);
    ++nest_.rows[std::size_t(blockRow)].children;
    nest_.rows.push_back(std::move(row));
  }

  std::vector<Repetition> repetitionsOf(int index, const Done& done) const {
    std::vector<Repetition> repeated;
    bool seen = false;  // by other threads: registers are each thread's own
    for (const Done::Bytes& b : done.bytes) seen = seen || (b.write && levelOf(*b.buffer) != Level::kRegister);
    auto threads = threads_.find(kernelOf(index));
    if (!seen || threads == threads_.end()) return repeated;
    std::set<std::string> around;
    for (int at = index; at != Tree::kNone; at = tree_.nodes()[std::size_t(at)].parent) {
      const auto& node = tree_.nodes()[std::size_t(at)];
      if (!node.isBlock) around.insert(ir::as<ir::ForNode>(node.stmt)->thread);
    }
    const bool guarded = guarded_.count(tree_.nodes()[std::size_t(index)].id) != 0;
    for (const auto& [thread, extent] : threads->second) {
      if (around.count(thread) == 0 && extent > 1) repeated.push_back({thread, extent, guarded});
    }
    return repeated;
  }

  std::vector<Ancestry> ancestryOf(ir::Id id) const {
    std::vector<Ancestry> from;
    for (const schedule::Origin* origin = state_.origin(id); origin != nullptr; origin = state_.origin(id)) {
      auto at = stepOf_.find(origin->step);
      if (at == stepOf_.end() || at->second == 0) break;
      const State& before = input_.path[std::size_t(at->second) - 1];
      const State& after = input_.path[std::size_t(at->second)];
      Ancestry link;
      link.primitive = origin->primitive;
      link.step = at->second;
      for (ir::Id parent : origin->parents) {
        if (before.tree().contains(parent)) link.sources.push_back(sourceOf(before, parent));
      }
      for (const auto& node : after.tree().nodes()) {
        const schedule::Origin* other = node.id.step == id.step && !node.isBlock ? after.origin(node.id) : nullptr;
        if (other == nullptr || other->parents != origin->parents) continue;
        if (node.id == id) link.mine = int(link.results.size());
        link.results.push_back(ir::constantOr(ir::as<ir::ForNode>(node.stmt)->extent, -1));
      }
      from.push_back(std::move(link));
      if (origin->parents.empty() || origin->parents.front() == id) break;
      id = origin->parents.front();
    }
    std::reverse(from.begin(), from.end());
    return from;
  }

  const NestInput& input_;
  const State& state_;
  const Tree& tree_;
  Bindings bindings_;
  std::map<std::uint32_t, int> stepOf_;
  std::map<ir::Id, std::string> printed_, handles_;
  std::map<ir::Id, NestChange> change_;
  std::map<ir::Id, double> tensorFlops_;
  std::set<ir::Id> guarded_;
  std::unordered_set<const ir::VarNode*> reductions_;
  std::map<int, std::map<std::string, std::int64_t>> threads_;  // by kernel, by axis
  LoopNest nest_;
};

bool isPlain(const NestRow& row) {
  return row.kind == NestRow::Kind::kLoop && (row.axis == Axis::kSerial || row.axis == Axis::kReduction);
}

}  // namespace

Level levelOf(const ir::BufferNode& buffer) {
  if (buffer.scope == "global" || buffer.scope.empty()) return Level::kGlobal;
  return buffer.scope.rfind("shared", 0) == 0 ? Level::kShared : Level::kRegister;
}

int LoopNest::find(ir::Id id) const {
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (rows[i].id == id && rows[i].kind != NestRow::Kind::kInit) return int(i);
  }
  return -1;
}

NestInput nestInput(const document::History& history, int node) {
  NestInput input;
  for (int at : history.path(node)) {
    const document::Node& n = history.node(at);
    input.path.push_back(n.state);
    input.lines.push_back(n.lines);
    auto& lines = input.lines.back();
    lines.insert(lines.end(), n.trailing.begin(), n.trailing.end());
  }
  input.script = history.node(node).script;
  return input;
}

LoopNest loopNestOf(const NestInput& input, const document::KernelText* kernel) {
  const State* before = input.path.size() > 1 ? &input.path[input.path.size() - 2] : nullptr;
  return Builder(input, input.path.back(), before, kernel).build();
}

LoopNest previewNest(const NestInput& input, const State& next) {
  return Builder(input, next, &input.path.back(), nullptr).build();
}

std::vector<NestLine> nestLines(const LoopNest& nest, bool fold, const std::vector<ir::Id>& open) {
  const auto& rows = nest.rows;
  auto shut = [&](int i) {
    const NestRow& row = rows[std::size_t(i)];
    return row.change == NestChange::kNone && std::find(open.begin(), open.end(), row.id) == open.end();
  };
  auto onlyChild = [&](int i) { return rows[std::size_t(i)].children == 1 && i + 1 < int(rows.size()); };
  std::vector<NestLine> lines;
  for (int i = 0; i < int(rows.size());) {
    NestLine line{i, i};
    if (fold && rows[std::size_t(i)].kind == NestRow::Kind::kLoop && shut(i)) {
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

}  // namespace loom::workbench
