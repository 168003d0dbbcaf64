#include "core/tune/tensorize/passes.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/intrin/intrinsic.h"
#include "core/ir/build.h"
#include "core/lower/lower.h"
#include "core/script/printer.h"
#include "core/tune/step_form.h"

namespace loom::tune {
namespace {

using ir::Id;

// Each loop above the block is the value of one iterator, runs in order and is bound to nothing.
bool isPlainNest(const schedule::State& state, Id block) {
  const schedule::Tree& tree = state.tree();
  const ir::BlockRealize realize = tree.realize(block);
  const std::vector<Id> loops = tree.loopsAbove(block);
  if (loops.size() != realize->values.size() || !ir::isTrue(realize->predicate)) return false;
  for (Id id : loops) {
    const ir::For loop = tree.loop(id);
    if (loop->forKind != ir::ForKind::Serial || !loop->annotations.empty()) return false;
    if (std::ranges::count(realize->values, static_cast<const ir::ExprNode*>(loop->var.get()),
                           [](const ir::Expr& e) { return e.get(); }) != 1)
      return false;
  }
  return true;
}

bool isGlobal(const ir::BlockNode& block) {
  const auto all = [](const std::vector<ir::BufferRegion>& regions) {
    return std::ranges::all_of(regions, [](const ir::BufferRegion& r) { return r.buffer->scope == "global"; });
  };
  return all(block.reads) && all(block.writes);
}

// How far a report came: the later in the list of outcomes of pass 1, the further.
int rankOf(const PatternMatch& match) { return match.outcome == PassOutcome::Matches ? 1000 : int(match.outcome); }

// The answer of pass 1 for the block that is asked for, or for the one that comes closest.
std::optional<PatternMatch> bestMatch(const schedule::State& state, const TensorizeRequest& request,
                                      const intrin::Library* library, const model::Device* device) {
  std::optional<PatternMatch> best;
  for (const auto& node : state.tree().nodes()) {
    if (!node.isBlock || !state.tree().childBlocks(node.id).empty()) continue;
    const ir::Block block = state.tree().block(node.id);
    if (!request.block.empty() && block->name != request.block) continue;
    if (!isPlainNest(state, node.id) || !isGlobal(*block)) continue;
    PatternMatch match = matchPattern(state, node.id, request, library, device);
    if (!best || rankOf(match) > rankOf(*best)) best = std::move(match);
  }
  return best;
}

// How many of the passes' lines the path from `at` to `node` begins with; -1 where it has other lines.
int passesDone(const Tensorization& t, const document::History& history, int node) {
  std::string taken;
  const std::vector<int> path = history.path(node);
  const auto at = std::ranges::find(path, t.at);
  for (auto n = at + 1; n != path.end(); ++n)
    for (const document::Line& line : history.node(*n).lines) taken += (taken.empty() ? "" : "\n") + line.source;
  if (taken.empty()) return 0;
  for (int passes = 1; passes <= 4; ++passes) {
    std::string lines = t.linesUpTo(passes);
    // Lines that only look something up stand with the step after them.
    if (lines == taken || (lines.starts_with(taken + "\n"))) return lines == taken ? passes : passes - 1;
  }
  return -1;
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

// Runs passes 2 to 4 for a product of `start`, with threads as `state` has them.
void go(Tensorization& t, const schedule::State& state, const schedule::State& start, const TensorizeRequest& request,
        const model::Device* device) {
  const MatrixProduct& product = t.pattern.product;
  t.matrices = identifyMatrices(product, request);
  if (!succeeded(t.matrices.outcome)) return;
  t.threads = unifyThreads(state, start, product, t.matrices, t.pattern.tile, device);
  if (!succeeded(t.threads.outcome)) return;
  t.scaling = scaleLoops(hasThreads(state, product) ? state : start, product, t.matrices, t.threads, t.pattern.tile);
  t.scaling.lines += restLines(start, product.block);
}

// Applies the lines of one pass after the other; the first refusal is that pass's outcome.
void apply(Tensorization& t, const document::History& history, const schedule::Environment& environment) {
  PassReport* reports[] = {&t.pattern, &t.matrices, &t.threads, &t.scaling};
  for (int pass = 0; pass < 4; ++pass) {
    const auto next = previewLines(history, t.at, t.linesUpTo(pass + 1), environment);
    if (next) {
      if (pass == 3) t.isKernel = lower::lower(next->module().functions.front()).has_value();
      continue;
    }
    t.refusal = next.error();
    reports[pass]->outcome = PassOutcome::StepRefused;
    reports[pass]->verdict = message("A step is refused: {}", next.error().message);
    for (int later = pass + 1; later < 4; ++later) *reports[later] = {};
    return;
  }
}

}  // namespace

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
  for (auto at = path.rbegin(); at != path.rend(); ++at) {
    auto here = bestMatch(history.node(*at).state, request, environment.intrinsics, device);
    if (!here || (match && rankOf(*here) <= rankOf(*match))) continue;
    match = std::move(here);
    t.at = *at;
  }
  if (!match) {
    t.pattern.outcome = PassOutcome::NotAReduction;
    t.pattern.verdict = request.block.empty() ? message("No block of the function is a plain loop nest.")
                                              : message("No plain loop nest has a block {}.", request.block);
    return t;
  }
  t.pattern = std::move(*match);
  if (!succeeded(t.pattern.outcome)) return t;
  const schedule::State& start = history.node(t.at).state;
  go(t, start, start, request, device);
  if (t.at != node) {
    t.done = passesDone(t, history, node);
    if (t.done < 0) {
      t.done = 0;
      t.matrices = {}, t.threads = {}, t.scaling = {};
      go(t, history.node(node).state, start, request, device);
    }
  }
  if (t.complete()) apply(t, history, environment);
  return t;
}

}  // namespace loom::tune
