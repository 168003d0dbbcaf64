#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/model/reuse.h"

namespace loom::session {

struct BufferRows;

/// How often elements are touched, drawn small: a cell stands for `cellRows` × `cellColumns` elements.
struct TouchHeatmap {
  struct Cell {
    std::uint32_t least = 0, most = 0;  ///< times that its touched elements are touched
    std::int64_t touched = 0;           ///< of its elements
    double mean = 0;                    ///< times, over the touched ones
  };
  int rows = 0, columns = 0;
  std::int64_t cellRows = 1, cellColumns = 1;
  std::vector<Cell> cells;  ///< row by row

  const Cell& at(int row, int column) const { return cells[std::size_t(row * columns + column)]; }
};

/// The touches of a buffer by a scope over the whole kernel, and what is touched again.
struct TouchView {
  model::Scope scope = model::Scope::Block;
  bool write = false;
  int statements = 0;  ///< that touch it in this direction
  model::Touches counts;
  TouchHeatmap heat;
  /// By loop of the chosen statement, the one that brings back most first.
  struct Level {
    std::string loop;
    double again = 0;               ///< touches of an element that had been touched before
    std::optional<double> between;  ///< bytes, as model::Reuse has them
  };
  std::vector<Level> levels;
  std::optional<Error> unknown;  ///< why nothing is counted

  /// Times an element is touched, where all are touched as often; else their mean.
  double times() const { return counts.distinct > 0 ? counts.moments / double(counts.distinct) : 0; }
  bool even() const { return counts.least == counts.most; }
  /// Lanes that touch an element at one moment, in the mean.
  double together() const { return counts.moments > 0 ? counts.total / counts.moments : 0; }
};

/// A pure function; up to some 100 ms for a grid that touches millions of elements.
TouchView touchView(const model::KernelAccesses& kernel, const BufferRows& shape, int statement, model::Scope scope,
                    std::int64_t block, std::int64_t thread);

}  // namespace loom::session
