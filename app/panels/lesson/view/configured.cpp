#include "app/panels/lesson/view/configured.h"

#include <algorithm>
#include <map>
#include <set>

#include "core/document/lesson.h"
#include "core/document/read_once.h"
#include "core/gpu/result_database.h"
#include "core/process/on_all_cores.h"
#include "core/tune/rules/built.h"
#include "core/tune/rules/configured.h"

namespace loom::session {

namespace {

// Takes the times of the recording that has most of the schedules: times of several runs aren't compared.
void takeRecorded(ConfiguredTimes& all, const std::filesystem::path& assets) {
  std::vector<std::filesystem::path> files;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(assets / "recorded", error)) {
    if (entry.path().extension() == ".json") files.push_back(entry.path());
  }
  std::ranges::sort(files);
  std::map<std::string, double> best;
  for (const std::filesystem::path& file : files) {
    const auto read = document::readOnce(file, gpu::readRecording);
    if (!*read) continue;
    const gpu::Recording& recording = **read;
    std::map<std::string, double> times;
    for (const gpu::Recording::Entry& entry : recording.entries) {
      const auto isOf = [&](const ConfiguredSchedule& schedule) { return schedule.key == entry.source; };
      if (entry.outcome.status != gpu::Outcome::Status::Measured || std::ranges::none_of(all.schedules, isOf)) continue;
      times[entry.source] = entry.outcome.timing.median;
    }
    if (times.size() <= best.size()) continue;
    best = std::move(times);
    all.device = recording.device.name;
    all.driver = recording.device.driver;
    all.date = recording.date;
  }
  for (ConfiguredSchedule& schedule : all.schedules) {
    const auto found = best.find(schedule.key);
    if (found != best.end()) schedule.measured = found->second;
  }
}

// The measured times of different kernels, by key.
std::map<std::string, double> timesOf(const std::vector<ConfiguredSchedule>& schedules) {
  std::map<std::string, double> times;
  for (const ConfiguredSchedule& schedule : schedules) {
    if (schedule.measured) times[schedule.key] = *schedule.measured;
  }
  return times;
}

}  // namespace

const ConfiguredSchedule* ConfiguredTimes::find(const tune::Assignment& values) const {
  const auto found = std::ranges::find(schedules, values, &ConfiguredSchedule::values);
  return found == schedules.end() ? nullptr : &*found;
}

std::optional<double> ConfiguredTimes::best() const {
  std::optional<double> least;
  for (const auto& [key, time] : timesOf(schedules)) least = std::min(least.value_or(time), time);
  return least;
}

std::size_t ConfiguredTimes::measured() const { return timesOf(schedules).size(); }

std::size_t ConfiguredTimes::fasterThan(double microseconds) const {
  const auto times = timesOf(schedules);
  return std::size_t(std::ranges::count_if(times, [&](const auto& one) { return one.second < microseconds; }));
}

Result<ConfiguredTimes> configuredTimes(const document::Configurations& configurations, const std::string& language,
                                        const schedule::State& start, const schedule::Environment& environment,
                                        const model::Device* device, const std::filesystem::path& assets) {
  auto sketch = tune::sketchOf(configurations, language);
  if (!sketch) return Failure(sketch.error());
  ConfiguredTimes all{std::move(*sketch), {}, 0, {}, {}, {}};
  for (tune::Assignment& values : tune::allSchedules(all.sketch.space)) {
    ConfiguredSchedule one;
    one.name = tune::nameOf(all.sketch.space, values);
    one.lines = tune::linesOf(all.sketch, values).value_or("");
    one.values = std::move(values);
    all.schedules.push_back(std::move(one));
  }
  process::onAllCores(all.schedules.size(), [&](std::size_t n) {
    ConfiguredSchedule& one = all.schedules[n];
    const auto made = tune::madeByLines(start, one.lines, environment);
    if (!made) return;
    one.key = made->kernel.key;
    const auto time = device ? tune::predictedTime(made->kernel, *device) : Result<double>(0);
    if (device && time) one.predicted = *time;
  });
  std::set<std::string> keys;
  for (const ConfiguredSchedule& one : all.schedules) keys.insert(one.key);
  keys.erase("");
  all.kernels = keys.size();
  takeRecorded(all, assets);
  return all;
}

}  // namespace loom::session
