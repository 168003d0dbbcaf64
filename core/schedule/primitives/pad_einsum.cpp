// pad_einsum(block, padding)
//
//   with padding [16, 16, 16], A: (127, 127)      for i0, i1 in grid(128, 128):
//                                                   A_pad[v0, v1] = if_then_else(v0 < 127 and v1 < 127, A[v0, v1], 0)
//   for i, j, k in grid(127, 127, 127):       →   for i, j, k in grid(128, 128, 128):
//     C[vi, vj] += A[vi, vk] * B[vk, vj]            C_pad[vi, vj] += A_pad[vi, vk] * B_pad[vk, vj]
//                                                 for i0, i1 in grid(127, 127): C[v0, v1] = C_pad[v0, v1]
//
// Each iterator of the block is padded to a multiple of its number. What it reads is copied with zeros around it, and
// what it writes is copied back without the padding; buffers that no padded iterator indexes stay as they are.
//
// Refused, in this order: NotStagePipelineError, InvalidPaddingError (not one positive number for each iterator),
// NonEinsumError (a buffer is accessed twice, or not by iterators alone).
#include <algorithm>
#include <unordered_set>

#include "core/ir/visit.h"
#include "core/schedule/analysis.h"
#include "core/schedule/instructions.h"
#include "core/schedule/new_loops.h"
#include "core/schedule/refuse.h"

namespace loom::schedule {
namespace {

using namespace ir;

using Extents = std::unordered_map<const VarNode*, Expr>;
using BufferTable = std::vector<std::pair<Buffer, Buffer>>;  // a buffer and its padded copy

Checked checkPadding(const BlockNode& block, const List& padding) {
  const auto isPositive = [](const Value& v) { return v.as<std::int64_t>() && *v.as<std::int64_t>() > 0; };
  if (padding.size() == block.iters.size() && std::all_of(padding.begin(), padding.end(), isPositive)) return {};
  return refuse("InvalidPaddingError",
                message("The padding of the block \"{}\" must be {} positive integers, one for each iterator",
                        block.name, block.iters.size()),
                {block.id});
}

Checked checkEinsum(const BlockNode& block) {
  std::unordered_set<const BufferNode*> seen;
  const auto isPlain = [](const Range& range) {
    return isConst(range.extent, 1) && (asInt(range.min) || asVar(range.min));
  };
  for (const auto* regions : {&block.reads, &block.writes}) {
    for (const BufferRegion& region : *regions) {
      const bool isFirst = seen.insert(region.buffer.get()).second;
      if (isFirst && std::all_of(region.region.begin(), region.region.end(), isPlain)) continue;
      return refuse("NonEinsumError",
                    isFirst ? message("The block \"{}\" does not index {} by its iterators alone", block.name,
                                      region.buffer->name)
                            : message("The block \"{}\" accesses {} twice", block.name, region.buffer->name),
                    {block.id, region.buffer->id});
    }
  }
  return {};
}

// The statements under the scope that hold the block, over the padded extents and buffers.
class PaddedReplacer : public Mutator {
 public:
  PaddedReplacer(const Extents& extents, const BufferTable& buffers) : extents_(extents), buffers_(buffers) {}
  using Mutator::rewrite;

  Buffer rewriteBuffer(const Buffer& buffer) override {
    const auto it =
        std::find_if(buffers_.begin(), buffers_.end(), [&](const auto& pair) { return pair.first == buffer; });
    return it == buffers_.end() ? buffer : it->second;
  }
  Block rewriteBlock(const Block& block) override {
    BlockNode n = *Mutator::rewriteBlock(block);
    for (IterVar& iter : n.iters)
      if (const auto it = extents_.find(iter.var.get()); it != extents_.end()) iter.domain.extent = it->second;
    n.allocs.clear();  // TVM drops what a block allocates, and its views
    n.matches.clear();
    return std::make_shared<const BlockNode>(std::move(n));
  }

 protected:
  Stmt rewriteFor(const Stmt& s) override {
    const Stmt after = Mutator::rewriteFor(s);
    const auto* loop = as<ForNode>(after);
    const auto it = extents_.find(loop->var.get());
    return it == extents_.end() ? after : Stmt(edit(*loop, [&](ForNode& n) { n.extent = it->second; }));
  }

