#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "core/document/configurations.h"
#include "core/model/device.h"
#include "core/schedule/environment.h"
#include "core/schedule/state.h"
#include "core/tune/rules/sketch.h"

namespace loom::session {

/// One of the schedules that a lesson's chapter compares.
struct ConfiguredSchedule {
  tune::Assignment values;
  std::string name;                 ///< "bx=2 by=16"
  std::string lines;                ///< step lines from the unscheduled program
  std::string key;                  ///< of its kernel (compile::programKey); empty: it is none
  std::optional<double> predicted;  ///< µs, from the program
  std::optional<double> measured;   ///< µs, as recorded
};

/// All schedules that a chapter compares, and what is known of them.
struct ConfiguredTimes {
  tune::Sketch sketch;
  std::vector<ConfiguredSchedule> schedules;
  std::size_t kernels = 0;           ///< different ones
  std::string device, driver, date;  ///< of the measurements, which are of one run; empty: there are none

  /// Returns the schedule with these values; null if there is none.
  const ConfiguredSchedule* find(const tune::Assignment& values) const;
  /// Returns the fastest measured time; nothing: none is known.
  std::optional<double> best() const;
  /// Returns how many of the different kernels were measured, and how many of them are faster than `microseconds`.
  std::size_t measured() const;
  std::size_t fasterThan(double microseconds) const;
};

/// Makes all schedules of `configurations` from the unscheduled program `start`, predicts their times for a device, and
/// looks up measured ones in the recordings of `assets`. Null `device`: nothing is predicted. `language`: of the words
/// of the sketch. Takes about 10 ms a schedule on each core. Errors as those of tune::sketchOf.
Result<ConfiguredTimes> configuredTimes(const document::Configurations& configurations, const std::string& language,
                                        const schedule::State& start, const schedule::Environment& environment,
                                        const model::Device* device, const std::filesystem::path& assets);

}  // namespace loom::session
