#include "app/panels/thread_binding/view/fragment.h"

#include <fmt/format.h>

#include <algorithm>

namespace loom::session {

namespace {

using layout::Operand;

constexpr const char* kMma = "mma.m16n8k16";
constexpr const char* kMmaSection = "Matrix Fragments for mma.m16n8k16 with floating point type";
constexpr const char* kLdmatrixSection = "Warp-level matrix load instruction: ldmatrix";

constexpr PtxFragment kFragments[] = {
    {"mma_a", kMma, "A", kMmaSection, "HMMA.16816", false, Operand::A},
    {"mma_b", kMma, "B", kMmaSection, "HMMA.16816", false, Operand::B},
    {"mma_c", kMma, "C, D in f32", kMmaSection, "HMMA.16816.F32", false, Operand::Accumulator},
    {"mma_c16", kMma, "C, D in f16", kMmaSection, "HMMA.16816.F16", false, Operand::Accumulator, true},
    {"x1", "ldmatrix.x1", "", kLdmatrixSection, "LDSM.16.M88", true, Operand::A, false, 1},
    {"x2", "ldmatrix.x2", "", kLdmatrixSection, "LDSM.16.M88.2", true, Operand::A, false, 2},
    {"x4", "ldmatrix.x4", "", kLdmatrixSection, "LDSM.16.M88.4", true, Operand::A, false, 4},
    {"x1_trans", "ldmatrix.x1.trans", "", kLdmatrixSection, "LDSM.16.MT88", true, Operand::A, false, 1, true},
    {"x2_trans", "ldmatrix.x2.trans", "", kLdmatrixSection, "LDSM.16.MT88.2", true, Operand::A, false, 2, true},
    {"x4_trans", "ldmatrix.x4.trans", "", kLdmatrixSection, "LDSM.16.MT88.4", true, Operand::A, false, 4, true},
};

const char* letterOf(Operand operand) {
  switch (operand) {
    case Operand::A: return "A";
    case Operand::B: return "B";
    case Operand::Accumulator: break;
  }
  return "C";
}

// (lane, register[, half | byte]) → ([matrix,] row, column)
Result<FragmentPicture> pictureOf(const layout::Layout& layout, std::string letter, int warp = 0) {
  FragmentPicture picture;
  picture.letter = std::move(letter);
  const auto &from = layout.inputs(), &to = layout.outputs();
  const bool several = to.size() == 3;
  picture.matrices = several ? int(to[0].extent) : 1;
  picture.rows = int(to[to.size() - 2].extent);
  picture.columns = int(to.back().extent);
  picture.registers = int(from[1].extent);
  picture.parts = from.size() > 2 ? int(from[2].extent) : 1;
  // A warp's rows follow one another.
  picture.rows /= warpsOf(layout);
  picture.firstRow = picture.rows * warp;
  picture.cells.resize(std::size_t(picture.matrices) * std::size_t(picture.rows) * std::size_t(picture.columns));
  for (std::int64_t i = 0; i < layout.size(); ++i) {
    const layout::Point who = layout::pointAt(from, i);
    if (who[0] / layout::kLanes != warp) continue;
    const auto where = layout.apply(who);
    if (!where) return Failure(where.error());
    const std::int64_t matrix = several ? where->front() : 0;
    const std::int64_t row = (*where)[to.size() - 2] - picture.firstRow;
    picture.cells[std::size_t((matrix * picture.rows + row) * picture.columns + where->back())] = {
        int(who[0] % layout::kLanes), int(who[1]), who.size() > 2 ? int(who[2]) : -1};
  }
  return picture;
}

// "5", "4:6"
std::string rangeText(int from, int to) {
  return from == to ? std::to_string(from) : fmt::format("{}:{}", from, to + 1);
}

}  // namespace

std::string PtxFragment::name() const { return *part == 0 ? instruction : fmt::format("{}: {}", instruction, part); }

bool PtxFragment::isMadeBy(std::string_view sassOpcode) const {
  return exact ? sassOpcode == opcode : sassOpcode.starts_with(opcode);
}

std::span<const PtxFragment> ptxFragments() { return kFragments; }

std::span<const model::FragmentKind> wmmaFragments() {
  static const std::vector<model::FragmentKind> kAll = [] {
    std::vector<model::FragmentKind> all;
    for (auto [m, n] : {std::pair{16, 16}, {32, 8}, {8, 32}}) {
      for (Operand operand : {Operand::A, Operand::B}) all.push_back({operand, m, n, 16});
      for (int bits : {32, 16}) all.push_back({Operand::Accumulator, m, n, 16, ir::DType::Float(bits)});
    }
    return all;
  }();
  return kAll;
}

std::string wmmaName(const model::FragmentKind& kind) {
  const char* part = kind.operand == Operand::A             ? "A"
                     : kind.operand == Operand::B           ? "B"
                     : kind.element == ir::DType::Float(16) ? "C, D in f16"
                                                            : "C, D in f32";
  return fmt::format("wmma.m{}n{}k{}: {}", kind.m, kind.n, kind.k, part);
}

std::string FragmentPicture::elementText(int row, int column) const {
  return fmt::format("{}[{}, {}]", letter, firstRow + row, column);
}

std::vector<FragmentPicture::Held> FragmentPicture::heldBy(int lane) const {
  std::vector<Held> held;
  for (int number = 0; number < registers; ++number) {
    int matrix = -1, top = rows, bottom = -1, left = columns, right = -1;
    for (std::size_t i = 0; i < cells.size(); ++i) {
      if (cells[i].lane != lane || cells[i].number != number) continue;
      const int row = int(i) / columns % rows, column = int(i) % columns;
      matrix = int(i) / columns / rows;
      top = std::min(top, row);
      bottom = std::max(bottom, row);
      left = std::min(left, column);
      right = std::max(right, column);
    }
    if (matrix < 0) continue;
    held.push_back(
        {number, matrix,
         fmt::format("{}[{}, {}]", letter, rangeText(firstRow + top, firstRow + bottom), rangeText(left, right))});
  }
  return held;
}

int warpsOf(const layout::Layout& layout) {
  return int(std::max<std::int64_t>(1, layout.inputs().front().extent / layout::kLanes));
}

Result<FragmentPicture> fragmentPicture(const layout::Layout& layout, Operand operand, int warp) {
  return pictureOf(layout, letterOf(operand), warp);
}

FragmentPicture fragmentPicture(const PtxFragment& fragment) {
  // Digits that are right by construction.
  if (fragment.matrices == 0)
    return pictureOf(layout::mmaM16N8K16(fragment.operand, fragment.halves), letterOf(fragment.operand)).value();
  auto picture = pictureOf(layout::ldmatrixResult(fragment.matrices, fragment.transposed).value(), "").value();
  const layout::Layout address = layout::ldmatrixAddress(fragment.matrices).value();
  picture.address.resize(std::size_t(picture.matrices) * std::size_t(picture.rows));
  for (std::int64_t lane = 0; lane < address.size(); ++lane) {
    const auto row = address.apply({lane}).value();
    picture.address[std::size_t(row[0] * picture.rows + row[1])] = int(lane);
  }
  return picture;
}

OpcodeCounts matrixInstructions(const sass::Kernel& kernel) {
  OpcodeCounts counts;
  for (const sass::Instruction& i : kernel.instructions) {
    if (i.pipe != sass::Pipe::Tensor && i.pipe != sass::Pipe::LdMatrix) continue;
    auto known = std::find_if(counts.begin(), counts.end(), [&](const auto& c) { return c.first == i.opcode; });
    if (known == counts.end()) {
      counts.emplace_back(i.opcode, 1);
    } else {
      ++known->second;
    }
  }
  return counts;
}

}  // namespace loom::session
