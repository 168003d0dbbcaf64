// What cache_read and cache_write share: where the copy goes, how much of the buffer it holds, and the loop nest that
// copies.
#pragma once
#include <set>

#include "core/schedule/buffers.h"
#include "core/schedule/draft.h"

namespace loom::schedule {

// A copy of a buffer between its memory and a cache, and where the copy stands.
struct CacheStage {
  ir::Buffer from, to;      // the copy block reads `from` and writes `to`; one of them is the new cache
  ir::BufferRegion region;  // what is copied, of the buffer that is cached
  bool isFull = true;       // the cache has the buffer's shape and indices; else the region's, counted from its start
  Id location;              // the loop or block in whose body the copy stands
  int position = 0;         // its index there
  std::set<Id> consumers;   // cache_read: only these read the cache (empty: all); cache_write: these read it besides
  ir::Stmt nest;            // the copy: loops over one block
  Id block;                 // that block
};

// Returns the blocks of the list and their child blocks.
std::set<Id> withChildBlocks(const Program& p, const std::vector<Id>& blocks);

// Returns the only block of the scope that writes the buffer; no id if no block does. Error "NotSingleWriteBlock" if
// several do.
Result<Id> onlyWriter(const Program& p, Id scope, const ir::Buffer& buffer);

// Sets location and position: before the first of `related` that follows the writer in a common sequence, else at the
// scope. Location is none when that fails.
void locate(const Program& p, Id writer, Id scope, const std::vector<Id>& related, CacheStage& stage);
// Sets the position after everything in the scope.
void locateAtEnd(const Program& p, Id scope, CacheStage& stage);

// Returns the region of the buffer that the block touches in all iterations of the loops below `location`.
ir::BufferRegion relaxedRegion(const Program& p, Id block, const ir::BufferRegion& region, Id location);

// Decides isFull for the region and location found, and makes the cache of `buffer` (with the region's shape unless
// full). InternalError when a block of the scope names the buffer twice.
Result<ir::Buffer> makeCache(Draft& draft, Id scope, const ir::Buffer& buffer, const std::string& storageScope,
                             CacheStage& stage);

// Makes nest and block from the rest. The block is named after the buffer and the storage scope.
void makeCopy(Draft& draft, const ir::Buffer& cached, const std::string& storageScope, CacheStage& stage);

// Returns the body with the copy at its position. Error "InternalError" if there is no such position.
Result<ir::Stmt> insertCopy(const ir::Stmt& body, const CacheStage& stage);
// Checks that insertCopy will succeed in the body of `location`.
Checked checkInsertion(const Program& p, const CacheStage& stage);

// Replaces the scope block and sets the copy's flags. Error "InternalError" if a view (match_buffer) would be one of
// other memory than its own.
Checked finishCopy(Draft& draft, Id scope, const ir::Block& rewritten, const CacheStage& stage);

}  // namespace loom::schedule
