#include "core/tune/pipeline_steps.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <set>

#include "core/document/kernel.h"
#include "core/ir/build.h"
#include "core/lower/annotations.h"
#include "core/lower/swizzle.h"
#include "core/schedule/step_recorder.h"
#include "core/script/step_line.h"
#include "core/tune/mma_sync_lines.h"

namespace loom::tune {

namespace {

using schedule::List;
using schedule::StepRecorder;
using schedule::Tree;
using schedule::Value;

constexpr std::int64_t kSpans[] = {128, 64, 32};  // bytes of a row that a swizzle takes

// Buffers that the blocks at and below a loop or block read and write.
struct Uses {
  std::set<const ir::BufferNode*> reads, writes;
  bool reading(bool (*which)(const std::string&)) const { return std::ranges::all_of(reads, holds(which)); }
  bool writing(bool (*which)(const std::string&)) const { return std::ranges::all_of(writes, holds(which)); }

 private:
  static std::function<bool(const ir::BufferNode*)> holds(bool (*which)(const std::string&)) {
    return [which](const ir::BufferNode* b) { return which(b->scope); };
  }
};
bool isGlobal(const std::string& scope) { return scope == "global"; }
bool isShared(const std::string& scope) { return scope.starts_with("shared"); }
bool isPrivate(const std::string& scope) { return !isGlobal(scope) && !isShared(scope); }

std::vector<ir::Id> blocksIn(const Tree& tree, ir::Id id) {
  return tree.isBlock(id) ? std::vector<ir::Id>{id} : tree.childBlocks(id);
}

Uses usesOf(const Tree& tree, ir::Id id) {
  Uses uses;
  for (const ir::Id block : blocksIn(tree, id)) {
    for (const auto& region : tree.block(block)->reads) uses.reads.insert(region.buffer.get());
    for (const auto& region : tree.block(block)->writes) uses.writes.insert(region.buffer.get());
  }
  return uses;
}

// The statements of a loop's body that come first and move data from one kind of memory to another, and those after
// them, of which none does that and some read what was moved.
struct Body {
  std::vector<ir::Id> copies, products;
};
std::optional<Body> bodyOf(const Tree& tree, ir::Id loop, bool (*from)(const std::string&),
                           bool (*to)(const std::string&)) {
  Body body;
  std::set<const ir::BufferNode*> copied;
  bool used = false;
  for (const ir::Id child : tree.children(loop)) {
    const Uses uses = usesOf(tree, child);
    const bool copies = !uses.reads.empty() && !uses.writes.empty() && uses.reading(from) && uses.writing(to);
    if (copies && !body.products.empty()) return std::nullopt;
    if (copies) copied.insert(uses.writes.begin(), uses.writes.end());
    used = used || (!copies && std::ranges::any_of(uses.reads, [&](const auto* b) { return copied.contains(b); }));
    (copies ? body.copies : body.products).push_back(child);
  }
  if (body.copies.empty() || !used) return std::nullopt;
  return body;
}

std::optional<std::vector<int>> listOf(const Tree& tree, ir::Id loop, const char* key) {
  const auto& annotations = tree.loop(loop)->annotations;
  const auto found = annotations.find(key);
  return found == annotations.end() ? std::nullopt : lower::numbersOf(found->second);
}

bool isSerial(const Tree& tree, ir::Id loop) { return tree.loop(loop)->forKind == ir::ForKind::Serial; }

std::optional<CopyingLoop> copyingLoop(const Tree& tree, ir::Id loop) {
  if (!isSerial(tree, loop)) return std::nullopt;
  const auto body = bodyOf(tree, loop, isGlobal, isShared);
  if (!body) return std::nullopt;
  CopyingLoop found{loop, body->copies, body->products, {}, 0, true, false, false, 0};
  if (body->products.size() == 1 && tree.isLoop(body->products[0])) {
    const ir::Id inner = body->products[0];
    const ir::ForKind kind = tree.loop(inner)->forKind;
    const bool inOrder = kind == ir::ForKind::Serial || kind == ir::ForKind::Unrolled;
    if (inOrder && bodyOf(tree, inner, isShared, isPrivate)) found.inner = inner;
  }
  found.fragmentsAhead = found.inner && listOf(tree, *found.inner, lower::kStage);
  const auto stage = listOf(tree, loop, lower::kStage), order = listOf(tree, loop, lower::kOrder);
  if (stage && !stage->empty()) found.stage = *std::ranges::max_element(*stage);
  if (order && !order->empty()) found.copiesFirst = order->front() == 0;
  found.asynchronous = listOf(tree, loop, lower::kAsyncStages).has_value();
  const auto& annotations = tree.loop(loop)->annotations;
  if (const auto turns = annotations.find(lower::kUnrollStages); turns != annotations.end()) {
    if (const auto number = lower::numberOf(turns->second)) found.unrolled = int(*number);
  }
  return found;
}

// What the annotations of a copying loop are to say.
struct Plan {
  int stage = 0;  // iterations that products are behind the copies
  bool copiesFirst = true;
  bool asynchronous = false;
  // Fragments read ahead: not, within one iteration of the loop, or across its iterations.
  enum class Ahead : std::uint8_t { No, Within, Across } ahead = Ahead::No;
  bool unroll = false;

