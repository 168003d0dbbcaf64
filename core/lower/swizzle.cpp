#include "core/lower/swizzle.h"

#include <algorithm>
#include <bit>
#include <map>
#include <optional>

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
  if (row != span) {
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

// Operations that step from row to row by one distance don't find swizzled pieces.
Result<void> checkAccesses(const SwizzleRequest& r, const Kernel& kernel) {
  Result<void> fine;
  forEach(kernel.body, [&](const Stmt& s) {
    for (const MemoryEffect& effect : effectsOf(s).memory) {
      if (!fine || effect.place.buffer != r.buffer) continue;
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
  const auto* e = std::get_if<ir::Expr>(&value.value);
  if (!e || !*e) return std::nullopt;
  if ((*e)->kind == ir::ExprKind::StringImm) return !ir::as<ir::StringImmNode>(*e)->value.empty();
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
    auto swizzled = a->layout.then(stageOf(*span, a->buffer->dtype.bytes()));
    if (!swizzled) return refuse(r, swizzled.error().message);
    a->layout = std::move(*swizzled);
    a->alignment = kRows * *span;
    done[r.buffer.get()] = *span;
  }
  return {};
}

}  // namespace loom::lower
