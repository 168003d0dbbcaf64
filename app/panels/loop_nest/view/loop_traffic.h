#pragma once

#include <vector>

#include "app/panels/loop_nest/view/loop_nest.h"

namespace loom::session {

/// What one execution of a statement reads, writes and computes, counted from the program as written. Each access
/// counts, also if it repeats an earlier one or stands in a branch (both branches count).
struct Done {
  /// The bytes read from a buffer, or written to it.
  struct Bytes {
    const ir::BufferNode* buffer = nullptr;  ///< never null
    bool write = false;                      ///< whether the bytes are written
    double bytes = 0;                        ///< negative: a region of an opaque block whose extent isn't constant
  };
  std::vector<Bytes> bytes;  ///< one entry for each buffer and direction; for an opaque block, for each region
  double flops = 0;          ///< floating-point additions, subtractions, multiplications, divisions, minima and maxima
  bool opaque = false;       ///< whether the statement has a call whose reads and writes aren't known

  /// Adds `count` bytes, not negative, to the entry of `buffer` with this `write`, which is created if it doesn't
  /// exist. Not for the result of an opaque block, whose entries may be negative.
  void add(const ir::BufferNode* buffer, bool write, double count) {
    for (Bytes& b : bytes) {
      if (b.buffer == buffer && b.write == write) {
        b.bytes += count;
        return;
      }
    }
    bytes.push_back({buffer, write, count});
  }
};
/// Returns what one execution of a statement does, blocks inside included. The iterations of loops in it are multiplied
/// in; a loop whose extent isn't constant counts as one iteration. If the result is `opaque`, it lacks what the calls
/// read and write. Buffers are pointed to, so that the statement must outlive the result; so must the block below.
Done doneBy(const ir::Stmt& statement);
/// Returns what one execution of the body of a block does, without its init. If the body is `opaque`, the bytes are
/// those of the regions that the block declares to read and write.
Done doneBy(const ir::BlockNode& block);

/// Fills in the fields of the row of a block, or of its init, that say what all its runs move, and whether the block
/// only copies (`moved`, `bytes`, `copy`, `source`, `target`). `done` is what one run does; `row.kind` and `row.runs`
/// must be set. With a negative entry in `done` or negative `row.runs`, `row.bytes` stays as it is.
void fillMoved(NestRow& row, const Done& done);

}  // namespace loom::session
