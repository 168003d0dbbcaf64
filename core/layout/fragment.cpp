#include "core/layout/fragment.h"

namespace loom::layout {
namespace {

// Digits that are right by construction.
Layout map(std::vector<Dimension> inputs, std::vector<Digit> digits, std::vector<Dimension> outputs) {
  return Layout(std::move(inputs)).then(DigitStage{std::move(digits), {}, std::move(outputs)}).value();
}

bool isCount(int count) { return count == 1 || count == 2 || count == 4; }

Failure badCount(int count) {
  return fail("LayoutError", message("ldmatrix loads 1, 2 or 4 matrices, not {}", count), Forbids::Hardware);
}

}  // namespace

// With g = lane / 4, t = lane % 4, p parts of a register and e = m / 8 rows of eight, the tables read:
//   A  register r, part h:  row g + 8·(r % e), column p·t + h + 4p·(r / e)
//   B  register r, part h:  row p·t + h + 4p·r,  column g
//   C  register r, part h:  element i = p·r + h: row g + 8·(i / 2), column 2t + i % 2
Layout mmaFragment(Operand operand, int k, int bits, int m) {
  const int parts = 32 / bits, eights = m / 8;
  auto fragment = [&](int registers, std::vector<Digit> digits, std::vector<Dimension> outputs) {
    std::vector<Dimension> inputs{{"lane", 32}, {"register", registers}};
    if (parts > 1) inputs.push_back({parts == 2 ? "half" : "byte", parts});
    std::erase_if(digits, [](const Digit& d) { return d.extent == 1; });
    return map(std::move(inputs), std::move(digits), std::move(outputs));
  };
  const Digit row{0, 4, 8, 0, 1};
  switch (operand) {
    case Operand::A:
      return fragment(eights * k / (4 * parts),
                      {row,
                       {1, 1, eights, 0, 8},
                       {0, 1, 4, 1, parts},
                       {2, 1, parts, 1, 1},
                       {1, eights, k / (4 * parts), 1, 4 * parts}},
                      {{"row", m}, {"column", k}});
    case Operand::B:
      return fragment(
          k / (4 * parts),
          {{0, 1, 4, 0, parts}, {2, 1, parts, 0, 1}, {1, 1, k / (4 * parts), 0, 4 * parts}, {0, 4, 8, 1, 1}},
          {{"row", k}, {"column", 8}});
    case Operand::Accumulator: break;
  }
  if (parts == 2) {
    return fragment(eights, {row, {1, 1, eights, 0, 8}, {0, 1, 4, 1, 2}, {2, 1, 2, 1, 1}}, {{"row", m}, {"column", 8}});
  }
  return fragment(2 * eights, {row, {1, 2, eights, 0, 8}, {0, 1, 4, 1, 2}, {1, 1, 2, 1, 1}},
                  {{"row", m}, {"column", 8}});
}

// With w = thread / 32, g = thread % 32 / 4, t = thread % 4: element i of a thread is row 16w + g + 8·(i / 2 % 2),
// column 8·(i / 4) + 2t + i % 2.
Layout wgmmaAccumulator(int n, int bits) {
  const Digit warp{0, 32, 4, 0, 16}, row{0, 4, 8, 0, 1}, pair{0, 1, 4, 1, 2};
  std::vector<Dimension> outputs{{"row", 64}, {"column", n}};
  if (bits == 16)
    return map({{"thread", 128}, {"register", n / 4}, {"half", 2}},
               {warp, row, {1, 1, 2, 0, 8}, pair, {2, 1, 2, 1, 1}, {1, 2, n / 8, 1, 8}}, std::move(outputs));
  return map({{"thread", 128}, {"register", n / 2}},
             {warp, row, {1, 2, 2, 0, 8}, pair, {1, 1, 2, 1, 1}, {1, 4, n / 8, 1, 8}}, std::move(outputs));
}

Result<Layout> ldmatrixAddress(int count) {
  if (!isCount(count)) return badCount(count);
  return map({{"lane", 8 * count}}, {{0, 8, count, 0, 1}, {0, 1, 8, 1, 1}}, {{"matrix", count}, {"row", 8}});
}

Result<Layout> ldmatrixResult(int count, bool transposed) {
  if (!isCount(count)) return badCount(count);
  int row = transposed ? 2 : 1, column = transposed ? 1 : 2;
  return map({{"lane", 32}, {"register", count}, {"half", 2}},
             {{1, 1, count, 0, 1}, {0, 4, 8, row, 1}, {0, 1, 4, column, 2}, {2, 1, 2, column, 1}},
             {{"matrix", count}, {"row", 8}, {"column", 8}});
}

Layout wmmaFragment(std::int64_t rows, std::int64_t columns) {
  return Layout::undefined({{"lane", 32}, {"element", rows * columns / 32}}, {{"row", rows}, {"column", columns}},
                           message("PTX does not say which lane of a wmma fragment holds which element"));
}

Layout wmmaFragmentSeen(Operand operand, bool halves) {
  Digit g{0, 4, 8, 0, 1}, t{0, 1, 4, 1, 2};
  switch (operand) {
    case Operand::A: return mmaM16N8K16(Operand::A);
    case Operand::B:
      return map({{"lane", 32}, {"register", 4}, {"half", 2}},
                 {{0, 1, 4, 0, 2}, {2, 1, 2, 0, 1}, {1, 1, 2, 0, 8}, {0, 4, 8, 1, 1}, {1, 2, 2, 1, 8}},
                 {{"row", 16}, {"column", 16}});
    case Operand::Accumulator: break;
  }
  if (halves) {
    return map({{"lane", 32}, {"register", 4}, {"half", 2}}, {g, {1, 1, 2, 0, 8}, t, {2, 1, 2, 1, 1}, {1, 2, 2, 1, 8}},
               {{"row", 16}, {"column", 16}});
  }
  return map({{"lane", 32}, {"register", 8}}, {g, {1, 2, 2, 0, 8}, t, {1, 1, 2, 1, 1}, {1, 4, 2, 1, 8}},
             {{"row", 16}, {"column", 16}});
}

}  // namespace loom::layout
