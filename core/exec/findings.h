// What the executor finds wrong with a program.
#pragma once
#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "core/ir/id.h"

namespace loom::exec {

struct Finding {
  enum class Kind {
    OutOfBounds,        // an access outside its buffer
    Uninitialised,      // a read of what was never written
    RaceInBlock,        // two threads of a block, one of them writing, without a barrier between
    RaceBetweenBlocks,  // two blocks of the grid, one of them writing
    Deadlock,           // threads at a barrier that others never reach
    Misaligned,         // a vector access that doesn't start at a multiple of its width
    PartialWarp,        // a warp's operation in which not all lanes take part, or with different arguments
  };
  Kind kind = Kind::OutOfBounds;
  std::string kernel;
  ir::Id block;  // of the program; none for barriers outside blocks
  std::string blockName;
  std::string buffer;         // "" for barriers
  std::int64_t element = 0;   // offset in elements from the buffer's start
  std::int64_t elements = 0;  // the buffer's
  bool write = false;
  std::vector<std::pair<std::string, std::int64_t>> loops;  // serial loops around, outermost first
  std::array<std::int64_t, 3> blockIdx{};
  std::vector<std::array<std::int64_t, 3>> threads;  // of a race: the one that comes second, then the first
  std::string otherBlockName;                        // of a race: the statement that came first
  std::array<std::int64_t, 3> otherBlockIdx{};       // of a race between blocks
  bool wholeWarp = false;                            // the access is a warp's; `threads` has its first lane
  std::int64_t count = 1;                            // how often at this place
};

// "race inside a block: …", one English sentence.
std::string describe(const Finding& finding);
// "out_of_bounds", …, for JSON.
const char* nameOf(Finding::Kind kind);

// The first finding of each kind at each place, with counts.
class FindingLog {
 public:
  // True if this is the first of its kind at its place: then `add` it. Otherwise it is counted.
  bool isNew(Finding::Kind kind, int kernel, std::int64_t site) {
    auto [entry, fresh] = seen_.try_emplace({int(kind), kernel, site}, findings_.size());
    if (!fresh) ++findings_[entry->second].count;
    return fresh;
  }
  void add(Finding f) { findings_.push_back(std::move(f)); }
  std::vector<Finding> take() { return std::move(findings_); }

 private:
  std::map<std::array<std::int64_t, 3>, std::size_t> seen_;
  std::vector<Finding> findings_;
};

}  // namespace loom::exec
