#include "app/session/winner_stalls.h"

#include <gmock/gmock.h>

#include "core/document/kernel.h"

namespace loom::session::winner_stalls_test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

tune::PathState stateOf(const std::string& key, std::optional<double> measured) {
  tune::PathState state;
  auto kernel = std::make_shared<document::KernelText>();
  kernel->key = key;
  state.kernel = kernel;
  state.measured = measured;
  return state;
}

std::vector<std::string> keysOf(const std::vector<StallOrder>& orders) {
  std::vector<std::string> keys;
  for (const StallOrder& order : orders) keys.push_back(order.kernel->key);
  return keys;
}

TEST(WinnerStalls, TheWinnerAndWhereThePathBeginsComeFirst) {
  tune::WinnerPath path;
  path.isMeasured = true;
  path.states = {stateOf("start", 9), stateOf("between", 8), stateOf("hung", std::nullopt), stateOf("winner", 6)};
  path.construction = stateOf("construction", 10);
  EXPECT_THAT(keysOf(stallOrders(path)), ElementsAre("winner", "start", "construction", "between"));
  path.construction = stateOf("start", 9);
  EXPECT_THAT(keysOf(stallOrders(path)), ElementsAre("winner", "start", "between"));
  path.isMeasured = false;
  EXPECT_THAT(stallOrders(path), IsEmpty());
}

TEST(WinnerStalls, ShortKernelsAreSampledMoreOften) {
  tune::WinnerPath path;
  path.isMeasured = true;
  path.states = {stateOf("long", 10000), stateOf("short", 5), stateOf("empty", 0.01)};
  const auto orders = stallOrders(path);
  ASSERT_EQ(orders.size(), 3U);
  EXPECT_EQ(orders[0].interval, 0);
  EXPECT_EQ(orders[1].interval, 12);  // every 131,072 clocks of some 15 million
  EXPECT_EQ(orders[2].interval, 1);   // every 64 of some 7,500
}

}  // namespace
}  // namespace loom::session::winner_stalls_test
