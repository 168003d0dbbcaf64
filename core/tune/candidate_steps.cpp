#include "core/tune/candidate_steps.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "core/ir/build.h"
#include "core/ir/visit.h"
#include "core/schedule/step_recorder.h"
#include "core/tune/loop_menu.h"
#include "core/tune/pipeline_steps.h"
#include "core/tune/slice_steps.h"
#include "core/tune/split_variants.h"
#include "core/tune/warpgroup_steps.h"

namespace loom::tune {

namespace {

using schedule::Handle;
using schedule::List;
using schedule::LoopRef;
using schedule::StepRecorder;
using schedule::Value;

constexpr const char* kThreads[] = {"threadIdx.x", "threadIdx.y", "threadIdx.z"};
constexpr std::int64_t kLongestVector = 8;  // elements: 16 bytes of float16

std::optional<ir::Id> loopOf(const Handle& handle) {
  const auto* loop = std::get_if<LoopRef>(&handle);
  return loop ? std::optional(loop->id) : std::nullopt;
}

// A step with its required arguments; the others as they are by default.
std::optional<schedule::Handles> apply(StepRecorder& lines, const char* primitive, std::vector<Value> first,
                                       const std::vector<std::string>& results = {}) {
  const StepForm form(*schedule::findInstruction(primitive));
  std::vector<Value> values = std::move(first);
  for (std::size_t i = values.size(); i < form.values.size(); ++i) {
    if (!form.values[i]) return std::nullopt;
    values.push_back(*form.values[i]);
  }
  return lines.apply(primitive, values, results);
}

// Whether no statement depends on two loops that are bound to one axis: the engine takes that, as TVM does, but only
// the iterations in which both loops are at the same place would be done.
bool bindsOnce(const schedule::State& state) {
  struct Finds : ir::Visitor {
    std::set<const ir::VarNode*> used;
    void visitVar(const ir::VarNode& v) override { used.insert(&v); }
  };
  const auto& nodes = state.tree().nodes();
  for (const auto& node : nodes) {
    if (!node.isBlock) continue;
    Finds finds;  // of its place, and of the blocks around it
    std::map<std::string, const ir::VarNode*> bound;
    for (int above = int(&node - nodes.data()); above >= 0; above = nodes[std::size_t(above)].parent) {
      const auto& other = nodes[std::size_t(above)];
      if (other.isBlock) {
        for (const ir::Expr& value : ir::as<ir::BlockRealizeNode>(other.stmt)->values) finds.visit(value);
        continue;
      }
      const ir::ForNode* loop = ir::asFor(other.stmt);
      if (loop->forKind != ir::ForKind::ThreadBinding || !finds.used.contains(loop->var.get())) continue;
      if (!bound.emplace(loop->thread, loop->var.get()).second) return false;
    }
  }
  return true;
}

class Tries {
 public:
  Tries(const document::History& history, int node, const schedule::Environment& environment,
        const std::array<std::int64_t, 3>& threads, const std::atomic<bool>& stop, const model::Device* device)
      : state_(history.node(node).state),
        tree_(state_.tree()),
        node_(node),
        environment_(environment),
        threads_(threads),
        stop_(stop),
        device_(device) {}

  std::vector<CandidateStep> all(const document::History& history) {
    const auto each = [&](bool blocks, auto tryOut) {
      for (const auto& node : tree_.nodes())
        if (!stop_ && node.isBlock == blocks && node.parent != schedule::Tree::kNone) tryOut(node.id);
    };
    if (device_ != nullptr)
      for (CandidateStep& step : warpgroupSteps(history, node_, environment_, *device_, stop_)) keep(std::move(step));
    if (device_ != nullptr)
      for (CandidateStep& step : sliceSteps(history, node_, environment_, *device_, stop_)) keep(std::move(step));
    for (CandidateStep& step : pipelineSteps(history, node_, environment_, stop_)) keep(std::move(step));
    each(true, [&](ir::Id block) {
      shareOut(block);
      spread(block);
      pad(block);
    });
    each(false, [&](ir::Id loop) { piece(loop); });
    for (CandidateStep& edit : editedSplits(history, node_, environment_, threads_, stop_)) keep(std::move(edit));
    for (const auto& node : tree_.nodes()) {
      if (!stop_ && node.parent != schedule::Tree::kNone) offers(node.id);
    }
    return std::move(tried_);
  }

