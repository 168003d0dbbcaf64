// Functions and schedules of the tests, from text.
#pragma once
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>

#include "core/exec/check.h"
#include "core/intrin/intrinsic.h"
#include "core/schedule/replay.h"
#include "core/script/parser.h"

namespace loom::exec {

inline std::string readText(const std::string& path) {
  std::ifstream in(std::string(TILELOOM_SOURCE_DIR) + "/" + path);
  return {std::istreambuf_iterator<char>(in), {}};
}

inline const intrin::Library& intrinsics() {
  static const intrin::Library library =
      intrin::Library::load(std::string(TILELOOM_SOURCE_DIR) + "/assets/intrinsics").value();
  return library;
}

inline ir::Function parse(const std::string& text) {
  auto module = script::parseModule(text, "test.py");
  if (!module) throw std::runtime_error(module.error().message.english());
  return module->functions.front();
}

// All that was looked at is right.
inline bool isRight(const Report& r) { return r.foundNothing(); }

// The states that a schedule's lines make of a function; refusals fail the test.
inline schedule::Replay replayed(const std::string& function, const std::string& lines) {
  auto module = script::parseModule(function, "test.py");
  if (!module) throw std::runtime_error(module.error().message.english());
  auto state = schedule::State::create(*module).value();
  auto calls = script::parseSchedule(lines, "test.sched.py");
  if (!calls) throw std::runtime_error(calls.error().message.english());
  auto replay = schedule::replay(state, *calls, schedule::Environment{&intrinsics()});
  if (replay.refusal)
    ADD_FAILURE() << replay.refusal->code << ": " << replay.refusal->message.english() << " in "
                  << replay.refusal->place.text;
  return replay;
}
inline ir::Function scheduled(const std::string& function, const std::string& lines) {
  return replayed(function, lines).last.module().functions.front();
}

inline std::string matmul(int m, int n, int k, const std::string& dtype = "float32") {
  auto size = [](int a, int b) { return "(" + std::to_string(a) + ", " + std::to_string(b) + ")"; };
  std::string grid = std::to_string(m) + ", " + std::to_string(n) + ", " + std::to_string(k);
  return "@T.prim_func\ndef main(A: T.Buffer(" + size(m, k) + ", \"" + dtype + "\"), B: T.Buffer(" + size(k, n) +
         ", \"" + dtype + "\"), C: T.Buffer(" + size(m, n) + ", \"float32\")):\n    for i, j, k in T.grid(" + grid +
         "):\n        with T.block(\"C\"):\n            vi, vj, vk = T.axis.remap(\"SSR\", [i, j, k])\n"
         "            with T.init():\n                C[vi, vj] = T.float32(0)\n"
         "            C[vi, vj] = C[vi, vj] + T.Cast(\"float32\", A[vi, vk]) * T.Cast(\"float32\", B[vk, vj])\n";
}

// The Tensor Core schedule at 64 × 64 × 64: 4 warps, one or more tiles each.
inline const char* const kTensorCore = R"(
b = sch.get_block("C")
i, j, k = sch.get_loops(b)
i0, i1 = sch.split(i, [None, 16])
j0, j1 = sch.split(j, [None, 16])
k0, k1 = sch.split(k, [None, 16])
sch.reorder(i0, j0, k0, i1, j1, k1)
t = sch.blockize(i1)
bi, wi, mi = sch.split(i0, [2, 2, None])
bj, wj, mj = sch.split(j0, [2, 1, None])
ko, ki = sch.split(k0, [None, 2])
sch.reorder(bi, bj, wi, wj, ko, ki, mi, mj)
bx = sch.fuse(bi, bj)
sch.bind(bx, "blockIdx.x")
wy = sch.fuse(wi, wj)
sch.bind(wy, "threadIdx.y")
xs = sch.cache_read(t, 0, "shared")
sch.compute_at(xs, ko)
f = sch.fuse(*sch.get_loops(xs)[-2:])
f0, f1, f2, f3 = sch.split(f, [None, 2, 32, 4])
sch.bind(f2, "threadIdx.x")
sch.bind(f1, "threadIdx.y")
sch.vectorize(f3)
ys = sch.cache_read(t, 1, "shared")
sch.compute_at(ys, ko)
g = sch.fuse(*sch.get_loops(ys)[-2:])
g0, g1, g2, g3 = sch.split(g, [None, 2, 32, 4])
sch.bind(g2, "threadIdx.x")
sch.bind(g1, "threadIdx.y")
sch.vectorize(g3)
xa = sch.cache_read(t, 0, "wmma.matrix_a")
sch.compute_at(xa, ki)
yb = sch.cache_read(t, 1, "wmma.matrix_b")
sch.compute_at(yb, ki)
zc = sch.cache_write(t, 0, "wmma.accumulator")
sch.reverse_compute_at(zc, wy)
a0, a1 = sch.get_loops(xa)[-2:]
a2, a3 = sch.split(a0, [None, 16])
a4, a5 = sch.split(a1, [None, 16])
sch.reorder(a2, a4, a3, a5)
b0, b1 = sch.get_loops(yb)[-2:]
b2, b3 = sch.split(b0, [None, 16])
b4, b5 = sch.split(b1, [None, 16])
sch.reorder(b2, b4, b3, b5)
c0, c1 = sch.get_loops(zc)[-2:]
c2, c3 = sch.split(c0, [None, 16])
c4, c5 = sch.split(c1, [None, 16])
sch.reorder(c2, c4, c3, c5)
init = sch.decompose_reduction(t, ko)
sch.tensorize(sch.get_loops(sch.get_child_blocks(init)[0])[0], "wmma_fill_16x16x16_f32")
sch.tensorize(a3, "wmma_load_16x16x16_f16_a_shared")
sch.tensorize(b3, "wmma_load_16x16x16_f16_b_shared")
sch.tensorize(sch.get_loops(b)[0], "wmma_sync_16x16x16_f16f16f32")
sch.tensorize(c3, "wmma_store_16x16x16_f32_global")
)";

}  // namespace loom::exec
