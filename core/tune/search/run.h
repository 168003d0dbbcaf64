#pragma once

#include <functional>
#include <stop_token>

#include "core/tune/search/measurer.h"
#include "core/tune/search/search.h"

namespace loom::tune {

/// The limits of a search.
struct SearchLimits {
  int trials = 200;           ///< the most candidates that are measured, those that fail on the device included;
                              ///< without a device, that are ranked
  double deviceSeconds = 60;  ///< how long devices may be used, all together; a round that has begun is finished
};

/// What a search for a fast schedule did, in numbers. A candidate is a schedule that the search has drawn from a
/// sketch, a schedule with open decisions.
struct SearchTally {
  /// Numbers of candidates: `drawn` are all of Search::candidates, with the constructed and the discarded ones;
  /// `compiled` and `measured` those that this run had compiled and measured, with those that failed.
  std::size_t drawn = 0, compiled = 0, measured = 0;
  /// Seconds spent on drawing candidates and on compiling them, and seconds for which devices were used, added up.
  double drawing = 0, compiling = 0, measuring = 0;
  /// Indices in Search::candidates of up to four fastest candidates, the fastest first. They were measured once more,
  /// in one run, and those that failed in it left out; after a stop, or if there is only one, they have the times of
  /// their rounds. Empty without a device.
  std::vector<std::size_t> finalists;
  bool tie = false;  ///< whether the upper quartile of the first finalist's times reaches the second's median; false
                     ///< without two
  std::optional<document::VendorLine> vendor;  ///< the time of the vendor's library; nothing: not known
  Count enumerated = 0;            ///< schedules that an exhaustive search has enumerated; 0 for other strategies
  std::optional<Count> schedules;  ///< schedules of all sketches; nothing: not counted, or not an exhaustive search
  /// Returns the share of all schedules that an exhaustive search has enumerated, 0 to 1; nothing if it isn't known.
  std::optional<double> share() const {
    return schedules && *schedules > 0 ? std::optional(double(enumerated) / double(*schedules)) : std::nullopt;
  }
};

/// The functions that a search calls while it runs. Each may be empty. All are called on the search's thread, except
/// `progress`, which a compiler's thread may call.
struct SearchObserver {
  std::function<void(std::size_t)> looked;            ///< the candidate with this index was measured or discarded
  std::function<void(const Message&)> progress;       ///< what is being done: "3 of 32 compiled"
  std::function<void(const SearchTally&)> roundDone;  ///< after each round, and after the finalists
};

/// Runs a search: in each round a shortlist of candidates is compiled and part of it measured; at the end the four
/// fastest are measured again in one run. `limits`, not empty, is called before each round, so that limits may change
/// while the search runs. Without a device (Measurer::hasDevice), candidates are only compiled and ranked. A `stop`,
/// which is also given to the search (Search::endWith), ends the search after the running round, or at once while
/// schedules are drawn, without the last run. Fails with the measurer's error if it can't measure a round, also after
/// rounds that it measured; a kernel that fails by itself is only discarded.
Result<SearchTally> runSearch(Search& search, Measurer& measurer, const std::function<SearchLimits()>& limits,
                              const SearchObserver& observer, const std::stop_token& stop = {});

}  // namespace loom::tune
