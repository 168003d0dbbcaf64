// What rows of boxes ask of L2, beside a count of the lines of every row.
#include "core/layout/box_row.h"

#include <gtest/gtest.h>

#include "core/layout/request.h"

namespace loom::layout {
namespace {

// Lines that a row touches on an average, of rows enough that all beginnings come equally often.
double counted(std::int64_t bytes, std::int64_t pitch) {
  constexpr std::int64_t kRows = kLineBytes, kColumns = kLineBytes;
  std::int64_t lines = 0;
  for (std::int64_t row = 0; row < kRows; ++row)
    for (std::int64_t column = 0; column < kColumns; ++column) {
      const std::int64_t begin = row * pitch + column * bytes, last = begin + bytes - 1;
      lines += last / kLineBytes - begin / kLineBytes + 1;
    }
  return double(lines) / double(kRows * kColumns);
}

TEST(BoxRow, TouchesAsManyLinesAsCounted) {
  for (const std::int64_t bytes : {32, 64, 96, 128, 256})
    for (const std::int64_t elements : {4096, 4064, 4080, 4088, 1000, 2016, 952, 5024})
      EXPECT_DOUBLE_EQ(boxRow(bytes, 2 * elements).lines, counted(bytes, 2 * elements)) << bytes << ' ' << elements;
}

TEST(BoxRow, BeginsOnSectorsWhereItsPitchIsAMultipleOfOne) {
  EXPECT_TRUE(boxRow(128, 2 * 4080).onSectors);
  EXPECT_FALSE(boxRow(128, 2 * 4088).onSectors);
}

}  // namespace
}  // namespace loom::layout
