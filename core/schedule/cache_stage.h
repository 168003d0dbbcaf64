// What the primitives cache_read and cache_write share: they add a cache, a new buffer in another storage scope, and a
// block that copies a buffer to it or from it. Functions here decide where the copy stands and how much of the buffer
// the cache holds, and make the loop nest that copies. The scope is the block within which all uses of the buffer are.
// A Draft is a copy of the program that the primitive rewrites. A primitive fills a CacheStage in this order: its
// buffer as `from` or `to`, and `consumers`; `locate` or `locateAtEnd`; `checkInsertion`; `region`, which is what the
// only writer writes (`relaxedRegion`), or, if no block of the scope writes the buffer, what the scope reads;
// `makeCache`; the cache as `to` or `from`; `makeCopy`. Then it rewrites the scope block, in which blocks are to use
// the cache and `insertCopy` puts the copy in its place, and hands the new block to `finishCopy`.
#pragma once
#include <set>

#include "core/schedule/buffers.h"
#include "core/schedule/draft.h"

namespace loom::schedule {

// A copy of a buffer between its memory and a cache, and where the copy stands.
struct CacheStage {
  ir::Buffer from, to;      // the copy block reads `from` and writes `to`; one of them is the new cache
  ir::BufferRegion region;  // the region of the buffer that is copied
  bool isFull = true;       // the cache has the buffer's shape and indices; else the region's, counted from its start
  Id location;              // the loop or block in whose body the copy stands
  int position = 0;         // the index of the copy among the statements of that body
  // For cache_read: the blocks that read the cache instead of the buffer; empty: all do. For cache_write, where the
  // writer of the buffer uses the cache instead: the other blocks that read the cache; empty: none. The functions here
  // don't use it.
  std::set<Id> consumers;
  ir::Stmt nest;  // the copy: loops over one block
  Id block;       // the block of the copy
};

// Returns the blocks of the list and their child blocks, not those inside the children: `consumers` for a list that a
// user gives.
std::set<Id> withChildBlocks(const Program& p, const std::vector<Id>& blocks);

// Returns the only block of the scope that writes the buffer; no id if no block does. Errors: "NotSingleWriteBlock" if
// several do; "InternalError", as in TVM, if a tensorize has replaced the writer, which the scope's dependencies still
// name.
Result<Id> onlyWriter(const Program& p, Id scope, const ir::Buffer& buffer);

// Sets `stage.location` and `stage.position` so that the copy stands behind the block `writer` and before the blocks
// `related`, those that read what the copy writes. Looks, from the inside out, for a sequence in which one statement is
// or contains `writer`, and a later one the first of `related`: the copy stands right before this later one. If there
// is no such sequence, although `writer` comes before all of `related`, there is no place: the location is the scope
// block, and the position -1. If `writer` doesn't come before them, or is an empty id, the copy stands at position 0 of
// the scope block. If the scope has none of `related`, the location has no id. Without a place or an id,
// `checkInsertion` refuses.
void locate(const Program& p, Id writer, Id scope, const std::vector<Id>& related, CacheStage& stage);
// Sets `stage.location` to the scope block and `stage.position` so that the copy stands after all its statements.
void locateAtEnd(const Program& p, Id scope, CacheStage& stage);

// Returns a part of the buffer that contains all that the block accesses while the loops between it and `location`,
// without `location` itself, run through their iterations, and, if the buffer isn't in global memory, the loops over
// threads further up that share it. `region` is what it accesses once, in terms of its iterators.
ir::BufferRegion relaxedRegion(const Program& p, Id block, const ir::BufferRegion& region, Id location);

// Sets `stage.isFull`, and returns the cache of `buffer`: a new buffer in `storageScope`, with the buffer's shape if
// `isFull`, else with that of `stage.region`. As in TVM, `isFull` is true if `stage.location` is a loop, and false if
// it is the scope block; for another block, true if a child block of the scope that isn't a child block of that one
// reads the buffer. `stage.location` and `stage.region` must be set. Error "InternalError" if `stage.location` is no
// loop and a child block of the scope names the buffer twice among its reads.
Result<ir::Buffer> makeCache(Draft& draft, Id scope, const ir::Buffer& buffer, const std::string& storageScope,
                             CacheStage& stage);

// Sets `stage.nest` and `stage.block` from the other members of `stage`. `cached` is the buffer that has the cache. The
// block is named after this buffer and the storage scope: `A_shared`, `A_shared.dyn`.
void makeCopy(Draft& draft, const ir::Buffer& cached, const std::string& storageScope, CacheStage& stage);

// Returns `body`, that of `stage.location`, with the copy at `stage.position`. Error "InternalError" if there is no
// such position.
Result<ir::Stmt> insertCopy(const ir::Stmt& body, const CacheStage& stage);
// Checks that insertCopy will succeed in the body of `stage.location`. Error "InternalError" if it won't.
Checked checkInsertion(const Program& p, const CacheStage& stage);

// Replaces the scope block by `rewritten`, which contains the copy, and sets the flags of the copy's block
// (BlockInfo). Error "InternalError" if a view (match_buffer) would have another storage scope than the buffer that it
// views.
Checked finishCopy(Draft& draft, Id scope, const ir::Block& rewritten, const CacheStage& stage);

}  // namespace loom::schedule
