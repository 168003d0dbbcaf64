// Banks with and without a swizzle.
#include <gmock/gmock.h>

#include "app/panels/thread_binding/view/accesses.h"
#include "tests/model/programs.h"

namespace loom::session::thread_binding_swizzle_view_test {
namespace {

using testing::HasSubstr;

// Fragments of 16-bit operands by ldmatrix from rows of 64 bytes, and `more` lines.
BindingView fragmentLoad(const std::string& more) {
  const std::string base = "tests/oracle/cases/tensorize/mma_written_f16f16f32_trans_b";
  const ThreadBinding binding(std::make_shared<device::Program>(
      model::lowered(model::readText(base + ".func.py"), model::readText(base + ".sched.py") + more)));
  BindingChoice choice;
  const auto& all = binding.accesses().accesses;
  while (all[std::size_t(choice.access)].buffer->name != "A_shared" || all[std::size_t(choice.access)].write)
    ++choice.access;
  return binding.view(choice);
}
const std::string kSwizzled =
    "sch.annotate(sch.get_block(\"A_shared\"), \"tileloom.swizzle\", 64)\n"
    "sch.annotate(sch.get_block(\"B_shared\"), \"tileloom.swizzle\", 64)\n";

TEST(SwizzleView, AConflictIsShownBesideTheSwizzleThatEndsIt) {
  const BindingView v = fragmentLoad("");
  ASSERT_TRUE(v.request && v.swizzled);
  EXPECT_EQ(v.request->shared.ways, 4) << "rows 64 bytes apart: eight rows in four groups of banks";
  EXPECT_FALSE(v.swizzled->isSwizzled);
  EXPECT_EQ(v.swizzled->span, 64);
  EXPECT_EQ(v.swizzled->request.shared.ways, 1);
  EXPECT_THAT(v.swizzled->step, HasSubstr("\"A_shared\""));
  EXPECT_THAT(v.swizzled->step, HasSubstr("\"tileloom.swizzle\", 64"));
}

// The picture before is the plain program's, row by row.
TEST(SwizzleView, ASwizzledReadIsShownBesideThePlainOne) {
  const BindingView plain = fragmentLoad(""), v = fragmentLoad(kSwizzled);
  ASSERT_TRUE(v.request && v.swizzled);
  EXPECT_EQ(v.request->shared.ways, 1);
  EXPECT_TRUE(v.swizzled->isSwizzled);
  EXPECT_TRUE(v.swizzled->step.empty());
  ASSERT_EQ(v.swizzled->request.rows.size(), plain.request->rows.size());
  for (std::size_t i = 0; i < plain.request->rows.size(); ++i) {
    EXPECT_EQ(v.swizzled->request.rows[i].lane, plain.request->rows[i].lane);
    EXPECT_EQ(v.swizzled->request.rows[i].bank, plain.request->rows[i].bank);
    EXPECT_EQ(v.swizzled->request.rows[i].wave, plain.request->rows[i].wave);
  }
  // And what the program reads is what the picture of the plain program foretold.
  ASSERT_EQ(plain.swizzled->request.rows.size(), v.request->rows.size());
  for (std::size_t i = 0; i < v.request->rows.size(); ++i)
    EXPECT_EQ(plain.swizzled->request.rows[i].bank, v.request->rows[i].bank) << i;
}

TEST(SwizzleView, EachRowOfLdmatrixTakesFourBanks) {
  const BindingView v = fragmentLoad("");
  ASSERT_EQ(v.request->rows.size(), 32U);
  for (const RequestPicture::Row& r : v.request->rows) {
    EXPECT_EQ(r.bank % 4, 0);
    EXPECT_EQ(r.phase, r.lane / 8) << "eight rows a matrix";
  }
  EXPECT_EQ(v.request->rows[0].wave, 0);
}

// Tiles that are reached by a pointer and a distance of rows can't be swizzled: nothing is offered.
TEST(SwizzleView, IsNotOfferedToFragmentsOfWmma) {
  const ThreadBinding binding(std::make_shared<device::Program>(model::tensorCore()));
  BindingChoice choice;
  const auto& all = binding.accesses().accesses;
  while (all[std::size_t(choice.access)].buffer->name != "X_shared" || all[std::size_t(choice.access)].write)
    ++choice.access;
  EXPECT_FALSE(binding.view(choice).swizzled);
}

}  // namespace
}  // namespace loom::session::thread_binding_swizzle_view_test
