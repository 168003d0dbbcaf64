#include "core/tune/rules/plan.h"

#include <algorithm>
#include <set>

#include "core/model/product_rate.h"
#include "core/schedule/analysis.h"
#include "core/schedule/replay.h"
#include "core/tune/rules/applications.h"
#include "core/tune/rules/loops_in_order.h"
#include "core/tune/rules/neighbours.h"
#include "core/tune/rules/operands_made_plain.h"
#include "core/tune/rules/plan_of_parts.h"
#include "core/tune/rules/program_parts.h"
#include "core/tune/rules/sum_in_parts.h"
#include "core/tune/space/descent.h"

namespace loom::tune {

namespace {

using schedule::State;
using schedule::Tree;

bool isSpatial(const ir::Block& block) {
  return std::ranges::all_of(block->iters, [](const ir::IterVar& v) { return v.type == ir::IterType::Spatial; });
}

// What rules keep to for one plan, besides what a user allows.
struct Bounds {
  Message onlyCudaCores = {};  // RuleInput::onlyCudaCores
  bool exactTiles = false;     // RuleInput::exactTiles
  bool tilesProducts = true;   // else products are reductions as others are
};

class Planner {
 public:
  Planner(const State& state, const model::Device& device, const intrin::Library& intrinsics,
          std::span<const OwnRule> own, const RuleChoices& choices, Bounds bounds = {})
      : begin_(state),
        state_(state),
        intrinsics_(intrinsics),
        own_(own),
        limits_(limitsOf(device)),
        choices_(choices),
        bounds_(std::move(bounds)) {}

  // Why none of the branches of a product by matrix instructions makes anything of the program; empty: one does, or
  // there are none.
  Message refusalOfAll(const RulePlan& plan) const {
    Message first;
    for (const Sketch& sketch : plan.sketches) {
      Message why = refusalOf(sketch);
      if (why.empty()) return {};
      if (first.empty()) first = std::move(why);
    }
    return byMatrices_ ? first : Message();
  }

  Result<RulePlan> run() {
    if (auto plain = begin(); !plain) return Failure(plain.error());
    if (auto done = inlineAll(); !done) return Failure(done.error());
    std::vector<Branch> branches = {{draft_, common_}};
    if (!products_.empty()) branches = multiply(products_.front());
    std::vector<ir::Id> rest = without(taken_);
    if (products_.empty()) {
      if (auto fused = rowsTogether(rest, branches.front().rows)) {
        rowsTogether_ = true;
        branches.front().draft = std::move(*fused);
        rest.clear();
      }
    }
    std::optional<Error> refusal;
    for (Branch& branch : branches) {
      auto sketch = finished(branch, rest);
      if (!sketch && !refusal) refusal = sketch.error();
      if (sketch) add(std::move(*sketch), std::move(branch.rows));
    }
    addOwn();
    if (plan_.sketches.empty() && refusal) return Failure(*refusal);
    if (plan_.sketches.empty())
      return fail("NoRule", message("no rule makes a kernel of {}", state_.module().functions[0]->name),
                  Forbids::Input);
    plan_.rows = plan_.rowsOf.front();
    return std::move(plan_);
  }

