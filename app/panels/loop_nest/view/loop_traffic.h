#pragma once

#include <vector>

#include "app/panels/loop_nest/view/loop_nest.h"

namespace loom::session {

/// What one execution of a statement reads, writes and computes, as written.
struct Done {
  struct Bytes {
    const ir::BufferNode* buffer = nullptr;
    bool write = false;
    double bytes = 0;
  };
  std::vector<Bytes> bytes;
  double flops = 0;
  bool opaque = false;  ///< calls something that reads and writes by itself

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
Done doneBy(const ir::Stmt& statement);
/// Returns this for the body of a block. If a call hides what it accesses, the regions that the block declares are
/// used.
Done doneBy(const ir::BlockNode& block);

/// Fills in what a block or init moves over its runs, and whether it only copies.
void fillMoved(NestRow& row, const Done& done);

}  // namespace loom::session
