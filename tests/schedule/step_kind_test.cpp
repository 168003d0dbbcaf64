#include "core/schedule/step_kind.h"

#include <gtest/gtest.h>

namespace loom::schedule::step_kind_test {
namespace {

TEST(StepKind, IsAnnotatedWhereTheKeyIsOurs) {
  for (const char* line :
       {"sch.annotate(b, \"tileloom.swizzle\", 128)", "sch.annotate(b, ann_key=\"tileloom.copy\", ann_val=\"tma\")",
        "sch.annotate(block_or_loop=b, ann_key=\"tileloom.swizzle\", ann_val=64)"})
    EXPECT_EQ(stepKind(line), StepKind::Annotated) << line;
  for (const char* line :
       {"sch.annotate(b, \"pragma_auto_unroll_max_step\", 16)", "sch.annotate(b, \"note\", \"tileloom.swizzle\")",
        "i0, i1 = sch.split(i, [None, 16])", "annotate = sch.get_block(\"tileloom.annotate\")", "sch.annotate(b", ""})
    EXPECT_EQ(stepKind(line), StepKind::Exact) << line;
}

TEST(StepKind, IsForeignWhereTvmHasNoSuchMemoryOrOperation) {
  for (const char* line :
       {"sch.set_scope(r, 0, \"shared.cluster\")", "t = sch.cache_write(c, 0, storage_scope=\"local.wgmma\")",
        "sch.tensorize(i, \"wgmma_64x64_f32\")"})
    EXPECT_EQ(stepKind(line), StepKind::Foreign) << line;
  for (const char* line : {"sch.set_scope(r, 0, \"shared.dyn\")", "b = sch.get_block(\"C.rf_shared.cluster\")",
                           "sch.annotate(b, \"note\", 1)  # shared.cluster", "sch.set_scope(r, 0, \"shared.cluster\""})
    EXPECT_EQ(stepKind(line), StepKind::Exact) << line;
}

}  // namespace
}  // namespace loom::schedule::step_kind_test
