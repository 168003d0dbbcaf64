#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/model/reuse.h"

namespace loom::session {

struct BufferRows;

/// A reduced picture of how often the elements of a buffer are accessed. A cell stands for `cellRows` × `cellColumns`
/// elements, fewer at the right and lower edges. In this header, the threads of a scope (of the grid: those of one
/// block) that access an element in the same iteration of a statement count as one access, except in
/// TouchView::together and Touches::total.
struct TouchHeatmap {
  /// The accesses to the elements that one cell stands for. All members are 0 if no element of the cell is accessed.
  struct Cell {
    std::uint32_t least = 0, most = 0;  ///< smallest and largest number of accesses to an accessed element
    std::int64_t touched = 0;           ///< elements of the cell that are accessed
    double mean = 0;                    ///< mean number of accesses over the accessed elements
  };
  int rows = 0, columns = 0;                   ///< cells
  std::int64_t cellRows = 1, cellColumns = 1;  ///< elements of a cell
  std::vector<Cell> cells;                     ///< row by row

  const Cell& at(int row, int column) const { return cells[std::size_t(row * columns + column)]; }
};

/// How often a scope (a lane, a warp, a block or the grid) accesses each element of a buffer over the whole kernel, by
/// all statements that read it (or by all that write it), and which loops cause repeated accesses.
struct TouchView {
  model::Scope scope = model::Scope::Block;
  bool write = false;     ///< whether writes are counted; otherwise reads
  int statements = 0;     ///< number of statements that read (or write) the buffer
  model::Touches counts;  ///< totals over all elements; its lists by element are left empty, as `heat` has them
  TouchHeatmap heat;      ///< the accesses by element
  /// The repeated accesses that one loop causes.
  struct Level {
    std::string loop;  ///< name of the loop variable
    /// Number of accesses, over all elements and the whole kernel, to an element that an earlier iteration of the loop
    /// accessed.
    double again = 0;
    /// The distinct bytes, of all buffers in the same kind of memory (global, shared, …), that all statements make the
    /// scope access in one iteration of the loop, without those of the element; nothing: not known (model::Reuse).
    std::optional<double> between;
  };
  /// One for each loop around the chosen statement that causes repeated accesses by this statement, the largest `again`
  /// first; empty: none, not known, or the scope is the grid.
  std::vector<Level> levels;
  std::optional<Error> unknown;  ///< why nothing could be counted, so that `counts`, `heat` and `levels` are empty;
                                 ///< nothing: the accesses were counted

  /// Returns the mean number of accesses to an accessed element; 0 if none is accessed.
  double times() const { return counts.distinct > 0 ? counts.moments / double(counts.distinct) : 0; }
  /// Returns whether all accessed elements are accessed equally often.
  bool even() const { return counts.least == counts.most; }
  /// Returns the mean number of threads that make such a single access together; 0 if no element is accessed.
  double together() const { return counts.moments > 0 ? counts.total / counts.moments : 0; }
};

/// Counts the accesses of `scope` to the buffer of the chosen statement, in the direction (read or write) in which that
/// statement accesses it. `statement` is an index into KernelAccesses::accesses. The scope is the one that contains the
/// thread with the number `thread` in the block with the number `block` (both counted along x first); the grid ignores
/// both, a block ignores `thread`. `shape` is the buffer as a matrix (accesses.h). A pure function; takes up to some
/// 100 ms for a grid that accesses millions of elements.
TouchView touchView(const model::KernelAccesses& kernel, const BufferRows& shape, int statement, model::Scope scope,
                    std::int64_t block, std::int64_t thread);

}  // namespace loom::session