  // Adds a sketch in which blocks that memory binds are scheduled by rules of their own, R21 and R22, and the others as
  // ever. `plan` has the sketches without; where there is none with, its rows say why.
  void addForMemory(RulePlan& plan) {
    if (!begin() || !products_.empty()) return;
    for (ir::Id block : blocks_)
      if (const auto found = neighboursOf(state_, block); found.neighbours)
        for (const NeighbourRead& read : found.neighbours->reads) kept_.insert(read.producer);
    if (!inlineAll()) return;
    Branch branch{draft_, common_};
    std::set<ir::Id> absorbed;
    const auto absorb = [&](const std::string& name) {
      for (ir::Id block : blocks_)
        if (state_.tree().contains(block) && state_.tree().block(block)->name == name) absorbed.insert(block);
    };
    for (ir::Id block : without({})) {
      const auto found = neighboursOf(state_, block);
      if (!found.neighbours || absorbed.contains(block)) continue;
      for (const NeighbourRead& read : found.neighbours->reads) absorb(read.producer);
      for (const std::string& consumer : found.neighbours->consumers) absorb(consumer);
    }
    const std::vector<ir::Id> rest = without(absorbed);
    std::vector<PlanRow> tried;
    for (ir::Id block : rest) {
      branch.draft.prefix = prefixOf(block, rest);
      for (const Rule* rule : {&neighboursRule(), &turningRule()}) {
        RuleOutcome outcome = rule->apply(inputFor(block), branch.draft);
        note(tried, *rule, block, outcome);
        if (!outcome.applies) continue;
        branch.draft = std::move(outcome.drafts.front());
        taken_.insert(block);
        break;
      }
    }
    std::vector<ir::Id> others = rest;
    std::erase_if(others, [&](ir::Id block) { return taken_.contains(block); });
    branch.rows.insert(branch.rows.end(), tried.begin(), tried.end());
    auto sketch = taken_.empty()
                      ? Result<Sketch>(fail("NoRule", message("no block is bound by memory"), Forbids::Input))
                      : finished(branch, others);
    const Message why = taken_.empty() || !sketch ? Message() : refusalOf(*sketch);
    if (sketch && why.empty()) {
      plan.sketches.insert(plan.sketches.begin(), std::move(*sketch));
      plan.rowsOf.insert(plan.rowsOf.begin(), std::move(branch.rows));
    } else {
      for (PlanRow& row : tried) {
        if (row.applied && !why.empty()) row.why = why;
        row.applied = false;
        plan.rowsOf.front().push_back(std::move(row));
      }
    }
    plan.rows = plan.rowsOf.front();
  }

  // Whether all blocks became one kernel of rows (R14).
  bool hasRowsTogether() const { return rowsTogether_; }

 private:
  Result<void> begin() {
    if (state_.module().functions.size() != 1)
      return fail("NoRule",
                  message("rules take a program of one function; this one has {}", state_.module().functions.size()),
                  Forbids::Input);
    if (auto plain = findBlocks(); !plain) return Failure(plain.error());
    for (ir::Id block : std::vector(blocks_.rbegin(), blocks_.rend())) {
      const ContractionOrNot found = contractionOf(state_, block);
      if (bounds_.tilesProducts && found.contraction) products_.push_back(block);
      if (const ir::Block held = state_.tree().block(block);
          !found.contraction && !isSpatial(held) && held->reads.size() > 1)  // it might be a product
        note(common_, "R3", "tensorize", block, leaves(found.reason));
    }
    return {};
  }

  // A draft and what was tried on the way to it.
  struct Branch {
    SketchDraft draft;
    std::vector<PlanRow> rows;
  };

  // The blocks that no rule has taken yet, consumers first.
  std::vector<ir::Id> without(const std::set<ir::Id>& taken) const {
    std::vector<ir::Id> rest;
    for (ir::Id block : std::vector(blocks_.rbegin(), blocks_.rend()))
      if (state_.tree().contains(block) && !taken.contains(block)) rest.push_back(block);
    return rest;
  }

  void add(Sketch sketch, std::vector<PlanRow> rows) {
    plan_.sketches.push_back(std::move(sketch));
    plan_.rowsOf.push_back(std::move(rows));
  }

  // The sketch of a branch, with rules for the blocks that are left, and for those that the branch keeps.
  Result<Sketch> finished(Branch& branch, std::vector<ir::Id> rest) {
    SketchDraft& draft = branch.draft;
    const DraftPlace behind = draft.place();
    const auto rows = std::ptrdiff_t(branch.rows.size()), common = std::ptrdiff_t(common_.size());
    if (draft.keepsComputed)
      for (ir::Id block : without({}))
        if (std::ranges::any_of(draft.computed, [&](const auto& c) { return c.second == nameOf(block); }))
          rest.push_back(block);
    // What a padded product stores is guarded by predicates, which hide from primitives of its readers, the first of
    // `rest`, that all they read is written: their lines come before the product's.
    bool areReaders = draft.product && (draft.padsRows || draft.padsColumns);
    const auto endReaders = [&] {
      if (!std::exchange(areReaders, false)) return;
      draft.putFirst(draft_.place(), behind);
      std::rotate(branch.rows.begin() + common, branch.rows.begin() + rows, branch.rows.end());
    };
    for (ir::Id block : rest) {
      if (areReaders && std::ranges::find(blocks_, block) < std::ranges::find(blocks_, products_.front())) endReaders();
      draft.product.reset();
      draft.prefix = prefixOf(block, rest);
      if (auto done = scheduleRest(branch, block); !done) return Failure(done.error());
    }
    endReaders();
    auto sketch = draft.finish();
    if (sketch && sketch->name.empty()) sketch->name = kThreads;
    return sketch;
  }