 private:
  StepRecorder begin() const { return {state_, environment_}; }

  void keep(CandidateStep step) {
    if (!bindsOnce(step.state)) return;
    countThreads(step);
    if (known_.insert({step.at, step.lines}).second) tried_.push_back(std::move(step));
  }

  void keep(const StepRecorder& lines, std::vector<std::string> primitives, ir::Id of) {
    std::vector<std::string> blocks;
    if (tree_.isBlock(of)) {
      blocks.push_back(tree_.block(of)->name);
    } else {
      for (const ir::Id block : tree_.childBlocks(of)) blocks.push_back(tree_.block(block)->name);
    }
    keep({node_, -1, lines.text(), lines.text(), std::move(primitives), std::move(blocks), lines.state(), 1, 1, false});
  }

  // What the menu of the loop or block offers.
  void offers(ir::Id id) {
    for (const StepForm& form : offersOf(state_, environment_, id, stop_)) {
      std::vector<Value> values;
      for (const auto& value : form.values) values.push_back(*value);
      StepRecorder lines = begin();
      if (lines.apply(form.row->name, values)) keep(lines, {std::string(form.row->name)}, id);
    }
  }

  bool isSerial(ir::Id loop) const { return tree_.loop(loop)->forKind == ir::ForKind::Serial; }
  std::int64_t extentOf(ir::Id loop) const { return ir::constantOr(tree_.loop(loop)->extent, 0); }

  // The inner or outer part of a loop bound, vectorized, unrolled.
  void piece(ir::Id loop) {
    if (!isSerial(loop)) return;
    const std::int64_t extent = extentOf(loop);
    for (std::int64_t length = 2; length < extent && length <= 1024; length *= 2) {
      if (stop_ || extent % length != 0) continue;
      StepRecorder parts = begin();
      const auto made = apply(parts, "split", {schedule::loopValue(loop), Value{List{Value{}, Value{length}}}},
                              {tree_.loop(loop)->var->name + "_0", tree_.loop(loop)->var->name + "_1"});
      if (!made || made->size() != 2) continue;
      for (const char* axis : {"threadIdx.x", "threadIdx.y"}) {
        StepRecorder lines = parts;
        if (apply(lines, "bind", {Value{(*made)[1]}, Value{std::string(axis)}})) keep(lines, {"split", "bind"}, loop);
      }
      for (const char* axis : {"blockIdx.x", "blockIdx.y", "blockIdx.z"}) {
        StepRecorder lines = parts;
        if (apply(lines, "bind", {Value{(*made)[0]}, Value{std::string(axis)}})) keep(lines, {"split", "bind"}, loop);
      }
      for (const char* kind : {"vectorize", "unroll"}) {
        if (length > (kind[0] == 'v' ? kLongestVector : 32)) continue;
        StepRecorder lines = parts;
        if (apply(lines, kind, {Value{(*made)[1]}})) keep(lines, {"split", kind}, loop);
      }
    }
  }

  // The innermost loops above a block that run one after another in each thread, outermost first.
  std::vector<ir::Id> serialLoops(ir::Id block) const {
    std::vector<ir::Id> loops = tree_.loopsAbove(block);
    auto first = loops.end();
    while (first != loops.begin() && isSerial(*(first - 1)) && extentOf(*(first - 1)) > 0 &&
           tree_.children(*(first - 1)).size() == 1)
      --first;
    loops.erase(loops.begin(), first);
    return loops;
  }