  // Tiles of a copied buffer at once, as lowering counts them.
  int slots() const { return stage > 1 ? stage + 1 : stage == 1 && copiesFirst ? 2 : 1; }
};

Value listValue(const std::vector<int>& numbers) {
  List list;
  for (const int n : numbers) list.push_back(Value{std::int64_t{n}});
  return Value{std::move(list)};
}

class Steps {
 public:
  Steps(const document::History& history, int node, const schedule::Environment& environment,
        const std::atomic<bool>& stop)
      : history_(history), state_(history.node(node).state), node_(node), environment_(environment), stop_(stop) {}

  std::vector<CandidateStep> all() {
    for (const CopyingLoop& loop : copyingLoops(state_)) {
      copies_.insert(loop.copies.begin(), loop.copies.end());
      for (auto& [plan, moves] : plansFor(loop)) tryPlan(loop, plan, std::move(moves));
      swizzle(loop);
    }
    mmaSync();
    return std::move(made_);
  }

 private:
  using Moves = std::vector<PipelineMove>;
  using enum PipelineMove;

  static Plan planOf(const CopyingLoop& loop) {
    Plan plan{loop.stage, loop.copiesFirst, loop.asynchronous, Plan::Ahead::No, loop.unrolled > 0};
    if (loop.fragmentsAhead)
      plan.ahead = loop.stage > 1 && !loop.copiesFirst ? Plan::Ahead::Across : Plan::Ahead::Within;
    return plan;
  }

  static std::vector<std::pair<Plan, Moves>> plansFor(const CopyingLoop& loop) {
    std::vector<std::pair<Plan, Moves>> plans;
    const Plan now = planOf(loop);
    const auto add = [&](Moves moves, auto change) {
      Plan plan = now;
      change(plan);
      plans.emplace_back(plan, std::move(moves));
    };
    const bool turns = now.stage == 0;
    if (turns) add({Overlap}, [](Plan& p) { p.stage = 1; });
    if (!now.asynchronous) {
      add(turns ? Moves{Overlap, Asynchronous} : Moves{Asynchronous}, [](Plan& p) {
        p.stage = std::max(p.stage, 1);
        p.asynchronous = true;
      });
    }
    const auto longer = [](Plan& p) {
      p.stage = std::max(p.stage, 1) + 1;
      p.asynchronous = true;
    };
    Moves before;
    if (turns) before.push_back(Overlap);
    if (!now.asynchronous) before.push_back(Asynchronous);
    const auto with = [&](std::initializer_list<PipelineMove> more) {
      Moves moves = before;
      moves.insert(moves.end(), more);
      return moves;
    };
    add(with({Slot}), longer);
    if (now.copiesFirst) {
      add(with({Slot, Order}), [&](Plan& p) {
        longer(p);
        p.copiesFirst = false;
      });
    }
    if (now.asynchronous && !now.unroll) {
      add({Unroll}, [](Plan& p) { p.unroll = true; });
      add(now.copiesFirst ? Moves{Slot, Order, Unroll} : Moves{Slot, Unroll}, [&](Plan& p) {
        longer(p);
        p.copiesFirst = false;
        p.unroll = true;
      });
    }
    if (!loop.inner || loop.fragmentsAhead) return plans;
    add({Fragments}, [](Plan& p) { p.ahead = Plan::Ahead::Within; });
    if (!now.asynchronous) return plans;
    if (now.stage > 1) {
      add(now.copiesFirst ? Moves{Order, Fragments} : Moves{Fragments}, [](Plan& p) {
        p.copiesFirst = false;
        p.ahead = Plan::Ahead::Across;
      });
    }
    add(now.copiesFirst ? Moves{Slot, Order, Fragments} : Moves{Slot, Fragments}, [&](Plan& p) {
      longer(p);
      p.copiesFirst = false;
      p.ahead = Plan::Ahead::Across;
    });
    return plans;
  }

  // A key that is there is taken away first: an annotation isn't replaced.
  bool annotate(StepRecorder& lines, ir::Id id, const char* key, const Value& value) const {
    const Value target = lines.state().tree().isLoop(id) ? schedule::loopValue(id) : schedule::blockValue(id);
    const auto& annotations = lines.state().tree().isLoop(id) ? lines.state().tree().loop(id)->annotations
                                                              : lines.state().tree().block(id)->annotations;
    if (annotations.contains(key) && !lines.apply("unannotate", {target, Value{std::string(key)}})) return false;
    return lines.apply("annotate", {target, Value{std::string(key)}, value}).has_value();
  }

