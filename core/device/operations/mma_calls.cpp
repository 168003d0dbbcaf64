// T.ptx_ldmatrix and T.ptx_mma become operations. Their register operands are the lanes' own arrays, which the pass
// `warp_registers` made of what the program holds by warps.
#include "core/device/operations/mma_calls.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/device/operations/call_arguments.h"

namespace loom::device {
namespace {

using namespace ir;

Failure refuse(const ReadContext& context, Message why, const Buffer& buffer, Message remedy = {},
               Forbids forbids = Forbids::Hardware) {
  std::vector<Id> subjects;
  if (context.block) subjects.push_back(context.block->id);
  if (buffer) subjects.push_back(buffer->id);
  return notAKernel(std::move(why), std::move(subjects), std::move(remedy), forbids);
}

// What TVM calls elements in its calls, in short and in full.
DType elementNamed(std::string_view kind) {
  if (kind == "fp16" || kind == "float16") return DType::Float(16);
  if (kind == "bf16" || kind == "bfloat16") return DType::BFloat(16);
  if (kind == "fp32" || kind == "float32" || kind == "tf32") return DType::Float(32);
  if (kind == "int8" || kind == "s8") return DType::Int(8);
  if (kind == "uint8" || kind == "u8") return DType::UInt(8);
  if (kind == "int32" || kind == "s32") return DType::Int(32);
  if (kind == "e4m3") return {DType::Code::E4M3, 8, 1};
  if (kind == "e5m2") return {DType::Code::E5M2, 8, 1};
  return DType::Void();
}

// The span of the row's operand, from this element of the lane's array on.
Result<BufferPlace> span(const OperandRow& row, BufferPlace place, const ReadContext& context) {
  if (memoryOf(place.buffer->scope) != Memory::Local) {
    return refuse(context,
                  message("{} takes {} from registers of the lanes, but it is in {}", nameOf(context.block),
                          place.buffer->name, place.buffer->scope),
                  place.buffer, message("sch.cache_read or cache_write with the scope \"{}\"", "warp"));
  }
  const int lanes = row.bytes / place.buffer->dtype.bytes();
  return BufferPlace{place.buffer, {ramp(place.at[0], intImm(1, place.at[0]->dtype), lanes)}, lanes, false};
}

// By coordinates, so that swizzles and padding are the layout's affair alone.
Result<BufferPlace> sharedRow(const OperandRow& row, const Buffer& b, const Expr& offset, const ReadContext& context) {
  if (!isShared(memoryOf(b->scope).value_or(Memory::Local))) {
    return refuse(context,
                  message("{} loads {} with ldmatrix, which reads shared memory alone; {} is {} memory",
                          nameOf(context.block), b->name, b->name, b->scope),
                  b, message("sch.cache_read with the scope \"shared\" before that of the registers"));
  }
  const int bytes = b->dtype.bytes(), lanes = row.bytes / bytes;
  BufferPlace place{b, {}, lanes, false};
  std::vector<std::int64_t> strides(b->shape.size(), 1);
  for (std::size_t d = b->shape.size(); d-- > 0;) {
    const std::int64_t compact = d + 1 < b->shape.size() ? strides[d + 1] * constantOr(b->shape[d + 1], 1) : 1;
    strides[d] = b->strides.empty() ? compact : constantOr(b->strides[d], compact);
  }
  Expr rest = offset;
  for (std::size_t d = 0; d < strides.size(); ++d) {
    const bool last = d + 1 == strides.size();
    if (!last && strides[d] * bytes % row.alignment != 0) {
      return refuse(context,
                    message("{} takes rows of {} that lie {} elements apart; for tensor cores it must be a multiple "
                            "of {} ({} bytes)",
                            nameOf(context.block), b->name, strides[d], row.alignment / bytes, row.alignment),
                    b,
                    message("sch.storage_align of {} with a factor and an offset that are multiples of {}", b->name,
                            row.alignment / bytes));
    }
    const Expr step = intImm(strides[d], rest->dtype);
    auto at = context.expression(last ? rest : floordiv(rest, step));
    if (!at) return Failure(at.error());
    auto after = context.expression(floormod(rest, step));
    if (!after) return Failure(after.error());
    place.at.push_back(last ? ramp(*at, intImm(1, (*at)->dtype), lanes) : *at);
    rest = *after;
  }
  return place;
}

Result<OperationNode> readLoad(const Arguments& args, const ReadContext& context) {
  int transposed = 0, count = 0;
  BufferPlace to, from;
  Expr within;
  LOOM_TAKE(transposed, args.size(0));
  LOOM_TAKE(count, args.size(1));
  LOOM_TAKE(to, args.fragment(3, 4));
  LOOM_TAKE(from, args.pointer(5));
  LOOM_TAKE(within, args.expression(6));
  if (count != 4) {
    return refuse(
        context,
        message("{} loads {} matrices with one ldmatrix; kernels here have {}", nameOf(context.block), count, 4),
        to.buffer, {}, Forbids::Environment);
  }
  OperationNode n;
  n.row = findOperation(transposed ? "ldmatrix.x4.trans" : "ldmatrix.x4");
  if (to.buffer->dtype != from.buffer->dtype || !n.row->operands[0].takes(to.buffer->dtype)) {
    return refuse(context,
                  message("{} takes {} of {}, which {} doesn't have", nameOf(context.block), to.buffer->name,
                          to.buffer->dtype.str(), n.row->name),
                  to.buffer);
  }
  n.places.resize(2);
  LOOM_TAKE(n.places[0], span(n.row->operands[0], to, context));
  Expr offset;
  LOOM_TAKE(offset, context.expression(from.at[0] + within));
  LOOM_TAKE(n.places[1], sharedRow(n.row->operands[1], from.buffer, offset, context));
  return n;
}

Result<OperationNode> readProduct(const OperationFamily& family, const Arguments& args, const ReadContext& context) {
  std::string shape, kinds[3];
  LOOM_TAKE(shape, args.text(0));
  for (std::size_t i = 0; i < 3; ++i) LOOM_TAKE(kinds[i], args.text(3 + i));
  BufferPlace a, b, c;
  LOOM_TAKE(a, args.fragment(6, 7));
  LOOM_TAKE(b, args.fragment(8, 9));
  LOOM_TAKE(c, args.fragment(10, 11));
  OperationNode n;
  n.places = {c, a, b, c};
  const BufferPlace* given[3] = {&a, &b, &c};
  for (std::size_t i = 0; i < 3; ++i) {
    if (elementNamed(kinds[i]) == given[i]->buffer->dtype) continue;
    return refuse(context,
                  message("{} multiplies {} as {}, but it has elements of {}", nameOf(context.block),
                          given[i]->buffer->name, kinds[i], given[i]->buffer->dtype.str()),
                  given[i]->buffer, {}, Forbids::Program);
  }
  bool known = false;
  for (const OperationRow& row : family.rows) {
    if (!row.multiplies() || fmt::format("m{}n{}k{}", row.tile.m, row.tile.n, row.tile.k) != shape) continue;
    known = true;
    n.row = &row;
    if (!productOf(n)) continue;
    for (std::size_t i = 0; i < n.places.size(); ++i)
      LOOM_TAKE(n.places[i], span(row.operands[i], n.places[i], context));
    return n;
  }
  if (!known) {
    return refuse(context,
                  message("{} multiplies tiles of {}, which kernels here don't have", nameOf(context.block), shape),
                  c.buffer, {}, Forbids::Environment);
  }
  return refuse(context,
                message("{} multiplies {} by {} and adds to {}, which tensor cores don't do in one step",
                        nameOf(context.block), a.buffer->dtype.str(), b.buffer->dtype.str(), c.buffer->dtype.str()),
                c.buffer);
}

}  // namespace

Result<OperationNode> readMmaCall(const OperationFamily& family, const CallNode& call, const ReadContext& context) {
  const Arguments args(call, context);
  return call.op == "ptx_ldmatrix" ? readLoad(args, context) : readProduct(family, args, context);
}

}  // namespace loom::device