  std::optional<ir::Id> fused(StepRecorder& lines, const std::vector<ir::Id>& loops) const {
    if (loops.size() == 1) return loops[0];
    List list;
    for (const ir::Id loop : loops) list.push_back(schedule::loopValue(loop));
    const auto made = lines.apply("fuse", {Value{list}, Value{true}}, {"fused"});
    return made && made->size() == 1 ? loopOf((*made)[0]) : std::nullopt;
  }

  // A copy whose elements all threads of a block share: fuse, split, bind, vectorize.
  void shareOut(ir::Id block) {
    const std::vector<ir::Id> loops = serialLoops(block);
    std::int64_t elements = 1, threads = 1;
    for (const ir::Id loop : loops) elements *= extentOf(loop);
    for (const std::int64_t extent : threads_) threads *= extent;
    if (loops.empty() || threads < 2 || elements < 2) return;
    for (std::int64_t vector = 1; vector <= kLongestVector && !stop_; vector *= 2) {
      StepRecorder lines = begin();
      const auto all = fused(lines, loops);
      if (!all) return;
      List factors{Value{}};
      std::vector<std::string> names{"each"};
      for (int axis = 2; axis >= 0; --axis) {
        if (threads_[std::size_t(axis)] < 2) continue;
        factors.push_back(Value{threads_[std::size_t(axis)]});
        names.push_back(std::string("t") + "xyz"[axis]);
      }
      if (vector > 1) {
        factors.push_back(Value{vector});
        names.emplace_back("vec");
      }
      if (elements % (threads * vector) != 0) return;
      const auto parts = apply(lines, "split", {schedule::loopValue(*all), Value{factors}}, names);
      if (!parts || parts->size() != factors.size()) return;
      bool done = true;
      std::size_t at = 1;
      for (int axis = 2; axis >= 0; --axis) {
        if (threads_[std::size_t(axis)] < 2) continue;
        done = done && apply(lines, "bind", {Value{(*parts)[at++]}, Value{std::string(kThreads[axis])}});
      }
      if (vector > 1) done = done && apply(lines, "vectorize", {Value{parts->back()}});
      if (done) keep(lines, {"fuse", "split", "bind", "vectorize"}, block);
    }
  }

  // A program on one thread: its outermost loops that carry no sum become blocks and threads.
  void spread(ir::Id block) {
    if (threads_ != std::array<std::int64_t, 3>{1, 1, 1}) return;
    std::vector<ir::Id> loops = tree_.loopsAbove(block);
    if (loops.empty()) return;
    for (std::int64_t length = 32; length <= 1024 && !stop_; length *= 2) {
      for (std::size_t count = loops.size(); count >= 1; --count) {
        StepRecorder lines = begin();
        const auto all = fused(lines, {loops.begin(), loops.begin() + std::ptrdiff_t(count)});
        if (!all) continue;
        const auto parts =
            apply(lines, "split", {schedule::loopValue(*all), Value{List{Value{}, Value{length}}}}, {"bx", "tx"});
        if (!parts || parts->size() != 2) continue;
        const bool bound = apply(lines, "bind", {Value{(*parts)[0]}, Value{std::string("blockIdx.x")}}) &&
                           apply(lines, "bind", {Value{(*parts)[1]}, Value{std::string("threadIdx.x")}});
        if (bound) keep(lines, {"fuse", "split", "bind"}, block);
      }
    }
  }

  // Rows of what the block writes, where that is shared memory.
  void pad(ir::Id block) {
    const auto& writes = tree_.block(block)->writes;
    if (writes.size() != 1 || writes[0].buffer->scope.rfind("shared", 0) != 0 || writes[0].buffer->shape.size() < 2)
      return;
    for (const auto& [factor, offset] :
         {std::pair{16, 8}, {32, 4}, {32, 8}, {32, 16}, {64, 8}, {8, 4}, {4, 2}, {2, 1}}) {
      StepRecorder lines = begin();
      const std::vector<Value> values = {schedule::blockValue(block), Value{std::int64_t{0}}, Value{std::int64_t{-2}},
                                         Value{std::int64_t{factor}}, Value{std::int64_t{offset}}};
      if (!stop_ && lines.apply("storage_align", values)) keep(lines, {"storage_align"}, block);
    }
  }

