#include "core/lower/swizzle.h"

#include <algorithm>
#include <bit>
#include <map>
#include <optional>

#include "core/arith/analyzer.h"
#include "core/device/build.h"
#include "core/device/effects.h"
#include "core/ir/build.h"
#include "core/lower/annotations.h"
#include "core/lower/launch.h"
#include "core/lower/vector_index.h"
#include "core/lower/versions.h"

namespace loom::lower {
namespace {

using namespace device;

constexpr std::int64_t kPiece = 16;  // bytes that stay together: the widest access of a thread
constexpr std::int64_t kRows = 8;    // after which the pattern repeats, as TMA and wgmma have it

// What one block asks of a buffer that it writes.
struct SwizzleRequest {
  ir::Buffer buffer;
  std::optional<std::int64_t> span;  // none where the annotation is no number
  ir::Id block;
  std::string blockName;
};
std::vector<SwizzleRequest> requestsOf(const Stmt& body) {
  std::vector<SwizzleRequest> requests;
  for (const BlockNode* b : annotatedBlocks(body, kSwizzle)) {
    const auto span = numberOf(b->annotations.at(kSwizzle));
    for (const Buffer& written : b->writes) requests.push_back({written, span, b->block, b->name});
  }
  return requests;
}

Failure refuse(const SwizzleRequest& r, Message why, Message remedy = {}, Forbids forbids = Forbids::Program) {
  return notAKernel(std::move(why), {r.block, r.buffer->id}, std::move(remedy), forbids);
}

// (offset >> 7 bytes) % pieces of a row goes into the number of the 16-byte piece.
layout::XorStage stageOf(std::int64_t span, int bytes) {
  const int base = std::countr_zero(std::uint64_t(kPiece / bytes));
  return {std::countr_zero(std::uint64_t(span / kPiece)), base, 3};
}

Result<std::int64_t> spanOf(const SwizzleRequest& r) {
  if (r.span == 32 || r.span == 64 || r.span == 128) return *r.span;
  return refuse(r, message("tileloom.swizzle of block {} is 32, 64 or 128, the bytes of a row", r.blockName));
}

Result<void> checkRows(const SwizzleRequest& r, const Allocation& a, std::int64_t span) {
  const std::vector<std::int64_t> extents = a.extents(), strides = a.strides();
  const std::int64_t bytes = a.buffer->dtype.bytes();
  const std::int64_t row = extents.empty() ? bytes : extents.back() * bytes;
  if (row != span && (row < span || row % span != 0)) {
    return refuse(r,
                  message("rows of {} are {} bytes long; a swizzle of {} bytes takes rows of {}", a.buffer->name, row,
                          span, span),
                  row == 32 || row == 64 || row == 128
                      ? message("sch.annotate(…, \"tileloom.swizzle\", {})", row)
                      : message("sch.split(…) so that a row of the tile has {} elements", span / bytes));
  }
  std::int64_t rows = 1;
  for (std::size_t d = 0; d + 1 < extents.size(); ++d) rows *= extents[d];
  if (rows * extents.back() != elementsEach(a) ||
      (strides.size() >= 2 && strides[strides.size() - 2] != extents.back())) {
    return refuse(r, message("rows of {} are padded; a swizzle needs no padding and allows none", a.buffer->name),
                  message("without sch.storage_align of the buffer"));
  }
  if (rows % kRows != 0) {
    return refuse(r, message("{} has {} rows; a swizzle repeats after {} rows and takes a multiple of them",
                             a.buffer->name, rows, kRows));
  }
  return {};
}

// The copy engine and the tensor cores of a warpgroup find swizzled pieces by themselves.
bool knowsLayout(const Stmt& s, const MemoryEffect& effect) {
  return effect.operand >= 0 && as<OperationNode>(s)->row->operands[std::size_t(effect.operand)].swizzle >= 0;
}

// Operations that step from row to row by one distance don't find swizzled pieces.
Result<void> checkAccesses(const SwizzleRequest& r, const Kernel& kernel) {
  Result<void> fine;
  forEach(kernel.body, [&](const Stmt& s) {
    for (const MemoryEffect& effect : effectsOf(s).memory) {
      if (!fine || effect.place.buffer != r.buffer) continue;
      if (knowsLayout(s, effect)) continue;
      if (effect.tile) {
        fine = refuse(r,
                      message("{} reaches {} by a pointer and the distance between rows, which a swizzle doesn't "
                              "keep",
                              effectsOf(s).row->name, r.buffer->name),
                      message("sch.storage_align instead: padding keeps rows at one distance"), Forbids::Hardware);
      }
      for (const Expr& index : effect.place.at) {
        if (index->dtype.lanes > 1 && !ir::isConst(evenLanes(index)->stride, 0) && index != effect.place.at.back())
          fine = refuse(r, message("a vector of {} runs across its rows, which a swizzle parts", r.buffer->name));
      }
    }
    return fine.has_value();
  });
  return fine;
}

// --- permuted_layout ---

// Whether the annotation is on, as TVM reads it: a text that isn't empty ("g2s_A"), a number that isn't 0.
std::optional<bool> isPermuted(const ir::AnnotationValue& value) {
  if (const auto text = textOf(value)) return !text->empty();
  const auto number = numberOf(value);
  return number ? std::optional(*number != 0) : std::nullopt;
}

// What blocks with the annotation access in shared memory, each buffer once.
Result<std::vector<SwizzleRequest>> permutedBuffers(const Kernel& kernel, std::vector<Remark>& remarks) {
  std::vector<SwizzleRequest> all;
  for (const BlockNode* b : annotatedBlocks(kernel.body, kPermutedLayout)) {
    const auto on = isPermuted(b->annotations.at(kPermutedLayout));
    if (!on)
      return notAKernel(
          message("the annotation \"{}\" of block {} is neither a text nor a number", kPermutedLayout, b->name),
          {b->block});
    if (!*on) continue;
    bool any = false;
    forEach(b->body, [&](const Stmt& s) {
      for (const MemoryEffect& effect : effectsOf(s).memory) {
        if (!isShared(effect.memory)) continue;
        any = true;
        if (std::ranges::find(all, effect.place.buffer, &SwizzleRequest::buffer) == all.end())
          all.push_back({effect.place.buffer, std::nullopt, b->block, b->name});
      }
      return true;
    });
    if (!any)
      addRemark(remarks,
                {message("the annotation \"{}\" of block {} has no effect on the kernel", kPermutedLayout, b->name),
                 {b->block}});
  }
  return all;
}

// Rows that TVM takes; ours must not be padded, either.
Result<void> checkPermuted(const SwizzleRequest& r, const Allocation& a) {
  const std::vector<std::int64_t> extents = a.extents(), strides = a.strides();
  if (extents.size() < 2)
    return refuse(
        r, message("{} has {} dimension; a permuted layout takes rows and columns", a.buffer->name, extents.size()));
  const std::int64_t columns = extents.back(), rows = extents[extents.size() - 2];
  if (columns % 32 != 0)
    return refuse(
        r, message("rows of {} have {} elements; a permuted layout takes a multiple of 32", a.buffer->name, columns),
        message("sch.split(…) so that a row of the tile has {} elements", (columns + 31) / 32 * 32));
  if (columns % 64 != 0 && rows % 2 != 0)
    return refuse(r, message("{} has {} rows of {} elements; a permuted layout takes an even number of rows where they "
                             "aren't a multiple of 64 long",
                             a.buffer->name, rows, columns));
  if (strides.empty() || strides[strides.size() - 2] != columns)
    return refuse(r, message("rows of {} are padded; a swizzle needs no padding and allows none", a.buffer->name),
                  message("without sch.storage_align of the buffer"));
  return {};
}

// TVM's pattern where elements have 16 bits: rows of 128 bytes change the places of 8 pieces by the row's number, rows
// of 64 bytes those of 4 by half of it. Of longer rows the lines of 128 bytes are counted by as many as a row has of
// them, so that neighbouring rows differ.
layout::XorStage permutedStage(std::int64_t rowBytes, int bytes) {
  const int pieces = std::countr_zero(std::uint64_t(rowBytes / kPiece)), base = stageOf(kPiece, bytes).base;
  return {std::min(pieces, 3), base, std::max(pieces, 3)};
}

}  // namespace

Result<std::vector<Remark>> permuteLayouts(Kernel& kernel) {
  std::vector<Remark> remarks;
  const auto requests = permutedBuffers(kernel, remarks);
  if (!requests) return Failure(requests.error());
  for (const SwizzleRequest& r : *requests) {
    const auto a = std::ranges::find(kernel.allocations, r.buffer, &Allocation::buffer);
    if (auto fine = checkPermuted(r, *a); !fine) return Failure(fine.error());
    if (auto fine = checkAccesses(r, kernel); !fine) return Failure(fine.error());
    const int bytes = a->buffer->dtype.bytes();
    const layout::XorStage stage = permutedStage(a->extents().back() * bytes, bytes);
    auto permuted =
        a->layout.stages().size() > 1
            ? refuse(r, message("{} is asked for both tileloom.swizzle and permuted_layout", r.buffer->name))
            : a->layout.then(stage);
    if (!permuted) return Failure(permuted.error());
    a->layout = std::move(*permuted);
    a->alignment = std::max(a->alignment, kRows * kPiece);
  }
  return remarks;
}

namespace {

// A tile whose rows are longer than the swizzle's span lies in slabs of `line` columns, one after the other.
struct Slabs {
  layout::Layout layout;
  std::int64_t line = 0, row = 0;  // elements of a line, of a row of the tile
  std::int64_t slab = 0;           // elements from a slab to the next
};
Slabs inSlabs(const Allocation& a, std::int64_t line) {
  const std::vector<std::int64_t> extents = a.extents();
  Slabs s{a.layout, line, extents.back(), elementsEach(a) / extents.back() * line};
  if (s.row == line) return s;
  const std::vector<layout::Dimension>& inputs = a.layout.inputs();
  const int last = int(inputs.size()) - 1;
  layout::DigitStage stage;
  std::int64_t stride = line;
  for (int d = last - 1; d >= 0; stride *= inputs[std::size_t(d)].extent, --d)
    stage.digits.push_back({d, 1, inputs[std::size_t(d)].extent, 0, stride});
  stage.digits.push_back({last, 1, line, 0, 1});
  stage.digits.push_back({last, line, s.row / line, 0, s.slab});
  stage.outputs = a.layout.outputs();
  s.layout = layout::Layout(inputs).then(std::move(stage)).value();
  return s;
}

// Operations that know the layout are told it, and where a tile begins in it.
void tellOperations(Kernel& kernel, const Allocation& a, const Slabs& slabs, std::int64_t span) {
  const std::function<Stmt(const Stmt&)> walk = [&](const Stmt& s) -> Stmt {
    if (s->kind != StmtKind::Operation) return mapChildren(s, walk);
    return edit<OperationNode>(s, [&](OperationNode& n) {
      for (std::size_t i = 0; i < n.places.size(); ++i) {
        const OperandRow& operand = n.row->operands[i];
        if (n.places[i].buffer != a.buffer || operand.swizzle < 0) continue;
        n.values[std::size_t(operand.leading)] = ir::intImm(slabs.line);
        n.values[std::size_t(operand.slab)] = ir::intImm(slabs.slab);
        n.values[std::size_t(operand.swizzle)] = ir::intImm(span);
        if (!n.places[i].byOffset || slabs.row == slabs.line) continue;
        Expr& at = n.places[i].at.back();
        const auto number = [&](std::int64_t x) { return ir::intImm(x, at->dtype); };
        const Expr column = ir::floormod(at, number(slabs.row)), row = ir::floordiv(at, number(slabs.row));
        at = arith::Analyzer().simplify(ir::floordiv(column, number(slabs.line)) * number(slabs.slab) +
                                        row * number(slabs.line) + ir::floormod(column, number(slabs.line)));
      }
    });
  };
  kernel.body = walk(kernel.body);
}

// Tensor cores of a warpgroup read swizzled lines alone, and a tile of a factor is whole lines, or lies within one.
Result<void> checkFactors(const Kernel& kernel) {
  Result<void> fine;
  forEach(kernel.body, [&](const Stmt& s) {
    if (!fine || s->kind != StmtKind::Operation) return fine.has_value();
    const auto& n = *as<OperationNode>(s);
    if (n.row->agent != Agent::TensorCore) return true;
    for (std::size_t i = 0; i < n.places.size(); ++i) {
      const OperandRow& operand = n.row->operands[i];
      if (!operand.inMemory()) continue;
      const Buffer& b = n.places[i].buffer;
      std::vector<Id> subjects = n.origin;
      subjects.push_back(b->id);
      const std::int64_t bytes = b->dtype.bytes(), line = ir::constantOr(n.values[std::size_t(operand.leading)], 0);
      const int across = operand.rowMajor ? n.row->tile.columns(operand.operand) : n.row->tile.rows(operand.operand);
      if (ir::isConst(n.values[std::size_t(operand.swizzle)], 0))
        fine =
            notAKernel(message("{} reads {} by tensor cores of a warpgroup, which take swizzled lines of 32, 64 or 128 "
                               "bytes",
                               n.row->name, b->name),
                       subjects, message("sch.annotate(the block that copies to {}, \"{}\", 128)", b->name, kSwizzle),
                       Forbids::Hardware);
      else if (across % line != 0 && line % across != 0)
        fine =
            notAKernel(message("{} reads tiles of {} that are {} elements, {} bytes, across, and lines of {} bytes: a "
                               "tile is whole lines, or lies within one",
                               n.row->name, b->name, across, across * bytes, line * bytes),
                       subjects, {}, Forbids::Hardware);
    }
    return fine.has_value();
  });
  return fine;
}

}  // namespace

Result<void> swizzleBuffers(Kernel& kernel) {
  std::map<const ir::BufferNode*, std::int64_t> done;
  for (const SwizzleRequest& r : requestsOf(kernel.body)) {
    const auto span = spanOf(r);
    if (!span) return Failure(span.error());
    const auto a = std::ranges::find(kernel.allocations, r.buffer, &Allocation::buffer);
    if (a == kernel.allocations.end() || !isShared(a->memory)) {
      return refuse(r, message("block {} writes {}, which isn't shared memory of the kernel: only its banks have a "
                               "use for a swizzle",
                               r.blockName, r.buffer->name));
    }
    if (auto before = done.find(r.buffer.get()); before != done.end()) {
      if (before->second == *span) continue;
      return refuse(r, message("{} is swizzled by {} bytes and by {}", r.buffer->name, before->second, *span));
    }
    if (auto fine = checkRows(r, *a, *span); !fine) return fine;
    if (auto fine = checkAccesses(r, kernel); !fine) return fine;
    const std::int64_t line = *span / a->buffer->dtype.bytes();
    const Slabs slabs = inSlabs(*a, line);
    tellOperations(kernel, *a, slabs, *span);
    auto swizzled = slabs.layout.then(stageOf(*span, a->buffer->dtype.bytes()));
    if (!swizzled) return refuse(r, swizzled.error().message);
    a->layout = std::move(*swizzled);
    a->alignment = kRows * *span;
    done[r.buffer.get()] = *span;
  }
  return checkFactors(kernel);
}

}  // namespace loom::lower
