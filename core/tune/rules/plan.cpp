#include "core/tune/rules/plan.h"

#include <algorithm>
#include <set>

#include "core/schedule/analysis.h"
#include "core/schedule/replay.h"
#include "core/tune/rules/applications.h"
#include "core/tune/rules/sum_in_parts.h"
#include "core/tune/space/descent.h"

namespace loom::tune {

namespace {

using schedule::State;
using schedule::Tree;

bool isSpatial(const ir::Block& block) {
  return std::ranges::all_of(block->iters, [](const ir::IterVar& v) { return v.type == ir::IterType::Spatial; });
}

class Planner {
 public:
  Planner(const State& state, const model::Device& device, const intrin::Library& intrinsics)
      : begin_(state), state_(state), intrinsics_(intrinsics), limits_(limitsOf(device)) {}

  Result<RulePlan> run() {
    if (state_.module().functions.size() != 1)
      return fail("NoRule",
                  message("rules take a program of one function; this one has {}", state_.module().functions.size()),
                  Forbids::Input);
    if (auto plain = findBlocks(); !plain) return Failure(plain.error());
    for (ir::Id block : std::vector(blocks_.rbegin(), blocks_.rend()))
      if (const auto found = contractionOf(state_, block); found.contraction) products_.push_back(block);
    if (auto done = inlineAll(); !done) return Failure(done.error());
    std::vector<SketchDraft> drafts = {draft_};
    if (!products_.empty()) drafts = multiply(products_.front());
    std::set<ir::Id> taken = taken_;
    std::vector<ir::Id> rest;
    for (ir::Id block : std::vector(blocks_.rbegin(), blocks_.rend()))
      if (state_.tree().contains(block) && !taken.contains(block)) rest.push_back(block);
    std::optional<SketchDraft> fused;
    if (products_.empty()) fused = rowsTogether(rest);
    if (fused) {
      drafts = {std::move(*fused)};
      rest.clear();
    }
    for (SketchDraft& draft : drafts) {
      const bool first = &draft == &drafts.front();
      for (ir::Id block : rest) {
        draft.product.reset();
        draft.prefix = rest.size() + (products_.empty() ? 0 : 1) > 1 ? state_.tree().block(block)->name + "." : "";
        if (auto done = scheduleRest(draft, block, first); !done) return Failure(done.error());
      }
      auto sketch = draft.finish();
      if (!sketch) return Failure(sketch.error());
      if (sketch->name.empty()) sketch->name = "threads";
      plan_.sketches.push_back(std::move(*sketch));
    }
    if (plan_.sketches.empty())
      return fail("NoRule", message("no rule makes a kernel of {}", state_.module().functions[0]->name),
                  Forbids::Input);
    return std::move(plan_);
  }

 private:
  // The blocks that compute, in program order; all must stand in plain loops.
  Result<void> findBlocks() {
    const Tree& tree = state_.tree();
    for (const Tree::Node& node : tree.nodes()) {
      if (node.isBlock && node.parent != Tree::kNone) {
        if (!tree.childBlocks(node.id).empty() || tree.loopsAbove(node.id).empty() ||
            tree.parent(tree.loopsAbove(node.id).front()) != tree.rootOf(node.id))
          return scheduled(tree.block(node.id)->name);
        if (names_.contains(tree.block(node.id)->name))
          return fail("NoRule", message("two blocks are called {}", tree.block(node.id)->name), Forbids::Input);
        names_.insert(tree.block(node.id)->name);
        blocks_.push_back(node.id);
      } else if (!node.isBlock) {
        const ir::For loop = tree.loop(node.id);
        if (loop->forKind != ir::ForKind::Serial || !loop->annotations.empty()) return scheduled(loop->var->name);
        if (tree.children(node.id).size() != 1) return scheduled(loop->var->name);
      }
    }
    if (blocks_.empty()) return fail("NoRule", message("the program has no block"), Forbids::Input);
    return {};
  }

  static Failure scheduled(const std::string& name) {
    return fail("NoRule", message("{} is scheduled already: rules begin with plain loops, one nest a block", name),
                Forbids::Input);
  }

  RuleInput inputFor(ir::Id block) const { return {state_, block, intrinsics_, limits_}; }

  void note(const Rule& rule, ir::Id block, const RuleOutcome& outcome) {
    plan_.rows.push_back({state_.tree().block(block)->name, rule.number, rule.name, outcome.applies, outcome.why});
  }

  bool touchesProduct(ir::Id block) const {
    const auto readers = schedule::consumersOf(state_.program(), block);
    return readers && std::ranges::any_of(*readers, [&](ir::Id reader) {
             return std::ranges::find(products_, reader) != products_.end();
           });
  }

