// What can't be a kernel: each refusal names its rule, the place and, where one exists, the step that would help. And
// what a schedule's kernel must have: barriers, guards, launch bounds.
#include <gmock/gmock.h>

#include "core/lower/lower.h"
#include "core/lower/pass_table.h"
#include "core/schedule/replay.h"
#include "core/script/parser.h"

namespace loom::lower {
namespace {

using testing::HasSubstr;

std::string matmul(int m, int n, int k) {
  auto buffer = [](const char* name, int a, int b) {
    return std::string(name) + ": T.Buffer((" + std::to_string(a) + ", " + std::to_string(b) + "), \"float32\")";
  };
  return "@T.prim_func\ndef main(" + buffer("A", m, k) + ", " + buffer("B", k, n) + ", " + buffer("C", m, n) +
         "):\n    for i, j, k in T.grid(" + std::to_string(m) + ", " + std::to_string(n) + ", " + std::to_string(k) +
         "):\n        with T.block(\"C\"):\n            vi, vj, vk = T.axis.remap(\"SSR\", [i, j, k])\n"
         "            with T.init():\n                C[vi, vj] = T.float32(0)\n"
         "            C[vi, vj] = C[vi, vj] + A[vi, vk] * B[vk, vj]\n";
}

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
  auto parameter = [](const std::string& how) {
    return "@T.prim_func\ndef main(a: T.handle, C: T.Buffer((4, 4), \"float32\")):\n    s0 = T.int32()\n"
           "    A = T.match_buffer(a, (4, 4), \"float32\", " +
           how +
           ")\n    for i, j in T.grid(4, 4):\n        with T.block(\"C\"):\n"
           "            vi, vj = T.axis.remap(\"SS\", [i, j])\n            C[vi, vj] = A[vi, vj]\n";
  };
  expectRefused(parameter("strides=(-8, 1)"), "", "lies 24 elements before its pointer", "");
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
    const std::string copy =
        "@T.prim_func\ndef main(A: T.Buffer((96,), \"int32\"), C: T.Buffer((96,), \"int32\")):\n"
        "    for i in range(96):\n        with T.block(\"C\"):\n            vi = T.axis.spatial(96, i)\n"
        "            C[vi] = A[vi]\n";
    const auto program =
        lowered(copy, "i, = sch.get_loops(sch.get_block(\"C\"))\no, v = sch.split(i, [None, " + std::to_string(lanes) +
                          "])\nsch.bind(o, \"threadIdx.x\")\nsch.vectorize(v)\n");
    EXPECT_TRUE(program);
    return textsOf(program->remarks);
  };
  EXPECT_THAT(remarksOf(4), testing::IsEmpty());
  EXPECT_THAT(remarksOf(3), testing::ElementsAre(HasSubstr("3 iterations of the vectorized loop")));
  EXPECT_THAT(remarksOf(6), testing::IsEmpty()) << "three vectors of two";
}

TEST(Refused, BuffersOfVectors) {
  const std::string copy =
      "):\n    for i in range(8):\n        with T.block(\"C\"):\n"
      "            vi = T.axis.spatial(8, i)\n            C[vi] = A[vi]\n";
  expectRefused("@T.prim_func\ndef main(A: T.Buffer((8,), \"float16x4\"), C: T.Buffer((8,), \"float16x4\")" + copy, "",
                "the elements of A are vectors (float16x4)", "");
}

TEST(Refused, TypesSmallerThanAByteAndPointers) {
  for (const char* type : {"int4", "uint1", "handle"}) {
    expectRefused(
        std::string("@T.prim_func\ndef main(A: T.Buffer((64,), \"") + type +
            "\"), B: T.Buffer((64,), \"float32\")):\n    for i in range(64):\n        with T.block(\"B\"):\n"
            "            vi = T.axis.spatial(64, i)\n            T.reads(A[vi])\n            T.writes(B[vi])\n"
            "            B[vi] = T.Cast(\"float32\", A[vi])\n",
        "", std::string("of type ") + type, "");
  }
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
  expectRefused(matmul(256, 16, 256),
                kLoops +
                    "s = sch.cache_read(b, 0, \"shared\")\nu = sch.add_unit_loop(i)\nsch.compute_at(s, u)\n"
                    "sch.bind(j, \"threadIdx.x\")\n",
                "262144 bytes of shared memory in a block", "sch.compute_at");
}

TEST(Refused, TooMuchLocalMemory) {
  expectRefused(matmul(1024, 256, 1), kLoops + "sch.cache_write(b, 0, \"local\")\n", "bytes of local memory",
                "sch.reverse_compute_at");
}

