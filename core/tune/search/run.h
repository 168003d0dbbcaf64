#pragma once

#include <functional>
#include <stop_token>

#include "core/tune/search/measurer.h"
#include "core/tune/search/search.h"

namespace loom::tune {

/// The limits of a search.
struct SearchLimits {
  int trials = 80;            ///< candidates that are measured at most; without a device, ranked at most
  double deviceSeconds = 60;  ///< how long devices may be used; a round that has begun is finished
};

/// What a search did, in numbers.
struct SearchTally {
  std::size_t drawn = 0, compiled = 0, measured = 0;
  double drawing = 0, compiling = 0, measuring = 0;  ///< seconds; of measuring: how long devices were used
  std::vector<std::size_t> finalists;                ///< measured once more in one run, the fastest first
  bool tie = false;  ///< whether the first finalist's quartiles reach the second's median
  std::optional<document::VendorLine> vendor;
  /// Of an exhaustive search: schedules that it has come past, and all of the spaces (Search::enumerated and
  /// schedules).
  Count enumerated = 0;
  std::optional<Count> schedules;  ///< nothing: not counted, or another strategy
  /// Returns the share of all schedules that an exhaustive search has come past; nothing where that isn't known.
  std::optional<double> share() const {
    return schedules && *schedules > 0 ? std::optional(double(enumerated) / double(*schedules)) : std::nullopt;
  }
};

/// Whoever looks on while a search runs. Each function may be empty; all are called on the search's thread, except
/// `progress`, which a compiler's thread may call.
struct SearchObserver {
  std::function<void(std::size_t)> looked;            ///< an index: the candidate was measured or died
  std::function<void(const Message&)> progress;       ///< what is being done: "3 of 32 compiled"
  std::function<void(const SearchTally&)> roundDone;  ///< after each round, and after the finalists
};

/// Runs a search: shortlists are compiled, rounds of them measured, and the fastest measured again side by side. The
/// limits are asked for before each round, so that they may change while it runs; a `stop` ends it after the running
/// round, or at once while schedules are drawn, without finalists. Errors: those of Measurer::measure.
Result<SearchTally> runSearch(Search& search, Measurer& measurer, const std::function<SearchLimits()>& limits,
                              const SearchObserver& observer, const std::stop_token& stop = {});

}  // namespace loom::tune