  // R1 for all elementwise blocks that no product reads: their lines leave nothing open, so the program goes on with
  // them applied.
  Result<void> inlineAll() {
    for (ir::Id block : blocks_) {
      if (!isSpatial(state_.tree().block(block)) || touchesProduct(block)) continue;
      const std::size_t before = draft_.sketch.lines.size();
      const RuleOutcome outcome = inlineRule().apply(inputFor(block), draft_);
      note(inlineRule(), block, outcome);
      if (!outcome.applies) continue;
      draft_ = outcome.drafts.front();
      std::string text;
      for (std::size_t at = before; at < draft_.sketch.lines.size(); ++at) text += draft_.sketch.lines[at].text + "\n";
      const auto calls = script::parseSchedule(text, "");
      if (!calls) return Failure(calls.error());
      schedule::Replay replayed = schedule::replay(state_, *calls, {&intrinsics_});
      if (replayed.refusal) return Failure(*replayed.refusal);
      state_ = replayed.last;
    }
    return {};
  }

  // The rules of a product in their order; a branch goes through the rest by itself.
  std::vector<SketchDraft> multiply(ir::Id block) {
    SketchDraft begin = draft_;
    begin.product = contractionOf(state_, block).contraction;
    std::vector<SketchDraft> drafts = {begin};
    for (const Rule& rule : rules()) {
      std::vector<SketchDraft> next;
      for (std::size_t n = 0; n < drafts.size(); ++n) {
        RuleOutcome outcome = rule.apply(inputFor(block), drafts[n]);
        if (n == 0) note(rule, block, outcome);
        if (outcome.drafts.empty()) {
          next.push_back(std::move(drafts[n]));
        } else {
          for (SketchDraft& draft : outcome.drafts) next.push_back(std::move(draft));
        }
      }
      drafts = std::move(next);
    }
    std::erase_if(drafts, [](const SketchDraft& d) { return d.threads.empty(); });
    if (drafts.empty()) {
      draft_.product.reset();
      return {draft_};
    }
    taken_.insert(block);
    takeNeighbours(block, drafts.front());
    return drafts;
  }

  // Blocks that went into the product's copies and its result.
  void takeNeighbours(ir::Id block, const SketchDraft& draft) {
    for (const SketchFold& fold : draft.sketch.folds) {
      if (fold.rule != "always inline" && fold.rule != "fuse consumer") continue;
      for (int at = fold.first; at < fold.first + fold.lines; ++at) {
        const std::string& text = draft.sketch.lines[std::size_t(at)].text;
        for (ir::Id other : blocks_)
          if (other != block && state_.tree().contains(other) &&
              text.find("get_block(\"" + state_.tree().block(other)->name + "\")") != std::string::npos)
            taken_.insert(other);
      }
    }
  }

  // All blocks in one kernel, where they are reductions of rows and what comes of them, and primitives take it so.
  std::optional<SketchDraft> rowsTogether(const std::vector<ir::Id>& rest) {
    const std::vector<ir::Id> inOrder(rest.rbegin(), rest.rend());
    if (inOrder.empty()) return std::nullopt;
    RuleOutcome outcome = fuseRows(inputFor(inOrder.back()), draft_, inOrder);
    if (outcome.applies) {
      const auto sketch = outcome.drafts.front().finish();
      const auto some =
          sketch ? Descent(sketch->space, Pins(sketch->space)).first() : Result<std::optional<Assignment>>();
      const auto lines = some && *some ? linesOf(*sketch, **some) : Result<std::string>("");
      const auto calls = script::parseSchedule(lines ? *lines : "", "");
      const bool works = some && *some && lines && calls && !schedule::replay(begin_, *calls, {&intrinsics_}).refusal;
      if (!works) outcome = leaves(message("a primitive refuses to put these blocks together"));
    }
    note(crossThreadRule(), inOrder.back(), outcome);
    return outcome.applies ? std::optional(std::move(outcome.drafts.front())) : std::nullopt;
  }

  Result<void> scheduleRest(SketchDraft& draft, ir::Id block, bool notes) {
    for (const Rule* rule : {&crossThreadRule(), &bindRule()}) {
      RuleOutcome outcome = rule->apply(inputFor(block), draft);
      if (notes) note(*rule, block, outcome);
      if (!outcome.applies) continue;
      draft = std::move(outcome.drafts.front());
      return {};
    }
    return fail("NoRule", message("no rule fits {}", state_.tree().block(block)->name), Forbids::Input);
  }

  const State begin_;
  State state_;  // after the lines that leave nothing open
  const intrin::Library& intrinsics_;
  DeviceLimits limits_;
  std::vector<ir::Id> blocks_, products_;
  std::set<ir::Id> taken_;
  std::set<std::string> names_;
  SketchDraft draft_;
  RulePlan plan_;
};

}  // namespace

Result<RulePlan> sketchOf(const State& state, const model::Device& device, const intrin::Library& intrinsics) {
  auto plan = Planner(state, device, intrinsics).run();
  if (plan)
    addSumsInParts(*plan, state, limitsOf(device), {&intrinsics},
                   [&](const State& after) { return Planner(after, device, intrinsics).run(); });
  return plan;
}

}  // namespace loom::tune
