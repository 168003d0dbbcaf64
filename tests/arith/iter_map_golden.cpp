// Iterator maps, regions and interval sets are TVM's, node for node: detection, padding, simplified indices, sums,
// divisions and inverses of each golden line.
#include <gtest/gtest.h>

#include <fstream>

#include "tests/arith/iter_map_notation.h"

namespace loom::arith::notation {
namespace {

class IterMapGolden : public ::testing::TestWithParam<const char*> {};

TEST_P(IterMapGolden, AnswersAreThoseOfTvm) {
  std::ifstream in(std::string(TILELOOM_SOURCE_DIR) + "/tests/arith/golden/" + GetParam() + ".txt");
  std::size_t count = 0;
  for (std::string line; std::getline(in, line); ++count) {
    auto fields = fieldsOf(line);
    auto got = answers(fields);
    ASSERT_LT(got.size(), fields.size()) << line;
    std::vector<std::string> want(fields.end() - static_cast<std::ptrdiff_t>(got.size()), fields.end());
    EXPECT_EQ(got, want) << line;
  }
  EXPECT_GE(count, 60u);
}

INSTANTIATE_TEST_SUITE_P(Families, IterMapGolden,
                         ::testing::Values("iter_map_schedule", "iter_map_affine", "iter_map_random",
                                           "iter_map_symbolic", "iter_map_int64", "region", "int_set"),
                         [](const auto& info) { return std::string(info.param); });

}  // namespace
}  // namespace loom::arith::notation
