#include "core/codegen/line_creator.h"

#include <gtest/gtest.h>

#include "core/script/line_diff.h"

namespace loom::codegen::line_creator_test {
namespace {

constexpr const char* kWritten = R"(__global__ void main_kernel() {
  int bx = blockIdx.x;
  // X_shared: cache_read, step 14
  for (int a = 0; a < 4; ++a) {
    X_shared[a] = X[a];
  }
  __syncthreads();
}
)";

// Between a loop and its comment stand pragmas and the numbers that the loop counts.
TEST(LineCreator, PragmasAndCountersBelongToTheirLoop) {
  const std::vector<std::string> source = script::splitLines(R"(__global__ void main_kernel() {
  // X_shared: cache_read, step 14
  int slot = 0;
  #pragma unroll
  for (int a = 0; a < 4; ++a) {
    X_shared[slot] = X[a];
  }
  for (int b = 0; b < 4; ++b) {
)");
  EXPECT_EQ(creatorOfLine(source, 5), "cache_read, step 14");
  EXPECT_EQ(creatorOfLine(source, 6), "cache_read, step 14");
  EXPECT_EQ(creatorOfLine(source, 8), "");
  const std::vector<std::string> wide = script::splitLines(R"(__global__ void main_kernel() {
  // X_shared: cache_read, step 14
  long long slot = 0, lap = 0;
  for (long long a = 0; a < 4; ++a) {
)");
  EXPECT_EQ(creatorOfLine(wide, 4), "cache_read, step 14") << "counters have the type of the loop's variable";
}

TEST(LineCreator, WhatStandsBehindABlockIsNotMadeByIt) {
  const std::vector<std::string> source = script::splitLines(kWritten);
  EXPECT_EQ(creatorOfLine(source, 5), "cache_read, step 14");
  EXPECT_EQ(creatorOfLine(source, 4), "cache_read, step 14");
  EXPECT_EQ(creatorOfLine(source, 2), "");
  EXPECT_EQ(creatorOfLine(source, 7), "");
  EXPECT_EQ(creatorOfLine(source, 0), "");
  EXPECT_EQ(creatorOfLine(source, 99), "");
}

}  // namespace
}  // namespace loom::codegen::line_creator_test
