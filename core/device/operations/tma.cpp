// The copy engine of Hopper (TMA): one thread gives it a box of a matrix in global memory, and it copies the box to or
// from shared memory by itself; or a row, a span of neighbouring bytes, which needs no map. PTX ISA,
// cp.async.bulk.tensor and cp.async.bulk.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <deque>
#include <vector>

#include "core/device/operations/families.h"

namespace loom::device {
namespace {

void copy(std::span<const TileView> tiles, std::span<const double>) {
  std::ranges::copy(tiles[1].all(), tiles[0].values);
}

// "column" and "row" are the box' first element in the matrix, which is told by its map; lines of the box in shared
// memory are as long as its row, swizzled as the map says. "blocks" are those of the cluster that get the box, a bit
// each: it lies at the same place in the shared memory of all, and an mbarrier of each is told.
constexpr std::array<std::string_view, 7> kMulticast{"to_leading", "from_leading", "column", "row",
                                                     "slab",       "swizzle",      "blocks"};
constexpr std::span<const std::string_view> kValues{kMulticast.data(), 6};

constexpr OperandRow box(std::string_view name, OperandRow::Use use, OperandRow::Where where, int leading) {
  OperandRow r;
  r.name = name;
  r.use = use;
  r.where = where;
  r.boxed = true;
  r.leading = leading;
  const bool shared = where == OperandRow::Where::Shared;
  r.alignment = shared ? 128 : 16;
  r.stride = 16;
  if (shared) {
    r.slab = 4;
    r.swizzle = 5;
  }
  return r;
}
using Use = OperandRow::Use;
using Where = OperandRow::Where;
constexpr std::array<OperandRow, 2> kLoaded{box("to", Use::Write, Where::Shared, 0),
                                            box("from", Use::Read, Where::Global, 1)};
constexpr std::array<OperandRow, 2> kStored{box("to", Use::Write, Where::Global, 0),
                                            box("from", Use::Read, Where::Shared, 1)};

// Boxes of one line of so many "elements".
constexpr std::array<std::string_view, 1> kElements{"elements"};
constexpr OperandRow line(std::string_view name, OperandRow::Use use, OperandRow::Where where) {
  OperandRow r;
  r.name = name;
  r.use = use;
  r.where = where;
  r.boxed = true;
  r.leading = 0;
  r.alignment = r.stride = 16;
  return r;
}
constexpr std::array<OperandRow, 2> kStoredLine{line("to", Use::Write, Where::Global),
                                                line("from", Use::Read, Where::Shared)};

constexpr OperationRow moving(std::string_view name, std::span<const OperandRow> operands,
                              std::span<const std::string_view> values, Token completes, std::string_view text,
                              std::string_view print, std::string_view preamble) {
  OperationRow r;
  r.name = name;
  r.group = Group::Thread;
  r.agent = Agent::CopyEngine;
  r.operands = operands;
  r.values = values;
  r.completes = completes;
  r.text = text;
  r.print = print;
  r.preamble = preamble;
  r.since = 90;
  r.run = copy;
  r.nanoseconds = 20000;
  return r;
}

// What of a box the L2 cache gives up first, or last: 64 bits that createpolicy makes, as CUTLASS has them for all of
// an access.
struct Policy {
  std::string_view suffix, name;  // what it adds to the names of functions and operations
  std::string_view hint, bits;    // … to an instruction, and to its operands
};
constexpr std::string_view kHint = ".L2::cache_hint";
constexpr std::array<Policy, 3> kPolicies{{{"", "", "", ""},
                                           {"_first", ".first", kHint, ", \"l\"(0x12F0000000000000ull)"},
                                           {"_last", ".last", kHint, ", \"l\"(0x14F0000000000000ull)"}}};

// The rows of both directions, and of each policy.
class Rows {
 public:
  Rows() {
    for (const Policy& p : kPolicies) {
      load(p, false);
      load(p, true);
      store(p);
      storeLine(p);
    }
  }
  const std::vector<OperationRow>& all() const { return rows_; }

 private:
  std::string_view keep(std::string text) { return texts_.emplace_back(std::move(text)); }
  // The place of the policy's bits among the operands, of which `n` come before.
  static std::string place(const Policy& p, int n) { return p.bits.empty() ? "" : fmt::format(", %{}", n); }

