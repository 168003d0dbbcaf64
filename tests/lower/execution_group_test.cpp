// Operations of a whole warp: where its lanes come from, and fragments on whose type all operations agree. Each mistake
// is planted in a program that is a kernel without it.
#include <gmock/gmock.h>

#include "core/lower/lower.h"
#include "core/script/parser.h"
#include "tests/schedules/schedule_text.h"

namespace loom::lower::execution_group_test {
namespace {

using testing::HasSubstr;

// Two rows of tiles, a warp each; `copy` uses the lanes.
const std::string kProgram = tests::programText("warp_product");

// Replaces each `from`; the test fails where there is none.
std::string replaced(std::string text, const std::string& from, const std::string& to) {
  EXPECT_NE(text.find(from), std::string::npos) << from;
  for (auto at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size())) {
    text.replace(at, from.size(), to);
  }
  return text;
}

Result<device::Program> lowered(const std::string& text) {
  auto module = script::parseModule(text, "test.py");
  if (!module) return Failure(module.error());
  return lower(module->functions.front());
}

void expectRefused(const std::string& text, const std::string& rule, const std::string& remedy) {
  auto program = lowered(text);
  ASSERT_FALSE(program) << device::print(*program);
  EXPECT_EQ(program.error().code, "NotAKernel") << program.error().message.english();
  EXPECT_THAT(program.error().message.english(), HasSubstr(rule));
  EXPECT_THAT(program.error().remedy.english(), HasSubstr(remedy));
  EXPECT_FALSE(program.error().subjects.empty());
}

TEST(Warp, ThatIsWholeIsAKernel) {
  auto program = lowered(kProgram);
  ASSERT_TRUE(program) << program.error().message.english();
  EXPECT_EQ(program->kernels[0].block, (std::array<std::int64_t, 3>{32, 2, 1}));
}

// Buffers that intrinsics take by pointer, without a view: a fragment, and memory that the host allocates.
TEST(Warp, TakesTilesByTheirPointersAlone) {
  auto program = lowered(tests::programText("tile_by_pointers"));
  ASSERT_TRUE(program) << program.error().message.english();
  ASSERT_EQ(program->kernels.size(), 1U);
  ASSERT_EQ(program->kernels[0].allocations.size(), 1U);
  EXPECT_EQ(program->kernels[0].allocations[0].buffer->name, "tile");
  EXPECT_EQ(program->kernels[0].allocations[0].elements, 1);
  EXPECT_EQ(program->kernels[0].params.size(), 2U) << "the result and what is kept between";
}

TEST(Warp, WithoutALoopOverLanesGetsThem) {
  auto program = lowered(
      replaced(replaced(kProgram, "T.thread_binding(32, thread=\"threadIdx.x\")", "range(32)"), "warp *", "warp *"));
  ASSERT_TRUE(program) << program.error().message.english();
  EXPECT_EQ(program->kernels[0].block, (std::array<std::int64_t, 3>{32, 2, 1}));
}

TEST(Warp, OfFewerOrOtherLanesIsRefused) {
  for (const char* lanes : {"16", "1", "48"}) {
    std::string text = replaced(kProgram, "T.thread_binding(32,", std::string("T.thread_binding(") + lanes + ",");
    expectRefused(text,
                  "block zero is an operation of a whole warp, 32 lanes along threadIdx.x, but loop lane binds " +
                      std::string(lanes) + " there",
                  "sch.split(lane, factors=[None, 32])");
  }
}

TEST(Warp, OneOfSeveralAlongXStoresForAll) {
  std::string text = replaced(kProgram, "T.thread_binding(32,", "T.thread_binding(64,");
  text = replaced(text, "range(8)", "range(4)");
  text = replaced(text, "f * 2 + lane // 16", "f * 4 + lane // 16");
  auto program = lowered(text);
  ASSERT_TRUE(program) << program.error().message.english();
  EXPECT_THAT(device::print(*program), HasSubstr("threadIdx.x < 32"));
}

TEST(Warp, UnderALoopOverItsLanesIsRefused) {
  std::string text =
      replaced(kProgram, "for lane in T.thread_binding(32, thread=\"threadIdx.x\")", "for lane in range(32)");
  expectRefused(replaced(text, "thread=\"threadIdx.y\"", "thread=\"threadIdx.x\""),
                "block zero is an operation of a whole warp, but stands under loop warp, which is bound to threadIdx.x",
                "sch.bind(warp, \"threadIdx.y\") instead");
}

TEST(Warp, WhoseOwnLoopIsSpreadOverThreadsIsRefused) {
  std::string text =
      replaced(kProgram, "            T.tvm_fill_fragment(c.data, 16, 16, 16, c.elem_offset // 256, T.float32(0))",
               "            for z in T.thread_binding(2, thread=\"threadIdx.z\"):\n"
               "                T.tvm_fill_fragment(c.data, 16, 16, 16, c.elem_offset // 256, T.float32(0))");
  expectRefused(text, "block zero is executed by one warp as a whole, but its own loop z is bound to threadIdx.z",
                "bind a loop outside the block");
}

// Operations of a warp beside them are the first warp's.
TEST(Warpgroup, WithoutALoopOverThreadsGetsThemBesideAWarp) {
  auto program = lowered(tests::programText("zeros_of_warpgroup_and_warp"));
  ASSERT_TRUE(program) << program.error().message.english();
  EXPECT_EQ(program->kernels[0].block, (std::array<std::int64_t, 3>{128, 1, 1}));
  EXPECT_THAT(device::print(*program), HasSubstr("threadIdx.x < 32"));
}

TEST(Warpgroup, IsNoPartOfKernelsYet) {
  std::string text = replaced(kProgram, "T.tvm_fill_fragment(c.data, 16, 16, 16, c.elem_offset // 256, T.float32(0))",
                              "T.evaluate(T.call_extern(\"void\", \"ptx_wgmma_fence\"))");
  auto program = lowered(text);
  ASSERT_FALSE(program);
  EXPECT_EQ(program.error().code, "NotAKernel");
}

TEST(Fragment, LoadedInTwoLayoutsIsRefusedWithBothBlocks) {
  std::string second = tests::programText("second_load_of_b") + "        with T.block(\"multiply\"):";
  expectRefused(replaced(kProgram, "        with T.block(\"multiply\"):", second),
                "B_frag is loaded row-major in block load_b and column-major in block again: a fragment has one layout",
                "sch.tensorize both loads");
  // The same layout twice is fine.
  EXPECT_TRUE(
      lowered(replaced(kProgram, "        with T.block(\"multiply\"):", replaced(second, "col_major", "row_major"))));
}

TEST(Fragment, OfTwoTilesIsRefusedWithBothBlocks) {
  expectRefused(
      replaced(kProgram, "T.tvm_store_matrix_sync(c.data, 16, 16, 16,", "T.tvm_store_matrix_sync(c.data, 32, 8, 16,"),
      "C_frag is a fragment of tile 16×16×16 in block zero and of tile 32×8×16 in block store",
      "intrinsics of one tile");
}

TEST(Fragment, OfAnotherTileThanKernelsHaveIsRefused) {
  expectRefused(replaced(kProgram, "16, 16, 16,", "4, 64, 16,"),
                "takes tiles of 4×64×16; kernels here have 16×16×16, 32×8×16", "sch.tensorize");
}

// 2³² + 16 isn't 16.
TEST(Fragment, OfATileBeyondAnyNumberIsRefused) {
  expectRefused(replaced(kProgram, "tvm_fill_fragment(c.data, 16,", "tvm_fill_fragment(c.data, T.int64(4294967312),"),
                "a constant of 32 bits", "");
}

TEST(Fragment, InAnotherOperandsPlaceIsRefused) {
  expectRefused(replaced(kProgram, "a.data, a.elem_offset // 256, b.data, b.elem_offset // 256, c",
                         "b.data, b.elem_offset // 256, a.data, a.elem_offset // 256, c"),
                "block multiply takes B_frag as first factor, but that is in wmma.matrix_a and this in wmma.matrix_b",
                "wmma.matrix_a");
  expectRefused(replaced(kProgram, "            T.tvm_store_matrix_sync(c.data",
                         "            a = T.match_buffer(A_frag[vw * 16:vw * 16 + 16, 0:16], (16, 16), \"float16\", "
                         "scope=\"wmma.matrix_a\", offset_factor=16)\n"
                         "            T.tvm_store_matrix_sync(a.data"),
                "block store takes A_frag as what is stored", "wmma.accumulator");
}

TEST(Fragment, OfADtypeThatIsNotMultipliedIsRefused) {
  std::string text = replaced(kProgram, "C_frag = T.alloc_buffer((32, 16), \"float32\"",
                              "C_frag = T.alloc_buffer((32, 16), \"int32\"");
  text = replaced(text, "(16, 16), \"float32\"", "(16, 16), \"int32\"");
  expectRefused(replaced(text, "T.float32(0)", "0"), "multiplies float16 by float16 and adds to int32", "");
}

TEST(Fragment, WhoseRowsStartAtOddPlacesIsRefused) {
  std::string text = replaced(kProgram, "m.data, m.elem_offset, 256, 1), 16,", "m.data, m.elem_offset, 256, 1), 20,");
  expectRefused(text, "block load_a takes rows of A_shared that lie 20 elements apart",
                "sch.storage_align of A_shared");
}

}  // namespace
}  // namespace loom::lower::execution_group_test