  const std::string& nameOf(ir::Id block) const { return state_.tree().block(block)->name; }

  // Of the names of a block's decisions, where others have some, too.
  std::string prefixOf(ir::Id block, const std::vector<ir::Id>& rest) const {
    const std::size_t all = rest.size() + (products_.empty() ? taken_.size() : 1);
    return all > 1 ? decisionPrefix(nameOf(block)) : "";
  }

  // A branch for each block that one of the user's rules applies to; the other blocks as ever. One whose lines a
  // primitive refuses is none, and says so in the first branch's rows.
  void addOwn() {
    std::vector<PlanRow> refused;
    for (const OwnRule& rule : own_) {
      for (ir::Id block : without({})) {
        Branch branch{draft_, common_};
        RuleOutcome outcome = applyOwnRule(rule, inputFor(block), branch.draft);
        std::optional<Sketch> sketch;
        if (outcome.applies) {
          branch.draft = std::move(outcome.drafts.front());
          note(branch.rows, "R20", rule.name.c_str(), block, outcome);
          if (auto made = finished(branch, without({block}))) sketch = std::move(*made);
          if (auto why = sketch ? refusalOf(*sketch) : message("no rule fits the other blocks"); !why.empty()) {
            outcome = leaves(std::move(why));
            sketch.reset();
          }
        }
        if (sketch) {
          add(std::move(*sketch), std::move(branch.rows));
        } else {
          note(refused, "R20", rule.name.c_str(), block, outcome);
        }
      }
    }
    if (!plan_.rowsOf.empty()) plan_.rowsOf.front().insert(plan_.rowsOf.front().end(), refused.begin(), refused.end());
  }

  // Why a sketch's lines make nothing of the program; empty: its first schedule replays.
  Message refusalOf(const Sketch& sketch) const {
    if (problemOf(sketch.space)) return problemOf(sketch.space)->message;
    const auto some = Descent(sketch.space, Pins(sketch.space)).first();
    if (!some) return some.error().message;
    if (!*some) return message("its constraints exclude each other");
    const auto lines = linesOf(sketch, **some);
    if (!lines) return lines.error().message;
    const auto calls = script::parseSchedule(*lines, "");
    if (!calls) return calls.error().message;
    const schedule::ReplayEnd replayed = schedule::replayToEnd(begin_, *calls, {&intrinsics_});
    return replayed.refusal ? schedule::refusalWords(*replayed.refusal, *lines) : Message();
  }

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

  RuleInput inputFor(ir::Id block) const {
    return {state_, block, intrinsics_, limits_, choices_, bounds_.onlyCudaCores, bounds_.exactTiles};
  }

  void note(std::vector<PlanRow>& rows, const char* number, const char* name, ir::Id block,
            const RuleOutcome& outcome) const {
    rows.push_back({state_.tree().block(block)->name, number, name, outcome.applies, outcome.why});
  }
  void note(std::vector<PlanRow>& rows, const Rule& rule, ir::Id block, const RuleOutcome& outcome) const {
    note(rows, rule.number, rule.name, block, outcome);
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
      if (kept_.contains(state_.tree().block(block)->name)) continue;
      const std::size_t before = draft_.sketch.lines.size();
      const RuleOutcome outcome = inlineRule().apply(inputFor(block), draft_);
      note(common_, inlineRule(), block, outcome);
      if (!outcome.applies) continue;
      draft_ = outcome.drafts.front();
      std::string text;
      for (std::size_t at = before; at < draft_.sketch.lines.size(); ++at) text += draft_.sketch.lines[at].text + "\n";
      const auto calls = script::parseSchedule(text, "");
      if (!calls) return Failure(calls.error());
      schedule::ReplayEnd replayed = schedule::replayToEnd(state_, *calls, {&intrinsics_});
      if (replayed.refusal) return Failure(*replayed.refusal);
      state_ = replayed.last;
    }
    return {};
  }

