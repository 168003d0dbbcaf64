// How large a loop nest a block needs so that what it provides covers what is required at another place.
// Source of the semantics: TVM 0.22, src/tir/schedule/primitive/compute_at.cc.
#pragma once
#include "core/arith/int_set.h"
#include "core/schedule/analysis.h"

namespace loom::schedule {

using Intervals = arith::IntRegion;

// Regions of each buffer, in the order in which the block names the buffers.
struct RegionsByBuffer {
  std::vector<std::pair<ir::Buffer, std::vector<Intervals>>> entries;

  std::vector<Intervals>& of(const ir::Buffer& buffer);
  std::vector<Intervals>* find(const ir::Buffer& buffer);
};

// The values an iteration variable must take: those of `domain`, which is bounded, that also lie in `bound`. What of
// `bound` cannot be expressed by the domain becomes a predicate.
struct IterDomain {
  arith::IntSet domain = arith::IntSet::nothing();
  arith::IntSet bound = arith::IntSet::nothing();
};

// Returns the domain of each iteration variable of a block for which the regions that one iteration provides cover the
// required ones: by the inverse of the map from iterators to indices if that is affine and bijective, else dimension by
// dimension. Error "InternalError" where TVM fails a check: "BufferRegion pattern match failed", for example.
Result<std::vector<IterDomain>> solveDomains(const std::vector<ir::IterVar>& iters, RegionsByBuffer& provided,
                                             RegionsByBuffer& required, arith::Analyzer& analyzer);

// Adds to `relaxed` what the regions (in terms of the bindings) become when the loops from `low` up to `high`,
// exclusive, run; with `relaxThreads`, also those thread loops further up that share the buffer's memory. Buffers that
// `relaxed` has no entry of are skipped.
void relaxRegions(const Program& p, const ir::BlockRealizeNode& realize, const std::vector<ir::BufferRegion>& regions,
                  Id low, Id high, bool relaxThreads, RegionsByBuffer& relaxed);

}  // namespace loom::schedule
