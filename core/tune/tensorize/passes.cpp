#include "core/tune/tensorize/passes.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <vector>

#include "core/intrin/intrinsic.h"
#include "core/ir/build.h"
#include "core/ir/visit.h"
#include "core/lower/lower.h"
#include "core/schedule/replay.h"
#include "core/script/line_diff.h"
#include "core/script/printer.h"
#include "core/tune/step_form.h"

namespace loom::tune {
namespace {

using ir::Id;

// Why not each loop above the block is the value of one iterator, runs in order and is bound to nothing; empty: each
// is.
Message whyNoPlainNest(const schedule::State& state, Id block) {
  const schedule::Tree& tree = state.tree();
  const ir::BlockRealize realize = tree.realize(block);
  const std::string& name = realize->block->name;
  if (!ir::isTrue(realize->predicate))
    return message("block {} is computed only where {}", name, script::printExpr(realize->predicate));
  const std::vector<Id> loops = tree.loopsAbove(block);
  for (Id id : loops) {
    const ir::For loop = tree.loop(id);
    const std::string& var = loop->var->name;
    if (!loop->thread.empty()) return message("loop {} above block {} is bound to {}", var, name, loop->thread);
    if (loop->forKind != ir::ForKind::Serial || !loop->annotations.empty())
      return message("loop {} above block {} doesn't simply run in order", var, name);
    if (std::ranges::count(realize->values, static_cast<const ir::ExprNode*>(loop->var.get()),
                           [](const ir::Expr& e) { return e.get(); }) != 1)
      return message("loop {} above block {} is not the value of one iterator", var, name);
  }
  if (loops.size() != realize->values.size())
    return message("block {} has {} iterators and stands in {} loops", name, realize->values.size(), loops.size());
  return {};
}
bool isPlainNest(const schedule::State& state, Id block) { return whyNoPlainNest(state, block).empty(); }

// A buffer of the block that isn't in global memory; null: all are.
const ir::BufferNode* notGlobal(const ir::BlockNode& block) {
  for (const auto* regions : {&block.reads, &block.writes})
    for (const ir::BufferRegion& region : *regions)
      if (region.buffer->scope != "global") return region.buffer.get();
  return nullptr;
}

// Calls `visit` with each block that might be the product, until that returns false: those that hold no other blocks,
// or the one that is asked for.
void eachCandidate(const schedule::State& state, const TensorizeRequest& request,
                   const std::function<bool(Id, const ir::BlockNode&)>& visit) {
  for (const auto& node : state.tree().nodes()) {
    if (!node.isBlock || !state.tree().childBlocks(node.id).empty()) continue;
    const ir::Block block = state.tree().block(node.id);
    if (request.block.empty() || block->name == request.block)
      if (!visit(node.id, *block)) return;
  }
}

// Why no block of the program is a plain loop nest: what is wrong with one that adds up, or else with the first.
Message whyNoneIsPlain(const schedule::State& start, const TensorizeRequest& request) {
  std::optional<Message> why;
  eachCandidate(start, request, [&](Id id, const ir::BlockNode& block) {
    const bool sums = std::ranges::count(block.iters, ir::IterType::Reduce, &ir::IterVar::type) > 0;
    if (why && !sums) return true;
    const ir::BufferNode* buffer = notGlobal(block);
    why = buffer ? message("block {} uses {}, which lies in {} memory", block.name, buffer->name, buffer->scope)
                 : whyNoPlainNest(start, id);
    return !sums;
  });
  if (why) return message("No block of the function is a plain loop nest: {}.", *why);
  return request.block.empty() ? message("The function has no block.")
                               : message("No plain loop nest has a block {}.", request.block);
}

// The loops above a block by the iterator that each belongs to, outermost first; nothing where one belongs to none or
// to several.
std::optional<std::vector<std::vector<int>>> loopsByIterator(const schedule::State& state, Id block) {
  const ir::BlockRealize realize = state.tree().realize(block);
  const std::vector<Id> loops = state.tree().loopsAbove(block);
  std::vector<std::vector<int>> parts(realize->values.size());
  for (std::size_t l = 0; l < loops.size(); ++l) {
    const ir::Var var = state.tree().loop(loops[l])->var;
    int users = 0;
    for (std::size_t n = 0; n < parts.size(); ++n) {
      if (!ir::usesVar(realize->values[n], [&](const ir::VarNode* used) { return used == var.get(); })) continue;
      parts[n].push_back(int(l));
      ++users;
    }
    if (users != 1) return std::nullopt;
  }
  return parts;
}

// Lines that make a plain nest of loops that a program has in parts: those of one iterator beside each other, fused.
// Nothing where they don't.
std::optional<std::string> wholeLoops(const schedule::State& state, Id block,
                                      const schedule::Environment& environment) {
  const auto parts = loopsByIterator(state, block);
  if (!parts) return std::nullopt;
  std::string names, order, fused;
  std::size_t count = 0;
  for (const std::vector<int>& part : *parts) {
    std::string own;
    for (int loop : part) own += fmt::format("{}part_{}", own.empty() ? "" : ", ", loop);
    order += (order.empty() ? "" : ", ") + own;
    if (part.size() > 1) fused += fmt::format("\nsch.fuse({})", own);
    count += part.size();
  }
  for (std::size_t n = 0; n < count; ++n) names += fmt::format("{}part_{}", n > 0 ? ", " : "", n);
  const std::string lines = fmt::format("\n{} = sch.get_loops(b)\nsch.reorder({}){}", names, order, fused);
  const std::string name = script::printExpr(ir::stringImm(state.tree().block(block)->name));
  const auto calls = script::parseSchedule(fmt::format("b = sch.get_block({}){}", name, lines), "");
  if (!calls) return std::nullopt;
  const schedule::ReplayEnd replayed = schedule::replayToEnd(state, *calls, environment);
  if (replayed.refusal || !replayed.last.tree().isBlock(block) || !isPlainNest(replayed.last, block))
    return std::nullopt;
  return lines;
}

// How far a report came: the later in the list of outcomes of pass 1, the further.
int rankOf(const PatternMatch& match) { return match.outcome == PassOutcome::Matches ? 1000 : int(match.outcome); }

// The answer of pass 1 for the block that is asked for, or for the one that comes closest.
std::optional<PatternMatch> bestMatch(const schedule::State& state, const TensorizeRequest& request,
                                      const schedule::Environment& environment, const model::Device* device,
                                      bool inParts) {
  std::optional<PatternMatch> best;
  eachCandidate(state, request, [&](Id id, const ir::BlockNode& block) {
    if (notGlobal(block) != nullptr) return true;
    const auto whole = isPlainNest(state, id) ? std::string()
                       : inParts              ? wholeLoops(state, id, environment)
                                              : std::nullopt;
    if (!whole) return true;
    PatternMatch match = matchPattern(state, id, request, environment.intrinsics, device);
    if (succeeded(match.outcome)) match.lines += *whole;
    if (!best || rankOf(match) > rankOf(*best)) best = std::move(match);
    return true;
  });
  return best;
}

// The lines on the path from `at` to `node`.
std::string linesTaken(const document::History& history, int at, int node) {
  std::string taken;
  const std::vector<int> path = history.path(node);
  for (auto n = std::ranges::find(path, at) + 1; n != path.end(); ++n)
    for (const document::Line& line : history.node(*n).lines) taken += (taken.empty() ? "" : "\n") + line.source;
  return taken;
}

// Takes notice of how many of the passes' lines were taken first, and of those after the fourth's; false where others
// were taken.
bool takeDone(Tensorization& t, const std::string& taken) {
  t.done = 0;
  if (taken.empty()) return true;
  for (int passes = 1; passes <= 4; ++passes) {
    const std::string lines = t.linesUpTo(passes);
    // Lines that only look something up stand with the step after them.
    if (lines == taken || lines.starts_with(taken + "\n")) {
      t.done = lines == taken ? passes : passes - 1;
      return true;
    }
    if (passes < 4 || !taken.starts_with(lines + "\n")) continue;
    t.done = passes;
    t.further = taken.substr(lines.size() + 1);
    return true;
  }
  return false;
}

// Lines that give the other blocks of the function threads: those that only compute element by element, each a kernel
// of its own beside the product's. Others stay as they are.
std::string restLines(const schedule::State& start, Id product) {
  constexpr int kThreads = 256;
  std::string lines;
  for (const auto& node : start.tree().nodes()) {
    if (!node.isBlock || node.id == product || !start.tree().childBlocks(node.id).empty()) continue;
    const ir::Block block = start.tree().block(node.id);
    const bool spatial =
        std::ranges::all_of(block->iters, [](const ir::IterVar& iter) { return iter.type == ir::IterType::Spatial; });
    if (!spatial || block->iters.empty() || !isPlainNest(start, node.id)) continue;
    const std::string name = script::printExpr(ir::stringImm(block->name));
    lines += block->iters.size() > 1 ? fmt::format("\nrest = sch.fuse(*sch.get_loops(sch.get_block({})))", name)
                                     : fmt::format("\nrest, = sch.get_loops(sch.get_block({}))", name);
    lines += fmt::format("\nrest_block, rest_thread = sch.split(rest, [None, {}])", kThreads);
    lines += "\nsch.bind(rest_block, \"blockIdx.x\")\nsch.bind(rest_thread, \"threadIdx.x\")";
  }
  return lines;
}

// Lines that put the loops of a plain nest into the order of its iterators, as transform_block_layout wants them; ""
// where they are.
std::string inIteratorOrder(const schedule::State& state, Id block) {
  const auto parts = loopsByIterator(state, block);
  if (!parts) return {};
  std::string names, order;
  bool ordered = true;
  for (std::size_t n = 0; n < parts->size(); ++n) {
    const int loop = (*parts)[n].front();
    ordered &= loop == int(n);
    names += fmt::format("{}loop_{}", n > 0 ? ", " : "", n);
    order += fmt::format("{}loop_{}", n > 0 ? ", " : "", loop);
  }
  return ordered ? "" : fmt::format("\n{} = sch.get_loops(b)\nsch.reorder({})", names, order);
}

// Runs passes 2 to 4 for a product of `start`, with threads as `state` has them.
void go(Tensorization& t, const schedule::State& state, const schedule::State& start, const TensorizeRequest& request,
        const model::Device* device) {
  const MatrixProduct& product = t.pattern.product;
  t.matrices = identifyMatrices(product, request, t.pattern.tile);
  if (!succeeded(t.matrices.outcome)) return;
  if (t.matrices.lines.starts_with("sch.transform_block_layout") && t.pattern.lines.find('\n') == std::string::npos)
    t.pattern.lines += inIteratorOrder(start, product.block);
  t.threads = unifyThreads(state, start, product, t.matrices, t.pattern.tile, device, request.plan);
  if (!succeeded(t.threads.outcome)) return;
  t.scaling = scaleLoops(t.threads.before ? state : start, product, t.matrices, t.threads, t.pattern.tile);
  t.scaling.lines += restLines(start, product.block);
}

// Whether the lines of all passes lead to a kernel; where they don't, the last pass says why.
void judgeEnd(PassReport& last, const schedule::State& end) {
  const auto program = lower::lower(end.module().functions.front());
  if (program) return;
  last.outcome = PassOutcome::NoKernel;
  last.verdict = message("The steps make no kernel: {}.", program.error().message);
  last.lines.clear();
}

// Applies the lines of one pass after the other; the first refusal is that pass's outcome.
void apply(Tensorization& t, const document::History& history, const schedule::Environment& environment) {
  PassReport* reports[] = {&t.pattern, &t.matrices, &t.threads, &t.scaling};
  for (int pass = 0; pass < 4; ++pass) {
    const auto next = previewLines(history, t.at, t.linesUpTo(pass + 1), environment);
    if (next) {
      if (pass == 3) judgeEnd(t.scaling, *next);
      continue;
    }
    t.refusal = next.error();
    reports[pass]->outcome = PassOutcome::StepRefused;
    reports[pass]->verdict = schedule::refusalWords(next.error(), t.linesUpTo(pass + 1));
    for (int later = pass + 1; later < 4; ++later) *reports[later] = {};
    return;
  }
}

// The divisions that the lines of a state on tensor cores may have: those of the performance list.
std::vector<WarpPlan> plansWithVirtual(const Tensorization& t) {
  std::vector<WarpPlan> plans = warpPlans(t.pattern.product, t.matrices, t.pattern.tile);
  for (std::size_t n = plans.size(); n-- > 0;)
    if (const auto plan = withVirtualThreads(plans[n])) plans.push_back(*plan);
  return plans;
}

// The match with each tile that the request leaves open, the first one first.
std::vector<PatternMatch> choicesOf(const PatternMatch& match, const schedule::State& start,
                                    const TensorizeRequest& request, const schedule::Environment& environment,
                                    const model::Device* device) {
  std::vector<PatternMatch> choices{match};
  for (const TensorTile& tile : tensorTiles()) {
    if (request.tile || tile.element != match.product.element || tile.shape == match.tile.shape) continue;
    TensorizeRequest with = request;
    with.tile = tile.shape;
    PatternMatch other = matchPattern(start, match.product.block, with, environment.intrinsics, device);
    other.lines = match.lines;
    if (succeeded(other.outcome)) choices.push_back(std::move(other));
  }
  return choices;
}

}  // namespace

schedule::State startOf(const document::History& history, const Tensorization& passes,
                        const schedule::Environment& environment) {
  const schedule::State& at = history.node(passes.at).state;
  if (passes.pattern.lines.find('\n') == std::string::npos) return at;
  const auto plain = previewLines(history, passes.at, passes.pattern.lines, environment);
  return plain ? *plain : at;
}

const PassReport& Tensorization::report(int pass) const {
  const PassReport* reports[] = {&pattern, &matrices, &threads, &scaling};
  return *reports[std::size_t(pass)];
}

std::string Tensorization::linesUpTo(int passes) const {
  std::string lines;
  for (int pass = 0; pass < passes; ++pass) {
    const std::string& own = report(pass).lines;
    lines += (lines.empty() || own.empty() ? "" : "\n") + own;
  }
  return lines;
}

document::FoldTitles Tensorization::titlesUpTo(int passes) const {
  document::FoldTitles titles;
  titles.title = passes == 4 ? message("From the loop nest to tensor cores")
                             : message("To tensor cores: {}", tensorizePasses()[std::size_t(passes) - 1].title);
  for (int pass = 0; pass < passes; ++pass)
    titles.parts.push_back(
        {tensorizePasses()[std::size_t(pass)].title, int(script::splitLines(report(pass).lines).size())});
  return titles;
}

const std::array<TensorizePass, 4>& tensorizePasses() {
  static const std::array<TensorizePass, 4> kPasses{{
      {"pattern_match", message("Pattern"), message("Does the block compute what a tensor operation computes?")},
      {"matrix_identification", message("Operands"),
       message("Which operand is a, which b, which c, and how do they lie?")},
      {"thread_unification", message("Warps"), message("Which tile do the 32 threads of a warp compute together?")},
      {"loop_scaling", message("Loops"), message("Which loops lose iterations, now that a tile is one operation?")},
  }};
  return kPasses;
}

Tensorization tensorization(const document::History& history, int node, const schedule::Environment& environment,
                            const model::Device* device, const TensorizeRequest& request) {
  Tensorization t;
  const std::vector<int> path = history.path(node);
  std::optional<PatternMatch> match;
  for (const bool inParts : {false, true}) {
    if (match) break;
    for (auto at = path.rbegin(); at != path.rend(); ++at) {
      auto here = bestMatch(history.node(*at).state, request, environment, device, inParts);
      if (!here || (match && rankOf(*here) <= rankOf(*match))) continue;
      match = std::move(here);
      t.at = *at;
    }
  }
  if (!match) {
    t.pattern.outcome = PassOutcome::NoPlainNest;
    t.pattern.verdict = whyNoneIsPlain(history.node(path.front()).state, request);
    return t;
  }
  t.pattern = std::move(*match);
  if (!succeeded(t.pattern.outcome)) return t;
  const schedule::State start = startOf(history, t, environment), &state = history.node(node).state;
  // First whether a tile's lines have been applied already, then whether the threads of the state compute whole ones.
  const auto choices =
      t.at == node ? std::vector{t.pattern} : choicesOf(t.pattern, start, request, environment, device);
  const auto begin = [&](const PatternMatch& choice) {
    Tensorization next;
    next.at = t.at;
    next.pattern = choice;
    return next;
  };
  const auto finish = [&](Tensorization& next) {
    if (next.complete()) apply(next, history, environment);
    return std::move(next);
  };
  const std::string taken = linesTaken(history, t.at, node);
  for (const PatternMatch& choice : choices) {
    Tensorization next = begin(choice);
    go(next, start, start, request, device);
    if (takeDone(next, taken)) return finish(next);
    if (request.plan || !succeeded(next.matrices.outcome)) continue;
    TensorizeRequest with = request;
    for (const WarpPlan& plan : plansWithVirtual(next)) {
      with.plan = plan;
      go(next, start, start, with, device);
      if (takeDone(next, taken)) return finish(next);
    }
  }
  std::optional<Tensorization> first;
  for (const PatternMatch& choice : choices) {
    Tensorization next = begin(choice);
    go(next, state, start, request, device);
    if (next.complete()) return finish(next);
    if (!first) first = std::move(next);
  }
  return *first;
}

}  // namespace loom::tune
