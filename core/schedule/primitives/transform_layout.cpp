// transform_layout(block, buffer, index_map, pad_value=None, assume_injective_transform=False)
//
//   with lambda i, j: (i // 16, j, i % 16)
//
//   B: (128, 64)                      B: (8, 64, 16)
//   B[vi, vj] = A[vi, vj]         →   B[vi // 16, vj, vi % 16] = A[vi, vj]
//   C[vi, vj] = B[vi, vj] + 1         C[vi, vj] = B[vi // 16, vj, vi % 16] + 1
//
// The buffer is stored by the map's outputs, and every access to it in the scope that allocates it follows; a parameter
// changes the function's signature. Where the new shape has elements that no old index reaches, `pad_value` says what
// they hold (layout_padding.h). IndexMap.AXIS_SEPARATOR between outputs parts the dimensions of the flat memory.
//
// Refused, in this order: AssertionError (no such buffer), InternalError (the map takes another number of indices),
// TransformationPaddingIndexMapError, TransformationPaddingTypeError, RuntimeError and
// KeyError (the map isn't affine, or loses an index), TransformationIntroducesPaddingError, IndexError (a view, or a
// parameter seen from a block inside another).
#include <algorithm>

#include "core/arith/block_access.h"
#include "core/ir/build.h"
#include "core/schedule/buffers.h"
#include "core/schedule/index_simplifier.h"
#include "core/schedule/instructions.h"
#include "core/schedule/layout_padding.h"
#include "core/schedule/refuse.h"

namespace loom::schedule {
namespace {

using namespace ir;

// Carries every access to the buffer over, and puts the padding where it is planned.
class LayoutRewriter : public IndexSimplifier {
 public:
  LayoutRewriter(const LayoutChange& change, const PaddingPlan& plan, arith::Analyzer& analyzer)
      : IndexSimplifier(analyzer), change_(change), plan_(plan), known_{{change.after->data.get(), change.after}} {}
  using IndexSimplifier::rewrite;

  // The first thing that TVM fails a check at.
  const std::optional<Error>& error() const { return error_; }

  Stmt rewrite(const Stmt& s) override {
    const Stmt after = IndexSimplifier::rewrite(s);
    if (!plan_.last || !s) return after;
    const auto* loop = asFor(s);
    const auto* realize = asRealize(s);
    const bool isLast = (loop && loop->id == plan_.lastWriter) || (realize && realize->block->id == plan_.lastWriter);
    return isLast ? seq({after, plan_.last}) : after;
  }

  Block rewriteBlock(const Block& block) override {
    const Block inner = IndexSimplifier::rewriteBlock(block);
    const bool accesses = names(inner->reads) || names(inner->writes);
    if (!accesses && std::ranges::find(inner->allocs, change_.before) == inner->allocs.end()) return inner;
    BlockNode after = *inner;
    if (accesses) {  // what a block accesses takes long to find
      const auto access = arith::blockReadWrite(inner, known_);
      carryOver(after.reads, access.reads, block->id);
      carryOver(after.writes, access.writes, block->id);
    }
    std::replace(after.allocs.begin(), after.allocs.end(), change_.before, change_.after);
    return std::make_shared<const BlockNode>(std::move(after));
  }

 protected:
  Stmt rewriteFor(const Stmt& s) override {
    const auto it = plan_.replacements.find(as<ForNode>(s)->id);
    return it == plan_.replacements.end() ? IndexSimplifier::rewriteFor(s) : rewrite(it->second);
  }
  Expr rewriteLoad(const Expr& e) override {
    const Expr after = IndexSimplifier::rewriteLoad(e);
    const auto* n = as<LoadNode>(after);
    if (n->buffer != change_.before) return after;
    return std::make_shared<LoadNode>(change_.after, moved(n->indices), n->dtype);
  }
  Stmt rewriteStore(const Stmt& s) override {
    const Stmt after = IndexSimplifier::rewriteStore(s);
    const auto* n = as<StoreNode>(after);
    return n->buffer == change_.before ? store(change_.after, n->value, moved(n->indices)) : after;
  }

 private:
  std::vector<Expr> moved(const std::vector<Expr>& indices) {
    auto mapped = mapIndices(change_.map, indices, mapper_);
    if (mapped) return simplified(*mapped);
    if (!error_) error_ = mapped.error();
    return indices;
  }
  bool names(const std::vector<BufferRegion>& regions) const {
    return std::ranges::find(regions, change_.before, &BufferRegion::buffer) != regions.end();
  }
  void carryOver(std::vector<BufferRegion>& regions, const std::vector<BufferRegion>& found, Id block) {
    for (BufferRegion& region : regions) {
      if (region.buffer != change_.before) continue;
      if (found.size() == 1) {
        region = found.front();
      } else if (!error_) {
        error_ = refuse("InternalError",
                        message("the regions of a block name {}, which it does not access", change_.before->name),
                        {block, change_.before->id}, Forbids::Tvm)
                     .value();
      }
    }
  }

