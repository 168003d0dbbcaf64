// For compute_at and reverse_compute_at: finds the ranges that the iterators of a block must have at its new place, so
// that the regions which the block provides there cover the regions which its consumers or producers require. Source of
// the semantics: TVM 0.22, src/tir/schedule/primitive/compute_at.cc.
#pragma once
#include "core/arith/int_set.h"
#include "core/schedule/analysis.h"

namespace loom::schedule {

// A region of a buffer: an interval of indices for each dimension.
using Intervals = arith::IntRegion;

// A list of regions for each buffer, in the order in which the block names the buffers.
struct RegionsByBuffer {
  std::vector<std::pair<ir::Buffer, std::vector<Intervals>>> entries;

  // Returns the regions of a buffer; adds an empty list if there is none. This and what `find` returns is valid until a
  // list is added.
  std::vector<Intervals>& of(const ir::Buffer& buffer);
  // Returns the regions of a buffer; null if there is no list.
  std::vector<Intervals>* find(const ir::Buffer& buffer);
};

// The values that an iterator must take: those of the interval `domain` that also lie in the interval `bound`. The new
// loop runs over `domain`; where `bound` is narrower, the block gets a predicate. `bound` is IntSet::nothing() where
// `domain` alone says it, and no predicate is needed.
struct IterDomain {
  arith::IntSet domain = arith::IntSet::nothing();
  arith::IntSet bound = arith::IntSet::nothing();
};

// Returns the domain of each iteration variable of a block for which the regions that one iteration provides cover the
// required ones: by the inverse of the map from iterators to indices if that is affine and bijective, else dimension by
// dimension. `provided` has for each buffer the regions that one iteration provides, in terms of the iterators, and
// `required` those that must be covered; a buffer without required regions is skipped. Neither is changed. Error
// "InternalError" where TVM fails a check, as for regions that match none of its patterns.
Result<std::vector<IterDomain>> solveDomains(const std::vector<ir::IterVar>& iters, RegionsByBuffer& provided,
                                             RegionsByBuffer& required, arith::Analyzer& analyzer);

// Adds to `relaxed` the regions that a block accesses in all iterations of the loops from `low`, included, up to
// `high`, excluded, or as far as the next block above if `high` isn't below that or is Id{}. `regions` are those of one
// iteration, in terms of the block's iterators, and `realize` has the iterators' values. With `relaxThreads`, the
// thread loops further up, across blocks, that share the buffer's memory count, too; if `low` is a block, only these
// do. Buffers without an entry in `relaxed` are skipped.
void relaxRegions(const Program& p, const ir::BlockRealizeNode& realize, const std::vector<ir::BufferRegion>& regions,
                  Id low, Id high, bool relaxThreads, RegionsByBuffer& relaxed);

}  // namespace loom::schedule
