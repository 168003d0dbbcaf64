#include "app/window/report_jobs.h"

#include <algorithm>
#include <exception>

namespace loom::window {

void ReportJobs::start(std::filesystem::path path, Make make) {
  Job& job = jobs_.emplace_back();
  job.path = std::move(path);
  job.thread = std::jthread([&job, wake = wake_, make = std::move(make)](const std::stop_token& stop) {
    try {
      const auto bytes = make([&](int done, int of) {
        job.done = done;
        job.of = of;
        wake();
        return !stop.stop_requested();
      });
      if (bytes) job.outcome = {job.path, writeWhole(job.path, *bytes)};
    } catch (const std::exception& e) {  // out of memory: the report is lost, the session isn't
      job.outcome = {job.path, verbatim(e.what())};
    }
    job.ended = true;
    wake();
  });
}

std::optional<ReportJobs::Running> ReportJobs::running() const {
  std::optional<Running> first;
  for (const Job& job : jobs_) {
    if (job.ended) continue;
    if (first) {
      ++first->more;
    } else {
      first = {job.path, job.done, job.of, 0};
    }
  }
  return first;
}

void ReportJobs::cancel() {
  const auto first = std::find_if(jobs_.begin(), jobs_.end(), [](const Job& job) {
    return !job.ended && !job.thread.get_stop_token().stop_requested();
  });
  if (first != jobs_.end()) first->thread.request_stop();
}

std::optional<BackgroundWriter::Outcome> ReportJobs::takeOutcome() {
  for (auto job = jobs_.begin(); job != jobs_.end();) {
    if (!job->ended) {
      ++job;
      continue;
    }
    job->thread.join();
    const auto outcome = std::move(job->outcome);
    job = jobs_.erase(job);
    if (outcome) return outcome;
  }
  return std::nullopt;
}

}  // namespace loom::window
