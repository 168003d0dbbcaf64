#include "core/tune/rules/loops_in_order.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <numeric>

namespace loom::tune {

namespace {

// Which loop above a block, counted from the outermost, each of its iterators is; empty: one is none, or a loop is
// left over.
std::vector<int> loopOfEach(const schedule::State& state, ir::Id id) {
  const ir::BlockRealize realized = state.tree().realize(id);
  const std::vector<ir::Id> loops = state.tree().loopsAbove(id);
  if (loops.size() != realized->block->iters.size()) return {};
  std::vector<int> all;
  for (const ir::Expr& value : realized->values) {
    const auto loop = std::ranges::find_if(loops, [&](ir::Id l) { return state.tree().loop(l)->var == value; });
    const int at = int(loop - loops.begin());
    if (loop == loops.end() || std::ranges::find(all, at) != all.end()) return {};
    all.push_back(at);
  }
  return all;
}

// The step lines that put the loops of a block into order; none: they are.
std::vector<std::string> linesInOrder(const schedule::State& state, ir::Id id) {
  const std::vector<ir::IterVar>& iters = state.tree().block(id)->iters;
  const std::vector<int> loopOf = loopOfEach(state, id);
  if (loopOf.empty()) return {};
  const std::string block = fmt::format("b = sch.get_block(\"{}\")", state.tree().block(id)->name);
  std::vector<int> wanted(iters.size());  // iterators as their loops should stand
  std::iota(wanted.begin(), wanted.end(), 0);
  const auto isReduced = [&](int n) { return iters[std::size_t(n)].type == ir::IterType::Reduce; };
  std::ranges::sort(wanted, {}, [&](int n) { return std::pair(isReduced(n), loopOf[std::size_t(n)]); });
  std::vector<std::string> loops, iterators, moved;
  for (const int n : wanted) {
    loops.push_back(fmt::format("ls[{}]", loopOf[std::size_t(n)]));
    iterators.push_back(fmt::format("v{}", iterators.size()));
    moved.push_back(fmt::format("v{}", n));
  }
  if (!std::ranges::is_sorted(wanted))
    return {block, fmt::format("sch.transform_block_layout(b, lambda {}: ({}))", fmt::join(iterators, ", "),
                               fmt::join(moved, ", "))};
  if (std::ranges::is_sorted(loopOf)) return {};
  return {block, "ls = sch.get_loops(b)", fmt::format("sch.reorder({})", fmt::join(loops, ", "))};
}

}  // namespace

PreparedProgram loopsInOrder(const schedule::State& state, const schedule::Environment& environment) {
  PreparedProgram made{state, {}, {}, {}};
  if (state.module().functions.size() != 1) return made;
  for (const auto& [name, first] : blocksByName(state).value_or(std::map<std::string, ir::Id>()))
    made.apply("R19", "auto-bind", name, linesInOrder(made.state, blocksByName(made.state)->at(name)),
               message("loops over results of {} stand before those that its sums go over", name), environment);
  return made;
}

}  // namespace loom::tune
