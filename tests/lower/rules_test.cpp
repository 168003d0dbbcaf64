// What can't be a kernel: each refusal names its rule, the place and, where one exists, the step that would help. And
// what a schedule's kernel must have: barriers, guards, launch bounds.
#include <gmock/gmock.h>

#include "core/lower/lower.h"
#include "core/lower/pass_table.h"
#include "core/schedule/replay.h"
#include "core/script/parser.h"
#include "tests/schedules/schedule_text.h"

namespace loom::lower::rules_test {
namespace {

using testing::HasSubstr;
using testing::Not;

std::string matmul(int m, int n, int k) { return tests::programText("product", {{"M", m}, {"N", n}, {"K", k}}); }

Result<device::Program> lowered(const std::string& function, const std::string& lines) {
  auto state = schedule::State::create(script::parseModule(function, "test.py").value()).value();
  auto replay = schedule::replay(state, script::parseSchedule(lines, "test.sched.py").value(), {});
  if (replay.refusal) ADD_FAILURE() << replay.refusal->message.english();
  return lower(replay.last.module().functions.front());
}
std::vector<std::string> textsOf(const std::vector<device::Remark>& remarks) {
  std::vector<std::string> texts;
  for (const device::Remark& r : remarks) texts.push_back(r.text);
  return texts;
}
const std::string kLoops = "b = sch.get_block(\"C\")\ni, j, k = sch.get_loops(b)\n";

void expectRefused(const std::string& function, const std::string& lines, const std::string& rule,
                   const std::string& remedy) {
  auto program = lowered(function, lines);
  ASSERT_FALSE(program) << device::print(*program);
  EXPECT_EQ(program.error().code, "NotAKernel");
  EXPECT_THAT(program.error().message.english(), HasSubstr(rule));
  EXPECT_THAT(program.error().remedy.english(), HasSubstr(remedy));
  EXPECT_FALSE(program.error().subjects.empty());
}

TEST(Refused, PlacesBeforeTheBuffer) {
  expectRefused(tests::programText("matched_copy", {{"HOW", "strides=(-8, 1)"}}), "",
                "lies 24 elements before its pointer", "");
}

// TVM ends in a failed check.
TEST(Refused, ADivisorThatTurnsOutToBeZero) {
  const auto program =
      lowered(tests::programText("zero_divisor"), "a = sch.cache_read(sch.get_block(\"B\"), 0, \"shared\")\n");
  ASSERT_FALSE(program);
  EXPECT_EQ(program.error().code, "NotAKernel");
  EXPECT_THAT(program.error().message.english(), HasSubstr("indices of f can't be followed"));
}

TEST(Refused, TooManyThreads) {
  expectRefused(matmul(64, 64, 8), kLoops + "sch.bind(i, \"threadIdx.y\")\nsch.bind(j, \"threadIdx.x\")\n",
                "= 4096 threads in a block; the hardware allows 1024", "sch.split");
}

// 2147483647 + 999 loses its sign in TVM's folding, too: the split is taken, as TVM takes it.
TEST(Refused, LoopsWhoseExtentHasOverflowed) {
  const std::string split = kLoops + "i0, i1 = sch.split(i, [None, 1000])\n";
  expectRefused(matmul(2147483647, 1, 1), split, "loop i_0 has -2147483 iterations", "");
  expectRefused(matmul(2147483647, 1, 1), split + "sch.bind(i0, \"blockIdx.x\")\n", "its extent is more than int32",
                "");
}

// The padding of a parameter: TVM is told what it holds, and no kernel has to know.
TEST(Kernels, LeaveOutWhatIsAssumed) {
  const auto program = lowered(tests::programText("chain"), tests::scheduleText("padded_parameter"));
  ASSERT_TRUE(program) << program.error().message.english();
  ASSERT_EQ(program->kernels.size(), 2U);
  EXPECT_THAT(device::print(*program), Not(HasSubstr("assume")));
}

// A block that only names an element, as a function does that is cut off while it is written.
TEST(Kernels, OfWhichNothingIsLeftHaveAnEmptyBody) {
  const std::string whole = matmul(64, 64, 64);
  const std::string cut = whole.substr(0, whole.find("C[vi, vj] ") + 10);
  for (const char* loop : {"i", "j"}) {
    for (const char* axis : {"threadIdx.x", "blockIdx.x", "vthread.x"}) {
      auto program = lowered(cut, kLoops + "sch.bind(" + loop + ", \"" + axis + "\")\n");
      ASSERT_TRUE(program) << program.error().message.english();
      ASSERT_EQ(program->kernels.size(), 1u);
      EXPECT_NE(program->kernels[0].body, nullptr);
    }
  }
}

TEST(Refused, TooManyThreadsAlongZ) {
  expectRefused(matmul(128, 4, 8), kLoops + "sch.bind(i, \"threadIdx.z\")\n", "128 threads along threadIdx.z",
                "threadIdx.y");
}

TEST(Refused, ThreadsWhoseNumberDoesNotFitInSixtyFourBits) {
  expectRefused(matmul(2147483647, 2147483647, 8),
                kLoops + "sch.bind(i, \"threadIdx.y\")\nsch.bind(j, \"threadIdx.x\")\n",
                "2147483647 threads along threadIdx.x; the hardware allows 1024", "sch.split");
}

TEST(Refused, MoreBlocksAlongYThanAGridHas) {
  expectRefused(matmul(65537, 4, 4), kLoops + "sch.bind(i, \"blockIdx.y\")\n",
                "65537 blocks along blockIdx.y; the hardware allows 65535", "blockIdx.x");
}

TEST(Remarks, AVectorThatCudaDoesNotHave) {
  const auto remarksOf = [](int lanes) {
    const auto program = lowered(tests::programText("vector_copy", {{"N", 96}, {"TYPE", "int32"}}),
                                 tests::scheduleText("vectors_by_threads", {{"LANES", lanes}}));
    EXPECT_TRUE(program);
    return textsOf(program->remarks);
  };
  EXPECT_THAT(remarksOf(4), testing::IsEmpty());
  EXPECT_THAT(remarksOf(3), testing::ElementsAre(HasSubstr("3 iterations of the vectorized loop")));
  EXPECT_THAT(remarksOf(6), testing::IsEmpty()) << "three vectors of two";
}

TEST(Refused, BuffersOfVectors) {
  expectRefused(tests::programText("vector_copy", {{"N", 8}, {"TYPE", "float16x4"}}), "",
                "the elements of A are vectors (float16x4)", "");
}

TEST(Refused, BuffersOfPointers) {
  expectRefused(tests::programText("cast_to_float", {{"TYPE", "handle"}}), "", "of type handle", "");
}

TEST(Refused, TooManyBlocksAlongY) {
  expectRefused(matmul(65536, 1, 1), kLoops + "sch.bind(i, \"blockIdx.y\")\n", "65536 blocks along blockIdx.y", "");
}

TEST(Refused, TwoExtentsOfOneAxis) {
  expectRefused(matmul(8, 16, 4), kLoops + "sch.bind(i, \"threadIdx.x\")\nsch.bind(j, \"threadIdx.x\")\n",
                "different extents: i has 8, j has 16",
                "the same factor in sch.split(…) of both, before they are bound");
}

TEST(Refused, SharedMemoryBetweenKernels) {
  expectRefused(matmul(16, 16, 16), kLoops + "sch.cache_read(b, 0, \"shared\")\nsch.bind(i, \"threadIdx.x\")\n",
                "such memory ends with its kernel", "sch.compute_at");
}

TEST(Refused, TooMuchSharedMemory) {
  expectRefused(
      matmul(256, 16, 256),
      kLoops + tests::scheduleText("read_in_a_unit_loop", {{"SCOPE", "shared"}}) + "sch.bind(j, \"threadIdx.x\")\n",
      "262144 bytes of shared memory in a block", "sch.compute_at");
}

TEST(Refused, TooMuchLocalMemory) {
  expectRefused(matmul(1024, 256, 1), kLoops + "sch.cache_write(b, 0, \"local\")\n", "bytes of local memory",
                "sch.reverse_compute_at");
}

TEST(Refused, FragmentThatNoIntrinsicFills) {
  expectRefused(matmul(16, 16, 16), kLoops + tests::scheduleText("read_in_a_unit_loop", {{"SCOPE", "wmma.matrix_a"}}),
                "only a tensor intrinsic knows which lane holds what", "sch.tensorize");
}

TEST(Refused, ScopeThatCudaDoesNotHave) {
  expectRefused(matmul(16, 16, 16), kLoops + tests::scheduleText("read_in_a_unit_loop", {{"SCOPE", "texture"}}),
                "has the scope \"texture\"", "");
}

TEST(Refused, MemoryOfAWarpThatIsNotSpreadOverItsLanes) {
  expectRefused(matmul(16, 16, 16), kLoops + tests::scheduleText("read_in_a_unit_loop", {{"SCOPE", "warp"}}),
                "is spread over the registers of a warp, as 32 × registers of a lane in its last two dimensions",
                "sch.transform_layout");
}

TEST(Refused, BarrierInABranchOfSomeThreads) {
  // The copy stands inside the tile's predicate over threads.
  expectRefused(tests::programText("barrier_in_a_branch"), "b = sch.get_block(\"C\")\n",
                "a barrier would stand in a branch that only some threads of the block take", "sch.compute_at");
  // Within, all threads of the branch skip it together.
  expectRefused(tests::programText("barrier_deep_in_a_branch"), "b = sch.get_block(\"C\")\n",
                "a barrier would stand in a branch that only some threads of the block take", "sch.compute_at");
}

// A tile that each thread fills and another one reads, in a loop or a branch after other statements.
std::string turnedTile(const std::string& around, const std::string& before = "") {
  return tests::programText("tile_turned_in_shared_memory", {{"BEFORE", before}, {"AROUND", around}});
}

// Threads that are through with the loop don't come to the barriers of the others.
TEST(Refused, BarrierInALoopThatThreadsRepeatDifferentlyOften) {
  const char* const rule = "a barrier would stand in a loop that threads of the block may repeat differently often";
  for (const char* extent : {"tx + 1", "N[tx]", "4 - tx // 16", "N[bx * 32 + tx // 32 + tx]"})
    expectRefused(turnedTile(fmt::format("for k in range({})", extent)), "", rule, "sch.compute_at");
  // Around a loop whose own length is the same for all.
  const std::string inner = turnedTile("for j in range(tx + 1):\n              for k in range(4)");
  EXPECT_FALSE(lowered(inner, ""));
}

// What a thread reads is the same for all threads only at an address and in memory that is.
TEST(Refused, BarrierWhereThreadsMayReadDifferentNumbers) {
  const char* const rule = "a barrier would stand in a";
  const auto expect = [&](const std::string& read, const std::string& before) {
    expectRefused(turnedTile("for k in range(" + read + ")", before), "", rule, "sch.compute_at");
    expectRefused(turnedTile("if " + read + " > 0", before), "", rule, "sch.compute_at");
  };
  expect("N[bx]", "N[bx * 32 + tx] = 2");  // another block may have written it, or not yet
  expect("L[0]", "L[0] = tx");             // each has its own
  expect("L[0]", "L[tx // 16] = N[bx]");   // not the same element
  expect("L[0]", "L[0] = N[bx]\n            if tx > 3:\n                L[0] = 2");
  expect("L[0]", "L[0] = N[bx]\n            for k in range(tx):\n                L[0] = k");
  expect("L[1]", "L[1] = N[bx]\n            L[0] = L[1] + tx");  // by what a buffer of its kind is told
}

TEST(Barriers, StandInLoopsAndBranchesThatAreTheSameForAllThreads) {
  const auto expect = [](const std::string& around, const std::string& before = "") {
    const auto program = lowered(turnedTile(around, before), "");
    ASSERT_TRUE(program) << around << ": " << program.error().message.english();
    int barriers = 0;
    device::forEach(program->kernels[0].body, [&](const device::Stmt& s) {
      barriers += s->kind == device::StmtKind::Sync;
      return true;
    });
    EXPECT_GE(barriers, 1) << around;
  };
  for (const char* number : {"bx + 1", "N[bx]", "N[N[bx] % 4]", "T.min(N[bx], 3)"}) {
    expect(fmt::format("for k in range({})", number));
    expect(fmt::format("if {} > 1", number));
  }
  const char* const before = "L[0] = N[bx]\n            for k in range(L[0]):\n                L[1] = L[0] + k";
  expect("for k in range(L[1])", before);
  expect("if L[1] > 1", before);
}

int barriers(const device::Kernel& k) {
  int n = 0;
  device::forEach(k.body, [&](const device::Stmt& s) {
    n += s->kind == device::StmtKind::Sync;
    return true;
  });
  return n;
}

TEST(Barriers, NoneWhereEachThreadHasElementsOfItsOwn) {
  // Threads beyond the edge would have the elements of the next row: the guard and the two indices tell them apart.
  auto program = lowered(matmul(13, 12, 60), kLoops + tests::scheduleText("elements_of_one_thread"));
  ASSERT_TRUE(program) << program.error().message.english();
  EXPECT_EQ(barriers(program->kernels[0]), 0);
  EXPECT_EQ(program->kernels[0].threads(), 16);
}

TEST(Barriers, TwoAroundASharedTileAndNoneInsideItsCopy) {
  auto program = lowered(matmul(32, 32, 16), kLoops + tests::scheduleText("shared_tile_of_k"));
  ASSERT_TRUE(program) << program.error().message.english();
  EXPECT_EQ(barriers(program->kernels[0]), 2);
  device::forEach(program->kernels[0].body, [&](const device::Stmt& s) {
    if (s->kind != device::StmtKind::Loop || device::as<device::LoopNode>(s)->var->name == "k_0") return true;
    device::Kernel loop;
    loop.body = s;
    EXPECT_EQ(barriers(loop), 0) << "in loop " << device::as<device::LoopNode>(s)->var->name;
    return true;
  });
}

// The statements before and after are named by their blocks.
TEST(Barriers, SayWhichAccessesTheyKeepInOrder) {
  auto program = lowered(matmul(32, 32, 16), kLoops + tests::scheduleText("shared_tile_of_k"));
  ASSERT_TRUE(program) << program.error().message.english();
  const device::Kernel& kernel = program->kernels[0];
  ASSERT_EQ(kernel.allocations.size(), 1U);
  const ir::Id tile = kernel.allocations[0].buffer->id;
  ir::Id copy, product;
  std::vector<std::vector<device::OrderedAccesses>> orders;
  device::forEach(kernel.body, [&](const device::Stmt& s) {
    if (s->kind == device::StmtKind::Block)
      (device::as<device::BlockNode>(s)->name == "C" ? product : copy) = device::as<device::BlockNode>(s)->block;
    if (s->kind == device::StmtKind::Sync) orders.push_back(device::as<device::SyncNode>(s)->orders);
    return true;
  });
  using Orders = std::vector<device::OrderedAccesses>;
  ASSERT_EQ(orders.size(), 2U);
  EXPECT_EQ(orders[0], (Orders{{tile, false, true, {product}, {copy}}})) << "of the iteration before";
  EXPECT_EQ(orders[1], (Orders{{tile, true, false, {copy}, {product}}}));
}

TEST(Barriers, OfTheProgramItselfSayWhatTheyKeepInOrder) {
  const auto ordersOf = [](const std::string& read) {
    const std::string text = tests::programText("kernel_by_hand", {{"MORE", ""}}) +
                             "            S[tx] = A[bx * 32 + tx]\n            T.tvm_storage_sync(\"shared\")\n" +
                             "            B[bx * 32 + tx] = S[" + read + "]\n";
    const auto program = lowered(text, "").value();
    std::vector<std::vector<device::OrderedAccesses>> orders;
    device::forEach(program.kernels[0].body, [&](const device::Stmt& s) {
      if (s->kind == device::StmtKind::Sync) orders.push_back(device::as<device::SyncNode>(s)->orders);
      return true;
    });
    return orders;
  };
  const auto exchange = ordersOf("31 - tx"), own = ordersOf("tx");
  ASSERT_EQ(exchange.size(), 1U);
  ASSERT_EQ(exchange[0].size(), 1U);
  EXPECT_TRUE(exchange[0][0].writesBefore && !exchange[0][0].writesAfter);
  ASSERT_EQ(own.size(), 1U);
  EXPECT_TRUE(own[0].empty()) << "no thread reads what another wrote";
}

TEST(Statements, AreNumberedInProgramOrderThroughAllKernels) {
  std::string lines;
  for (const char* block : {"C", "B"}) lines += tests::scheduleText("blocks_of_rows", {{"BLOCK", block}});
  auto program = lowered(tests::programText("temporary_of_any_size"), lines);
  ASSERT_TRUE(program) << program.error().message.english();
  ASSERT_EQ(program->kernels.size(), 2U);
  int next = 0;
  for (const device::Kernel& kernel : program->kernels) {
    device::forEach(kernel.body, [&](const device::Stmt& s) {
      EXPECT_EQ(s->number, s->kind == device::StmtKind::Seq ? -1 : next++);
      return true;
    });
  }
  EXPECT_GE(next, 4);
}

TEST(Vectorized, LoopWithMemoryOfItsOwnRunsInOrderAndIsReported) {
  auto program = lowered(matmul(8, 16, 4), kLoops + tests::scheduleText("vectorized_local_result"));
  ASSERT_TRUE(program) << program.error().message.english();
  EXPECT_THAT(textsOf(program->remarks), testing::Contains(HasSubstr("memory of its own")));
}

// On loops that become threads, that are vectorized, of extent 1 and dropped, and on blocks; each key is told once.
TEST(Annotation, ThatLoweringDoesNotKnowIsReportedWhereverItStands) {
  auto program = lowered(matmul(8, 16, 4), kLoops + tests::scheduleText("annotated_everywhere"));
  ASSERT_TRUE(program) << program.error().message.english();
  auto noEffect = [](const std::string& what) {
    return testing::ContainsRegex("the annotation \"" + what + " has no effect on the kernel");
  };
  EXPECT_THAT(
      textsOf(program->remarks),
      testing::UnorderedElementsAre(noEffect("on.dropped\" of loop i_0"), noEffect("on.bound\" of loop i_1"),
                                    noEffect("on.vectorized\" of loop ax0"), noEffect("pragma_import_llvm\" of loop k"),
                                    noEffect("on.block\" of block C"), noEffect("on.block\" of block C_local")));
  for (const device::Remark& r : program->remarks) EXPECT_EQ(r.subjects.size(), 1U) << r.text;
}

TEST(Annotation, OfAlignmentIsReportedOnlyWhereItCannotBeFollowed) {
  // A copy by way of shared memory; `asked` stands on the block that fills it, or on the one that empties it.
  auto remarks = [](const std::string& of, const std::string& asked) {
    const std::string align = "\"buffer_dim_align\": " + asked;
    const std::string function = tests::programText(
        "shared_copy_with_alignment", {{"OF_S", of == "S" ? align : ""}, {"OF_B", of == "B" ? align : ""}});
    auto program = lowered(function, tests::scheduleText("shared_copy_in_blocks"));
    if (!program) ADD_FAILURE() << program.error().message.english();
    return program ? textsOf(program->remarks) : std::vector<std::string>{};
  };
  EXPECT_THAT(remarks("S", "[[0, 0, 32, 8]]"), testing::IsEmpty());
  for (const char* value : {"3", "[[1, 0, 32, 8]]", "[[0, 2, 32, 8]]", "[[0, 0, 0, 8]]", "[[0, 0, 32]]"}) {
    EXPECT_THAT(remarks("S", value),
                testing::ElementsAre("the annotation \"buffer_dim_align\" of block S has no effect on the kernel"))
        << value;
  }
  EXPECT_THAT(remarks("B", "[[0, 0, 32, 8]]"), testing::ElementsAre(HasSubstr("of block B has no effect")))
      << "the caller lays out what is the caller's";
}

std::vector<std::string> namesOf(const std::vector<PassResult>& passes) {
  std::vector<std::string> names;
  for (const PassResult& p : passes) names.push_back(p.pass);
  return names;
}

TEST(Passes, EachResultIsTextAndThoseBeforeARefusalAreKept) {
  const std::string bound = kLoops + "sch.bind(i, \"threadIdx.x\")\ns = sch.cache_read(b, 1, \"shared\")\n";
  auto state = schedule::State::create(script::parseModule(matmul(16, 16, 16), "test.py").value()).value();
  auto after = [&](const std::string& lines) {
    return schedule::replay(state, script::parseSchedule(lines, "test.sched.py").value(), {})
        .last.module()
        .functions.front();
  };
  std::vector<PassResult> passes;
  const auto looked = lower(after(bound + "sch.compute_at(s, i)\n"), {}, &passes);
  ASSERT_TRUE(looked);
  EXPECT_EQ(device::print(*looked), device::print(lower(after(bound + "sch.compute_at(s, i)\n")).value()))
      << "blocks keep their regions for whoever looks alone";
  std::vector<std::string> all;
  for (const Pass& pass : lower::passes()) all.emplace_back(pass.name);
  EXPECT_EQ(namesOf(passes), all);
  for (const PassResult& p : passes) EXPECT_THAT(p.text, HasSubstr("B_shared")) << p.pass;
  auto textAfter = [&](const std::string& pass) {
    return std::find_if(passes.begin(), passes.end(), [&](const PassResult& p) { return p.pass == pass; })->text;
  };
  EXPECT_THAT(textAfter("init"), HasSubstr("if vk == 0:"));
  EXPECT_THAT(textAfter("virtual_threads"), testing::Not(HasSubstr("barrier")));
  EXPECT_THAT(textAfter("barriers"), HasSubstr("barrier"));
  EXPECT_THAT(textAfter("hoist_conditions"), HasSubstr("= B[ax0, ax1]"));
  EXPECT_THAT(textAfter("flatten"), HasSubstr("= B[ax0 * 16 + ax1]"));
  passes.clear();
  ASSERT_FALSE(lower(after(bound), {}, &passes));
  EXPECT_EQ(passes.back().pass, "lay_out_allocations") << "two kernels would share B_shared";
}

TEST(Passes, EachSaysWhatItExpectsAndLeaves) {
  bool overKernels = false;
  unsigned form = 0;
  for (const Pass& pass : lower::passes()) {
    SCOPED_TRACE(std::string(pass.name));
    EXPECT_FALSE(pass.expects.empty() || pass.leaves.empty());
    ASSERT_TRUE(pass.run);
    overKernels |= pass.over == Pass::Over::Kernel;
    EXPECT_EQ(overKernels, pass.over == Pass::Over::Kernel) << "passes over kernels come last";
    EXPECT_EQ(form & pass.form, 0U) << "claimed twice";
    form |= pass.form;
  }
}

TEST(Guards, MoveOutOfLoopsThatTheyDoNotDependOnAndKnowEachOther) {
  // 4 rows of 3 on 8 threads: threads beyond the fourth do nothing, in all iterations.
  auto rows = lowered(matmul(12, 4, 4), kLoops + tests::scheduleText("threads_beyond_the_edge"));
  ASSERT_TRUE(rows) << rows.error().message.english();
  EXPECT_THAT(device::print(*rows), HasSubstr("  if threadIdx.y < 4:\n    for i_1_init in 3:")) << device::print(*rows);
  // A copy of 4 elements a row by 8 threads: which of them is known in the edge's condition too.
  auto edge = lowered(matmul(30, 8, 4), kLoops + tests::scheduleText("shared_rows_by_all_threads"));
  ASSERT_TRUE(edge) << edge.error().message.english();
  EXPECT_THAT(device::print(*edge), HasSubstr("threadIdx.x < 4:")) << device::print(*edge);
  EXPECT_THAT(device::print(*edge), testing::Not(HasSubstr("threadIdx.x //"))) << device::print(*edge);
}

// Of a row's turns each has the condition of the row, which is evaluated once; but a remainder is undefined for row 0,
// where only another condition, or that the loop has no turns, keeps it from being evaluated.
TEST(Guards, MoveOutOfLoopsIfTheyAreTheSameInAllTurnsAndDefinedEverywhere) {
  const auto textOf = [](const std::string& condition, const std::string& columns) {
    const auto made =
        lowered(tests::programText("rows_where", {{"CONDITION", condition}, {"COLUMNS", columns}}), std::string());
    return made ? device::print(*made) : made.error().message.english();
  };
  EXPECT_THAT(textOf("j < 3 and k < 2", "4"), HasSubstr("if k < 2:\n        for j in 4:"));
  EXPECT_THAT(textOf("j < 3 and k % 2 == 0", "4"), HasSubstr("if k %% 2 == 0:\n        for j in 4:"));
  EXPECT_THAT(textOf("j < k and 8 % k == 0", "4"), testing::ContainsRegex("for j in 4:\n *if .*8 %% k"));
  EXPECT_THAT(textOf("8 % k == 0", "k"), testing::ContainsRegex("for j in k:\n *if .*8 %% k"));
}

}  // namespace
}  // namespace loom::lower::rules_test
