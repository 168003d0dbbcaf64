#include "app/session/jobs.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <stdexcept>
#include <thread>

namespace loom::session::jobs_test {
namespace {

// Whether jobs hand something over within some seconds.
bool takesSomething(Jobs& jobs) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(20);
  while (std::chrono::steady_clock::now() < end) {
    if (jobs.takeFinished()) return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  return false;
}

TEST(Jobs, WhatIsFinishedIsTakenInOnTheCallersThread) {
  std::atomic<int> woken = 0;
  Jobs jobs([&] { ++woken; });
  std::thread::id taken;
  jobs[Queue::kModels].submit([&] { jobs.finish([&] { taken = std::this_thread::get_id(); }); });
  ASSERT_TRUE(takesSomething(jobs));
  EXPECT_EQ(taken, std::this_thread::get_id());
  EXPECT_EQ(woken, 1);
  EXPECT_FALSE(jobs.takeFinished());
}

TEST(Jobs, WhatIsOfAForgottenTargetIsDropped) {
  Jobs jobs({});
  int taken = 0;
  jobs.finishFor(jobs.target(), [&] { taken += 1; });
  jobs.forgetTarget();
  jobs.finishFor(jobs.target(), [&] { taken += 10; });
  EXPECT_TRUE(jobs.takeFinished());
  EXPECT_EQ(taken, 10);
}

TEST(Jobs, AJobThatThrowsIsAnErrorAndTheOthersGoOn) {
  Jobs jobs({});
  jobs[Queue::kChecks].submit([] { throw std::runtime_error("no such thing"); });
  ASSERT_TRUE(takesSomething(jobs));
  const std::vector<Error> failures = jobs.takeFailures();
  ASSERT_EQ(failures.size(), 1U);
  EXPECT_EQ(failures[0].code, "InternalError");
  EXPECT_TRUE(jobs.takeFailures().empty());
  jobs[Queue::kChecks].submit([&] { jobs.finish([] {}); });
  EXPECT_TRUE(takesSomething(jobs));
}

TEST(Jobs, SilentOnesWakeNobody) {
  int woken = 0;
  Jobs jobs([&] { ++woken; });
  jobs.setProgress(message("round {} of {}", 1, 2));
  EXPECT_EQ(woken, 1);
  jobs.silence();
  jobs.finish([] {});
  EXPECT_EQ(woken, 1);
  EXPECT_EQ(jobs.progress(), "round 1 of 2");
}

}  // namespace
}  // namespace loom::session::jobs_test