  void load(const Policy& p, bool multicast) {
    const std::string function = fmt::format("tma_load{}{}", multicast ? "_multicast" : "", p.suffix),
                      own = fmt::format("tma.load{}{}", multicast ? ".multicast" : "", p.name);
    rows_.push_back(moving(
        keep(own), kLoaded, multicast ? std::span<const std::string_view>(kMulticast) : kValues, Token::Transfers,
        keep(fmt::format("{}({{to, element}}, {{map}}, {{column}}, {{row}}, {{barrier}}, {{slot}}{});", function,
                         multicast ? ", {blocks}" : "")),
        keep(fmt::format("{} {{to}}{} = {{map}}[{{row}}, {{column}}], to {{barrier}}[{{slot}}]", own,
                         multicast ? " of blocks {blocks}" : "")),
        keep(fmt::format(
            "template <typename T>\n"
            "__device__ __forceinline__ void {}(T* shared, int element, const TensorMap& map, int column, int row,\n"
            "                                         const unsigned long long* barriers, int slot{}) {{\n"
            "  asm volatile(\n"
            "      \"cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes{}{} [%0], [%1, "
            "{{%3, %4}}], [%2]{}{};\" ::\"r\"(\n"
            "          unsigned(__cvta_generic_to_shared(shared)) + element * unsigned(sizeof(T))),\n"
            "      \"l\"(&map), \"r\"(unsigned(__cvta_generic_to_shared(barriers)) + slot * 8u), \"r\"(column), "
            "\"r\"(row){}{}\n"
            "      : \"memory\");\n"
            "}}\n",
            function, multicast ? ", int blocks" : "", multicast ? ".multicast::cluster" : "", p.hint,
            multicast ? ", %5" : "", place(p, multicast ? 6 : 5),
            multicast ? ", \"h\"(static_cast<unsigned short>(blocks))" : "", p.bits))));
  }
  void store(const Policy& p) {
    rows_.push_back(moving(
        keep(fmt::format("tma.store{}", p.name)), kStored, kValues, Token::BulkStores,
        keep(fmt::format("tma_store{}({{map}}, {{column}}, {{row}}, {{from, element}});", p.suffix)),
        keep(fmt::format("tma.store{} {{map}}[{{row}}, {{column}}] = {{from}}", p.name)),
        keep(fmt::format(
            "template <typename T>\n"
            "__device__ __forceinline__ void tma_store{}(const TensorMap& map, int column, int row, const T* shared, "
            "int element) {{\n"
            "  asm volatile(\"cp.async.bulk.tensor.2d.global.shared::cta.tile.bulk_group{} [%0, {{%2, %3}}], "
            "[%1]{};\" "
            "::\"l\"(&map),\n"
            "               \"r\"(unsigned(__cvta_generic_to_shared(shared)) + element * unsigned(sizeof(T))), "
            "\"r\"(column),\n"
            "               \"r\"(row){}\n"
            "               : \"memory\");\n"
            "}}\n",
            p.suffix, p.hint, place(p, 4), p.bits))));
  }
  void storeLine(const Policy& p) {
    rows_.push_back(moving(
        keep(fmt::format("bulk.store{}", p.name)), kStoredLine, kElements, Token::BulkStores,
        keep(fmt::format("bulk_store{}({{&to}}, {{from, element}}, {{elements}});", p.suffix)),
        keep(fmt::format("bulk.store{} {{to}} = {{from}}, {{elements}} elements", p.name)),
        keep(fmt::format(
            "template <typename T>\n"
            "__device__ __forceinline__ void bulk_store{}(T* global, const T* shared, int element, int elements) {{\n"
            "  asm volatile(\"cp.async.bulk.global.shared::cta.bulk_group{} [%0], [%1], %2{};\" ::\"l\"(global),\n"
            "               \"r\"(unsigned(__cvta_generic_to_shared(shared)) + element * unsigned(sizeof(T))),\n"
            "               \"r\"(elements * unsigned(sizeof(T))){}\n"
            "               : \"memory\");\n"
            "}}\n",
            p.suffix, p.hint, place(p, 3), p.bits))));
  }

  std::deque<std::string> texts_;
  std::vector<OperationRow> rows_;
};

}  // namespace

const OperationFamily& copyEngineFamily();
const OperationFamily& copyEngineFamily() {
  static const Rows rows;
  static const OperationFamily family{.rows = rows.all()};
  return family;
}

}  // namespace loom::device