  // The rules of a product in their order; a branch goes through the rest by itself.
  std::vector<Branch> multiply(ir::Id block) {
    std::vector<Branch> branches = {{draft_, common_}};
    branches.front().draft.product = contractionOf(state_, block).contraction;
    if (const auto& c = branches.front().draft.product; c && c->multiplies && limits_.capability >= 80)
      plan_.asksForTf32 =
          c->a.dtype == ir::DType::Float(32) && c->b.dtype == c->a.dtype && c->accumulator == c->a.dtype;
    for (const Rule& rule : rules()) {
      std::vector<Branch> next;
      for (Branch& branch : branches) {
        if (!rule.isFor(branch.draft)) {
          next.push_back(std::move(branch));
          continue;
        }
        RuleOutcome outcome = rule.apply(inputFor(block), branch.draft);
        note(branch.rows, rule, block, outcome);
        if (outcome.drafts.empty()) {
          next.push_back(std::move(branch));
        } else {
          for (SketchDraft& draft : outcome.drafts) next.push_back({std::move(draft), branch.rows});
        }
      }
      branches = std::move(next);
    }
    const std::vector<PlanRow> tried = branches.front().rows;
    std::erase_if(branches, [](const Branch& b) { return b.draft.threads.empty(); });
    if (branches.empty()) return {{draft_, tried}};
    byMatrices_ = branches.front().draft.unit || branches.front().draft.warpgroups;
    if (sharesOperands(block, *branches.front().draft.product))
      for (Branch& branch : branches) copyForConsumersAlone(branch.draft.sketch);
    taken_.insert(block);
    takeNeighbours(block, branches.front().draft);
    return branches;
  }

