// R16, R1: elementwise blocks around a product go into its copies, and others into each other.
#include <fmt/format.h>

#include <algorithm>

#include "core/ir/equal.h"
#include "core/schedule/analysis.h"
#include "core/tune/rules/applications.h"
#include "core/tune/rules/built.h"

namespace loom::tune {

namespace {

using schedule::State;

bool isElementwise(const State& state, ir::Id id) {
  const ir::Block block = state.tree().block(id);
  return block->writes.size() == 1 && !block->init &&
         std::ranges::all_of(block->iters, [](const ir::IterVar& v) { return v.type == ir::IterType::Spatial; });
}

// Whether a block copies a buffer, each element to its own place.
bool isCopy(const ir::BlockNode& block) {
  const auto* store = block.body->kind == ir::StmtKind::Store ? ir::as<ir::StoreNode>(block.body) : nullptr;
  const auto* load = store ? ir::asLoad(store->value) : nullptr;
  return load && std::ranges::equal(load->indices, store->indices, ir::ExprEqual()) &&
         std::ranges::equal(load->buffer->shape, store->buffer->shape, ir::ExprEqual()) &&
         load->buffer->dtype == store->buffer->dtype;
}

std::string inlineLines(const std::string& block) {
  return fmt::format("b = sch.get_block(\"{}\")\nsch.compute_inline(b)\n", block);
}

// The one block that reads what `id` writes; nothing: there is none, or several.
std::optional<ir::Id> onlyConsumer(const State& state, ir::Id id) {
  const auto found = schedule::consumersOf(state.program(), id);
  if (!found || found->size() != 1) return std::nullopt;
  return found->front();
}

}  // namespace

RuleOutcome inlineElementwise(const RuleInput& input, const SketchDraft& draft) {
  const State& state = input.state;
  const std::string name = state.tree().block(input.block)->name;
  if (draft.product) return leaves(message("{} is a reduction", name));
  if (!isElementwise(state, input.block)) return leaves(message("{} is a reduction, or writes several buffers", name));
  const auto readers = schedule::consumersOf(state.program(), input.block);
  if (!readers || readers->empty()) return leaves(message("no block reads what {} writes", name));
  if (!stateByLines(state, inlineLines(name), {})) return leaves(message("compute_inline refuses {}", name));
  SketchDraft d = draft;
  d.begin("always inline", name);
  d.line(fmt::format("b = sch.get_block(\"{}\")", name));
  d.line("sch.compute_inline(b)");
  d.end();
  return appliesWith(std::move(d),
                     message("{} is computed where it is read; blocks that read it: {}", name, readers->size()));
}

RuleOutcome inlineProducers(const RuleInput& input, const SketchDraft& draft) {
  if (!draft.product) return leaves(message("the block is no sum of products"));
  const State& state = input.state;
  SketchDraft d = draft;
  std::size_t count = 0;
  d.begin("always inline", d.product->name);
  const auto producersOf = [&](const std::string& buffer, std::vector<std::string>& inlined, const char* letter) {
    for (const schedule::Tree::Node& node : state.tree().nodes()) {
      if (!node.isBlock || !isElementwise(state, node.id) || node.parent == schedule::Tree::kNone) continue;
      const ir::Block block = state.tree().block(node.id);
      if (block->writes.front().buffer->name != buffer || onlyConsumer(state, node.id) != input.block) continue;
      if (!stateByLines(state, inlineLines(block->name), {})) continue;  // a kernel of its own
      const std::string variable = fmt::format("{}m", letter);
      d.line(fmt::format("{} = sch.get_block(\"{}\")", variable, block->name));
      inlined.push_back(variable);
      if (!isCopy(*block)) d.computed.emplace_back(variable, block->name);
      ++count;
    }
  };
  producersOf(d.product->a.buffer, d.inlinedA, "x");
  producersOf(d.product->b.buffer, d.inlinedB, "y");
  d.end();
  if (count == 0) return leaves(message("no elementwise block makes an operand"));
  return appliesWith(std::move(d),
                     message("what makes operands is computed while these are copied; blocks: {}", count));
}

RuleOutcome fuseConsumer(const RuleInput& input, const SketchDraft& draft) {
  if (!draft.product) return leaves(message("the block is no sum of products"));
  const State& state = input.state;
  SketchDraft d = draft;
  std::string trial =
      fmt::format("b = sch.get_block(\"{}\")\ne = sch.cache_write(b, 0, \"global\")\n", d.product->name);
  std::vector<std::string> names;
  ir::Id last = input.block;
  while (const auto next = onlyConsumer(state, last)) {
    const std::string name = state.tree().block(*next)->name;
    if (!isElementwise(state, *next)) break;
    const std::string more = fmt::format("sch.reverse_compute_inline(sch.get_block(\"{}\"))\n", name);
    if (!stateByLines(state, trial + more, {})) break;
    trial += more;
    names.push_back(name);
    last = *next;
  }
  if (names.empty()) return leaves(message("no elementwise block alone reads the result"));
  d.begin("fuse consumer", d.product->name);
  for (std::size_t n = 0; n < names.size(); ++n) {
    const std::string variable = fmt::format("o{}", n);
    d.line(fmt::format("{} = sch.get_block(\"{}\")", variable, names[n]));
    d.consumers.push_back(variable);
  }
  d.end();
  return appliesWith(std::move(d), message("{} elementwise blocks take the result on, each alone", names.size()));
}

}  // namespace loom::tune
