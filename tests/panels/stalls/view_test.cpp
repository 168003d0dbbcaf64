#include <gtest/gtest.h>

#include <iterator>

#include "app/panels/stalls/words.h"
#include "core/profile/stall_reason.h"

namespace loom::session::stalls_view_test {
namespace {

TEST(StallWords, EveryReasonHasThem) {
  for (const profile::StallReasonRow& row : profile::stallReasons()) {
    EXPECT_NE(text::stalls::reasonOf(row.name), nullptr) << row.name;
  }
  EXPECT_EQ(std::size(text::stalls::kReasons), profile::kStallReasons);
}

}  // namespace
}  // namespace loom::session::stalls_view_test
