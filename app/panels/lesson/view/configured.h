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

/// One configuration of a lesson's chapter: the schedule that results if each decision (a tile size or the like, which
/// the chapter's step lines leave open) takes one of its values.
struct ConfiguredSchedule {
  tune::Assignment values;          ///< the value of each decision
  std::string name;                 ///< "bx=2 by=16"
  std::string lines;                ///< calls of schedule primitives, which lead to it from the unscheduled program
  std::string key;                  ///< key of its kernel (compile::programKey); empty: it makes no kernel
  std::optional<double> predicted;  ///< µs, by the model of the program as written; nothing: not predicted
  std::optional<double> measured;   ///< µs, recorded median time of its kernel; nothing: not measured
};

/// All configurations of a chapter with their times.
struct ConfiguredTimes {
  tune::Sketch sketch;  ///< the step lines with decisions left open, and the values that each decision may take
  std::vector<ConfiguredSchedule> schedules;
  std::size_t kernels = 0;           ///< number of different kernels among the schedules
  std::string device, driver, date;  ///< GPU, driver and date of the run that measured all; empty: none was measured

  /// Returns the schedule with these values; null if there is none.
  const ConfiguredSchedule* find(const tune::Assignment& values) const;
  /// Returns the shortest measured time in µs; nothing if no kernel was measured.
  std::optional<double> best() const;
  /// Returns how many of the different kernels were measured.
  std::size_t measured() const;
  /// Returns how many of the measured kernels took less than `microseconds`.
  std::size_t fasterThan(double microseconds) const;
};

/// Makes all schedules of `configurations` from the unscheduled program `start`, predicts their times on `device`, and
/// looks up measured times in the folder `recorded` of `assets`. All times are taken from one recording, a file of one
/// measuring run: the one that has times of the most of these kernels. If `device` is null, no time is predicted.
/// `language`, "en" or "zh", is that of the words for decisions in the sketch. Takes about 10 ms for each schedule, on
/// all cores in parallel. Fails with the errors of tune::sketchOf, if the lines of the configurations can't be read.
Result<ConfiguredTimes> configuredTimes(const document::Configurations& configurations, const std::string& language,
                                        const schedule::State& start, const schedule::Environment& environment,
                                        const model::Device* device, const std::filesystem::path& assets);

}  // namespace loom::session