  // Whether other blocks read what a product reads, as one does that copies a matrix which is multiplied with itself.
  bool sharesOperands(ir::Id block, const Contraction& product) const {
    std::set<std::string> operands = {product.a.buffer, product.b.buffer};
    for (const FurtherOperand& o : product.further) operands.insert(o.buffer);
    return std::ranges::any_of(blocks_, [&](ir::Id other) {
      return other != block && state_.tree().contains(other) &&
             std::ranges::any_of(state_.tree().block(other)->reads,
                                 [&](const ir::BufferRegion& read) { return operands.contains(read.buffer->name); });
    });
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
  std::optional<SketchDraft> rowsTogether(const std::vector<ir::Id>& rest, std::vector<PlanRow>& rows) {
    const std::vector<ir::Id> inOrder(rest.rbegin(), rest.rend());
    if (inOrder.empty()) return std::nullopt;
    RuleOutcome outcome = fuseRows(inputFor(inOrder.back()), draft_, inOrder);
    if (outcome.applies) {
      const auto sketch = outcome.drafts.front().finish();
      const bool works = sketch && refusalOf(*sketch).empty();
      if (!works) outcome = leaves(message("a primitive refuses to put these blocks together"));
    }
    note(rows, crossThreadRule(), inOrder.back(), outcome);
    return outcome.applies ? std::optional(std::move(outcome.drafts.front())) : std::nullopt;
  }

  Result<void> scheduleRest(Branch& branch, ir::Id block) {
    for (const Rule* rule : {&crossThreadRule(), &bindRule()}) {
      RuleOutcome outcome = rule->apply(inputFor(block), branch.draft);
      note(branch.rows, *rule, block, outcome);
      if (!outcome.applies) continue;
      branch.draft = std::move(outcome.drafts.front());
      return {};
    }
    return fail("NoRule", message("no rule fits {}", state_.tree().block(block)->name), Forbids::Input);
  }

  const State begin_;
  State state_;  // after the lines that leave nothing open
  const intrin::Library& intrinsics_;
  std::span<const OwnRule> own_;
  DeviceLimits limits_;
  RuleChoices choices_;
  const Bounds bounds_;
  bool byMatrices_ = false;  // whether the product's branches are by matrix instructions
  std::vector<ir::Id> blocks_, products_;
  std::set<ir::Id> taken_;
  bool rowsTogether_ = false;
  std::set<std::string> names_;
  std::set<std::string> kept_;   // blocks that are not inlined, as they become copies
  SketchDraft draft_;            // with the lines that leave nothing open
  std::vector<PlanRow> common_;  // to all branches
  RulePlan plan_;
};

}  // namespace

Message whyNotByWarpgroups(const RulePlan& plan) {
  if (!plan.hasWarpgroups) return {};
  const auto isR18 = [](const PlanRow& row) { return std::string_view(row.number) == "R18"; };
  if (std::ranges::any_of(plan.rows, [&](const PlanRow& row) { return isR18(row) && row.applied; })) return {};
  const auto row = std::ranges::find_if(plan.rows, isR18);
  return row == plan.rows.end() ? Message() : row->why;
}

namespace {

// The plan of a program, or of a part of one, whose blocks are scheduled together.
Result<RulePlan> planOf(const State& state, const model::Device& device, const intrin::Library& intrinsics,
                        std::span<const OwnRule> own, const RuleChoices& choices, const Bounds& bounds) {
  const auto planner = [&](Bounds with) { return Planner(state, device, intrinsics, own, choices, std::move(with)); };
  Planner first = planner(bounds);
  auto plan = first.run();
  // A product that is too small or narrow for every matrix instruction, as one of a single row, stays on CUDA cores.
  if (plan)
    if (Message why = first.refusalOfAll(*plan); !why.empty())
      plan = planner({message("no schedule by matrix instructions is left: {}", why)}).run();
  if (plan && !first.hasRowsTogether()) planner(bounds).addForMemory(*plan);
  const bool hasThreads = plan && std::ranges::find(plan->sketches, kThreads, &Sketch::name) != plan->sketches.end();
  const auto last = plan && !hasThreads ? lastContraction(state) : std::nullopt;
  if (last && last->isThin()) {  // without tiles it may be faster
    const Bounds without{{}, false, false};
    if (auto more = Planner(state, device, intrinsics, {}, choices, without).run()) {
      Planner(state, device, intrinsics, {}, choices, without).addForMemory(*more);
      std::ranges::move(more->sketches, std::back_inserter(plan->sketches));
      std::ranges::move(more->rowsOf, std::back_inserter(plan->rowsOf));
    }
  }
  if (plan) plan->hasWarpgroups = model::hasWarpgroups(device);
  if (plan && !bounds.exactTiles)  // parts of sums hide what they write, too
    addSumsInParts(*plan, state, limitsOf(device), {&intrinsics},
                   [&](const State& after) { return Planner(after, device, intrinsics, {}, choices).run(); });
  return plan;
}

// The plan of a program whose parts are scheduled each by itself. Tiles that reach beyond what another part makes hide
// from primitives that it is written before: where schedules of parts don't go together, tiles reach beyond nothing
// that some divide, then they are those of CUDA cores, at last there are none.
Result<RulePlan> planOfAll(const State& state, const std::vector<State>& parts, const model::Device& device,
                           const intrin::Library& intrinsics, std::span<const OwnRule> own,
                           const RuleChoices& choices) {
  const auto planned = [&](const Bounds& bounds) {
    return [&, bounds](const State& part) { return planOf(part, device, intrinsics, own, choices, bounds); };
  };
  if (parts.size() < 2) return planned({})(state);
  const Message apart = message("parts don't go together where tiles reach beyond axes");
  for (const Bounds& bounds : {Bounds{}, {{}, true}, {apart, true}, {apart, true, false}})
    if (auto plan = planOfParts(state, parts, device, {&intrinsics}, planned(bounds))) return plan;
  auto plan = planned({})(state);
  if (plan)
    for (Sketch& sketch : plan->sketches) copyForConsumersAlone(sketch);
  return plan;
}

}  // namespace

Result<RulePlan> sketchOf(const State& state, const model::Device& device, const intrin::Library& intrinsics,
                          std::span<const OwnRule> own, const RuleChoices& choices) {
  PreparedProgram prepared = loopsInOrder(state, {&intrinsics});
  prepared.append(madePlain(prepared.state, {&intrinsics}));
  auto plan = planOfAll(prepared.state, partsOf(prepared.state), device, intrinsics, own, choices);
  if (plan) prepared.writeBefore(*plan);
  return plan;
}

}  // namespace loom::tune
