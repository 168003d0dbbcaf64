#include "app/session/view_cache.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <string>
#include <thread>
#include <vector>

namespace loom::session::view_cache_test {
namespace {

struct Length {
  int value = 0;
};
struct Word {
  std::string text;
};

TEST(ViewCache, MakesAViewOnceAndFindsItByItsType) {
  const ViewCache views;
  int made = 0;
  const Length& first = views.get<Length>([&] { return Length{++made}; });
  EXPECT_EQ(first.value, 1);
  EXPECT_EQ(views.get<Word>([] { return Word{"two"}; }).text, "two");
  EXPECT_EQ(&views.get<Length>([&] { return Length{++made}; }), &first);
  EXPECT_EQ(made, 1);
}

TEST(ViewCache, CopiesShareTheirViewsAndAFreshOneHasNone) {
  ViewCache views;
  const ViewCache copy = views;
  const Length& first = views.get<Length>([] { return Length{1}; });
  EXPECT_EQ(&copy.get<Length>([] { return Length{2}; }), &first);
  views = {};
  EXPECT_EQ(views.get<Length>([] { return Length{3}; }).value, 3);
  EXPECT_EQ(first.value, 1) << "the copy keeps it";
}

TEST(ViewCache, ThreadsThatAskAtOnceWaitForOneMaking) {
  const ViewCache views;
  std::atomic<int> made = 0;
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&] {
      const Length& length = views.get<Length>([&] {
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
        return Length{++made};
      });
      EXPECT_EQ(length.value, 1);
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(made, 1);
}

// A view may be made of another one of the same value.
TEST(ViewCache, AViewCanBeMadeOfAnother) {
  const ViewCache views;
  const auto word = [&]() -> const Word& { return views.get<Word>([] { return Word{"three"}; }); };
  EXPECT_EQ(views.get<Length>([&] { return Length{int(word().text.size())}; }).value, 5);
}

}  // namespace
}  // namespace loom::session::view_cache_test
