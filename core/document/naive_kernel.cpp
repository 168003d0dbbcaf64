#include "core/document/naive_kernel.h"

#include <fmt/format.h>

#include "core/schedule/analysis.h"
#include "core/schedule/instruction.h"
#include "core/script/step_line.h"

namespace loom::document {
namespace {

// Step lines that bind one block, number `index` among those of the program's body. Nothing where it has no loops.
std::optional<std::string> linesFor(const schedule::State& start, std::size_t index, ir::Id block) {
  const schedule::Tree& tree = start.tree();
  const std::vector<ir::Id> loops = tree.loopsAbove(block);
  if (loops.empty()) return std::nullopt;
  std::size_t spatial = 0;
  while (spatial < loops.size() && schedule::loopIterType(*tree.loop(loops[spatial])) == ir::IterType::Spatial)
    ++spatial;
  constexpr int kThreads = 256;
  std::string lines = fmt::format("l = sch.get_loops(blocks[{}])\n", index);
  lines += spatial > 0 ? fmt::format("f = sch.fuse(*l[:{}])\n", spatial) : "f = sch.add_unit_loop(l[0])\n";
  lines += fmt::format("x, t = sch.split(f, [None, {}])\n", kThreads);
  return lines + "sch.bind(x, \"blockIdx.x\")\nsch.bind(t, \"threadIdx.x\")\n";
}

}  // namespace

std::optional<KernelText> naiveKernel(const schedule::State& start, const SizeChoice& size) {
  if (start.module().functions.size() != 1) return std::nullopt;
  const ir::BlockNode& root = *start.module().functions[0]->body->block;
  std::string lines = fmt::format("blocks = sch.get_child_blocks(sch.get_block(\"{}\"))\n", root.name);
  const std::vector<ir::Id> blocks = start.tree().childBlocks(root.id);
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    const auto more = linesFor(start, i, blocks[i]);
    if (!more) return std::nullopt;
    lines += *more;
  }
  const auto calls = script::parseSchedule(lines, "");
  if (!calls) return std::nullopt;
  schedule::State state = start;
  std::uint32_t step = 0;
  for (const script::StepCall& call : *calls) {
    auto applied = schedule::apply(state, ++step, call, {});
    if (!applied) return std::nullopt;
    state = std::move(applied->next);
  }
  KernelText kernel = makeKernelAt(state, size);
  if (kernel.problem) return std::nullopt;
  return kernel;
}

}  // namespace loom::document
