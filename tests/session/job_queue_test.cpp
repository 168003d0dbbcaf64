#include "app/session/job_queue.h"

#include <gtest/gtest.h>

#include <future>
#include <stdexcept>

namespace loom::session::job_queue_test {
namespace {

TEST(JobQueue, GoesOnAfterAJobThatThrows) {
  std::promise<std::string> said;
  std::promise<void> next;
  JobQueue queue([&](const std::string& what) { said.set_value(what); });
  queue.submit([] { throw std::logic_error("no such loop"); });
  queue.submit([&] { next.set_value(); });
  EXPECT_EQ(said.get_future().get(), "no such loop");
  next.get_future().get();
}

TEST(JobQueue, GoesOnAfterAJobThatThrowsANumber) {
  std::promise<std::string> said;
  std::promise<void> next;
  JobQueue queue([&](const std::string& what) { said.set_value(what); });
  queue.submit([] { throw 7; });
  queue.submit([&] { next.set_value(); });
  EXPECT_EQ(said.get_future().get(), "an exception that says nothing");
  next.get_future().get();
}

}  // namespace
}  // namespace loom::session::job_queue_test
