// A small product and steps for it, for documents and times.
#pragma once
#include <gtest/gtest.h>

#include "core/document/target.h"
#include "core/intrin/intrinsic.h"

namespace loom::document {

inline std::filesystem::path assets() { return std::string(TILELOOM_SOURCE_DIR) + "/assets"; }

inline schedule::Environment environment() {
  static const intrin::Library library = intrin::Library::load(assets() / "intrinsics").value();
  return schedule::Environment{&library};
}

inline const std::string kProduct = R"(from tvm.script import tir as T


@T.prim_func
def main(A: T.Buffer((32, 32), "float32"), B: T.Buffer((32, 32), "float32"), C: T.Buffer((32, 32), "float32")):
    for i, j, k in T.grid(32, 32, 32):
        with T.block("C"):
            vi, vj, vk = T.axis.remap("SSR", [i, j, k])
            with T.init():
                C[vi, vj] = T.float32(0)
            C[vi, vj] = C[vi, vj] + A[vi, vk] * B[vk, vj]
)";

inline const std::string kBound = R"(b = sch.get_block("C")
i, j, k = sch.get_loops(b)
i0, i1 = sch.split(i, [None, 8])
sch.bind(i0, "blockIdx.x")
sch.bind(j, "threadIdx.x")
)";

// The product with the lines applied.
inline Target scheduled(const std::string& lines) {
  auto target = openFunction(kProduct, "product.py");
  if (!target) throw std::runtime_error(target.error().message.english());
  auto applied = target->history.apply(0, lines, environment(), "steps");
  if (!applied) throw std::runtime_error(applied.error().message.english());
  if (applied->refusal) throw std::runtime_error(applied->refusal->message.english());
  return std::move(*target);
}

}  // namespace loom::document