TEST(Refused, FragmentThatNoIntrinsicFills) {
  expectRefused(
      matmul(16, 16, 16),
      kLoops + "s = sch.cache_read(b, 0, \"wmma.matrix_a\")\nu = sch.add_unit_loop(i)\nsch.compute_at(s, u)\n",
      "only a tensor intrinsic knows which lane holds what", "sch.tensorize");
}

TEST(Refused, ScopeThatCudaDoesNotHave) {
  expectRefused(matmul(16, 16, 16),
                kLoops + "s = sch.cache_read(b, 0, \"warp\")\nu = sch.add_unit_loop(i)\nsch.compute_at(s, u)\n",
                "has the scope \"warp\"", "");
}

TEST(Refused, BarrierInABranchOfSomeThreads) {
  // The copy stands inside the tile's predicate over threads.
  expectRefused(
      "@T.prim_func\ndef main(A: T.Buffer((30,), \"float32\"), C: T.Buffer((30,), \"float32\")):\n"
      "    for i in T.thread_binding(32, \"threadIdx.x\"):\n"
      "        with T.block(\"tile\"):\n"
      "            vi = T.axis.spatial(30, i)\n"
      "            T.where(i < 30)\n"
      "            S = T.alloc_buffer((30,), scope=\"shared\")\n"
      "            with T.block(\"S\"):\n"
      "                v0 = T.axis.spatial(30, vi)\n"
      "                S[v0] = A[v0]\n"
      "            with T.block(\"C\"):\n"
      "                v1 = T.axis.spatial(30, vi)\n"
      "                C[v1] = S[29 - v1]\n",
      "b = sch.get_block(\"C\")\n", "a barrier would stand in a branch that only some threads of the block take",
      "sch.compute_at");
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
  auto program = lowered(matmul(13, 12, 60), kLoops + R"(
i0, i1, i2 = sch.split(i, [None, 4, 2])
j0, j1, j2 = sch.split(j, [None, 4, 4])
sch.reorder(i0, j0, i1, j1, k, i2, j2)
sch.bind(i0, "blockIdx.y")
sch.bind(j0, "blockIdx.x")
sch.bind(i1, "threadIdx.y")
sch.bind(j1, "threadIdx.x")
sch.decompose_reduction(b, k)
)");
  ASSERT_TRUE(program) << program.error().message.english();
  EXPECT_EQ(barriers(program->kernels[0]), 0);
  EXPECT_EQ(program->kernels[0].threads(), 16);
}

TEST(Barriers, TwoAroundASharedTileAndNoneInsideItsCopy) {
  auto program = lowered(matmul(32, 32, 16), kLoops + R"(
i0, i1 = sch.split(i, [None, 8])
j0, j1 = sch.split(j, [None, 8])
k0, k1 = sch.split(k, [None, 4])
sch.reorder(i0, j0, i1, j1, k0, k1)
sch.bind(i0, "blockIdx.y")
sch.bind(j0, "blockIdx.x")
sch.bind(i1, "threadIdx.y")
sch.bind(j1, "threadIdx.x")
s = sch.cache_read(b, 0, "shared")
sch.compute_at(s, k0)
)");
  ASSERT_TRUE(program) << program.error().message.english();
  EXPECT_EQ(barriers(program->kernels[0]), 2);
  device::forEach(program->kernels[0].body, [&](const device::Stmt& s) {
    if (s->kind != device::StmtKind::Loop || device::as<device::LoopNode>(s)->var->name == "k_0") return true;
    EXPECT_EQ(barriers({"", {}, {}, {}, {}, {}, {}, s, false, false, {}, {}}), 0)
        << "in loop " << device::as<device::LoopNode>(s)->var->name;
    return true;
  });
}

TEST(Vectorized, LoopWithMemoryOfItsOwnRunsInOrderAndIsReported) {
  auto program = lowered(matmul(8, 16, 4), kLoops + R"(
sch.bind(i, "blockIdx.x")
sch.bind(j, "threadIdx.x")
c = sch.cache_write(b, 0, "local")
sch.reverse_compute_at(c, j)
sch.vectorize(j)
)");
  ASSERT_TRUE(program) << program.error().message.english();
  EXPECT_THAT(textsOf(program->remarks), testing::Contains(HasSubstr("memory of its own")));
}

