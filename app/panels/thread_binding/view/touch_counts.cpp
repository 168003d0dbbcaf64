#include "app/panels/thread_binding/view/touch_counts.h"

#include <algorithm>

#include "app/panels/thread_binding/view/accesses.h"

namespace loom::session {

namespace {

TouchHeatmap heatOf(const model::Counts& times, const BufferRows& shape) {
  TouchHeatmap heat;
  heat.cellRows = ceilDivide(shape.rows, kPictureCells);
  heat.cellColumns = ceilDivide(shape.columns, kPictureCells);
  heat.rows = int(ceilDivide(shape.rows, heat.cellRows));
  heat.columns = int(ceilDivide(shape.columns, heat.cellColumns));
  heat.cells.resize(std::size_t(heat.rows) * std::size_t(heat.columns));
  for (std::size_t i = 0; i < times.of.size(); ++i) {
    const std::uint32_t n = times.of[i];
    if (n == 0) continue;
    const std::int64_t offset = times.low + std::int64_t(i), row = offset / shape.pitch, column = offset % shape.pitch;
    if (row < 0 || row >= shape.rows || column >= shape.columns) continue;  // padding
    TouchHeatmap::Cell& cell = heat.cells[std::size_t(row / heat.cellRows * heat.columns + column / heat.cellColumns)];
    cell.least = cell.touched == 0 ? n : std::min(cell.least, n);
    cell.most = std::max(cell.most, n);
    cell.mean += n;
    ++cell.touched;
  }
  for (TouchHeatmap::Cell& cell : heat.cells)
    if (cell.touched > 0) cell.mean /= double(cell.touched);
  return heat;
}

}  // namespace

TouchView touchView(const model::KernelAccesses& kernel, const BufferRows& shape, int statement, model::Scope scope,
                    std::int64_t block, std::int64_t thread) {
  TouchView view;
  view.scope = scope;
  view.write = kernel.accesses[std::size_t(statement)].write;
  const std::vector<int> like = model::statementsLike(kernel, statement);
  view.statements = int(like.size());
  auto counts = model::touchesOf(kernel, like, scope, block, thread);
  if (!counts) {
    view.unknown = counts.error();
    return view;
  }
  view.counts = std::move(*counts);
  view.heat = heatOf(view.counts.times, shape);
  view.counts.times = view.counts.touches = {};  // large, and drawn from no more
  if (auto levels = model::reuseOf(kernel, statement, scope, block, thread)) {
    for (const model::Reuse& level : *levels)
      view.levels.push_back({kernel.loops[std::size_t(level.loop)].var->name, level.again, level.between});
    std::stable_sort(view.levels.begin(), view.levels.end(),
                     [](const TouchView::Level& a, const TouchView::Level& b) { return a.again > b.again; });
  }
  return view;
}

}  // namespace loom::session
