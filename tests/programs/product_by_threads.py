from tvm.script import tir as T


@T.prim_func
def main(A: T.Buffer(($M, $K), "float32"), B: T.Buffer(($K, $N), "float32"), C: T.Buffer(($M, $N), "float32")):
    for i in T.thread_binding($M, thread="blockIdx.x"):
        for j in T.thread_binding($N, thread="threadIdx.x"):
            for k in range($K):
                with T.block("C"):
                    vi, vj, vk = T.axis.remap("SSR", [i, j, k])
                    with T.init():
                        C[vi, vj] = T.float32(0)
                    C[vi, vj] = $SUM