 private:
  const Extents& extents_;
  const BufferTable& buffers_;
};

Buffer paddedBuffer(Draft& draft, const BufferRegion& region, const Extents& extents) {
  const Buffer& buffer = region.buffer;
  std::vector<Expr> shape;
  for (std::size_t i = 0; i < region.region.size(); ++i) {
    const Expr& at = region.region[i].min;
    const auto it = extents.find(asVar(at));
    shape.push_back(asInt(at) ? one(at->dtype) : it != extents.end() ? it->second : buffer->shape[i]);
  }
  const Buffer made = makeBuffer(draft.newId(), buffer->name + "_pad", buffer->dtype, std::move(shape), buffer->scope);
  draft.origin(made->id, {buffer->id});
  return made;
}

// Copies into the padded buffer, zeros around it, or out of it.
Stmt copyNest(Draft& draft, const Buffer& buffer, const Buffer& padded, bool isRead, arith::Analyzer& analyzer,
              std::vector<Id>& blocks) {
  auto block = std::make_shared<BlockNode>();
  block->id = draft.newId();
  block->name = padded->name;
  std::vector<Expr> values, indices;
  std::vector<Range> domains;
  const auto& shape = isRead ? padded->shape : buffer->shape;
  Expr isInside = boolImm(true);
  for (std::size_t i = 0; i < shape.size(); ++i) {
    const DType type = shape[i]->dtype;
    const Var var = makeVar("v" + std::to_string(i), type);
    block->iters.push_back({var, {zero(type), shape[i]}, IterType::Spatial});
    values.push_back(makeVar("i" + std::to_string(i), type));
    indices.push_back(var);
    domains.push_back({zero(type), shape[i]});
    if (!analyzer.canProveEqual(buffer->shape[i], padded->shape[i]))
      isInside = andOf(isInside, lt(var, buffer->shape[i]));
  }
  const Buffer& from = isRead ? buffer : padded;
  const Buffer& to = isRead ? padded : buffer;
  Expr value = load(from, indices);
  if (isRead) value = ifThenElse(isInside, value, zero(value->dtype));
  block->body = store(to, value, indices);
  block->reads = {{from, pointRegion(indices)}};
  block->writes = {{to, pointRegion(indices)}};
  blocks.push_back(block->id);
  draft.origin(block->id, {buffer->id});
  return newLoops(draft, values, domains, realize(values, boolImm(true), block), {});
}

bool needsPadding(const BufferRegion& region, const Extents& extents) {
  return std::any_of(region.region.begin(), region.region.end(),
                     [&](const Range& range) { return extents.contains(asVar(range.min)); });
}

Result<Handles> applyPadEinsum(Draft& draft, const Arguments& arguments) {
  const Program& p = draft.program();
  const Tree& tree = draft.tree();
  const Id id = arguments.block("block");
  const BlockRealize whole = tree.realize(id);
  const BlockNode& block = *whole->block;
  const auto scope = scopeRoot(p, id, true);
  if (!scope) return Failure(scope.error());
  const List& padding = *arguments["padding"].as<List>();
  if (auto ok = checkPadding(block, padding); !ok) return Failure(ok.error());
  if (auto ok = checkEinsum(block); !ok) return Failure(ok.error());

  arith::Analyzer analyzer;
  Extents extents;
  for (std::size_t i = 0; i < padding.size(); ++i) {
    const Expr& extent = block.iters[i].domain.extent;
    const std::int64_t multiple = *padding[i].as<std::int64_t>();
    const Expr padded =
        analyzer.simplify(floordiv(extent + (multiple - 1), intImm(multiple, extent->dtype)) * multiple);
    if (analyzer.canProveEqual(padded, extent)) continue;
    extents[block.iters[i].var.get()] = padded;
    if (const auto* loop = asVar(whole->values[i])) extents[loop] = padded;
  }
  BufferTable buffers;
  std::vector<Stmt> before, after;
  std::vector<Id> copies;
  for (const bool isRead : {true, false}) {
    for (const BufferRegion& region : isRead ? block.reads : block.writes) {
      if (!needsPadding(region, extents)) continue;
      buffers.emplace_back(region.buffer, paddedBuffer(draft, region, extents));
      (isRead ? before : after)
          .push_back(copyNest(draft, region.buffer, buffers.back().second, isRead, analyzer, copies));
    }
  }
  PaddedReplacer replacer(extents, buffers);
  const Block now = edit(*tree.block(*scope), [&](BlockNode& n) {
    std::vector<Stmt> body;
    for (const Stmt& s : asArray(n.body)) {
      bool isThat = false;
      forEachStmt(s, [&](const Stmt& inner) {
        const auto* realize = asRealize(inner);
        isThat = isThat || (realize && realize->block->id == id);
        return !isThat;
      });
      if (isThat) body.insert(body.end(), before.begin(), before.end());
      body.push_back(isThat ? replacer.rewrite(s) : s);
      if (isThat) body.insert(body.end(), after.begin(), after.end());
    }
    n.body = seq(std::move(body));
    for (const auto& [buffer, padded] : buffers) n.allocs.push_back(padded);
  });
  draft.replace(*scope, now);
  for (Id copy : copies) {
    draft.setAffineBinding(copy, true);
    draft.setRegionCover(copy, true);
    draft.setStagePipeline(copy, true);
  }
  return Handles{};
}

}  // namespace

Instruction padEinsumInstruction() {
  Instruction row;
  row.name = "pad_einsum";
  row.traceKind = "PadEinsum";
  row.group = "blocks";
  row.parameters = {{"block",
                     ParameterType::Block,
                     {},
                     "",
                     "it indexes its buffers by iterators alone",
                     "它只用迭代变量作为各缓冲区的下标"},
                    {"padding",
                     ParameterType::Integers,
                     {},
                     "iterations",
                     "for each iterator, what it is padded to a multiple of",
                     "各迭代变量填充到其倍数"}};
  row.apply = applyPadEinsum;
  row.en = "Pad the iterators of a product such as a matrix multiplication to multiples, through padded copies.";
  row.zh = "通过填充后的副本，把矩阵乘法等乘积的各迭代变量填充到指定的倍数。";
  return row;
}

}  // namespace loom::schedule
