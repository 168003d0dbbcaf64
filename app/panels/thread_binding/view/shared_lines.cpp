#include "app/panels/thread_binding/view/shared_lines.h"

#include <algorithm>
#include <array>

namespace loom::session {

namespace {

constexpr int kPieceBytes = SharedLines::kPiece, kRowBytes = SharedLines::kRow, kPiecesAcross = SharedLines::kAcross;

// The place of a piece in 1024 bytes, and the piece at a place: the swizzle is its own inverse.
int swizzled(int place, int span) { return place ^ (place / kPiecesAcross & (span / kPieceBytes - 1)); }

}  // namespace

std::optional<SharedLines> sharedLinesOf(const model::KernelAccesses& kernel, const model::Access& access,
                                         const device::WarpState& state) {
  if (access.operand < 0 || !access.tile || !model::isShared(access.memory)) return std::nullopt;
  const auto& n = static_cast<const device::OperationNode&>(*access.statement);
  const device::OperandRow& operand = n.row->operands[std::size_t(access.operand)];
  if (operand.swizzle < 0 || operand.slab < 0 || access.agent == device::Agent::Threads) return std::nullopt;
  const auto valueOf = [&](const device::Expr& e) -> std::optional<std::int64_t> {
    const auto value = state.evaluate(e);
    return value ? std::optional((*value)[0]) : std::nullopt;
  };
  const auto span = valueOf(n.values[std::size_t(operand.swizzle)]),
             slab = valueOf(n.values[std::size_t(operand.slab)]), index = valueOf(access.index);
  if (!span || !slab || !index || (*span != 32 && *span != 64 && *span != 128)) return std::nullopt;
  SharedLines found;
  found.agent = access.agent;
  found.write = access.write;
  found.span = int(*span);
  found.group = 8 * *span;
  found.lines = access.tile->rows;
  found.lineBytes = access.tile->columns * access.bytes;
  found.slab = found.lineBytes > found.span ? *slab * access.bytes : 0;
  for (const device::Allocation& a : kernel.kernel->allocations)
    if (a.buffer == access.buffer) found.start = std::max<std::int64_t>(0, a.offset);
  found.start += *index * access.bytes;
  // The tile's pieces in the first 1024 bytes.
  const int first = int(found.start % (kRowBytes * SharedLines::kRows)), firstLine = first / found.span,
            from = first % found.span / kPieceBytes,
            each = std::max(1, std::min(found.lineBytes, found.span) / kPieceBytes);
  const int perLine = found.span / kPieceBytes;
  found.pieces.resize(std::size_t(SharedLines::kRows * kPiecesAcross));
  for (int place = 0; place < int(found.pieces.size()); ++place) {
    const int plain = swizzled(place, found.span);
    const int line = plain / perLine, number = plain % perLine;
    found.pieces[std::size_t(place)] = {
        line, number, line >= firstLine && line < firstLine + found.lines && number >= from && number < from + each};
  }
  std::array<int, kPiecesAcross> is{}, plain{};
  for (int line = 0; line < 8; ++line) {
    const int place = line * perLine + from;
    ++plain[std::size_t(place % kPiecesAcross)];
    ++is[std::size_t(swizzled(place, found.span) % kPiecesAcross)];
  }
  found.ways = *std::ranges::max_element(is);
  found.plainWays = *std::ranges::max_element(plain);
  return found;
}

}  // namespace loom::session
