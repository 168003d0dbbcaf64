// The program that a fuzzer's inputs, lists of schedule steps, are applied to.
#pragma once

namespace loom::fuzz {

// Y = A · B and Z = max(Y, 0), 32 × 32 × 32.
inline constexpr const char* kProduct = R"(from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((32, 32), "float32"), B: T.Buffer((32, 32), "float32"), Z: T.Buffer((32, 32), "float32")):
    Y = T.alloc_buffer((32, 32))
    for i, j, k in T.grid(32, 32, 32):
        with T.block("Y"):
            vi, vj, vk = T.axis.remap("SSR", [i, j, k])
            with T.init():
                Y[vi, vj] = T.float32(0)
            Y[vi, vj] = Y[vi, vj] + A[vi, vk] * B[vk, vj]
    for i, j in T.grid(32, 32):
        with T.block("Z"):
            vi, vj = T.axis.remap("SS", [i, j])
            Z[vi, vj] = T.max(Y[vi, vj], T.float32(0))
)";

}  // namespace loom::fuzz
