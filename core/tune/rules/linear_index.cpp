#include "core/tune/rules/linear_index.h"

#include <algorithm>


namespace loom::tune {

using namespace ir;

std::optional<std::vector<int>> loopsOfIterators(const schedule::State& state, Id block) {
  const BlockRealize realize = state.tree().realize(block);
  if (!isConst(realize->predicate, 1)) return std::nullopt;
  std::vector<For> loops;
  for (Id loop : state.tree().loopsAbove(block)) loops.push_back(state.tree().loop(loop));
  std::vector<int> found;
  for (const Expr& value : realize->values) {
    const auto at = std::ranges::find_if(loops, [&](const For& loop) { return loop->var.get() == value.get(); });
    if (at == loops.end()) return std::nullopt;
    found.push_back(int(at - loops.begin()));
  }
  return found.size() == loops.size() ? std::optional(found) : std::nullopt;
}

int readOf(const BlockNode& block, const LoadNode& load) {
  const auto read = std::ranges::find(block.reads, load.buffer, &BufferRegion::buffer);
  return read == block.reads.end() ? -1 : int(read - block.reads.begin());
}

}  // namespace loom::tune