  const schedule::State& state_;
  const schedule::Tree& tree_;
  const int node_;
  const schedule::Environment& environment_;
  const std::array<std::int64_t, 3> threads_;
  const std::atomic<bool>& stop_;
  const model::Device* device_;  // null: any
  std::vector<CandidateStep> tried_;
  std::set<std::pair<int, std::string>> known_;
};

Message nameOf(PipelineMove move) {
  switch (move) {
    case PipelineMove::Overlap: return message("Overlap copies with products");
    case PipelineMove::Asynchronous: return message("asynchronous copies");
    case PipelineMove::Slot: return message("one slot more");
    case PipelineMove::Order: return message("products first");
    case PipelineMove::Fragments: return message("fragments read ahead");
    case PipelineMove::Unroll: return message("the ring unrolled");
    case PipelineMove::Swizzle: return message("swizzle instead of padding");
    case PipelineMove::MmaSync: return message("ldmatrix and mma.sync instead of wmma");
    case PipelineMove::Slices: return message("slices of k across a cluster");
    case PipelineMove::Ring: return message("another number of slots");
    case PipelineMove::Warpgroups: return message("TMA and wgmma");
    case PipelineMove::InFlight: return message("products on their way");
    case PipelineMove::Loaders: return message("warps that load");
    case PipelineMove::Tile: return message("another tile");
    case PipelineMove::Registers: return message("registers by role");
    case PipelineMove::Persistent: return message("blocks that stay");
    case PipelineMove::Raster: return message("another order of tiles");
    case PipelineMove::Staged: return message("sums stored by the copy engine");
    case PipelineMove::Turns: return message("tiles that two warpgroups take in turns");
    case PipelineMove::Early: return message("first tiles asked for early");
    case PipelineMove::Cluster: return message("tiles that two blocks bring each other");
  }
  return {};
}

}  // namespace

Message titleOf(const CandidateStep& step) {
  Message title;
  for (const PipelineMove move : step.moves)
    title = title.empty() ? nameOf(move) : message("{} + {}", std::move(title), nameOf(move));
  if (!title.empty()) return title;
  if (step.joint) return message("Steps against several findings at once");
  if (step.edited >= 0) return message("Other arguments of a past step, and the steps after it");
  return message("Advice: {}", verbatim(fmt::format("{}", fmt::join(step.primitives, ", "))));
}

bool CandidateStep::uses(std::string_view primitive) const {
  return std::find(primitives.begin(), primitives.end(), primitive) != primitives.end();
}

bool CandidateStep::concerns(const std::string& block) const {
  return blocks.empty() || std::find(blocks.begin(), blocks.end(), block) != blocks.end();
}

bool CandidateStep::makes(PipelineMove move) const {
  return std::find(moves.begin(), moves.end(), move) != moves.end();
}

void countThreads(CandidateStep& step) {
  std::map<std::string, std::int64_t> lengths;
  for (const auto& node : step.state.tree().nodes()) {
    const ir::ForNode* loop = node.isBlock ? nullptr : ir::asFor(node.stmt);
    if (loop == nullptr || loop->forKind != ir::ForKind::ThreadBinding) continue;
    std::int64_t& length = lengths[loop->thread];
    length = std::max(length, ir::constantOr(loop->extent, 1));
  }
  step.grid = step.threads = 1;
  for (const auto& [axis, length] : lengths) {
    if (axis.rfind("blockIdx", 0) == 0) step.grid *= length;
    if (axis.rfind("threadIdx", 0) == 0) step.threads *= length;
  }
}

std::vector<CandidateStep> candidateSteps(const document::History& history, int node,
                                          const schedule::Environment& environment,
                                          const std::array<std::int64_t, 3>& threads, const std::atomic<bool>& stop,
                                          const model::Device* device) {
  return Tries(history, node, environment, threads, stop, device).all(history);
}

}  // namespace loom::tune
