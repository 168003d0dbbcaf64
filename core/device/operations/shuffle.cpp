// Shuffles: a lane takes what another lane of its warp holds in a register. CUDA C++ programming guide, "Warp shuffle
// functions": what a lane reads of one that doesn't take part is undefined. TVM 0.22 names them tvm_warp_shuffle… and
// stores their value.
#include <array>

#include "core/device/operations/call_arguments.h"
#include "core/device/operations/families.h"
#include "core/ir/build.h"
#include "core/ir/packed.h"

namespace loom::device {
namespace {

using namespace ir;

// Values: the lanes of the warp that take part, as a mask; which lane; lanes of a group, a power of two.
enum : std::size_t { kLanes, kLane, kWidth };

// What a lane reads of one that the block doesn't have: anything, so that no result may depend on it.
constexpr double kUndefined = 100003;

template <class Source>
void shuffled(std::span<const TileView> tiles, std::span<const double> values, Source source) {
  const int lanes = tiles[0].rows, width = int(values[kWidth]);
  for (int lane = 0; lane < lanes; ++lane) {
    const int from = source(lane, int(values[kLane]), width);
    tiles[0].values[lane] = from < lanes ? tiles[1].values[from] : kUndefined;
  }
}
// The lane `by` further on in the group; beyond its end, the lane itself.
void down(std::span<const TileView> tiles, std::span<const double> values) {
  shuffled(tiles, values, [](int lane, int by, int width) { return lane % width + by < width ? lane + by : lane; });
}
// This lane of the group.
void broadcastOne(std::span<const TileView> tiles, std::span<const double> values) {
  shuffled(tiles, values, [](int lane, int of, int width) { return lane - lane % width + of % width; });
}

constexpr OperandRow element(std::string_view name, OperandRow::Use use, int bytes) {
  OperandRow r;
  r.name = name;
  r.use = use;
  r.bytes = bytes;
  return r;
}
template <int kBytes>
constexpr std::array<OperandRow, 2> kEnds{element("d", OperandRow::Use::Write, kBytes),
                                          element("a", OperandRow::Use::Read, kBytes)};
constexpr std::array<std::string_view, 3> kValues{"lanes", "lane", "width"};

template <int kBytes>
constexpr OperationRow shuffling(std::string_view name, std::string_view call, std::string_view text,
                                 std::string_view print, decltype(OperationRow::run) run) {
  OperationRow r;
  r.name = name;
  r.call = call;
  r.everyLane = false;
  r.operands = kEnds<kBytes>;
  r.values = kValues;
  r.text = text;
  r.print = print;
  r.since = 70;
  r.run = run;
  r.nanoseconds = 300;
  return r;
}
#define LOOM_SHUFFLE_DOWN(bytes)                                             \
  shuffling<bytes>("shuffle.down." #bytes, "tvm_warp_shuffle_down",          \
                   "{d} = __shfl_down_sync({lanes}, {a}, {lane}, {width});", \
                   "shuffle.down {d} = {a} of lane + {lane} in {width}", down)
#define LOOM_SHUFFLE_FROM(bytes)                                                                                    \
  shuffling<bytes>("shuffle.from." #bytes, "tvm_warp_shuffle", "{d} = __shfl_sync({lanes}, {a}, {lane}, {width});", \
                   "shuffle.from {d} = {a} of lane {lane} in {width}", broadcastOne)
constexpr std::array<OperationRow, 8> kRows{LOOM_SHUFFLE_DOWN(1), LOOM_SHUFFLE_DOWN(2), LOOM_SHUFFLE_DOWN(4),
                                            LOOM_SHUFFLE_DOWN(8), LOOM_SHUFFLE_FROM(1), LOOM_SHUFFLE_FROM(2),
                                            LOOM_SHUFFLE_FROM(4), LOOM_SHUFFLE_FROM(8)};
#undef LOOM_SHUFFLE_DOWN
#undef LOOM_SHUFFLE_FROM

Failure refuse(const ReadContext& context, Message why) {
  if (!context.block) return notAKernel(std::move(why), {}, {}, Forbids::Environment);
  return notAKernel(message("{} (block {})", std::move(why), context.block->name), {context.block->id}, {},
                    Forbids::Environment);
}

// Arguments: the data and the index of the element that is stored to, then those of TVM's call: mask, value, lane,
// width, lanes of a warp. All lanes that the block has take part, whatever the mask.
Result<OperationNode> readShuffle(const OperationFamily& family, const CallNode& call, const ReadContext& context) {
  const auto* taken = call.args.size() == 7 ? asLoad(call.args[3]) : nullptr;
  const auto *lane = taken ? asInt(call.args[4]) : nullptr, *width = taken ? asInt(call.args[5]) : nullptr;
  const bool power = width && width->value > 0 && width->value <= 32 && (width->value & (width->value - 1)) == 0;
  if (!lane || lane->value < 0 || lane->value > 31 || !power || taken->indices.size() != 1 ||
      memoryOf(taken->buffer->scope) != Memory::Local)
    return refuse(
        context,
        message("T.{} takes an element of registers, a lane and a power of two of lanes, both constant", call.op));
  Buffer to;
  LOOM_TAKE(to, context.buffer(asVar(call.args[0])));
  if (memoryOf(to->scope) != Memory::Local || to->dtype != taken->buffer->dtype)
    return refuse(context, message("T.{} gives an element of registers, of the type that it takes", call.op));
  OperationNode n;
  for (const OperationRow& row : family.rows)
    if (row.call == call.op && !isPacked(taken->dtype) && row.operands[0].bytes == taken->dtype.bytes()) n.row = &row;
  if (!n.row) return refuse(context, message("T.{} has no form for {}", call.op, taken->dtype.str()));
  Expr at, index;
  LOOM_TAKE(at, context.expression(call.args[1]));
  LOOM_TAKE(index, context.expression(taken->indices[0]));
  n.places = {{to, {at}, 1, false}, {taken->buffer, {index}, 1, false}};
  n.values = {context.lanes, call.args[4], call.args[5]};
  return n;
}

Result<ir::Stmt> shuffleInOrder(const CallNode& call, const InOrder&) {
  return fail("NotExecutable", message("T.{} has no meaning in order on one thread", call.op), Forbids::Environment);
}
std::optional<bool> neverByColumns(const CallNode&) { return std::nullopt; }

}  // namespace

extern const OperationFamily kShuffle;
const OperationFamily kShuffle{nullptr, kRows, readShuffle, shuffleInOrder, neverByColumns};

}  // namespace loom::device
