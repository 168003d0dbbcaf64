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

// Returns the domain of each iteration variable of a block, in their order, for which the regions that one iteration
// provides cover the required ones: by the inverse of the map from iterators to indices if that is affine and
// bijective, else dimension by dimension. `provided` has for each buffer the regions that one iteration provides, in
// terms of the iterators, and `required` those that must be covered; a buffer without required regions is skipped.
// Neither is changed. Each `bound` is within the range that the iterator has now (IterVar::domain); an iterator that no
// region determines, such as a reduced one of a producer, gets that whole range as its `domain`. `analyzer` must know
// the ranges of the loops around the new place, and nothing is bound in it. Error "InternalError" where TVM fails a
// check, as for regions that match none of its patterns.
Result<std::vector<IterDomain>> solveDomains(const std::vector<ir::IterVar>& iters, RegionsByBuffer& provided,
                                             RegionsByBuffer& required, arith::Analyzer& analyzer);

// Adds to `relaxed` the regions that a block accesses in all iterations of the loops from `low` upward: `low` included,
// `high` excluded, and at most up to the next block; Id{} for `high` means up to that block. If `low` is a block, there
// are no such loops. With `relaxThreads`, all thread loops further up, also those around outer blocks, whose threads
// share the buffer's memory are added to these loops. `regions` are those of one iteration, in terms of the block's
// iterators, and `realize` has the iterators' values. Buffers without an entry in `relaxed` are skipped.
void relaxRegions(const Program& p, const ir::BlockRealizeNode& realize, const std::vector<ir::BufferRegion>& regions,
                  Id low, Id high, bool relaxThreads, RegionsByBuffer& relaxed);

}  // namespace loom::schedule