  const LayoutChange& change_;
  const PaddingPlan& plan_;
  arith::KnownBuffers known_;
  arith::Analyzer mapper_;  // knows nothing of the iterators
  std::optional<Error> error_;
};

Checked checkPadValue(const std::optional<IndexMap>& value, const Buffer& buffer) {
  if (!value) return {};
  if (value->outputs.size() != 1)
    return refuse("TransformationPaddingIndexMapError",
                  message("pad_value gives {} values for an element, and must give one", value->outputs.size()),
                  {buffer->id});
  const DType given = value->outputs.front()->dtype;
  if (given != buffer->dtype)
    return refuse("TransformationPaddingTypeError",
                  message("The elements of {} are of type {}, but pad_value is of type {}", buffer->name,
                          buffer->dtype.str(), given.str()),
                  {buffer->id});
  return {};
}

Result<Handles> applyTransformLayout(Draft& draft, const Arguments& arguments) {
  const Program& p = draft.program();
  const Tree& tree = draft.tree();
  const Id id = arguments.block("block");
  const Block block = tree.block(id);
  const auto place = arguments.buffer("buffer", *block);
  if (!place) return Failure(place.error());
  LayoutChange change;
  change.before = place->buffer;
  const DType indexType = indexTypeOf(*block);
  const auto written = indexMapOf(**arguments["index_map"].as<Lambda>(), change.before->shape.size(), indexType);
  if (!written) return Failure(written.error());
  auto padValue = padValueOf(arguments["pad_value"], change.before, written->outputs.size(), indexType);
  if (!padValue) return Failure(padValue.error());
  change.padValue = std::move(*padValue);

  arith::Analyzer analyzer;
  addShapeVarBounds(p, id, analyzer);
  auto map = withTypesOf(*written, change.before->shape);
  if (!map) return Failure(map.error());
  change.map = std::move(*map);
  if (auto ok = checkPadValue(change.padValue, change.before); !ok) return Failure(ok.error());
  // That a parameter can't be reached from here, TVM finds out last.
  const auto uses = useScope(p, id, change.before);
  const auto outer = uses ? Result<Id>(uses->block) : scopeRoot(p, id, false);
  if (!outer) return Failure(outer.error());
  const Id scope = *outer;

  change.inverse.padding = boolImm(false);
  if (!arguments.flag("assume_injective_transform")) {
    std::vector<Range> region;
    for (const Expr& extent : change.before->shape) region.push_back({zero(extent->dtype), extent});
    auto inverse = inverseOf(change.map, region, arith::IterMapLevel::NoCheck, analyzer);
    if (!inverse) return Failure(inverse.error());
    change.inverse = std::move(*inverse);
  }
  const bool isPadded = !isFalse(change.inverse.padding);
  if (isPadded && !change.padValue)
    return refuse(
        "TransformationIntroducesPaddingError",
        message("The new shape has elements that no index of {} reaches, and no pad_value says what they hold",
                change.before->name),
        {id, change.before->id});
  auto shape = mapShape(change.map, change.before->shape, analyzer);
  if (!shape) return Failure(shape.error());
  if (change.padValue && arguments.flag("assume_injective_transform"))
    return refuse("RuntimeError", message("With assume_injective_transform, TVM has no inverse for a pad_value"), {id},
                  Forbids::Tvm);
  auto after = std::make_shared<BufferNode>(*change.before);
  after->shape = std::move(*shape);
  if (!written->separators.empty()) after->axisSeparators = written->separators;
  change.after = after;

  PaddingPlan plan;
  if (isPadded) {
    auto found = planPadding(draft, *tree.block(scope), change);
    if (!found) return Failure(found.error());
    plan = std::move(*found);
  }
  arith::Analyzer ofAccesses;
  LayoutRewriter rewriter(change, plan, ofAccesses);
  Block now = rewriter.rewriteBlock(tree.block(scope));
  if (rewriter.error()) return Failure(*rewriter.error());
  if (plan.first) now = edit(*now, [&](BlockNode& n) { n.body = seq({plan.first, n.body}); });
  if (!uses) return Failure(uses.error());
  replaceBuffer(draft, *uses, now, change.before, change.after);
  if (plan.first) {  // TVM takes the scope for a new block then, of which it knows nothing yet
    draft.setAffineBinding(scope, false);
    draft.setRegionCover(scope, false);
    draft.setStagePipeline(scope, false);
  }
  return Handles{};
}

}  // namespace

Instruction transformLayoutInstruction() {
  Instruction row;
  row.name = "transform_layout";
  row.traceKind = "TransformLayout";
  row.group = "memory";
  row.parameters = {
      {"block", ParameterType::Block, {}, "", "a block that uses the buffer", "使用该缓冲区的计算块"},
      {"buffer",
       ParameterType::Buffer,
       {},
       "",
       "the buffer: (\"read\" or \"write\", index), or its name",
       "缓冲区：(\"read\" 或 \"write\", 序号)，或其名称"},
      {"index_map",
       ParameterType::IndexMap,
       {},
       "",
       "where an element goes: a lambda from its old indices to its new ones",
       "元素的新位置：从旧下标到新下标的 lambda"},
      {"pad_value", ParameterType::PadValue, Value{}, "",
       "what new elements hold that no old index reaches: a number, or a lambda of the new indices",
       "旧下标达不到的新元素的值：一个数，或新下标的 lambda"},
      {"assume_injective_transform", ParameterType::Bool, Value{false}, "",
       "take it on trust that the map is one-to-one and needs no padding", "相信该映射是一对一的，无需填充"}};
  row.apply = applyTransformLayout;
  row.en = "Store a buffer by other indices, which a lambda gives, everywhere it is used.";
  row.zh = "按 lambda 给出的新下标存放缓冲区，所有访问随之改变。";
  return row;
}

}  // namespace loom::schedule
