// The accesses of an operation on spans of bytes, as the model counts them.
#include <gtest/gtest.h>

#include "core/model/count.h"
#include "core/model/timeline.h"
#include "tests/device/planted_rows.h"

namespace loom::model::span_test {
namespace {

using device::planted::Reversal;

TEST(Spans, AreCountedByTheirBytes) {
  Reversal r;
  const KernelAccesses k = accessesOf(r.kernel());
  ASSERT_EQ(k.accesses.size(), 4U);
  const Access &read = k.accesses[0], &written = k.accesses[1];
  EXPECT_EQ(read.buffer->name, "A");
  EXPECT_EQ(read.memory, device::Memory::Global);
  EXPECT_EQ(written.buffer->name, "S");
  EXPECT_TRUE(written.write);
  for (const Access* a : {&read, &written}) {
    EXPECT_EQ(a->elements, 4);
    EXPECT_EQ(a->agent, device::Agent::AsyncCopy);
    const AccessCost c = countAccess(k, *a);
    EXPECT_TRUE(c.exact);
    EXPECT_EQ(c.requests, 2) << "one for each warp";
    EXPECT_EQ(c.bytes, 1024);
  }
  const KernelCount all = countKernel(k);
  EXPECT_EQ(all.globalLoadSectors, 32);
  EXPECT_EQ(all.sharedStoreWavefronts, 8);
  EXPECT_EQ(all.sharedStoreConflicts, 0);
  EXPECT_TRUE(k.work.empty());
  EXPECT_EQ(k.barriers.size(), 1U) << "a thread's own wait is none";
}

}  // namespace
}  // namespace loom::model::span_test
