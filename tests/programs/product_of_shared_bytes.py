# A product of elements that share bytes, both along k, or the count of those that differ.
from tvm.script import tir as T


@T.prim_func
def main(A: T.Buffer(($M, $K), "$TYPE"), B: T.Buffer(($N, $K), "$TYPE"), C: T.Buffer(($M, $N), "int32")):
    for i, j, k in T.grid($M, $N, $K):
        with T.block("C"):
            vi, vj, vk = T.axis.remap("SSR", [i, j, k])
            with T.init():
                C[vi, vj] = 0
            C[vi, vj] = C[vi, vj] + $TERM
