#include "core/tune/tensorize/matrix_identification.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace loom::tune {
namespace {

std::string namesOf(const MatrixProduct& p, const std::vector<int>& iterators) {
  std::vector<std::string> names;
  for (int iterator : iterators) names.push_back(p.names[std::size_t(iterator)]);
  return fmt::format("[{}]", fmt::join(names, ", "));
}

// Whether the factor's last two dimensions are k and this iterator, after the result's batch dimensions or, of a factor
// that all of the batch shares, none.
bool isOf(const MatrixProduct& p, const ProductFactor& factor, int iterator) {
  const auto& all = factor.iterators;
  if (all.size() < 2 || (all.size() != 2 && !std::equal(p.batch.begin(), p.batch.end(), all.begin(), all.end() - 2)))
    return false;
  const int first = all[all.size() - 2], last = all.back();
  return (first == iterator && last == p.k) || (first == p.k && last == iterator);
}

OperandRow rowOf(const MatrixProduct& p, MatrixRole role, const ir::Buffer& buffer, const std::vector<int>& iterators) {
  OperandRow row{buffer, role, std::vector<bool>(p.names.size())};
  for (int iterator : iterators) row.uses[std::size_t(iterator)] = true;
  return row;
}

// The step lines that copy the operands to shared memory and to fragments, as the matrices that they are.
std::string stagingLines(const MatrixProduct& p, const Identification& found) {
  std::vector<std::string> lines;
  const auto iteratorsIn = [&](const std::vector<int>& order) {
    std::vector<std::string> names;
    for (int iterator : order) names.push_back(p.names[std::size_t(iterator)]);
    return fmt::format("{}", fmt::join(names, ", "));
  };
  std::vector<int> written(p.names.size()), wanted = p.batch;
  for (std::size_t n = 0; n < written.size(); ++n) written[n] = int(n);
  wanted.insert(wanted.end(), {found.m, found.n, p.k});
  if (wanted != written) {
    lines.push_back(
        fmt::format("sch.transform_block_layout(b, lambda {}: ({}))", iteratorsIn(written), iteratorsIn(wanted)));
  }
  const auto exchanged = [&](std::vector<int> order) {
    std::swap(order[order.size() - 2], order.back());
    return order;
  };
  const auto turn = [&](const char* block, const std::vector<int>& order) {
    lines.push_back(fmt::format("sch.transform_layout({}, (\"write\", 0), lambda {}: ({}))", block, iteratorsIn(order),
                                iteratorsIn(exchanged(order))));
  };
  const int a = found.factorOf(MatrixRole::A), b = found.factorOf(MatrixRole::B);
  const ProductFactor &first = p.factors[std::size_t(a)], &second = p.factors[std::size_t(b)];
  lines.push_back(fmt::format("a_shared = sch.cache_read(b, {}, \"shared\")", first.read));
  if (found.rows[0].transposedCopy) turn("a_shared", first.iterators);
  lines.push_back(fmt::format("b_shared = sch.cache_read(b, {}, \"shared\")", second.read));
  if (found.rows[1].transposedCopy) turn("b_shared", second.iterators);
  lines.push_back(fmt::format("a_fragment = sch.cache_read(b, {}, \"wmma.matrix_a\")", first.read));
  lines.push_back(fmt::format("b_fragment = sch.cache_read(b, {}, \"wmma.matrix_b\")", second.read));
  if (found.swapped) {
    std::vector<int> result = p.batch;
    result.insert(result.end(), {p.i, p.j});
    lines.push_back("c_shared = sch.cache_write(b, 0, \"shared\")");
    lines.push_back(fmt::format("sch.transform_layout(b, (\"write\", 0), lambda {}: ({}))", iteratorsIn(result),
                                iteratorsIn(exchanged(result))));
  }
  lines.push_back("c_fragment = sch.cache_write(b, 0, \"wmma.accumulator\")");
  return fmt::format("{}", fmt::join(lines, "\n"));
}

}  // namespace

Identification identifyMatrices(const MatrixProduct& p, const TensorizeRequest& request, const TensorTile& tile) {
  Identification found;
  found.swapped = request.swapped;
  found.m = request.swapped ? p.j : p.i;
  found.n = request.swapped ? p.i : p.j;
  found.lookedAt = {p.block, p.factors[0].buffer->id, p.factors[1].buffer->id, p.result->id};
  for (const ProductFactor& factor : p.factors) {
    if (isOf(p, factor, p.i) || isOf(p, factor, p.j)) continue;
    found.outcome = PassOutcome::OperandIsNeither;
    found.verdict = message("{} is indexed {}: neither [{}, {}] nor [{}, {}] in either order, after the batch's.",
                            factor.buffer->name, namesOf(p, factor.iterators), p.names[std::size_t(p.i)],
                            p.names[std::size_t(p.k)], p.names[std::size_t(p.k)], p.names[std::size_t(p.j)]);
    return found;
  }
  if (isOf(p, p.factors[0], p.i) == isOf(p, p.factors[1], p.i)) {
    found.outcome = PassOutcome::OperandIsNeither;
    found.verdict = message("Both factors are indexed by the same iterators: {} and {}.",
                            namesOf(p, p.factors[0].iterators), namesOf(p, p.factors[1].iterators));
    return found;
  }
  found.form.bFirst = !isOf(p, p.factors[0], found.m);
  found.form.sumFirst = p.sumFirst;
  const ProductFactor &a = p.factors[std::size_t(found.factorOf(MatrixRole::A))],
                      &b = p.factors[std::size_t(found.factorOf(MatrixRole::B))];
  const bool byColumns = b.iterators.back() == p.k;
  // The warp's tile begins at a multiple of 32 bytes. Where a row of b's tile is shorter, as that of 16 elements of 8
  // bits or of 8 of 16, columns lie side by side instead.
  found.form.bByColumns = byColumns || tile.shape.n * p.element.bits < kTileBits || p.element.bits < 16;
  found.rows = {rowOf(p, MatrixRole::A, a.buffer, a.iterators), rowOf(p, MatrixRole::B, b.buffer, b.iterators)};
  found.rows[0].rowMajor = a.iterators.back() == p.k;
  found.rows[0].transposedCopy = !found.rows[0].rowMajor;
  found.rows[1].rowMajor = !byColumns;
  found.rows[1].transposedCopy = byColumns != found.form.bByColumns;
  std::vector<int> result = p.batch;
  result.insert(result.end(), {p.i, p.j});
  found.rows.push_back(rowOf(p, MatrixRole::C, p.result, result));
  found.rows[2].rowMajor = !found.swapped;
  found.rows[2].transposedCopy = found.swapped;
  found.outcome = PassOutcome::Identified;
  const auto order = [](bool rowMajor) { return rowMajor ? message("by rows") : message("by columns"); };
  found.verdict = message("{} is a ({}), {} is b ({}), {} is c ({}).", a.buffer->name, order(found.rows[0].rowMajor),
                          b.buffer->name, order(found.rows[1].rowMajor), p.result->name, order(found.rows[2].rowMajor));
  found.lines = stagingLines(p, found);
  return found;
}

}  // namespace loom::tune
