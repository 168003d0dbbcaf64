// A pool over simulated workers: virtual time, times that were recorded on a GPU, faults drawn by chance.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <random>

#include "core/process/worker_pool.h"

namespace loom::process::worker_pool_test {
namespace {

using testing::HasSubstr;

// Shares of what may go wrong.
struct Faults {
  double death = 0, hang = 0, garbage = 0, slowStart = 0, failedStart = 0;
  int broken = 0;                // so many workers never start
  std::set<std::string> poison;  // jobs that kill whoever takes them
  std::string stall;             // a job that everybody hangs at
};

// Seconds that measurements took, more or less: samples of two milliseconds or of one launch, of the kernels in a
// recording.
std::vector<double> recordedSeconds() {
  std::ifstream in(TILELOOM_SOURCE_DIR "/assets/recorded/h200_tensor_core.json");
  const auto recording = nlohmann::json::parse(in);
  std::vector<double> seconds;
  for (const auto& entry : recording["entries"])
    if (const double us = entry["outcome"]["timing"]["median_us"]; us > 0)
      seconds.push_back(std::min(0.3 + 28 * std::max(2000.0, us) * 1e-6, 10.0));
  return seconds;
}

class Simulation : public Workers {
 public:
  Simulation(int count, Faults faults, unsigned seed = 1)
      : faults_(std::move(faults)), random_(seed), all_(std::size_t(count)) {}

  int count() const override { return int(all_.size()); }
  double now() const override { return now_; }

  void start(int worker) override {
    if (worker < faults_.broken || chance(faults_.failedStart))
      return later(1, ended(worker, 0, message("exit status {}", 1)));
    WorkerEvent event;
    event.kind = WorkerEvent::Kind::Started;
    event.worker = worker;
    event.frame.text = "introduction";
    later(chance(faults_.slowStart) ? 40 : 2 + 2 * draw(), event);
  }

  void give(int worker, std::uint64_t lease, const Frame& request) override {
    ++given_[request.text];
    WorkerEvent answer;
    answer.kind = WorkerEvent::Kind::Answered;
    answer.worker = worker;
    answer.lease = lease;
    answer.frame.text = "answer to " + request.text;
    const double seconds = times_[random_() % times_.size()];
    if (request.text == faults_.stall || chance(faults_.hang)) {
      all_[std::size_t(worker)].late = answer;
    } else if (faults_.poison.contains(request.text) || chance(faults_.death)) {
      later(seconds * draw(), ended(worker, lease, message("killed by signal {} ({})", 9, "Killed")));
    } else if (chance(faults_.garbage)) {
      later(seconds * draw(), ended(worker, lease, message("the worker's answer says nothing")));
    } else {
      later(seconds, answer);
    }
  }

  // One that hung answers just then, when its lease is lost.
  void kill(int worker) override {
    ++all_[std::size_t(worker)].process;
    if (auto late = std::exchange(all_[std::size_t(worker)].late, std::nullopt)) {
      ++lateAnswers;
      later(0.01, *late);
    }
    later(0.1, ended(worker, 0, message("killed")));
  }

  std::optional<WorkerEvent> wait(double until) override {
    while (!events_.empty() && events_.begin()->second.process != all_[events_.begin()->second.what.worker].process)
      events_.erase(events_.begin());  // of a process that was killed
    if (events_.empty() || events_.begin()->first > until) {
      now_ = std::max(now_, until);
      return std::nullopt;
    }
    now_ = std::max(now_, events_.begin()->first);
    WorkerEvent event = events_.begin()->second.what;
    events_.erase(events_.begin());
    return event;
  }

  const std::map<std::string, int>& given() const { return given_; }
  int lateAnswers = 0;

 private:
  struct One {
    int process = 0;
    std::optional<WorkerEvent> late;
  };
  struct Due {
    int process;
    WorkerEvent what;
  };
  static WorkerEvent ended(int worker, std::uint64_t lease, Message why) {
    WorkerEvent event;
    event.worker = worker;
    event.lease = lease;
    event.why = std::move(why);
    return event;
  }
  void later(double seconds, const WorkerEvent& event) {
    events_.emplace(now_ + seconds, Due{all_[std::size_t(event.worker)].process, event});
  }
  double draw() { return std::uniform_real_distribution<double>()(random_); }
  bool chance(double share) { return share > 0 && draw() < share; }