// On loops that become threads, that are vectorized, of extent 1 and dropped, and on blocks; each key is told once.
TEST(Annotation, ThatLoweringDoesNotKnowIsReportedWhereverItStands) {
  auto program = lowered(matmul(8, 16, 4), kLoops + R"(
one, i1 = sch.split(i, [1, None])
sch.annotate(one, "on.dropped", 1)
sch.annotate(i1, "on.bound", "x")
sch.bind(i1, "threadIdx.x")
j0, j1 = sch.split(j, [None, 4])
c = sch.cache_write(b, 0, "local")
sch.reverse_compute_at(c, i1)
l = sch.get_loops(c)[-1]
sch.annotate(l, "on.vectorized", [1, 2])
sch.vectorize(l)
sch.annotate(k, "pragma_auto_unroll_max_step", 64)
sch.annotate(b, "on.block", {"a": 1})
sch.annotate(c, "on.block", 2)
)");
  ASSERT_TRUE(program) << program.error().message.english();
  auto noEffect = [](const std::string& what) {
    return testing::ContainsRegex("the annotation \"" + what + " has no effect on the kernel");
  };
  EXPECT_THAT(textsOf(program->remarks),
              testing::UnorderedElementsAre(
                  noEffect("on.dropped\" of loop i_0"), noEffect("on.bound\" of loop i_1"),
                  noEffect("on.vectorized\" of loop ax0"), noEffect("pragma_auto_unroll_max_step\" of loop k"),
                  noEffect("on.block\" of block C"), noEffect("on.block\" of block C_local")));
  for (const device::Remark& r : program->remarks) EXPECT_EQ(r.subjects.size(), 1U) << r.text;
}

TEST(Annotation, OfAlignmentIsReportedOnlyWhereItCannotBeFollowed) {
  // A copy by way of shared memory; `asked` stands on the block that fills it, or on the one that empties it.
  auto remarks = [](const std::string& of, const std::string& asked) {
    auto block = [&](const std::string& to, const std::string& from) {
      return "    for i, j in T.grid(8, 16):\n        with T.block(\"" + to + "\"):\n" +
             "            vi, vj = T.axis.remap(\"SS\", [i, j])\n" +
             (of == to ? "            T.block_attr({\"buffer_dim_align\": " + asked + "})\n" : "") + "            " +
             to + "[vi, vj] = " + from + "[vi, vj]\n";
    };
    const std::string function =
        "@T.prim_func\ndef main(A: T.Buffer((8, 16), \"float32\"), B: T.Buffer((8, 16), \"float32\")):\n"
        "    S = T.alloc_buffer((8, 16), scope=\"shared\")\n" +
        block("S", "A") + block("B", "S");
    auto program = lowered(function, R"(
b = sch.get_block("B")
i, j = sch.get_loops(b)
sch.bind(i, "blockIdx.x")
sch.bind(j, "threadIdx.x")
sch.compute_at(sch.get_block("S"), i)
)");
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
  ASSERT_TRUE(lower(after(bound + "sch.compute_at(s, i)\n"), {}, &passes));
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
  auto rows = lowered(matmul(12, 4, 4), kLoops + R"(
i0, i1 = sch.split(i, [8, 3])
sch.reorder(i0, j, k, i1)
sch.bind(i0, "threadIdx.y")
sch.bind(j, "threadIdx.x")
sch.decompose_reduction(b, k)
)");
  ASSERT_TRUE(rows) << rows.error().message.english();
  EXPECT_THAT(device::print(*rows), HasSubstr("  if threadIdx.y < 4:\n    for i_1_init in 3:")) << device::print(*rows);
  // A copy of 4 elements a row by 8 threads: which of them is known in the edge's condition too.
  auto edge = lowered(matmul(30, 8, 4), kLoops + R"(
i0, i1 = sch.split(i, [None, 8])
sch.bind(i0, "blockIdx.x")
sch.bind(i1, "threadIdx.y")
sch.bind(j, "threadIdx.x")
s = sch.cache_read(b, 0, "shared")
sch.compute_at(s, i0)
f = sch.fuse(*sch.get_loops(s)[-2:])
t, u = sch.split(f, [8, None])
x, v = sch.split(u, [8, None])
sch.bind(t, "threadIdx.y")
sch.bind(x, "threadIdx.x")
)");
  ASSERT_TRUE(edge) << edge.error().message.english();
  EXPECT_THAT(device::print(*edge), HasSubstr("threadIdx.x < 4:")) << device::print(*edge);
  EXPECT_THAT(device::print(*edge), testing::Not(HasSubstr("threadIdx.x //"))) << device::print(*edge);
}

}  // namespace
}  // namespace loom::lower
