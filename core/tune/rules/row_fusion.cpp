// R14 for a program of rows: softmax, normalizations.
#include <fmt/format.h>

#include <algorithm>

#include "core/schedule/reducer.h"
#include "core/tune/rules/applications.h"

namespace loom::tune {

RuleOutcome fuseRows(const RuleInput& input, const SketchDraft& draft, const std::vector<ir::Id>& blocks) {
  if (blocks.size() < 2) return leaves(message("one block is left"));
  const auto isReduced = [](const ir::IterVar& v) { return v.type == ir::IterType::Reduce; };
  const auto blockOf = [&](ir::Id id) { return input.state.tree().block(id); };
  const ir::Block last = blockOf(blocks.back());
  if (std::ranges::any_of(last->iters, isReduced) || last->iters.size() < 2)
    return leaves(message("{} is not computed element by element of rows", last->name));
  const std::size_t rows = last->iters.size() - 1;
  const std::int64_t columns = ir::constantOr(last->iters.back().domain.extent, 0);
  for (ir::Id id : blocks) {
    const ir::Block block = blockOf(id);
    const bool sameRows =
        block->iters.size() == rows + 1 &&
        std::equal(block->iters.begin(), block->iters.begin() + std::ptrdiff_t(rows), last->iters.begin(),
                   [](const ir::IterVar& a, const ir::IterVar& b) {
                     return a.type == ir::IterType::Spatial &&
                            ir::constantOr(a.domain.extent, -1) == ir::constantOr(b.domain.extent, -2);
                   });
    if (!sameRows || (id != blocks.back() && !isReduced(block->iters.back())))
      return leaves(message("{} is no reduction of the same rows", block->name));
    if (id == blocks.back()) continue;
    if (const auto reduction = schedule::reductionInParts(*block); !reduction) return leaves(reduction.error().message);
  }
  if (columns < 32) return leaves(message("rows of {} elements are short", columns));
  SketchDraft d = draft;
  std::vector<std::int64_t> threads;
  for (std::int64_t t = 32; t <= std::min<std::int64_t>(1024, columns); t *= 2) threads.push_back(t);
  const std::vector<int> lastReads = neighbouringReads(last);
  std::vector<std::int64_t> vectors = vectorsOf(last, lastReads, true);
  for (ir::Id id : blocks) {
    const ir::Block block = blockOf(id);
    const std::vector<std::int64_t> own = vectorsOf(block, neighbouringReads(block), id == blocks.back());
    std::erase_if(vectors, [&](std::int64_t v) { return std::ranges::find(own, v) == own.end(); });
    const std::int64_t length = ir::constantOr(block->iters.back().domain.extent, 1);
    std::erase_if(vectors, [&](std::int64_t v) { return v > 1 && length < 32 * v; });
  }
  d.decide(1, "threads", message("threads of a block for {}", last->name), threads);
  d.decide(3, "vector", message("neighbours of {} that a thread takes at once", last->name), vectors);
  for (const char* name : {"threads", "vector"}) d.leaveToModel(name);
  d.atMost("threads of a block", message("a block has at most {} threads", input.device.threads), Forbids::Hardware,
           "threads", input.device.threads);
  keepThreadsAtWork(d, "threads", "vector", columns);
  keepInside(input, d, {"threads", "vector"}, columns);
  d.quantity("threads", "threads");
  d.begin("cross-thread reduction", last->name);
  d.line(fmt::format("b = sch.get_block(\"{}\")", last->name));
  d.line("ls = sch.get_loops(b)");
  d.line(fmt::format("s = sch.fuse(*ls[:{}])", rows));
  d.line("sch.bind(s, \"blockIdx.x\")");
  d.line("j0, j1, j2 = sch.split(ls[-1], [None, ?threads, ?vector])");
  d.line("sch.bind(j1, \"threadIdx.x\")");
  if (vectors.size() > 1) {
    readVectors(d, "b", "j1", lastReads, "vector - 1");
    writeVectors(d, "b", "j1", "vector - 1");
  }
  d.line("sch.unroll(j2)");
  d.end();
  for (auto id = blocks.rbegin() + 1; id != blocks.rend(); ++id) {
    const ir::Block block = blockOf(*id);
    d.begin("cross-thread reduction", block->name);
    d.line(fmt::format("r = sch.get_block(\"{}\")", block->name));
    d.line("sch.set_scope(r, 0, \"shared\")");
    d.line("sch.compute_at(r, s)");
    d.line("k0, k1, k2 = sch.split(sch.get_loops(r)[-1], [None, ?threads, ?vector])");
    d.line("sch.bind(k1, \"threadIdx.x\")");
    if (vectors.size() > 1) readVectors(d, "r", "k1", neighbouringReads(block), "vector - 1");
    d.line("sch.unroll(k2)");
    d.end();
  }
  return appliesWith(std::move(d),
                     message("{} blocks of the same rows of {} elements: a block a row", blocks.size(), columns));
}

}  // namespace loom::tune