  Faults faults_;
  std::mt19937 random_;
  std::vector<One> all_;
  std::vector<double> times_ = recordedSeconds();
  std::multimap<double, Due> events_;
  std::map<std::string, int> given_;
  double now_ = 0;
};

std::vector<Frame> jobs(std::size_t count) {
  std::vector<Frame> all;
  for (std::size_t n = 0; n < count; ++n) all.push_back({std::to_string(n), ""});
  return all;
}

TEST(WorkerPool, OfAThousandWithFaultsLosesNothingCountsNothingTwiceAndIsBusy) {
  constexpr std::size_t kJobs = 40000;
  Simulation simulation(1000, {0.003, 0.0005, 0.002, 0.02, 0.01, 20, {"17", "4711"}, "99"});
  WorkerPool pool(simulation, {});
  std::vector<int> settled(kJobs);
  std::size_t last = 0;
  double queueEmpty = 0, busyUntilThen = 0;
  const auto results = pool.run(jobs(kJobs), [&](std::size_t job, const JobResult&) {
    ++settled[job];
    // The first thousand to finish after the last was given: from here on some have nothing to do.
    if (++last == kJobs - 1000) {
      queueEmpty = simulation.now();
      for (const WorkerTally& tally : pool.tallies()) busyUntilThen += tally.busySeconds;
    }
  });
  std::map<std::string, int> deaths;
  for (std::size_t job = 0; job < kJobs; ++job) {
    ASSERT_EQ(settled[job], 1) << job;
    const std::string name = std::to_string(job);
    ASSERT_GE(simulation.given().at(name), 1);
    ASSERT_LE(simulation.given().at(name), 2) << "retried once";
    if (results[job].answer) {
      ASSERT_EQ(results[job].answer->text, "answer to " + name);
    } else {
      ++deaths[results[job].answer.error().code];
      ASSERT_EQ(simulation.given().at(name), 2);
    }
  }
  EXPECT_EQ(results[17].answer.error().code, "WorkerLost");
  EXPECT_THAT(results[4711].answer.error().message.english(), HasSubstr("killed by signal 9"));
  EXPECT_EQ(results[99].answer.error().code, "Deadline");
  EXPECT_LT(deaths["WorkerLost"], 20) << "of 40000 that each are lost with half a percent";
  EXPECT_LT(deaths["Deadline"], 5);
  EXPECT_GT(simulation.lateAnswers, 10);
  int out = 0;
  for (const WorkerTally& tally : pool.tallies()) out += !tally.out.empty();
  EXPECT_GE(out, 20);
  EXPECT_LE(out, 25) << "who fails to start three times in a row, and nobody else";
  // From when those have started that start as they should. What jobs under way have lasted isn't in the tallies yet.
  EXPECT_GT(busyUntilThen / ((queueEmpty - 4) * (1000 - out)), 0.95);
  EXPECT_GT(queueEmpty, 40) << "long enough for a share to say something";
}

TEST(WorkerPool, GivesWhatOneLostToAnother) {
  struct LastGiven : Simulation {
    using Simulation::Simulation;
    void give(int worker, std::uint64_t lease, const Frame& request) override {
      takers[request.text].push_back(worker);
      Simulation::give(worker, lease, request);
    }
    std::map<std::string, std::vector<int>> takers;
  } simulation(2, {0, 0, 0, 0, 0, 0, {"3"}, ""});
  WorkerPool pool(simulation, {});
  const auto results = pool.run(jobs(8));
  EXPECT_EQ(results[3].answer.error().code, "WorkerLost");
  ASSERT_EQ(simulation.takers["3"].size(), 2u);
  EXPECT_NE(simulation.takers["3"][0], simulation.takers["3"][1]);
  Simulation alone(1, {0, 0, 0, 0, 0, 0, {}, "2"});
  WorkerPool one(alone, {});
  EXPECT_EQ(one.run(jobs(4))[2].answer.error().code, "Deadline");
  EXPECT_EQ(alone.given().at("2"), 2) << "by itself, where there is no other";
  EXPECT_TRUE(one.run(jobs(4))[3].answer) << "the processes go on from one run to the next";
}

TEST(WorkerPool, WithoutAWorkerSaysWhyOnceAndSettlesAll) {
  Simulation simulation(8, {0, 0, 0, 0, 1, 0, {}, ""});
  WorkerPool pool(simulation, {});
  EXPECT_EQ(pool.first().error().code, "NoWorker");
  for (const JobResult& result : pool.run(jobs(3))) {
    EXPECT_EQ(result.answer.error().code, "NoWorker");
    EXPECT_EQ(result.answer.error().message, "exit status 1");
  }
  Simulation others(2, {});
  WorkerPool picky(others, {},
                   {[](int worker, const Frame& introduction) {
                      EXPECT_EQ(introduction.text, "introduction");
                      return worker == 0 ? message("it is another device") : Message();
                    },
                    [](const Frame& answer) { return answer.text == "answer to 1"; }});
  for (const JobResult& result : picky.run(jobs(3))) EXPECT_EQ(result.worker, 1);
  EXPECT_EQ(picky.tallies()[0].started, 0);
  EXPECT_EQ(picky.tallies()[1].started, 2) << "its second answer was of a process of no more use";
  EXPECT_EQ(picky.tallies()[1].lost, 0);
  EXPECT_EQ(*picky.first(), 1);
}

// Whoever looks on sees each lease once: who has which job, that a lost one is tried again elsewhere, and no job twice.
TEST(WorkerPool, ShowsWhatEachWorkerHolds) {
  Simulation simulation(3, {0, 0, 0, 0, 0, 0, {"3"}, "5"});
  WorkerPool* shown = nullptr;
  std::map<std::uint64_t, std::pair<std::size_t, bool>> leases;  // job, and whether it was lost before
  std::size_t settled = 0, looks = 0, ending = 0;
  PoolJudge judge;
  judge.turned = [&] {
    const QueueStatus queue = shown->queue();
    std::set<std::size_t> held;
    for (const WorkerStatus& w : shown->status()) {
      ending += w.state == WorkerStatus::State::Ending;
      if (w.state != WorkerStatus::State::Busy) continue;
      EXPECT_TRUE(held.insert(w.job).second) << "by two workers";
      EXPECT_LE(w.left, 20 + 1e-9);
      EXPECT_GE(w.held, 0);
      leases[w.lease] = {w.job, w.again};
    }
    EXPECT_EQ(queue.jobs, queue.jobs == 0 ? 0U : 8U);
    EXPECT_GE(queue.settled, settled) << "never fewer";
    EXPECT_EQ(queue.settled + queue.waiting + queue.lost + held.size(), queue.jobs);
    settled = queue.settled;
    ++looks;
  };
  WorkerPool pool(simulation, {}, judge);
  shown = &pool;
  (void)pool.run(jobs(8));
  EXPECT_GT(looks, 8u);
  EXPECT_GT(ending, 0u) << "those that hung were killed";
  EXPECT_EQ(leases.size(), 10u) << "two of eight jobs twice";
  std::map<std::size_t, std::vector<bool>> tries;
  for (const auto& [lease, what] : leases) tries[what.first].push_back(what.second);
  for (std::size_t job = 0; job < 8; ++job)
    EXPECT_EQ(tries[job], (job == 3 || job == 5 ? std::vector<bool>{false, true} : std::vector<bool>{false})) << job;
  EXPECT_EQ(pool.queue().jobs, 0u);
}

TEST(WorkerPool, IsStopped) {
  Simulation simulation(4, {0, 0, 0, 0, 0, 0, {}, ""});
  WorkerPool pool(simulation, {});
  std::stop_source stop;
  std::size_t done = 0;
  const auto results = pool.run(
      jobs(20),
      [&](std::size_t, const JobResult&) {
        if (++done == 5) stop.request_stop();
      },
      {}, stop.get_token());
  EXPECT_EQ(std::ranges::count_if(results, [](const JobResult& r) { return r.answer.has_value(); }), 5);
  EXPECT_EQ(done, 20u) << "each is settled, as cancelled";
  EXPECT_TRUE(pool.run(jobs(1)).front().answer);
}

}  // namespace
}  // namespace loom::process::worker_pool_test
