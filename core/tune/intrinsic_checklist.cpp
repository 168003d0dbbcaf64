#include "core/tune/intrinsic_checklist.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "core/ir/build.h"

namespace loom::tune {
namespace {

// The loops of a tile, outermost first, and its innermost block.
struct Tile {
  std::vector<std::int64_t> extents;
  ir::Block block;
};

// What is read but not written: a sum is no operand of its own.
std::vector<ir::Buffer> operandsOf(const ir::BlockNode& block) {
  std::vector<ir::Buffer> operands;
  for (const ir::BufferRegion& read : block.reads)
    if (std::ranges::find(block.writes, read.buffer, &ir::BufferRegion::buffer) == block.writes.end())
      operands.push_back(read.buffer);
  return operands;
}

template <class Name>
std::string buffersText(const ir::BlockNode& block, Name name) {
  std::vector<std::string> from, to;
  for (const ir::Buffer& buffer : operandsOf(block)) from.push_back(name(*buffer));
  for (const ir::BufferRegion& written : block.writes) to.push_back(name(*written.buffer));
  return fmt::format("{}{}→ {}", fmt::join(from, ", "), from.empty() ? "" : " ", fmt::join(to, ", "));
}

std::string extentsText(const std::vector<std::int64_t>& extents) {
  return fmt::format("{}", fmt::join(extents, " × "));
}

Tile tileOf(ir::Stmt at) {
  Tile tile;
  for (;;) {
    if (const auto* loop = ir::asFor(at)) {
      tile.extents.push_back(ir::constantOr(loop->extent, 0));
      at = loop->body;
    } else if (const auto* realize = ir::asRealize(at)) {
      tile.block = realize->block;
      at = realize->block->body;
    } else {
      return tile;
    }
  }
}

IntrinsicChecklist checklistOf(const Tile& tile, const intrin::Intrinsic& intrinsic) {
  using What = IntrinsicCheck::What;
  IntrinsicChecklist list{intrinsic.name, {}};
  const Tile wanted = tileOf(intrinsic.description->body->block->body);
  if (!wanted.block) return list;
  const auto add = [&](What what, std::string found, std::string want) {
    list.checks.push_back({what, found == want, std::move(found), std::move(want)});
  };
  const auto count = [](const ir::BlockNode& block) {
    return fmt::format("{} → {}", operandsOf(block).size(), block.writes.size());
  };
  const auto type = [](const ir::BufferNode& buffer) { return buffer.dtype.str(); };
  const auto scope = [](const ir::BufferNode& buffer) { return buffer.scope; };
  add(What::Operands, count(*tile.block), count(*wanted.block));
  add(What::Types, buffersText(*tile.block, type), buffersText(*wanted.block, type));
  add(What::Extents, extentsText(tile.extents), extentsText(wanted.extents));
  add(What::Scopes, buffersText(*tile.block, scope), buffersText(*wanted.block, scope));
  return list;
}

// Buffers and elements are the program's; extents and scopes are what steps change.
int lacks(const IntrinsicChecklist& list) {
  constexpr int kWeights[] = {8, 4, 1, 1};
  int sum = list.checks.empty() ? 100 : 0;
  for (const IntrinsicCheck& check : list.checks) sum += check.ok ? 0 : kWeights[std::size_t(check.what)];
  return sum;
}

}  // namespace

std::vector<IntrinsicChecklist> intrinsicChecklists(const schedule::State& state, ir::Id id,
                                                    const intrin::Library& library) {
  std::vector<IntrinsicChecklist> all;
  const schedule::Tree& tree = state.tree();
  if (!tree.contains(id)) return all;
  const Tile tile = tileOf(tree.at(id).stmt);
  if (!tile.block) return all;
  for (const std::string& name : library.names())
    if (const intrin::Intrinsic* intrinsic = library.find(name)) all.push_back(checklistOf(tile, *intrinsic));
  std::ranges::stable_sort(all, {}, lacks);
  return all;
}

}  // namespace loom::tune
