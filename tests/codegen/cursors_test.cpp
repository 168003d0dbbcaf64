// Slots of rings in a kernel's text: counted along with the loop where they are no power of two.
#include <gmock/gmock.h>

#include "core/codegen/cuda.h"
#include "tests/exec/warpgroup_programs.h"

namespace loom::codegen::cursors_test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

// Of the kernel alone, without what stands before it.
std::string textOf(const exec::WarpgroupProduct& p) {
  const std::string text = generate(p.program()).text;
  return text.substr(text.find("extern \"C\""));
}

exec::WarpgroupProduct ringOf(int slots) {
  return {.k = 2048, .stage = "[0, 0, " + std::to_string(slots - 1) + "]", .loaders = true};
}

// The compiler unrolls shorter loops and knows their slots.
TEST(Cursors, CountSlotsThatAreNoPowerOfTwo) {
  EXPECT_THAT(textOf(ringOf(3)),
              AllOf(HasSubstr("int slot = 0;\n"), HasSubstr("mbarrier_wait(full, slot, full_phases)"),
                    HasSubstr("if (++slot == 3) slot = 0;\n"), Not(HasSubstr("% 3"))));
  EXPECT_THAT(textOf(ringOf(4)), AllOf(HasSubstr("k_0 & 3"), Not(HasSubstr("slot = "))));
}

// Who takes turns leaves tiles out: its wait says how often the ring has gone round.
TEST(Cursors, CountLapsWhereAWaitSaysItsPhase) {
  exec::WarpgroupProduct p = ringOf(3);
  p.m = 256, p.n = 192, p.slab = 32, p.turns = 2, p.blocks = 2;
  const std::string text = textOf(p);
  EXPECT_THAT(text, AllOf(HasSubstr(", lap = "), HasSubstr("mbarrier_wait_phase(full, slot, lap);"),
                          HasSubstr("slot = 0, ++lap;\n")));
}

TEST(Cursors, BeginWhereEarlyCopiesHaveLeftOff) {
  exec::WarpgroupProduct p = ringOf(3);
  p.early = 2;
  EXPECT_THAT(textOf(p),
              AllOf(HasSubstr("int slot = 2, lap = 0;\n"), HasSubstr("mbarrier_wait_phase(empty, slot, lap + 1)")));
}

}  // namespace
}  // namespace loom::codegen::cursors_test
