// A kernel two of whose buffers of shared memory can lie over the same bytes, for tests of several panels.
#pragma once
#include "core/document/kernel.h"
#include "tests/model/programs.h"

namespace loom::session {

// Returns the kernel: one block of 256 threads fills and reads S, 1 KiB, and then U, 2 KiB; R, 512 bytes, is in use all
// the time and has bytes of its own.
inline document::KernelText reusedKernel() {
  const char* text = R"(@T.prim_func
def main(A: T.Buffer((256,), "float32"), O: T.Buffer((256,), "float32"), P: T.Buffer((256,), "float64")):
    S = T.alloc_buffer((256,), "float32", scope="shared.dyn")
    U = T.alloc_buffer((256,), "float64", scope="shared.dyn")
    R = T.alloc_buffer((256,), "float16", scope="shared.dyn")
    for tx in T.thread_binding(256, "threadIdx.x"):
        with T.block("R"):
            v = T.axis.spatial(256, tx)
            R[v] = T.Cast("float16", A[v])
        with T.block("S"):
            v = T.axis.spatial(256, tx)
            S[v] = A[v]
        with T.block("O"):
            v = T.axis.spatial(256, tx)
            O[v] = S[255 - v]
        with T.block("U"):
            v = T.axis.spatial(256, tx)
            U[v] = T.Cast("float64", A[v])
        with T.block("P"):
            v = T.axis.spatial(256, tx)
            P[v] = U[255 - v] + T.Cast("float64", R[255 - v])
)";
  return document::makeKernel(model::replayed(text, "").last);
}

}  // namespace loom::session
