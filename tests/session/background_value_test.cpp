#include "app/session/background_value.h"

#include <gtest/gtest.h>

#include <future>
#include <stdexcept>

namespace loom::session::background_value_test {
namespace {

TEST(BackgroundValue, IsAwaitedUntilItIsTaken) {
  const int before = beingMade();
  BackgroundValue<int> value;
  EXPECT_FALSE(value.isAwaited());
  std::promise<void> begin, ready;
  value.ask([&] { return begin.get_future().get(), 7; }, [&] { ready.set_value(); });
  EXPECT_TRUE(value.isAwaited());
  EXPECT_EQ(beingMade(), before + 1);
  begin.set_value();
  ready.get_future().get();
  EXPECT_EQ(beingMade(), before);
  EXPECT_TRUE(value.isAwaited()) << "it is ready, but nobody has it";
  EXPECT_EQ(value.take(), 7);
  EXPECT_FALSE(value.isAwaited());
  EXPECT_FALSE(value.takeFailure());
}

// Panels' pictures wait for what is being made.
TEST(BackgroundValue, NobodyWaitsForOneWhoseMakingThrew) {
  const int before = beingMade();
  BackgroundValue<int> value;
  std::promise<void> woken;
  value.ask([]() -> int { throw std::runtime_error("no such loop"); }, [&] { woken.set_value(); });
  woken.get_future().get();
  EXPECT_EQ(beingMade(), before);
  EXPECT_FALSE(value.take());
  const std::optional<Error> failure = value.takeFailure();
  ASSERT_TRUE(failure);
  EXPECT_NE(failure->message.english().find("no such loop"), std::string::npos);
  EXPECT_EQ(takeBackgroundFailures().size(), 1U);
  EXPECT_FALSE(value.isAwaited());
  // The next is made as ever.
  std::promise<void> ready;
  value.ask([] { return 8; }, [&] { ready.set_value(); });
  ready.get_future().get();
  EXPECT_EQ(value.take(), 8);
}

// Whatever is thrown, the session hears of it.
TEST(BackgroundValue, OfThrownNumbersThereIsAFailure) {
  BackgroundValue<int> value;
  std::promise<void> woken;
  value.ask([]() -> int { throw 7; }, [&] { woken.set_value(); });
  woken.get_future().get();
  EXPECT_FALSE(value.take());
  EXPECT_TRUE(value.takeFailure());
  EXPECT_EQ(takeBackgroundFailures().size(), 1U);
  EXPECT_TRUE(takeBackgroundFailures().empty());
}

TEST(BackgroundValue, OfAResultThatThrewIsItsError) {
  BackgroundValue<Result<int>> value;
  std::promise<void> woken;
  value.ask([]() -> Result<int> { throw std::runtime_error("no such loop"); }, [&] { woken.set_value(); });
  woken.get_future().get();
  const std::optional<Result<int>> made = value.take();
  ASSERT_TRUE(made);
  ASSERT_FALSE(*made);
  EXPECT_EQ(made->error().code, "InternalError");
  EXPECT_EQ(takeBackgroundFailures().size(), 1U);
  EXPECT_FALSE(value.isAwaited());
}

}  // namespace
}  // namespace loom::session::background_value_test
