#pragma once

#include <functional>

#include "core/document/bench.h"
#include "core/document/target.h"
#include "core/tune/search/search.h"

namespace loom::cli {

/// What bounds a search.
struct SearchLimits {
  int trials = 80;            ///< candidates that are measured at most
  double deviceSeconds = 60;  ///< how long the device may be used; a round that has begun is finished
  tune::Strategy strategy = tune::Strategy::Funnel;
};

/// What a search did, in numbers.
struct SearchTally {
  std::size_t drawn = 0, compiled = 0, measured = 0;
  double drawing = 0, compiling = 0, measuring = 0;  ///< seconds
  std::vector<std::size_t> finalists;                ///< measured once more in one run, the fastest first
  bool tie = false;  ///< whether the first finalist's quartiles reach the second's median
  std::optional<document::VendorLine> vendor;
};

/// Runs a search on the bench's device: shortlists are compiled, rounds of them measured with the vendor's library or a
/// naive kernel as the judge of their results, and the fastest measured again side by side. `told` is called with the
/// index of each candidate that was measured or died. Errors: those of Bench::measure.
Result<SearchTally> runSearch(tune::Search& search, document::Bench& bench, const model::Device& device,
                              const document::Target& target, const SearchLimits& limits,
                              const std::function<void(std::size_t)>& told);

}  // namespace loom::cli
