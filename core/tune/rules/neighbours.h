#pragma once

#include <string>
#include <vector>

#include "core/schedule/state.h"
#include "core/tune/rules/linear_index.h"

namespace loom::tune {

/// How far what a thread reads of one dimension reaches: 1 + fixed + ofX · (x − 1) + ofY · (y − 1) + ofWhole elements,
/// where the thread has x × y results and ofWhole counts only if it keeps the whole window.
struct Reach {
  std::int64_t fixed = 0, ofX = 0, ofY = 0, ofWhole = 0;

  std::int64_t elements(std::int64_t x, std::int64_t y, std::int64_t whole) const {
    return 1 + fixed + ofX * (x - 1) + ofY * (y - 1) + ofWhole * whole;
  }
};

/// What a block of neighbouring results reads of one buffer.
struct NeighbourRead {
  int read = 0;              ///< index in the block's reads
  ir::Buffer buffer;         ///< what it reads
  std::string producer;      ///< an elementwise block that makes the buffer for this block alone: it becomes the copy
  std::vector<Reach> reach;  ///< by dimension
  LinearIndex last;          ///< of the last dimension: where what is read of it begins
  std::int64_t aligned = 1;  ///< neighbours that may be loaded at once for what the read itself knows: a power of two
};

/// A block whose results are each made of few elements, so that memory binds it: neighbours along two axes are then
/// made by one thread, which loads what several of them read once. Iterators are indices in the block's list.
struct Neighbours {
  std::string name;
  std::vector<std::int64_t> extents;  ///< by iterator
  std::vector<int> loops;             ///< by iterator: index of its loop in the nest
  std::vector<int> outer;             ///< spatial iterators in the order of their loops, with x and y
  int x = -1;                         ///< the iterator that is last in what the block writes
  int y = -1;                         ///< another one along which windows overlap; -1: there is none
  std::vector<int> apart;             ///< reduced iterators that are part of no window
  std::vector<int> alongY, inside;    ///< reduced iterators of windows: along y, and others
  std::vector<NeighbourRead> reads;
  std::vector<std::string> consumers;  ///< elementwise blocks that take the result on, each alone
  ir::Buffer sum, result;              ///< what the block writes; what the last consumer writes
  std::int64_t reduced = 1;            ///< elements of a result
  std::int64_t results = 1;

  bool mayKeepWindow() const { return !alongY.empty(); }
};

/// What a block is so, or in a sentence why it isn't.
struct NeighboursOrNot {
  std::optional<Neighbours> neighbours;
  Message reason;  ///< empty where there are neighbours
};
NeighboursOrNot neighboursOf(const schedule::State& state, ir::Id block);

/// Returns whether a block alone is the reader of what an elementwise block makes, so that this could become its copy.
bool mayBecomeCopy(const schedule::State& state, ir::Id producer);

/// Returns how many neighbours of a read a thread may load at once where it has x × y results and keeps the whole
/// window or, with 0, a row of it: 1, 2, … up to 16 bytes.
std::vector<std::int64_t> loadedAtOnce(const Neighbours& of, const NeighbourRead& read, std::int64_t x, std::int64_t y,
                                       std::int64_t whole);
/// Returns how many neighbouring results a thread with x of them may store at once.
std::vector<std::int64_t> storedAtOnce(const Neighbours& of, std::int64_t x);
/// Returns the registers of a thread for what it reads and its results: an estimate.
std::int64_t registersOf(const Neighbours& of, std::int64_t x, std::int64_t y, std::int64_t whole);

}  // namespace loom::tune
