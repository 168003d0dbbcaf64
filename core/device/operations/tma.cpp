// The copy engine of Hopper (TMA): one thread gives it a box of a matrix in global memory, and it copies the box to or
// from shared memory by itself. PTX ISA, cp.async.bulk.tensor.
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
// memory are as long as its row, swizzled as the map says.
constexpr std::array<std::string_view, 6> kValues{"to_leading", "from_leading", "column", "row", "slab", "swizzle"};

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

constexpr OperationRow moving(std::string_view name, std::span<const OperandRow> operands, Token completes,
                              std::string_view text, std::string_view print, std::string_view preamble) {
  OperationRow r;
  r.name = name;
  r.group = Group::Thread;
  r.agent = Agent::CopyEngine;
  r.operands = operands;
  r.values = kValues;
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
  std::string_view suffix, bits;
};
constexpr std::array<Policy, 3> kPolicies{{{"", ""}, {"first", "0x12F0000000000000"}, {"last", "0x14F0000000000000"}}};

// The rows of both directions, and of each policy.
class Rows {
 public:
  Rows() {
    for (const Policy& p : kPolicies) {
      const std::string suffix = p.suffix.empty() ? "" : fmt::format("_{}", p.suffix);
      const std::string hint = p.suffix.empty() ? "" : ".L2::cache_hint",
                        name = p.suffix.empty() ? "" : fmt::format(".{}", p.suffix);
      const auto policy = [&](int n) { return p.suffix.empty() ? std::string() : fmt::format(", %{}", n); };
      const std::string bits = p.suffix.empty() ? "" : fmt::format(", \"l\"({}ull)", p.bits);
      rows_.push_back(moving(
          keep("tma.load" + name), kLoaded, Token::Transfers,
          keep(
              fmt::format("tma_load{}({{to, element}}, {{map}}, {{column}}, {{row}}, {{barrier}}, {{slot}});", suffix)),
          keep(fmt::format("tma.load{} {{to}} = {{map}}[{{row}}, {{column}}], to {{barrier}}[{{slot}}]", name)),
          keep(fmt::format(
              "template <typename T>\n"
              "__device__ __forceinline__ void tma_load{}(T* shared, int element, const TensorMap& map, int column, "
              "int "
              "row,\n"
              "                                         const unsigned long long* barriers, int slot) {{\n"
              "  asm volatile(\n"
              "      \"cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes{} [%0], [%1, "
              "{{%3, %4}}], [%2]{};\" ::\"r\"(\n"
              "          unsigned(__cvta_generic_to_shared(shared)) + element * unsigned(sizeof(T))),\n"
              "      \"l\"(&map), \"r\"(unsigned(__cvta_generic_to_shared(barriers)) + slot * 8u), \"r\"(column), "
              "\"r\"(row){}\n"
              "      : \"memory\");\n"
              "}}\n",
              suffix, hint, policy(5), bits))));
      rows_.push_back(moving(
          keep("tma.store" + name), kStored, Token::BulkStores,
          keep(fmt::format("tma_store{}({{map}}, {{column}}, {{row}}, {{from, element}});", suffix)),
          keep(fmt::format("tma.store{} {{map}}[{{row}}, {{column}}] = {{from}}", name)),
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
              suffix, hint, policy(4), bits))));
    }
  }
  const std::vector<OperationRow>& all() const { return rows_; }

 private:
  std::string_view keep(std::string text) { return texts_.emplace_back(std::move(text)); }
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
