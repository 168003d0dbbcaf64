#pragma once

#include <string>
#include <vector>

#include "core/schedule/state.h"
#include "core/tune/rules/linear_index.h"

namespace loom::tune {

/// The number of elements that a thread reads along one dimension of a buffer, if it computes x × y results:
/// `1 + fixed + ofX * (x - 1) + ofY * (y - 1) + ofWhole * whole`. `ofX` and `ofY` are the strides of neighbouring
/// results along the dimension. `whole` is 1 if the thread keeps the whole window in registers, and 0 if it keeps one
/// row of the window.
struct Reach {
  std::int64_t fixed = 0, ofX = 0, ofY = 0, ofWhole = 0;

  std::int64_t elements(std::int64_t x, std::int64_t y, std::int64_t whole) const {
    return 1 + fixed + ofX * (x - 1) + ofY * (y - 1) + ofWhole * whole;
  }
};

/// A buffer that a block of neighbouring results (Neighbours) reads, and the elements that a thread needs of it.
struct NeighbourRead {
  int read = 0;       ///< index in the block's reads
  ir::Buffer buffer;  ///< the buffer
  /// Name of an elementwise block that only this block reads, and that becomes the copy in registers; or "".
  std::string producer;
  std::vector<Reach> reach;  ///< for each dimension: the elements that a thread reads
  /// The first index, along the last dimension, of the region that one iteration of the block reads: the sum of a
  /// multiple of each of the block's iterators and a constant.
  LinearIndex last;
  std::int64_t aligned = 1;  ///< the longest vector, in elements, for which the read's index is aligned: a power of two
};

/// A block (a computation with iterators, as in TensorIR), each of whose results is made of few elements, by at most 64
/// iterations of a reduction (a sum or another one, or none), so that memory limits the block: a stencil, a pool. A
/// thread computes neighbouring results along two axes, x and y, and loads an element only once if several of these
/// results read it. A window is the elements of a buffer that a result is made of; a reduced iterator is part of the
/// window if the index of some read adds the iterator to a spatial one, or has it in the buffer's last dimension.
/// Iterators are given by their index in the block's list.
struct Neighbours {
  std::string name;                   ///< name of the block
  std::vector<std::int64_t> extents;  ///< extent of each iterator
  std::vector<int> loops;             ///< for each iterator: index of its loop in the nest, from the outermost
  std::vector<int> outer;             ///< all spatial iterators, x and y included, in the order of their loops
  int x = -1;                         ///< the iterator that is last in what the block writes
  int y = -1;                         ///< another spatial iterator along which windows overlap; -1: there is none
  std::vector<int> apart;             ///< reduced iterators that are part of no window
  std::vector<int> alongY, inside;    ///< reduced iterators of windows: along y, and others
  std::vector<NeighbourRead> reads;
  /// Names of elementwise blocks that can be computed where the result is stored, each the only reader of the block
  /// before it, the first the only reader of this block.
  std::vector<std::string> consumers;
  ir::Buffer sum, result;    ///< the buffers that the block and the last consumer write; the same without consumers
  std::int64_t reduced = 1;  ///< product of the extents of all reduced iterators
  std::int64_t results = 1;  ///< number of results

  /// Returns whether a thread may keep the whole window: it has reduced iterators along y.
  bool mayKeepWindow() const { return !alongY.empty(); }
};

/// A block of neighbouring results, or the reason why a block is none.
struct NeighboursOrNot {
  std::optional<Neighbours> neighbours;
  Message reason;  ///< why the block is none, as a sentence; empty if it is one
};
/// Reads a block of the state, a program after some scheduling steps, as a block of neighbouring results. `block` must
/// be the id of a block.
NeighboursOrNot neighboursOf(const schedule::State& state, ir::Id block);

/// Returns whether the block `producer` can be computed into registers as the copy of its only reader: whether it is
/// elementwise, exactly one other block reads what it writes, its last iterator is the index of the last dimension that
/// it writes, and the scope of its buffer can be set to "local".
bool mayBecomeCopy(const schedule::State& state, ir::Id producer);

/// Returns the possible vector lengths, in elements, for a thread's loads of a read: 1, 2, … up to 16 bytes. The thread
/// computes x × y results (`y` is 1 if there is no axis y) and keeps the whole window (`whole` is 1) or a row of it
/// (0).
std::vector<std::int64_t> loadedAtOnce(const Neighbours& of, const NeighbourRead& read, std::int64_t x, std::int64_t y,
                                       std::int64_t whole);
/// Returns the possible vector lengths, in elements of `result`, for the stores of a thread with x neighbouring
/// results: 1, 2, … up to 16 bytes of the wider type of `sum` and `result`.
std::vector<std::int64_t> storedAtOnce(const Neighbours& of, std::int64_t x);
/// Returns an estimate of the registers, of 32 bits, of a thread for the elements that it reads and its x × y results.
/// `y` and `whole` are as for `loadedAtOnce`.
std::int64_t registersOf(const Neighbours& of, std::int64_t x, std::int64_t y, std::int64_t whole);

}  // namespace loom::tune