  bool annotateList(StepRecorder& lines, ir::Id loop, const char* key, const std::vector<int>& numbers) const {
    return listOf(lines.state().tree(), loop, key) == numbers || annotate(lines, loop, key, listValue(numbers));
  }

  // The lists of the loop itself, whose statements are the copies, and the products or, where these are a pipeline, its
  // three pieces: what comes before the loop, the loop, what comes after it.
  static std::pair<std::vector<int>, std::vector<int>> listsOf(const CopyingLoop& loop, const Plan& plan) {
    const int copies = int(loop.copies.size());
    const int rest = plan.ahead == Plan::Ahead::No ? int(loop.products.size()) : 3;
    std::vector<int> stage, order;
    for (int i = 0; i < copies + rest; ++i) {
      stage.push_back(i < copies ? 0 : plan.stage);
      order.push_back(plan.copiesFirst ? i : i < copies ? rest + i : i - copies);
    }
    if (plan.ahead == Plan::Ahead::Across) {
      // The next iteration's first fragments are read before the last products of this one.
      stage[std::size_t(copies)] = plan.stage - 1;
      std::swap(order[std::size_t(copies)], order[std::size_t(copies) + 1]);
    }
    return {std::move(stage), std::move(order)};
  }

  void tryPlan(const CopyingLoop& loop, const Plan& plan, Moves moves) {
    if (stop_) return;
    StepRecorder lines{state_, environment_};
    const auto& annotations = state_.tree().loop(loop.loop)->annotations;
    if (annotations.contains(lower::kUnrollStages) &&
        !lines.apply("unannotate", {schedule::loopValue(loop.loop), Value{std::string(lower::kUnrollStages)}}))
      return;
    if (plan.ahead != Plan::Ahead::No && !loop.fragmentsAhead) {
      const auto body = bodyOf(state_.tree(), *loop.inner, isShared, isPrivate);
      std::vector<int> stage(body->copies.size(), 0), order;
      stage.resize(body->copies.size() + body->products.size(), 1);
      for (int i = 0; i < int(stage.size()); ++i) order.push_back(i);
      if (!annotateList(lines, *loop.inner, lower::kStage, stage) ||
          !annotateList(lines, *loop.inner, lower::kOrder, order))
        return;
    }
    if (plan.stage > 0) {
      const auto [stage, order] = listsOf(loop, plan);
      if (!annotateList(lines, loop.loop, lower::kStage, stage) ||
          !annotateList(lines, loop.loop, lower::kOrder, order) ||
          (plan.asynchronous && !annotateList(lines, loop.loop, lower::kAsyncStages, {0})))
        return;
    }
    if (!plan.unroll) {
      keep(lines, loop, plan, std::move(moves));
      return;
    }
    for (const int turns : {plan.slots(), 2 * plan.slots()}) {
      StepRecorder unrolled = lines;
      if (turns > 1 && annotate(unrolled, loop.loop, lower::kUnrollStages, Value{std::int64_t{turns}}) &&
          keep(unrolled, loop, plan, moves))
        return;
    }
  }

  // What lowering takes and follows.
  bool isFollowed(const schedule::State& state) {
    const auto kernel = document::makeKernel(state, {}, 0, history_.sizes());
    return !kernel.problem && remarksOn(kernel) <= remarksNow();
  }
  std::size_t remarksOn(const document::KernelText& kernel) const {
    const auto isCopy = [&](const ir::Id& id) {
      return std::ranges::any_of(copies_, [&](const ir::Id& copy) {
        const auto blocks = blocksIn(state_.tree(), copy);
        return std::ranges::find(blocks, id) != blocks.end();
      });
    };
    if (!kernel.program) return 0;
    return std::size_t(std::ranges::count_if(kernel.program->remarks, [&](const device::Remark& remark) {
      return std::ranges::any_of(remark.subjects, isCopy);
    }));
  }
  std::size_t remarksNow() {
    if (!remarks_) remarks_ = remarksOn(document::makeKernel(state_, {}, 0, history_.sizes()));
    return *remarks_;
  }

  bool keep(const StepRecorder& lines, const CopyingLoop& loop, const Plan& plan, Moves moves) {
    if (lines.text().empty() || !isFollowed(lines.state())) return false;
    CandidateStep step{node_, -1, lines.text(), lines.text(),     {"annotate"}, {}, lines.state(),
                       1,     1,  false,        std::move(moves), plan.slots()};
    for (const ir::Id block : state_.tree().childBlocks(loop.loop))
      step.blocks.push_back(state_.tree().block(block)->name);
    made_.push_back(std::move(step));
    return true;
  }

  // Where ldmatrix reads the rows, which finds them by an address for each.
  void swizzle(const CopyingLoop& loop) {
    const Uses uses = usesOf(state_.tree(), loop.loop);
    if (std::ranges::none_of(uses.writes, [](const auto* b) { return b->scope == "warp"; })) return;
    StepRecorder lines{state_, environment_};
    bool any = false;
    for (const ir::Id copy : loop.copies) {
      for (const ir::Id block : blocksIn(state_.tree(), copy)) {
        const auto& annotations = state_.tree().block(block)->annotations;
        if (stop_ || annotations.contains(lower::kSwizzle)) continue;
        StepRecorder bare = lines;
        if (annotations.contains(lower::kDimAlign) &&
            !bare.apply("unannotate", {schedule::blockValue(block), Value{std::string(lower::kDimAlign)}}))
          continue;
        for (const std::int64_t span : kSpans) {
          StepRecorder swizzled = bare;
          if (!annotate(swizzled, block, lower::kSwizzle, Value{span}) || !isFollowed(swizzled.state())) continue;
          lines = std::move(swizzled);
          any = true;
          break;
        }
      }
    }
    if (any) keep(lines, loop, planOf(loop), {Swizzle});
  }

  // The lines from the first that is another one on, at the state before it.
  void mmaSync() {
    std::vector<std::string> past;
    std::vector<int> nodes;  // of each line
    for (const int index : history_.path(node_)) {
      const document::Node& of = history_.node(index);
      for (const auto* lines : {&of.lines, &of.trailing}) {
        for (const document::Line& line : *lines) {
          past.push_back(line.source);
          nodes.push_back(index);
        }
      }
    }
    const std::vector<std::string> others = asMmaSync(past);
    if (others.empty() || stop_) return;
    const std::size_t first = std::size_t(std::ranges::mismatch(past, others).in1 - past.begin());
    const int edited = nodes[first], at = history_.node(edited).parent;
    const std::size_t from = std::size_t(std::ranges::find(nodes, edited) - nodes.begin());
    const std::vector<std::string> lines(others.begin() + std::ptrdiff_t(from), others.end());
    replay(at, edited, lines, past, {MmaSync});
    for (const std::int64_t span : kSpans)
      if (replay(at, edited, swizzledLines(lines, int(span)), past, {Swizzle, MmaSync})) break;
  }

  bool replay(int at, int edited, const std::vector<std::string>& lines, const std::vector<std::string>& past,
              Moves moves) {
    if (stop_ || lines.empty() || at < 0) return false;
    CandidateStep step{at,
                       edited,
                       "",
                       "",
                       {"cache_read", "cache_write", "transform_layout", "tensorize"},
                       {},
                       state_,
                       1,
                       1,
                       false,
                       std::move(moves),
                       0};
    const auto append = [](std::string& text, const std::string& line) { text += (text.empty() ? "" : "\n") + line; };
    schedule::State state = history_.node(at).state;
    std::uint32_t uid = schedule::kTrialStep - 200000;  // uids that no history gives
    for (const std::string& line : lines) {
      const auto calls = script::parseSchedule(line, "");
      if (stop_ || !calls || calls->size() != 1) return false;
      auto applied = schedule::apply(state, uid++, calls->front(), environment_);
      if (!applied) return false;
      state = std::move(applied->next);
      append(step.lines, line);
      if (std::ranges::find(past, line) == past.end()) append(step.step, line);
    }
    if (document::makeKernel(state, {}, 0, history_.sizes()).problem) return false;
    step.state = std::move(state);
    for (const CopyingLoop& loop : copyingLoops(step.state)) step.slots = std::max(step.slots, planOf(loop).slots());
    made_.push_back(std::move(step));
    return true;
  }

  const document::History& history_;
  const schedule::State& state_;
  const int node_;
  const schedule::Environment& environment_;
  const std::atomic<bool>& stop_;
  std::set<ir::Id> copies_;
  std::optional<std::size_t> remarks_;  // on copies, of the state as it is
  std::vector<CandidateStep> made_;
};

}  // namespace

std::vector<CopyingLoop> copyingLoops(const schedule::State& state) {
  std::vector<CopyingLoop> found;
  const Tree& tree = state.tree();
  for (const auto& node : tree.nodes()) {
    if (node.isBlock) continue;
    if (auto loop = copyingLoop(tree, node.id)) found.push_back(std::move(*loop));
  }
  return found;
}

std::vector<CandidateStep> pipelineSteps(const document::History& history, int node,
                                         const schedule::Environment& environment, const std::atomic<bool>& stop) {
  return Steps(history, node, environment, stop).all();
}

}  // namespace loom::tune
